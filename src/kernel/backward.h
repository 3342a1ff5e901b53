/*
 * backward.h - the gradient of one tile: some keys of one head against some rows of its queries.
 *
 * Forward (which kept lse and out; delta = rowsum(dout * out)) and, beside it, backward:
 *
 *     out = dropout(P) V             dV += dropout(P)^T dout       dP = dropout(dout V^T)
 *     P   = exp(masked - lse) / sum  dmasked = P * (dP - delta)
 *     masked = cap(scale Q K^T)      dS = dmasked * (1 - tanh^2) * scale
 *                                    dQ += dS K                    dK += dS^T Q
 *
 * sum is 1 but for the rounding of lse, which backward.c makes good where it matters. Five products
 * on the one micro-kernel; nothing of size Tq x Tk. A key that a row may not see adds nothing: its P
 * and dS are exactly 0, and where a number that is not finite could turn 0 into NaN the three sums
 * leave the masked pairs out.
 */
#ifndef ATTN_KERNEL_BACKWARD_H
#define ATTN_KERNEL_BACKWARD_H

#include "scores.h"

typedef struct backward_buffers {
    float *q, *dout;    /* (D, QUERY_TILE), (Dv, QUERY_TILE) transposed */
    float *p;           /* (KEY_TILE, QUERY_TILE) weights, then after dropout */
    float *ds;          /* (KEY_TILE, QUERY_TILE) dP, then dmasked, then dS */
    float *slope;       /* (KEY_TILE, QUERY_TILE) 1 - tanh^2 */
    float *term;        /* (KEY_TILE, QUERY_TILE) */
    float *lse, *delta; /* (QUERY_TILE) */
    float *inverse;     /* (QUERY_TILE) 1 / sum */
    float *ones;        /* (KEY_TILE) a carry that keeps */
    uint32_t *row_key;  /* (QUERY_TILE) */
} backward_buffers;

static uint64_t FN(backward_scratch)(int head_dim, int value_dim) {
    return QUERY_TILE * ((uint64_t)head_dim + (uint64_t)value_dim + 4 * KEY_TILE + 4) + KEY_TILE;
}

static backward_buffers backward_carve(float *scratch, int head_dim) {
    backward_buffers t;
    t.p = scratch;
    t.ds = t.p + KEY_TILE * QUERY_TILE;
    t.slope = t.ds + KEY_TILE * QUERY_TILE;
    t.term = t.slope + KEY_TILE * QUERY_TILE;
    t.lse = t.term + KEY_TILE * QUERY_TILE;
    t.delta = t.lse + QUERY_TILE;
    t.inverse = t.delta + QUERY_TILE;
    t.row_key = (uint32_t *)(void *)(t.inverse + QUERY_TILE);
    t.ones = t.inverse + 2 * QUERY_TILE;
    t.q = t.ones + KEY_TILE;
    t.dout = t.q + (size_t)head_dim * QUERY_TILE;
    return t;
}

/* p = exp(masked - lse) / sum, slope = 1 - tanh^2 where capped; p holds the raw scores before. */
static void weights_again(const backward_tile_args *g, const backward_buffers *t, int use_terms) {
    const exp_constants constants = exp_load_constants();
    const vf scale = v_set1(g->scale), cap = v_set1(g->softcap), one = v_set1(1.0f);
    const vf minus_infinity = v_set1(-INFINITY), zero = v_set1(0.0f);
    for (int j = 0; j < g->keys; j++) {
        for (int i = 0; i < lanes_of(g->rows); i += VN) {
            float *at = t->p + j * QUERY_TILE + i;
            vf s = v_mul(scale, v_load(at));
            if (g->softcap > 0) {
                const vf tanh = v_tanh_with(&constants, v_div(s, cap));
                v_store(t->slope + j * QUERY_TILE + i, v_sub(one, v_mul(tanh, tanh)));
                s = v_mul(cap, tanh);
            }
            vm hidden = v_lt(zero, zero);
            if (use_terms) {
                const vf e = v_load(t->term + j * QUERY_TILE + i);
                hidden = v_eq(e, minus_infinity);
                s = v_add(s, e);
            }
            const vf p = v_exp_with(&constants, v_sub(s, v_load(t->lse + i)));
            v_store(at, v_select(hidden, zero, v_mul(p, v_load(t->inverse + i))));
        }
    }
}

