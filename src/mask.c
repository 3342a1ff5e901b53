/*
 * mask.c - the row terms of mask.h, one row at a time, in plain loops over keys that the compiler makes
 * vectors of.
 */
#include "mask.h"

#include <math.h>
#include <string.h>

/* One copy of what is called in several places: its vectors take room. */
#define NOINLINE static __attribute__((noinline))

NOINLINE void fill(float *term, int keys, float x) {
    for (int j = 0; j < keys; j++) term[j] = x;
}

/* A key whose byte is 0 is not allowed. Without branches, so that keys go by vectors. */
NOINLINE void forbid(const uint8_t *restrict allowed, ptrdiff_t column, int keys,
                     float *restrict term) {
    if (column == 0) {
        if (!*allowed) fill(term, keys, -INFINITY);
        return;
    }
    for (int j = 0; j < keys; j++) {
        const float x = term[j];
        term[j] = allowed[j] ? x : -INFINITY;
    }
}

static void set_bias(const float *bias, ptrdiff_t column, int keys, float *term) {
    if (column == 0) {
        fill(term, keys, *bias);
    } else {
        memcpy(term, bias, sizeof(float) * (size_t)keys);
    }
}

/* Distances are whole numbers below 2^53: exact in doubles, and rounded once. */
static void add_alibi(float slope, int64_t distance, int keys, float *term) {
    const double first = (double)distance;
    for (int j = 0; j < keys; j++) term[j] -= slope * (float)fabs(first - j);
}

void attn_mask_row_terms(const mask_view *m, int i, int j0, int j1, float *term) {
    const mask_span span = mask_row_span(m, i);
    const int begin = span.begin < j0 ? j0 : span.begin > j1 ? j1 : span.begin;
    const int end = span.end < begin ? begin : span.end > j1 ? j1 : span.end;
    const int keys = end - begin;
    float *seen = term + (begin - j0);

    fill(term, begin - j0, -INFINITY);
    fill(seen + keys, j1 - end, -INFINITY);
    if (keys == 0) return;
    if (m->bias) {
        set_bias(m->bias + i * m->bias_row + begin * m->bias_column, m->bias_column, keys, seen);
    } else {
        fill(seen, keys, 0.0f);
    }
    if (m->alibi_slope != 0.0f) add_alibi(m->alibi_slope, i + m->offset - begin, keys, seen);
    if (m->mask) {
        forbid(m->mask + i * m->mask_row + begin * m->mask_column, m->mask_column, keys, seen);
    }
    if (m->key_mask) {
        forbid(m->key_mask + begin * m->key_mask_column, m->key_mask_column, keys, seen);
    }
}

#define RUN 64

/* Whether a run of numbers may all be a bias. */
static int run_may_be_bias(const float *x) {
    int other = 0;
    for (int n = 0; n < RUN; n++) other |= !(x[n] < INFINITY);
    return !other;
}

size_t attn_bias_prefix(const float *bias, size_t count) {
    size_t n = 0;
    while (count - n >= RUN && run_may_be_bias(bias + n)) n += RUN;
    while (n < count && bias[n] < INFINITY) n++;
    return n;
}
