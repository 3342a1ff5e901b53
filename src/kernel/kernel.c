/*
 * kernel.c - the one translation unit that is compiled once for each instruction set.
 *
 * The build names the set with -DATTN_KERNEL_...; a wasm build follows from the compiler's own
 * target, and without either it is plain C.
 */
#if !defined(ATTN_KERNEL_SCALAR) && defined(__wasm_relaxed_simd__)
#define ATTN_KERNEL_RELAXED
#elif !defined(ATTN_KERNEL_SCALAR) && defined(__wasm_simd128__)
#define ATTN_KERNEL_SIMD128
#endif

#include <math.h>

#include "kernel.h"
#include "vec.h"

#include "gemm.h"
#include "exp.h"
#include "backward.h"
#include "forward.h"

extern const attn_kernels FN(kernels);

const attn_kernels FN(kernels) = {
    .query_tile = QUERY_TILE,
    .key_tile = KEY_TILE,
    .forward_scratch = FN(forward_scratch),
    .forward_tile = FN(forward_tile),
    .part_floats = FN(part_floats),
    .forward_part = FN(forward_part),
    .forward_merge = FN(forward_merge),
    .backward_scratch = FN(backward_scratch),
    .backward_tile = FN(backward_tile),
    .gemm = FN(gemm),
};
