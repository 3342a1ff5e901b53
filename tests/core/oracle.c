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

static int64_t keys_of(const attn_params *p, int b) {
    return p->key_lengths ? within(p->key_lengths[b], p->key_length) : p->key_length;
}

static int64_t queries_of(const attn_params *p, int b) {
    return p->query_lengths ? within(p->query_lengths[b], p->query_length) : p->query_length;
}

int64_t oracle_position(const attn_params *p, int b, int i) {
    if (p->query_offset) return (int64_t)i + p->query_offset[b];
    if (p->causal == ATTN_CAUSAL_TOP_LEFT) return i;
    return i + keys_of(p, b) - queries_of(p, b);
}

double oracle_term(const attn_params *p, int b, int h, int i, int j) {
    const float bias = bias_of(p, b, h, i, j);
    const double distance = fabs((double)(oracle_position(p, b, i) - j));
    const double alibi = p->alibi_slopes ? (double)p->alibi_slopes[h] * distance : 0;
    return (bias == -INFINITY ? 0 : (double)bias) - alibi;
}

static uint64_t finalise64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t finalise32(uint32_t z) {
    z = (z ^ (z >> 16)) * 0x85ebca6bu;
    z = (z ^ (z >> 13)) * 0xc2b2ae35u;
    return z ^ (z >> 16);
}

/* Seed, then batch and head, then row, each through SplitMix64's finaliser; the upper half, with the
 * key times 2^32 / golden ratio, through MurmurHash3's; 24 bits of that are a number of [0, 1). */
int oracle_keeps(const attn_params *p, int b, int h, int i, int j) {
    const uint64_t head = (uint64_t)b * 0x100000000u + (uint64_t)h;
    uint64_t row = finalise64(p->seed + 0x9e3779b97f4a7c15u);
    row = finalise64(finalise64(row ^ head) ^ (uint64_t)i);
    const uint32_t bits = finalise32((uint32_t)(row >> 32) ^ (uint32_t)j * 0x9e3779b9u);
    return bits >> 8 >= (uint32_t)lround((double)p->dropout * 16777216);
}

int oracle_allows(const attn_params *p, int b, int h, int i, int j) {
    /* Keys and rows beyond the lengths do not exist. */
    if (j >= keys_of(p, b) || i >= queries_of(p, b)) return 0;

    /* Causal: no key after the query. Window: so many before, so many after. */
    const int64_t position = oracle_position(p, b, i);
    if (p->causal != ATTN_NOT_CAUSAL && j > position) return 0;
    if (p->window_left != -1 && j < position - p->window_left) return 0;
    if (p->window_right != -1 && j > position + p->window_right) return 0;

    /* A mask byte of 0 forbids; so does a bias of -inf. */
    const ptrdiff_t *s = p->mask_stride, *ks = p->key_mask_stride;
    if (p->mask && p->mask[b * s[0] + h * s[1] + i * s[2] + j * s[3]] == 0) return 0;
    if (p->key_mask && p->key_mask[b * ks[0] + j * ks[1]] == 0) return 0;
    return bias_of(p, b, h, i, j) != -INFINITY;
}

double oracle_unit(const oracle *o, double size) {
    const double unit = fmax(1e-6, 0x1p-23 * o->largest_size);
    return fmax(1, size) * unit / 1e-6;
}

/* The size of what the masked score of a pair is summed from. */
static double size_of(const attn_params *p, int b, int h, int i, int j) {
    const int kv_h = h / (p->query_heads / p->kv_heads);
    double size = 0;
    for (int d = 0; d < p->head_dim; d++) {
        const float q = oracle_element(p->q, p->q_stride, p->query_heads, p->query_length,
                                       p->head_dim, b, h, i, d);
        const float k = oracle_element(p->k, p->k_stride, p->kv_heads, p->key_length, p->head_dim,
                                       b, kv_h, j, d);
        size += fabs((double)q * (double)k);
    }
    return fabs((double)p->scale) * size + fabs(oracle_term(p, b, h, i, j));
}

/* Their mean over a row, into the largest of them. */
static void measure_row(const attn_params *p, oracle *o, int b, int h, int i, size_t row) {
    double mean = 0;
    for (int j = 0; j < p->key_length; j++) {
        const double weight = o->weights[row * (size_t)p->key_length + (size_t)j];
        if (weight > 0) mean += weight * size_of(p, b, h, i, j);
    }
    if (mean > o->largest_size && mean <= 1e6) o->largest_size = mean;
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
    double **const cells[] = {&o.scores, &o.scaled, &o.capped, &o.masked, &o.weights, &o.dropped};
    double **const rows[] = {&o.row_max, &o.row_sum, &o.lse, &o.entropy};
    for (int n = 0; n < 6; n++) *cells[n] = new_array(o.cells, sizeof(double));
    for (int n = 0; n < 4; n++) *rows[n] = new_array(o.rows, sizeof(double));
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
    void *const arrays[] = {o->allowed, o->scores,  o->scaled,  o->capped, o->masked,  o->weights,
                            o->dropped, o->row_max, o->row_sum, o->lse,    o->entropy, o->out};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) free(arrays[n]);
    *o = (oracle){0};
}
