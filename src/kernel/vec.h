/*
 * vec.h - picks the vectors of the instruction set that this translation unit is compiled for.
 *
 * vf holds VN floats, vi as many unsigned integers, vm the result of a comparison; vi_lt compares
 * numbers below 2^31. v_fma(a, b, c) is a * b + c, fused or not: the only operation that may fuse
 * (the build says -ffp-contract=off). v_max and v_min pass NaN on; v_top(a, b) is a > b ? a : b, one
 * instruction everywhere. ROW_NV is the width of a block of one row, in vectors.
 */
#ifndef ATTN_VEC_H
#define ATTN_VEC_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(ATTN_KERNEL_AVX512)
#define FN(name) attn_##name##_avx512
#include "vec_avx512.h"
#elif defined(ATTN_KERNEL_AVX2)
#define FN(name) attn_##name##_avx2
#include "vec_avx2.h"
#elif defined(ATTN_KERNEL_NEON)
#define FN(name) attn_##name##_neon
#include "vec_neon.h"
#elif defined(ATTN_KERNEL_RELAXED)
#define FN(name) attn_##name##_relaxed
#include "vec_wasm.h"
#elif defined(ATTN_KERNEL_SIMD128)
#define FN(name) attn_##name##_simd128
#include "vec_wasm.h"
#else
#define FN(name) attn_##name##_scalar
#include "vec_scalar.h"
#endif

/* For functions whose arguments must become constants: the loops over them unroll. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* For hot loops: a small function of its own is optimised early by engines that compile twice. */
#define NOINLINE static __attribute__((noinline))

/* What the largest block holds. ROW_NV is at least SCORES_NV. */
#define GEMM_MR (SCORES_MR > VALUES_MR ? SCORES_MR : VALUES_MR)
#define GEMM_NV (ROW_NV > VALUES_NV ? ROW_NV : VALUES_NV)

/* Whole vectors that hold n floats. */
static inline int v_count(int n) { return n / VN + (n % VN != 0); }

#endif
