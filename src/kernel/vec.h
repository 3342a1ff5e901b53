/*
 * vec.h - picks the vectors of the instruction set that this translation unit is compiled for.
 *
 * vf holds VN floats, vm the result of a comparison. v_fma(a, b, c) is a * b + c, fused or not: the
 * only operation that may fuse (the build says -ffp-contract=off).
 */
#ifndef ATTN_VEC_H
#define ATTN_VEC_H

#include <stdint.h>
#include <string.h>

#if defined(ATTN_KERNEL_RELAXED)
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

/* Whole vectors that hold n floats. */
static inline int v_count(int n) { return n / VN + (n % VN != 0); }

#endif
