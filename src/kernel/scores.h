/*
 * scores.h - a tile of scores: the product, its row terms and dropout, as forward and backward share
 * them.
 *
 * One side of the product is packed, so that its rows become lanes; the other is read in place and
 * broadcast. With many rows of queries those are the lanes, (keys, QUERY_TILE): the maximum and the
 * sum of a row need no horizontal step. With few the keys are, (rows, KEY_TILE): no lane is idle. A
 * score is summed over d in ascending order either way, so that its bits do not tell which it was.
 * One row by itself packs nothing: it is as fast as memory, and sums over d by lanes.
 */
#ifndef ATTN_SCORES_H
#define ATTN_SCORES_H

#include "../random.h"
#include "exp.h"
#include "gemm.h"

#define QUERY_TILE 48 /* a multiple of VN * SCORES_NV on every instruction set */
#define KEY_TILE   64 /* a multiple of VN * VALUES_NV */

/* Lanes that so many rows or keys take: whole vectors. */
static inline int lanes_of(int n) { return v_count(n) * VN; }

/* Up to VN rows of up to four columns, laid out as VN rows of four with zeros around. */
NOINLINE void fill_corner(const float *x, ptrdiff_t row, int rows, int columns, float *corner) {
    memset(corner, 0, sizeof(float) * 4 * VN);
    for (int n = 0; n < rows && n < VN; n++) {
        for (int d = 0; d < columns && d < 4; d++) corner[n * 4 + d] = x[n * row + d];
    }
}

/* v_columns where so many rows and columns are left; the others are 0. */
ALWAYS_INLINE void columns_of(const float *x, ptrdiff_t row, int rows, int columns, vf *column) {
    float corner[4 * VN];
    if (rows < VN || columns < 4) {
        fill_corner(x, row, rows, columns, corner);
        x = corner;
        row = 4;
    }
    v_columns(x, row, column);
}

/* packed[d, i] = x[i, d] for `rows` rows of x; (width, step), lanes beyond the rows 0. */
NOINLINE void pack_lanes(const float *x, ptrdiff_t x_row, int rows, int width, int step,
                         float *packed) {
    for (int i = 0; i < rows; i += VN) {
        for (int d = 0; d < width; d += 4) {
            vf column[4];
            columns_of(x + i * x_row + d, x_row, rows - i, width - d, column);
            for (int n = 0; n < 4; n++) {
                if (d + n < width) v_store(packed + (ptrdiff_t)(d + n) * step + i, column[n]);
            }
        }
    }
}

/* s[j, i] = sum over d of k[j, d] packed[d, i]; s is (keys, QUERY_TILE). */
NOINLINE void keys_product(const float *k, ptrdiff_t k_row, int keys, int width, int lanes,
                           const float *packed, float *s) {
    const gemm_operands o = {
        .m = keys,
        .n = lanes,
        .inner = width,
        .a = k,
        .a_row = k_row,
        .a_inner = 1,
        .b = packed,
        .b_row = QUERY_TILE,
        .c = s,
        .c_row = QUERY_TILE,
    };
    gemm_shaped(&o, SCORES_MR, SCORES_NV, 1);
}

/* Keys that one row goes through together: their lines stay in the nearest cache while their columns
 * are taken in parts. A multiple of every VN, and KEY_TILE one of it. */
#define ROW_KEYS 16

/* partial[j] += q k for a few columns of q and of each key, by lanes; lanes < VN only with one vector. */
ALWAYS_INLINE void add_columns(const float *q, const float *k, ptrdiff_t k_row, int keys,
                               int vectors, int lanes, int is_first, float *partial) {
    vf held[ROW_NV];
    for (int n = 0; n < vectors; n++) held[n] = v_load_n(q + n * VN, lanes);
    for (int j = 0; j < keys; j++, k += k_row, partial += VN) {
        vf even = is_first ? v_set1(0.0f) : v_load(partial), odd = v_set1(0.0f);
        for (int n = 0; n < vectors; n++) {
            const vf x = lanes == VN ? v_load(k + n * VN) : v_load_n(k, lanes);
            if (n % 2 == 0) {
                even = v_fma(x, held[n], even);
            } else {
                odd = v_fma(x, held[n], odd);
            }
        }
        v_store(partial, v_add(even, odd));
    }
}

/* s[j] = q k[j] for one row of queries alone: q stays in registers, its lanes are those of the keys, and
 * each key is read once, as fast as memory gives it. Whole vectors of s are written. */
NOINLINE void row_product(const float *q, const float *k, ptrdiff_t k_row, int keys, int width,
                          float *s) {
    for (int j = 0; j < keys; j += ROW_KEYS, k += ROW_KEYS * k_row) {
        const int count = keys - j < ROW_KEYS ? keys - j : ROW_KEYS, wide = ROW_NV * VN;
        float partial[ROW_KEYS * VN], fours[ROW_KEYS * 4];
        int d = 0;
        for (; d + wide <= width; d += wide) {
            add_columns(q + d, k + d, k_row, count, ROW_NV, VN, d == 0, partial);
        }
        for (; d < width; d += VN) {
            const int lanes = width - d < VN ? width - d : VN;
            add_columns(q + d, k + d, k_row, count, 1, lanes, d == 0, partial);
        }
        for (int n = count; n < ROW_KEYS; n++) v_store(partial + n * VN, v_set1(0.0f));
        for (int n = 0; n < ROW_KEYS; n++) v_fold(fours + n * 4, v_load(partial + n * VN));
        for (int n = 0; n < ROW_KEYS; n += VN) {
            vf column[4];
            v_columns(fours + n * 4, 4, column);
            const vf low = v_add(column[0], column[1]), high = v_add(column[2], column[3]);
            v_store(s + j + n, v_add(low, high));
        }
    }
}

