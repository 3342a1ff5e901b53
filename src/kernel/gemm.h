/*
 * gemm.h - the one micro-kernel: C = carry C + A B, with A broadcast through two strides.
 *
 * Scores (K Q^T), weighted sums (P V) and projections (X W) are all this product. A block of `rows`
 * by `vectors` stays in registers over the whole inner loop; its accumulators start from the
 * carried C, so that a row's sum has one order whatever block it falls into. The last columns,
 * fewer than a vector, are read and written by lanes: never out of bounds.
 *
 * Each use is a function of its own with the strides that it knows as literals: fewer additions of
 * addresses between the multiplications. The shape of the block is the instruction set's.
 */
#ifndef ATTN_GEMM_H
#define ATTN_GEMM_H

#include "kernel.h"
#include "vec.h"

typedef struct gemm_operands {
    int m, n, inner;
    const float *a, *b;
    float *c;
    ptrdiff_t a_row, a_inner, b_row, c_row;
    const float *carry; /* (m), or NULL: C is only written */
} gemm_operands;

/* rows <= GEMM_MR, vectors <= GEMM_NV, both literals; lanes < VN only with one vector. */
ALWAYS_INLINE void gemm_block(const gemm_operands *o, int rows, int vectors, int lanes, int r0,
                              int c0) {
    vf sum[GEMM_MR][GEMM_NV];
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < vectors; v++) {
            const float *at = o->c + (r0 + r) * o->c_row + c0 + v * VN;
            sum[r][v] = v_set1(0.0f);
            if (o->carry) sum[r][v] = v_mul(v_set1(o->carry[r0 + r]), v_load_n(at, lanes));
        }
    }
    const float *a = o->a + r0 * o->a_row, *b = o->b + c0;
    for (int t = 0; t < o->inner; t++, a += o->a_inner, b += o->b_row) {
        vf bv[GEMM_NV];
        for (int v = 0; v < vectors; v++) {
            bv[v] = lanes == VN ? v_load(b + v * VN) : v_load_n(b, lanes);
        }
        for (int r = 0; r < rows; r++) {
            const vf ar = v_set1(a[r * o->a_row]);
            for (int v = 0; v < vectors; v++) sum[r][v] = v_fma(ar, bv[v], sum[r][v]);
        }
    }
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < vectors; v++) {
            float *at = o->c + (r0 + r) * o->c_row + c0 + v * VN;
            if (lanes == VN) {
                v_store(at, sum[r][v]);
            } else {
                v_store_n(at, sum[r][v], lanes);
            }
        }
    }
}

/* All columns of rows [r0, r0 + rows); `whole` says that they are whole vectors. */
ALWAYS_INLINE void gemm_rows(const gemm_operands *o, int rows, int vectors, int whole, int r0) {
    int c0 = 0;
    for (; c0 + vectors * VN <= o->n; c0 += vectors * VN) gemm_block(o, rows, vectors, VN, r0, c0);
    if (vectors > 4) {
        for (; c0 + 4 * VN <= o->n; c0 += 4 * VN) gemm_block(o, rows, 4, VN, r0, c0);
    }
    if (vectors > 1) {
        for (; c0 + VN <= o->n; c0 += VN) gemm_block(o, rows, 1, VN, r0, c0);
    }
    if (!whole && o->n % VN != 0) gemm_block(o, rows, 1, o->n - c0, r0, c0);
}

/* Rows of B that a row of A by itself goes through together. */
#define ROW_INNER 32

/* Row r0 alone is as fast as memory brings B: all columns of a few rows of B before the next ones. */
NOINLINE void gemm_row(const gemm_operands *o, int r0) {
    const float one = 1.0f;
    gemm_operands part = *o;
    part.a += r0 * o->a_row;
    part.c += r0 * o->c_row;
    if (o->carry) part.carry += r0;
    for (int left = o->inner;; left -= ROW_INNER) {
        part.inner = left < ROW_INNER ? left : ROW_INNER;
        gemm_rows(&part, 1, ROW_NV, 0, 0);
        if (left <= ROW_INNER) return;
        part.a += ROW_INNER * o->a_inner;
        part.b += ROW_INNER * o->b_row;
        part.carry = &one;
    }
}

/* Rows that are left over go by fours and by twos, and one by itself. */
ALWAYS_INLINE void gemm_shaped(const gemm_operands *o, int rows, int vectors, int whole) {
    int r0 = 0;
    for (; r0 + rows <= o->m; r0 += rows) gemm_rows(o, rows, vectors, whole, r0);
    for (; rows > 4 && r0 + 4 <= o->m; r0 += 4) gemm_rows(o, 4, vectors, whole, r0);
    for (; rows > 2 && r0 + 2 <= o->m; r0 += 2) gemm_rows(o, 2, vectors, whole, r0);
    if (r0 < o->m) gemm_row(o, r0);
}

/* Any strides. */
NOINLINE void FN(gemm)(int m, int n, int inner, const float *a, ptrdiff_t a_row, ptrdiff_t a_inner,
                       const float *b, ptrdiff_t b_row, float *c, ptrdiff_t c_row,
                       const float *carry) {
    const gemm_operands o = {m, n, inner, a, b, c, a_row, a_inner, b_row, c_row, carry};
    gemm_shaped(&o, VALUES_MR, VALUES_NV, 0);
}

#endif
