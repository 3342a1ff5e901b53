/*
 * forward.h - one tile of query rows against all its keys, in one pass: the online softmax.
 *
 * For each tile of keys, with m and l the running maximum and sum of a row, acc its running output:
 *
 *     s     = scale q k^T, masked            m' = max(m, max s)
 *     p     = exp(s - m')                    carry = exp(m - m')
 *     l     = carry l + sum p                acc = carry acc + p v
 *
 * and at the end out = acc / l, lse = m + log l. (Milakov and Gimelshein 2018, algorithm 3;
 * FlashAttention 2022, algorithm 1.)
 *
 * A weight of 0 times a value of NaN is NaN. So where some of the tile's scores are masked and v
 * holds a number that is not finite, the weighted sum goes row by row and leaves the masked keys
 * out.
 */
#ifndef ATTN_KERNEL_FORWARD_H
#define ATTN_KERNEL_FORWARD_H

#include "scores.h"

typedef struct forward_buffers {
    uint32_t *row_key; /* (QUERY_TILE) for dropout */
    float *q;          /* (D, QUERY_TILE) transposed tile of q; lanes beyond the rows are 0 */
    float *s;          /* (KEY_TILE, QUERY_TILE) scores, then weights before normalisation */
    float *term;       /* (KEY_TILE, QUERY_TILE) row terms of the mask */
    float *m;          /* (QUERY_TILE) */
    float *l;          /* (QUERY_TILE) */
    float *carry;      /* (QUERY_TILE) */
    float *acc;        /* (QUERY_TILE, acc_row) */
    ptrdiff_t acc_row;
} forward_buffers;

static uint64_t FN(forward_scratch)(int head_dim, int value_dim) {
    const uint64_t acc_row = (uint64_t)v_count(value_dim) * VN;
    return QUERY_TILE * ((uint64_t)head_dim + 2 * KEY_TILE + 4 + acc_row);
}

static forward_buffers forward_carve(float *scratch, int head_dim, int value_dim) {
    forward_buffers t = {.acc_row = (ptrdiff_t)v_count(value_dim) * VN};
    t.s = scratch;
    t.term = t.s + KEY_TILE * QUERY_TILE;
    t.m = t.term + KEY_TILE * QUERY_TILE;
    t.l = t.m + QUERY_TILE;
    t.carry = t.l + QUERY_TILE;
    t.row_key = (uint32_t *)(void *)(t.carry + QUERY_TILE);
    t.q = t.carry + 2 * QUERY_TILE;
    t.acc = t.q + (size_t)head_dim * QUERY_TILE;
    return t;
}

/* acc = carry acc + P V for `keys` values from v on. */
NOINLINE void weighted_sum(const forward_tile_args *g, const forward_buffers *t, const float *v,
                           int keys) {
    const gemm_operands o = {
        .m = g->rows,
        .n = g->value_dim,
        .inner = keys,
        .a = t->s,
        .a_row = 1,
        .a_inner = QUERY_TILE,
        .b = v,
        .b_row = g->v_row,
        .c = t->acc,
        .c_row = t->acc_row,
        .carry = t->carry,
    };
    gemm_shaped(&o, VALUES_MR, VALUES_NV);
}

/* s = cap(scale s) (+ term), -inf where the term is; m, carry move on to the new maximum. */
ALWAYS_INLINE void finish_scores(const forward_tile_args *g, forward_buffers *t, int keys,
                                 int softcap, const float *term) {
    const vf scale = v_set1(g->scale), cap = v_set1(g->softcap);
    const vf minus_infinity = v_set1(-INFINITY), zero = v_set1(0.0f);
    const exp_constants constants = exp_load_constants();
    for (int i = 0; i < QUERY_TILE; i += VN) {
        const vf m_old = v_load(t->m + i);
        vf m = m_old;
        for (int j = 0; j < keys; j++) {
            float *at = t->s + j * QUERY_TILE + i;
            vf s = v_mul(scale, v_load(at));
            if (softcap) s = v_mul(cap, v_tanh_with(&constants, v_div(s, cap)));
            if (term) {
                const vf e = v_load(term + j * QUERY_TILE + i);
                s = v_select(v_eq(e, minus_infinity), e, v_add(s, e));
            }
            v_store(at, s);
            m = v_max(m, s);
        }
        v_store(t->m + i, m);
        /* exp(-inf - -inf) is never asked for: a row without keys so far is shifted by 0. */
        const vf shift = v_select(v_eq(m, minus_infinity), zero, m);
        v_store(t->carry + i, v_exp_with(&constants, v_sub(m_old, shift)));
    }
}

/* One loop for each use, so that the ordinary one asks nothing. */
static void finish_scores_plain(const forward_tile_args *g, forward_buffers *t, int keys) {
    finish_scores(g, t, keys, 0, NULL);
}
static void finish_scores_masked(const forward_tile_args *g, forward_buffers *t, int keys) {
    finish_scores(g, t, keys, 0, t->term);
}
static void finish_scores_capped(const forward_tile_args *g, forward_buffers *t, int keys) {
    finish_scores(g, t, keys, 1, NULL);
}
static void finish_scores_capped_masked(const forward_tile_args *g, forward_buffers *t, int keys) {
    finish_scores(g, t, keys, 1, t->term);
}

