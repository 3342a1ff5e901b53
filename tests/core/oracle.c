/* oracle.c - the rules of the manual, one after the other, and the two precisions; see oracle.h. */
#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

float oracle_element(const float *x, const ptrdiff_t stride[3], int heads, int rows, int columns,
                     int b, int h, int i, int d) {
    if (stride[0] || stride[1] || stride[2]) {
        return x[b * stride[0] + h * stride[1] + i * stride[2] + d];
    }
    return x[(((ptrdiff_t)b * heads + h) * rows + i) * columns + d];
}

static int64_t within(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }

static float bias_of(const attn_params *p, int b, int h, int i, int j) {
    const ptrdiff_t *s = p->bias_stride;
    return p->bias ? p->bias[b * s[0] + h * s[1] + i * s[2] + j * s[3]] : 0.0f;
}

int oracle_allows(const attn_params *p, int b, int h, int i, int j) {
    /* Keys and rows beyond the lengths do not exist. */
    const int64_t keys = p->key_lengths ? within(p->key_lengths[b], p->key_length) : p->key_length;
    const int64_t queries =
        p->query_lengths ? within(p->query_lengths[b], p->query_length) : p->query_length;
    if (j >= keys || i >= queries) return 0;

    /* Row i stands at i + offset. */
    int64_t position = i + keys - queries;
    if (p->causal == ATTN_CAUSAL_TOP_LEFT) position = i;
    if (p->query_offset) position = (int64_t)i + p->query_offset[b];

    /* Causal: no key after the query. Window: so many before, so many after. */
    if (p->causal != ATTN_NOT_CAUSAL && j > position) return 0;
    if (p->window_left != -1 && j < position - p->window_left) return 0;
    if (p->window_right != -1 && j > position + p->window_right) return 0;

    /* A mask byte of 0 forbids; so does a bias of -inf. */
    const ptrdiff_t *s = p->mask_stride, *ks = p->key_mask_stride;
    if (p->mask && p->mask[b * s[0] + h * s[1] + i * s[2] + j * s[3]] == 0) return 0;
    if (p->key_mask && p->key_mask[b * ks[0] + j * ks[1]] == 0) return 0;
    return bias_of(p, b, h, i, j) != -INFINITY;
}

#define REAL           double
#define NAME(function) function##_exact
#include "oracle_real.h"
#undef REAL
#undef NAME
#define REAL           float
#define NAME(function) function##_plain
#include "oracle_real.h"

static void *new_array(size_t count, size_t size) {
    void *array = calloc(count > 0 ? count : 1, size);
    if (!array) {
        printf("no memory for an oracle of %zu numbers\n", count);
        abort();
    }
    return array;
}

oracle oracle_of(const attn_params *p, const attn_trace_params *what_if,
                 oracle_precision precision) {
    oracle o = {.rows = (size_t)p->batch * (size_t)p->query_heads * (size_t)p->query_length};
    o.cells = o.rows * (size_t)p->key_length;
    o.outputs = o.rows * (size_t)p->value_dim;
    o.allowed = new_array(o.cells, 1);
    double **const cells[] = {&o.scores, &o.scaled, &o.masked, &o.weights};
    double **const rows[] = {&o.row_max, &o.row_sum, &o.lse, &o.entropy};
    for (int n = 0; n < 4; n++) {
        *cells[n] = new_array(o.cells, sizeof(double));
        *rows[n] = new_array(o.rows, sizeof(double));
    }
    o.out = new_array(o.outputs, sizeof(double));

    const attn_trace_params definition = {0};
    if (!what_if) what_if = &definition;
    if (precision == ORACLE_EXACT) {
        attention_exact(p, what_if, &o);
    } else {
        attention_plain(p, what_if, &o);
    }
    return o;
}

void oracle_free(oracle *o) {
    void *const arrays[] = {o->allowed, o->scores,  o->scaled, o->masked,  o->weights,
                            o->row_max, o->row_sum, o->lse,    o->entropy, o->out};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) free(arrays[n]);
    *o = (oracle){0};
}
