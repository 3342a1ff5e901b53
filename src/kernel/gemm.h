/*
 * gemm.h - the one micro-kernel: C = carry C + A B, with A broadcast through two strides.
 *
 * Scores (K Q^T), weighted sums (P V) and projections (X W) are all this product. A block of
 * GEMM_MR rows by GEMM_NV vectors stays in registers over the whole inner loop; its accumulators
 * start from the carried C, so that a row's sum has one order whatever block it falls into. The
 * last columns, fewer than a vector, are read and written by lanes: never out of bounds.
 */
#ifndef ATTN_GEMM_H
#define ATTN_GEMM_H

#include "kernel.h"
#include "vec.h"

/* Four by two vectors: eight accumulators, six operands, within the fifteen registers that are safe
 * under engines that load a whole loop body before they multiply. */
#define GEMM_MR 4
#define GEMM_NV 2

typedef struct gemm_operands {
    int inner;
    const float *a, *b;
    ptrdiff_t a_row, a_inner, b_row;
} gemm_operands;

/* rows <= GEMM_MR, vectors <= GEMM_NV, both literals; lanes < VN only with one vector. */
ALWAYS_INLINE void gemm_block(int rows, int vectors, int lanes, const gemm_operands *o, int r0,
                              int c0, float *c, ptrdiff_t c_row, const float *carry) {
    vf sum[GEMM_MR][GEMM_NV];
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < vectors; v++) {
            const float *at = c + (r0 + r) * c_row + c0 + v * VN;
            sum[r][v] = carry ? v_mul(v_set1(carry[r0 + r]), v_load_n(at, lanes)) : v_set1(0.0f);
        }
    }
    const float *a = o->a + r0 * o->a_row, *b = o->b + c0;
    const ptrdiff_t a_row = o->a_row, a_inner = o->a_inner, b_row = o->b_row;
    for (int t = 0; t < o->inner; t++, a += a_inner, b += b_row) {
        vf bv[GEMM_NV];
        for (int v = 0; v < vectors; v++) {
            bv[v] = lanes == VN ? v_load(b + v * VN) : v_load_n(b, lanes);
        }
        for (int r = 0; r < rows; r++) {
            const vf ar = v_set1(a[r * a_row]);
            for (int v = 0; v < vectors; v++) sum[r][v] = v_fma(ar, bv[v], sum[r][v]);
        }
    }
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < vectors; v++) {
            float *at = c + (r0 + r) * c_row + c0 + v * VN;
            if (lanes == VN) {
                v_store(at, sum[r][v]);
            } else {
                v_store_n(at, sum[r][v], lanes);
            }
        }
    }
}

/* All columns of rows [r0, r0 + rows). */
ALWAYS_INLINE void gemm_rows(int rows, int n, const gemm_operands *o, int r0, float *c,
                             ptrdiff_t c_row, const float *carry) {
    int c0 = 0;
    for (; c0 + GEMM_NV * VN <= n; c0 += GEMM_NV * VN) {
        gemm_block(rows, GEMM_NV, VN, o, r0, c0, c, c_row, carry);
    }
    for (; c0 + VN <= n; c0 += VN) gemm_block(rows, 1, VN, o, r0, c0, c, c_row, carry);
    if (c0 < n) gemm_block(rows, 1, n - c0, o, r0, c0, c, c_row, carry);
}

NOINLINE void FN(gemm)(int m, int n, int inner, const float *a, ptrdiff_t a_row, ptrdiff_t a_inner,
                       const float *b, ptrdiff_t b_row, float *c, ptrdiff_t c_row,
                       const float *carry) {
    const gemm_operands o = {inner, a, b, a_row, a_inner, b_row};
    int r0 = 0;
    for (; r0 + GEMM_MR <= m; r0 += GEMM_MR) gemm_rows(GEMM_MR, n, &o, r0, c, c_row, carry);
    for (; r0 < m; r0++) gemm_rows(1, n, &o, r0, c, c_row, carry);
}

#endif
