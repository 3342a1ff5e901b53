/*
 * isa.c - which instruction sets this build holds and this machine runs.
 *
 * Nothing is cached: the question is asked once for each call, and the answer is a few
 * instructions.
 */
#include "isa.h"

static const char *const names[ATTN_ISA_COUNT] = {"best", "scalar", "simd128", "relaxed",
                                                  "neon", "avx2",   "avx512"};

#if defined(__wasm_relaxed_simd__)
extern const attn_kernels attn_kernels_relaxed;
#elif defined(__wasm_simd128__)
extern const attn_kernels attn_kernels_simd128;
#else
extern const attn_kernels attn_kernels_scalar;
#endif

const attn_kernels *attn_isa_kernels(int isa) {
#if defined(__wasm_relaxed_simd__)
    return isa == ATTN_ISA_BEST || isa == ATTN_ISA_RELAXED ? &attn_kernels_relaxed : NULL;
#elif defined(__wasm_simd128__)
    return isa == ATTN_ISA_BEST || isa == ATTN_ISA_SIMD128 ? &attn_kernels_simd128 : NULL;
#else
    return isa == ATTN_ISA_BEST || isa == ATTN_ISA_SCALAR ? &attn_kernels_scalar : NULL;
#endif
}

const char *attn_isa_name(int isa) { return isa >= 0 && isa < ATTN_ISA_COUNT ? names[isa] : NULL; }

int attn_isa_available(int isa) { return attn_isa_kernels(isa) != NULL; }
