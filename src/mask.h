/*
 * mask.h, mask.c - which keys a query may see. No other file knows masks.
 *
 * Every rule becomes one of two things: a span [begin, end) of keys for each row (causal, window,
 * lengths), and a row term for each key inside it (mask, key_mask, bias, ALiBi). The term is added
 * to the score; -inf means "not allowed" and is applied by select, so that whatever stands in a
 * masked key, NaN included, is never used.
 *
 * Spans move one way only: begin and end never fall from a row to the next. A tile of rows
 * therefore sees exactly the keys from its first row's begin to its last row's end.
 */
#ifndef ATTN_MASK_H
#define ATTN_MASK_H

#include "attention.h"

/* The masks of one (batch, head), with pointers and strides that start there. */
typedef struct mask_view {
    int64_t offset;          /* position of row 0 */
    int64_t reach_left;      /* a row at p sees p - reach_left ... */
    int64_t reach_right;     /* ... to p + reach_right, both inclusive */
    int keys, rows;          /* keys and rows that exist */
    const uint8_t *mask;     /* + i * mask_row + j * mask_column */
    const uint8_t *key_mask; /* + j * key_mask_column */
    const float *bias;       /* + i * bias_row + j * bias_column */
    float alibi_slope;       /* of this head; 0 without ALiBi */
    ptrdiff_t mask_row, mask_column, key_mask_column, bias_row, bias_column;
} mask_view;

typedef struct mask_span {
    int begin, end; /* begin <= end */
} mask_span;

typedef enum mask_class { MASK_EMPTY, MASK_FULL, MASK_PARTIAL } mask_class;

/* Further than any distance between two int32 positions. */
#define MASK_UNBOUNDED ((int64_t)1 << 40)

static inline int64_t mask_clamp(int64_t x, int64_t low, int64_t high) {
    return x < low ? low : x > high ? high : x;
}

static inline mask_view mask_view_of(const attn_params *p, int b, int h) {
    mask_view m = {.keys = p->key_length, .rows = p->query_length};
    if (p->key_lengths) m.keys = (int)mask_clamp(p->key_lengths[b], 0, p->key_length);
    if (p->query_lengths) m.rows = (int)mask_clamp(p->query_lengths[b], 0, p->query_length);

    if (p->query_offset) {
        m.offset = p->query_offset[b];
    } else if (p->causal != ATTN_CAUSAL_TOP_LEFT) {
        m.offset = (int64_t)m.keys - m.rows;
    }

    m.reach_left = p->window_left < 0 ? MASK_UNBOUNDED : p->window_left;
    m.reach_right = p->window_right < 0 ? MASK_UNBOUNDED : p->window_right;
    if (p->causal != ATTN_NOT_CAUSAL) m.reach_right = 0;

    if (p->mask) {
        m.mask = p->mask + b * p->mask_stride[0] + h * p->mask_stride[1];
        m.mask_row = p->mask_stride[2];
        m.mask_column = p->mask_stride[3];
    }
    if (p->key_mask) {
        m.key_mask = p->key_mask + b * p->key_mask_stride[0];
        m.key_mask_column = p->key_mask_stride[1];
    }
    if (p->bias) {
        m.bias = p->bias + b * p->bias_stride[0] + h * p->bias_stride[1];
        m.bias_row = p->bias_stride[2];
        m.bias_column = p->bias_stride[3];
    }
    if (p->alibi_slopes) m.alibi_slope = p->alibi_slopes[h];
    return m;
}

/* The same with nothing left but what is added: bias and ALiBi. */
static inline mask_view mask_bias_only(const mask_view *m, int rows, int keys) {
    mask_view open = *m;
    open.rows = rows;
    open.keys = keys;
    open.reach_left = open.reach_right = MASK_UNBOUNDED;
    open.mask = open.key_mask = NULL;
    return open;
}

/* The keys that causal, window and lengths leave to row i. */
static inline mask_span mask_row_span(const mask_view *m, int i) {
    if (i >= m->rows) return (mask_span){m->keys, m->keys};
    const int64_t p = i + m->offset;
    const int64_t begin = mask_clamp(p - m->reach_left, 0, m->keys);
    const int64_t end = mask_clamp(p + m->reach_right + 1, begin, m->keys);
    return (mask_span){(int)begin, (int)end};
}

/* The keys that at least one row of [i0, i1) may see by its span. */
static inline mask_span mask_tile_span(const mask_view *m, int i0, int i1) {
    const int last = (i1 < m->rows ? i1 : m->rows) - 1;
    if (last < i0) return (mask_span){0, 0};
    return (mask_span){mask_row_span(m, i0).begin, mask_row_span(m, last).end};
}

/* What the spans say of rows [i0, i1) and keys [j0, j1), keys inside the tile span. */
static inline mask_class mask_tile_class(const mask_view *m, int i0, int i1, int j0, int j1) {
    const mask_span first = mask_row_span(m, i0), last = mask_row_span(m, i1 - 1);
    return last.begin <= j0 && j1 <= first.end && i1 <= m->rows ? MASK_FULL : MASK_PARTIAL;
}

/* Whether there are row terms besides the spans. */
static inline int mask_has_terms(const mask_view *m) {
    return m->mask || m->key_mask || m->bias || m->alibi_slope != 0.0f;
}

/* Whether the terms of rows [i0, i1) and keys [j0, j1) are the numbers of bias, as they lie. */
static inline int mask_is_bias(const mask_view *m, int i0, int i1, int j0, int j1) {
    return m->bias && m->bias_column == 1 && !m->mask && !m->key_mask && m->alibi_slope == 0.0f &&
           mask_tile_class(m, i0, i1, j0, j1) == MASK_FULL;
}

/*
 * term[j - j0] for row i, keys [j0, j1): added to the score, -inf if not allowed.
 */
void attn_mask_row_terms(const mask_view *m, int i, int j0, int j1, float *term);

#endif