/* ds = p (dP - delta), exactly 0 where p is 0 by the mask. */
static void masked_gradient(const backward_tile_args *g, const backward_buffers *t, int use_terms) {
    const vf minus_infinity = v_set1(-INFINITY), zero = v_set1(0.0f);
    for (int j = 0; j < g->keys; j++) {
        for (int i = 0; i < lanes_of(g->rows); i += VN) {
            float *at = t->ds + j * QUERY_TILE + i;
            vf ds = v_sub(v_load(at), v_load(t->delta + i));
            ds = v_mul(v_load(t->p + j * QUERY_TILE + i), ds);
            if (use_terms) {
                const vf e = v_load(t->term + j * QUERY_TILE + i);
                ds = v_select(v_eq(e, minus_infinity), zero, ds);
            }
            v_store(at, ds);
        }
    }
}

/* dmasked becomes the gradient of q k^T: through the cap and the scale. */
static void score_gradient(const backward_tile_args *g, const backward_buffers *t) {
    const vf scale = v_set1(g->scale);
    for (int j = 0; j < g->keys; j++) {
        for (int i = 0; i < lanes_of(g->rows); i += VN) {
            const int at = j * QUERY_TILE + i;
            vf ds = v_mul(scale, v_load(t->ds + at));
            if (g->softcap > 0) ds = v_mul(ds, v_load(t->slope + at));
            v_store(t->ds + at, ds);
        }
    }
}

/* The last three products, over all pairs of the tile. */
static void add_products(const backward_tile_args *g, const backward_buffers *t) {
    FN(gemm)(g->keys, g->value_dim, g->rows, t->p, QUERY_TILE, 1, g->dout_bhi, g->dout_row, g->dv,
             g->value_dim, t->ones);
    FN(gemm)(g->keys, g->head_dim, g->rows, t->ds, QUERY_TILE, 1, g->q_bhi, g->q_row, g->dk,
             g->head_dim, t->ones);
    FN(gemm)(g->rows, g->head_dim, g->keys, t->ds, 1, QUERY_TILE, g->k_bhj, g->k_row, g->dq_bhi,
             g->dq_row, t->ones);
}

/* The same pair by pair, without those that the mask hides. */
static void add_products_by_pairs(const backward_tile_args *g, const backward_buffers *t) {
    for (int j = 0; j < g->keys; j++) {
        for (int i = 0; i < g->rows; i++) {
            const int at = j * QUERY_TILE + i;
            if (t->term[at] == -INFINITY) continue;
            FN(gemm)(1, g->value_dim, 1, t->p + at, 0, 0, g->dout_bhi + i * g->dout_row, 0,
                     g->dv + (ptrdiff_t)j * g->value_dim, 0, t->ones);
            FN(gemm)(1, g->head_dim, 1, t->ds + at, 0, 0, g->q_bhi + i * g->q_row, 0,
                     g->dk + (ptrdiff_t)j * g->head_dim, 0, t->ones);
            FN(gemm)(1, g->head_dim, 1, t->ds + at, 0, 0, g->k_bhj + j * g->k_row, 0,
                     g->dq_bhi + i * g->dq_row, 0, t->ones);
        }
    }
}

static int tile_holds_non_finite(const backward_tile_args *g) {
    return holds_non_finite(g->k_bhj, g->k_row, g->keys, g->head_dim) ||
           holds_non_finite(g->v_bhj, g->v_row, g->keys, g->value_dim) ||
           holds_non_finite(g->q_bhi, g->q_row, g->rows, g->head_dim) ||
           holds_non_finite(g->dout_bhi, g->dout_row, g->rows, g->value_dim);
}