/* s = exp(s - m), l = carry l + sum. */
NOINLINE void exponentiate(forward_buffers *t, int keys) {
    const exp_constants constants = exp_load_constants();
    const vf minus_infinity = v_set1(-INFINITY), zero = v_set1(0.0f);
    for (int i = 0; i < QUERY_TILE; i += VN) {
        const vf m = v_load(t->m + i);
        const vf shift = v_select(v_eq(m, minus_infinity), zero, m);
        vf sum = zero;
        for (int j = 0; j < keys; j++) {
            float *at = t->s + j * QUERY_TILE + i;
            const vf p = v_exp_with(&constants, v_sub(v_load(at), shift));
            v_store(at, p);
            sum = v_add(sum, p);
        }
        v_store(t->l + i, v_fma(v_load(t->carry + i), v_load(t->l + i), sum));
    }
}

/* acc = carry acc + p v for each row apart, without the keys whose term is -inf. One key after the
 * other is added onto a carry of 1, which keeps the order of the sums and so the bits. */
static void weighted_sum_by_rows(const forward_tile_args *g, forward_buffers *t, const float *v,
                                 int keys) {
    const float one = 1.0f;
    for (int i = 0; i < g->rows; i++) {
        float *acc_i = t->acc + i * t->acc_row;
        FN(gemm)(1, g->value_dim, 0, t->s, 0, 0, v, 0, acc_i, 0, t->carry + i);
        for (int j = 0; j < keys; j++) {
            if (t->term[j * QUERY_TILE + i] == -INFINITY) continue;
            FN(gemm)(1, g->value_dim, 1, t->s + j * QUERY_TILE + i, 0, 0, v + j * g->v_row, 0,
                     acc_i, 0, &one);
        }
    }
}

static void finish(const forward_tile_args *g, const forward_buffers *t) {
    for (int i = 0; i < g->rows; i++) {
        const int empty = t->m[i] == -INFINITY;
        float *out_i = g->out_bhi + i * g->out_row;
        const float *acc_i = t->acc + i * t->acc_row;
        /* + 0 turns -0 into +0: its sign could tell the sign of a masked value. */
        for (int d = 0; d < g->value_dim; d++) out_i[d] = empty ? 0.0f : acc_i[d] / t->l[i] + 0.0f;
        if (g->lse_bhi) g->lse_bhi[i] = empty ? -INFINITY : t->m[i] + logf(t->l[i]);
    }
}

static void FN(forward_tile)(const forward_tile_args *g) {
    forward_buffers t = forward_carve(g->scratch, g->head_dim, g->value_dim);
    pack_lanes(g->q_bhi, g->q_row, g->rows, g->head_dim, t.q);
    for (int i = 0; i < QUERY_TILE; i++) {
        t.m[i] = -INFINITY;
        t.l[i] = 0.0f;
        t.row_key[i] = random_row_key(g->seed, g->batch_index, g->head_index, g->first_row + i);
    }
    memset(t.acc, 0, sizeof(float) * (size_t)(QUERY_TILE * t.acc_row));

    const int i0 = g->first_row, i1 = i0 + g->rows;
    const mask_span span = mask_tile_span(g->mask, i0, i1);
    /* Tiles of keys start at multiples of KEY_TILE, so that the cuts do not depend on the rows. */
    for (int tile = span.begin / KEY_TILE * KEY_TILE; tile < span.end; tile += KEY_TILE) {
        const int j0 = tile < span.begin ? span.begin : tile;
        const int j1 = tile + KEY_TILE < span.end ? tile + KEY_TILE : span.end;

        mask_class kind = mask_tile_class(g->mask, i0, i1, j0, j1);
        const int use_terms = kind == MASK_PARTIAL || mask_has_terms(g->mask);
        if (use_terms) kind = tile_terms(g->mask, i0, g->rows, j0, j1, t.term);
        if (kind == MASK_EMPTY) continue;

        lanes_product(g->k_bh + j0 * g->k_row, g->k_row, j1 - j0, g->head_dim, t.q, t.s);
        if (g->softcap > 0) {
            (use_terms ? finish_scores_capped_masked : finish_scores_capped)(g, &t, j1 - j0);
        } else {
            (use_terms ? finish_scores_masked : finish_scores_plain)(g, &t, j1 - j0);
        }
        exponentiate(&t, j1 - j0);
        if (g->dropout > 0) drop(g->dropout, t.row_key, j0, j1 - j0, t.s);

        const float *v = g->v_bh + j0 * g->v_row;
        if (kind == MASK_PARTIAL && holds_non_finite(v, g->v_row, j1 - j0, g->value_dim)) {
            weighted_sum_by_rows(g, &t, v, j1 - j0);
        } else {
            weighted_sum(g, &t, v, j1 - j0);
        }
    }
    finish(g, &t);
}

#endif
