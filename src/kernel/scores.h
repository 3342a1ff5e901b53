/*
 * scores.h - a tile of scores, keys as rows and queries as lanes, as forward and backward share it.
 *
 * Scores are held transposed: the maximum and the sum of a row need no horizontal step, k and v are
 * read in place, and only the tile of queries is packed. Lanes beyond the rows hold zeros.
 */
#ifndef ATTN_SCORES_H
#define ATTN_SCORES_H

#include "../random.h"
#include "exp.h"
#include "gemm.h"

#define QUERY_TILE 48 /* a multiple of VN * SCORES_NV on every instruction set */
#define KEY_TILE   64

/* packed[d, i] = x[i, d] for `rows` rows, (width, QUERY_TILE). */
static void pack_lanes(const float *x, ptrdiff_t x_row, int rows, int width, float *packed) {
    for (int d = 0; d < width; d++) {
        float *lane = packed + (size_t)d * QUERY_TILE;
        for (int i = 0; i < rows; i++) lane[i] = x[i * x_row + d];
        for (int i = rows; i < QUERY_TILE; i++) lane[i] = 0.0f;
    }
}

/* s[j, i] = sum over d of x[j, d] packed[d, i], for `keys` rows of x. */
NOINLINE void lanes_product(const float *x, ptrdiff_t x_row, int keys, int width,
                            const float *packed, float *s) {
    const gemm_operands o = {
        .m = keys,
        .n = QUERY_TILE,
        .inner = width,
        .a = x,
        .a_row = x_row,
        .a_inner = 1,
        .b = packed,
        .b_row = QUERY_TILE,
        .c = s,
        .c_row = QUERY_TILE,
    };
    gemm_shaped(&o, SCORES_MR, SCORES_NV);
}

/* Writes the row terms of rows from i0 and keys [j0, j1), and says what they amount to. */
static mask_class tile_terms(const mask_view *mask, int i0, int rows, int j0, int j1, float *term) {
    for (int i = 0; i < rows; i++) {
        attn_mask_row_terms(mask, i0 + i, j0, j1, term + i, QUERY_TILE);
    }
    int masked = 0;
    for (int j = 0; j < j1 - j0; j++) {
        for (int i = 0; i < rows; i++) masked += term[j * QUERY_TILE + i] == -INFINITY;
        for (int i = rows; i < QUERY_TILE; i++) term[j * QUERY_TILE + i] = 0.0f;
    }
    return masked == 0 ? MASK_FULL : masked == rows * (j1 - j0) ? MASK_EMPTY : MASK_PARTIAL;
}

/* All ones where dropout drops the weight of key j from each lane's row. */
static inline vm dropped_lanes(const uint32_t *row_key, vi key, vi threshold) {
    vi x = vi_xor(vi_load(row_key), key);
    x = vi_xor(x, vi_shr(x, 16));
    x = vi_mul(x, vi_set1(RANDOM_MIX_1));
    x = vi_xor(x, vi_shr(x, 13));
    x = vi_mul(x, vi_set1(RANDOM_MIX_2));
    return vi_lt(vi_shr(vi_xor(x, vi_shr(x, 16)), RANDOM_SHIFT), threshold);
}

/* x = x / (1 - p) where dropout keeps the weight, else 0. */
static void drop(float dropout, const uint32_t *row_key, int j0, int keys, float *x) {
    const vi threshold = vi_set1(random_threshold(dropout));
    const vf keep_scale = v_set1(random_keep_scale(dropout)), zero = v_set1(0.0f);
    for (int j = 0; j < keys; j++) {
        const vi key = vi_set1((uint32_t)(j0 + j) * RANDOM_KEY_STEP);
        for (int i = 0; i < QUERY_TILE; i += VN) {
            float *at = x + j * QUERY_TILE + i;
            const vm dropped = dropped_lanes(row_key + i, key, threshold);
            v_store(at, v_select(dropped, zero, v_mul(keep_scale, v_load(at))));
        }
    }
}

/* Whether any number of the rows is NaN or infinite: x * 0 is 0 for finite x only. */
static int holds_non_finite(const float *x, ptrdiff_t x_row, int rows, int width) {
    const vf zero = v_set1(0.0f);
    vf sum = zero;
    for (int j = 0; j < rows; j++, x += x_row) {
        int d = 0;
        for (; d + VN <= width; d += VN) sum = v_fma(v_load(x + d), zero, sum);
        if (d < width) sum = v_fma(v_load_n(x + d, width - d), zero, sum);
    }
    return !v_all(v_eq(sum, zero));
}

#endif