/* dmasked of the tile into dbias, which broadcasts by its strides. */
static void add_bias_gradient(const backward_tile_args *g, const backward_buffers *t) {
    for (int i = 0; i < g->rows; i++) {
        for (int j = 0; j < g->keys; j++) {
            g->dbias_bhij[i * g->dbias_row + j * g->dbias_column] += t->ds[j * QUERY_TILE + i];
        }
    }
}

static void add_sums(const backward_tile_args *g, const backward_buffers *t) {
    for (int j = 0; j < g->keys; j++) {
        for (int i = 0; i < g->rows; i++) g->sum_bhi[i] += t->p[j * QUERY_TILE + i];
    }
}

static void FN(backward_tile)(const backward_tile_args *g) {
    const backward_buffers t = backward_carve(g->scratch, g->head_dim);
    const int i0 = g->first_row, i1 = i0 + g->rows, j0 = g->first_key, j1 = j0 + g->keys;
    const int lanes = lanes_of(g->rows);
    const score_layout at = QUERIES_AS_LANES;

    int empty_rows = 0;
    for (int i = 0; i < QUERY_TILE; i++) {
        t.lse[i] = i < g->rows ? g->lse_bhi[i] : 0.0f;
        t.delta[i] = i < g->rows ? g->delta_bhi[i] : 0.0f;
        t.inverse[i] = i < g->rows ? g->inverse_bhi[i] : 1.0f;
        t.row_key[i] = random_row_key(g->seed, g->batch_index, g->head_index, i0 + i);
        empty_rows += t.lse[i] == -INFINITY;
    }
    for (int j = 0; j < KEY_TILE; j++) t.ones[j] = 1.0f;

    mask_class kind = mask_tile_class(g->mask, i0, i1, j0, j1);
    const int use_terms = kind == MASK_PARTIAL || mask_has_terms(g->mask) || empty_rows > 0;
    if (use_terms) kind = tile_terms(g->mask, 1, i0, g->rows, j0, j1, at, t.p, t.term);
    /* A row without weight is masked throughout, whatever its scores were. */
    for (int i = 0; empty_rows > 0 && i < g->rows; i++) {
        if (t.lse[i] != -INFINITY) continue;
        for (int j = 0; j < g->keys; j++) t.term[j * QUERY_TILE + i] = -INFINITY;
        t.lse[i] = 0.0f;
        kind = MASK_PARTIAL;
    }
    if (kind == MASK_EMPTY) return;

    pack_lanes(g->q_bhi, g->q_row, g->rows, g->head_dim, QUERY_TILE, t.q);
    keys_product(g->k_bhj, g->k_row, g->keys, g->head_dim, lanes, t.q, t.p);
    weights_again(g, &t, use_terms);
    if (g->sum_bhi) {
        add_sums(g, &t);
        return;
    }

    pack_lanes(g->dout_bhi, g->dout_row, g->rows, g->value_dim, QUERY_TILE, t.dout);
    keys_product(g->v_bhj, g->v_row, g->keys, g->value_dim, lanes, t.dout, t.ds);
    if (g->dropout > 0) drop(g->dropout, t.row_key, g->rows, j0, g->keys, at, t.ds);
    masked_gradient(g, &t, use_terms);
    if (g->dbias_bhij) {
        add_bias_gradient(g, &t);
        return;
    }
    score_gradient(g, &t);
    if (g->dropout > 0) drop(g->dropout, t.row_key, g->rows, j0, g->keys, at, t.p);

    if (kind == MASK_PARTIAL && tile_holds_non_finite(g)) {
        add_products_by_pairs(g, &t);
    } else {
        add_products(g, &t);
    }
}

#endif
