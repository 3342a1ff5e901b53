/* varied.c - random problems over every parameter; see varied.h. */
#include "varied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "oracle.h"
#include "rng.h"
#include "suite.h"

void varied_cases(int count, void (*property)(void)) {
    const char *given = getenv("ATTN_CASES");
    if (given) count = atoi(given);
    for (int n = 0; n < count; n++) {
        suite_case(n);
        property();
        if (!buffers_intact()) fail_msg("memory was touched");
        buffers_release();
    }
    suite_case(-1);
}

static int some_length(void) {
    if (rng_chance(0.04)) return 0;
    return 1 + rng_below(rng_chance(0.6) ? 12 : 110);
}

/* Also few queries over chunks of keys, and tiles of queries over them. */
static void some_lengths(int *queries, int *keys) {
    *queries = some_length();
    *keys = some_length();
    if (rng_chance(0.1)) {
        *queries = 1 + rng_below(20);
        *keys = 400 + rng_below(VARIED_KEYS - 400);
    } else if (rng_chance(0.05)) {
        *queries = 17 + rng_below(60);
        *keys = 480 + rng_below(200);
    }
}

static int some_width(void) { return 1 + rng_below(rng_chance(0.8) ? 9 : 70); }

problem varied_problem(void) {
    static const float scales[] = {0, -0.4f, 0.7f, 2};
    const int Hk = 1 + rng_below(2), batch = rng_chance(0.04) ? 0 : 1 + rng_below(3);
    int queries, keys;
    some_lengths(&queries, &keys);
    problem t = problem_of(
        (dims){batch, Hk * (1 + rng_below(3)), Hk, queries, keys, some_width(), some_width()});
    if (rng_chance(0.3)) t.p.scale = scales[rng_below(4)];
    t.p.threads = rng_below(4);
    problem_combine(&t);
    return t;
}

/* Strides of rows with the axes in any order, and gaps after each; 0 stays 0. */
static size_t any_strides(const ptrdiff_t from[3], const int extent[3], int columns,
                          ptrdiff_t to[3]) {
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const int *order = orders[rng_below(6)], gap = rng_chance(0.5) ? 0 : 1 + rng_below(7);
    ptrdiff_t step = columns + gap;
    size_t count = (size_t)columns;
    for (int n = 2; n >= 0; n--) {
        const int axis = order[n];
        to[axis] = 0;
        if (from[axis] == 0) continue;
        to[axis] = step;
        if (extent[axis] == 0) count = 0;
        if (count > 0) count += (size_t)step * (size_t)(extent[axis] - 1);
        step = step * extent[axis] + gap;
    }
    return count;
}

void *varied_place(const void *from, size_t element, const ptrdiff_t from_stride[3],
                   const int extent[3], int columns, ptrdiff_t to_stride[3]) {
    const size_t count = any_strides(from_stride, extent, columns, to_stride);
    char *to = buffer_at(count * element, 0);
    int n[3];
    for (int axis = 0; axis < 3; axis++) n[axis] = from_stride[axis] == 0 ? 1 : extent[axis];
    for (int b = 0; count > 0 && b < n[0]; b++) {
        for (int h = 0; h < n[1]; h++) {
            for (int i = 0; i < n[2]; i++) {
                const ptrdiff_t at = b * from_stride[0] + h * from_stride[1] + i * from_stride[2];
                const ptrdiff_t place = b * to_stride[0] + h * to_stride[1] + i * to_stride[2];
                memcpy(to + place * (ptrdiff_t)element,
                       (const char *)from + at * (ptrdiff_t)element, (size_t)columns * element);
            }
        }
    }
    return to;
}

/* Strides of a packed tensor, none of them 0, which would mean that all are. */
static void packed_strides(const int extent[3], int columns, ptrdiff_t stride[3]) {
    stride[2] = columns;
    stride[1] = stride[2] * (extent[2] ? extent[2] : 1);
    stride[0] = stride[1] * extent[1];
}

static float *place_tensor(const float *x, const int extent[3], int columns, ptrdiff_t stride[3]) {
    ptrdiff_t packed[3];
    packed_strides(extent, columns, packed);
    return varied_place(x, sizeof *x, packed, extent, columns, stride);
}

problem varied_strides(const problem *packed) {
    problem t = *packed;
    attn_params *p = &t.p;
    const int queries[3] = {p->batch, p->query_heads, p->query_length};
    const int keys[3] = {p->batch, p->kv_heads, p->key_length};
    p->q = t.q = place_tensor(packed->q, queries, p->head_dim, p->q_stride);
    p->k = t.k = place_tensor(packed->k, keys, p->head_dim, p->k_stride);
    p->v = t.v = place_tensor(packed->v, keys, p->value_dim, p->v_stride);
    p->out = t.out = place_tensor(packed->out, queries, p->value_dim, p->out_stride);
    buffer_poison(t.out);
    p->lse = t.lse = buffer_floats(problem_rows(packed));

    /* A mask of one column for all keys has rows of one element. */
    if (p->mask) {
        p->mask = varied_place(p->mask, 1, packed->p.mask_stride, queries,
                               p->mask_stride[3] ? p->key_length : 1, p->mask_stride);
    }
    if (p->bias) {
        p->bias = varied_place(p->bias, sizeof(float), packed->p.bias_stride, queries,
                               p->bias_stride[3] ? p->key_length : 1, p->bias_stride);
    }
    return t;
}

float *varied_packed(const problem *t, const float *x, const ptrdiff_t stride[3], int heads,
                     int rows, int columns) {
    const int batch = t->p.batch;
    float *packed = buffer_floats((size_t)batch * (size_t)heads * (size_t)rows * (size_t)columns);
    size_t n = 0;
    for (int b = 0; b < batch; b++) {
        for (int h = 0; h < heads; h++) {
            for (int i = 0; i < rows; i++) {
                for (int d = 0; d < columns; d++) {
                    packed[n++] = oracle_element(x, stride, heads, rows, columns, b, h, i, d);
                }
            }
        }
    }
    return packed;
}

problem varied_written_out(const problem *t) {
    problem w = *t;
    attn_params *p = &w.p;
    p->out = w.out = buffer_floats(problem_outputs(t));
    p->lse = w.lse = buffer_floats(problem_rows(t));
    p->mask = NULL;
    uint8_t *mask = problem_mask(&w, (const int[]){1, 1, 1, 1}, 1);
    int32_t *offset = buffer_ints((size_t)p->batch);
    size_t n = 0;
    for (int b = 0; b < p->batch; b++) {
        offset[b] = (int32_t)oracle_position(&t->p, b, 0);
        for (int h = 0; h < p->query_heads; h++) {
            for (int i = 0; i < p->query_length; i++) {
                for (int j = 0; j < p->key_length; j++) {
                    mask[n++] = (uint8_t)oracle_allows(&t->p, b, h, i, j);
                }
            }
        }
    }
    p->causal = ATTN_NOT_CAUSAL;
    p->window_left = p->window_right = -1;
    p->key_lengths = p->query_lengths = NULL;
    p->query_offset = offset;
    p->key_mask = NULL;
    return w;
}