/* Where the score of a row and a key lies: at row * row_step + key * key_step. */
typedef struct score_layout {
    ptrdiff_t row_step, key_step;
} score_layout;

#define QUERIES_AS_LANES ((score_layout){1, QUERY_TILE})
#define KEYS_AS_LANES    ((score_layout){KEY_TILE, 1})

/* What the terms of `count` runs of n, `step` apart, amount to; makes whole vectors of the runs by 0. */
static mask_class terms_class(float *term, int count, int n, int step) {
    const vf minus_infinity = v_set1(-INFINITY), one = v_set1(1.0f), zero = v_set1(0.0f);
    vf masked = zero;
    float lane[VN], sum = 0.0f;
    for (int o = 0; o < count; o++, term += step) {
        for (int l = n; l < lanes_of(n); l++) term[l] = 0.0f;
        for (int l = 0; l < n; l += VN) {
            masked = v_add(masked, v_select(v_eq(v_load(term + l), minus_infinity), one, zero));
        }
    }
    v_store(lane, masked);
    for (int l = 0; l < VN; l++) sum += lane[l];
    return sum == 0.0f ? MASK_FULL : sum == (float)(count * n) ? MASK_EMPTY : MASK_PARTIAL;
}

/* Writes the row terms of rows from i0, of `heads` heads one after the other, and of keys [j0, j1); says
 * what they amount to. Lanes beyond get 0. Terms come by rows: where those are lanes, by way of `spare`,
 * of a tile's size, unless they lie somewhere already. */
static mask_class tile_terms(const mask_view *mask, int heads, int i0, int rows, int j0, int j1,
                             score_layout at, float *spare, float *term) {
    const int all = heads * rows, keys = j1 - j0, few = at.key_step == 1;
    float *by_rows = few ? term : spare;
    const float *from = by_rows;
    ptrdiff_t from_row = KEY_TILE;
    if (!few && heads == 1 && mask_is_bias(mask, i0, i0 + rows, j0, j1)) {
        from = mask->bias + i0 * mask->bias_row + j0;
        from_row = mask->bias_row;
    } else {
        for (int n = 0; n < all; n++) {
            attn_mask_row_terms(mask + n / rows, i0 + n % rows, j0, j1, by_rows + n * KEY_TILE);
        }
    }
    if (few) return terms_class(term, all, keys, KEY_TILE);
    pack_lanes(from, from_row, all, keys, QUERY_TILE, term);
    return terms_class(term, keys, all, QUERY_TILE);
}

/* All ones where dropout drops the weight of a row and a key. */
static inline vm dropped_lanes(vi row_key, vi key_code, vi threshold) {
    vi x = vi_xor(row_key, key_code);
    x = vi_xor(x, vi_shr(x, 16));
    x = vi_mul(x, vi_set1(RANDOM_MIX_1));
    x = vi_xor(x, vi_shr(x, 13));
    x = vi_mul(x, vi_set1(RANDOM_MIX_2));
    return vi_lt(vi_shr(vi_xor(x, vi_shr(x, 16)), RANDOM_SHIFT), threshold);
}

/* x = x / (1 - p) where dropout keeps the weight, else 0. Codes of what is outside, `step` apart in
 * x, and of the lanes. */
ALWAYS_INLINE void drop_lanes(float dropout, const uint32_t *outside, int count, int step,
                              const uint32_t *inside, int lanes, float *x) {
    const vi threshold = vi_set1(random_threshold(dropout));
    const vf keep_scale = v_set1(random_keep_scale(dropout)), zero = v_set1(0.0f);
    for (int o = 0; o < count; o++) {
        const vi code = vi_set1(outside[o]);
        for (int n = 0; n < lanes; n += VN) {
            float *at = x + o * step + n;
            const vm dropped = dropped_lanes(code, vi_load(inside + n), threshold);
            v_store(at, v_select(dropped, zero, v_mul(keep_scale, v_load(at))));
        }
    }
}

/* The same for a tile of weights of keys from j0 on. */
static void drop(float dropout, const uint32_t *row_key, int rows, int j0, int keys,
                 score_layout at, float *x) {
    uint32_t code[SPLIT_KEYS];
    for (int j = 0; j < lanes_of(keys); j++) code[j] = (uint32_t)(j0 + j) * RANDOM_KEY_STEP;
    if (at.key_step == 1) {
        drop_lanes(dropout, row_key, rows, KEY_TILE, code, lanes_of(keys), x);
    } else {
        drop_lanes(dropout, code, keys, QUERY_TILE, row_key, lanes_of(rows), x);
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
