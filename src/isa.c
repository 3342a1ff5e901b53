/*
 * isa.c - which instruction sets this build holds and this machine runs.
 *
 * Nothing is cached: the question comes once for each call, and its answer is a few instructions.
 * A wasm module holds one set only, since one that it could not validate would not load at all.
 */
#include "isa.h"

static const char *const names[ATTN_ISA_COUNT] = {"best", "scalar", "simd128", "relaxed",
                                                  "neon", "avx2",   "avx512"};

#if defined(__wasm_relaxed_simd__)
#define ATTN_HAVE_RELAXED
#elif defined(__wasm_simd128__)
#define ATTN_HAVE_SIMD128
#else
#define ATTN_HAVE_SCALAR 1
#endif

/* The build defines ATTN_HAVE_... for each set that it compiled kernel.c for. */
extern const attn_kernels attn_kernels_scalar, attn_kernels_simd128, attn_kernels_relaxed,
    attn_kernels_neon, attn_kernels_avx2, attn_kernels_avx512;

/* The kernels of exactly this set, or NULL. The compiler's tests include the operating system's. */
static const attn_kernels *kernels_of(int isa) {
    switch (isa) {
#ifdef ATTN_HAVE_SCALAR
    case ATTN_ISA_SCALAR: return &attn_kernels_scalar;
#endif
#ifdef ATTN_HAVE_SIMD128
    case ATTN_ISA_SIMD128: return &attn_kernels_simd128;
#endif
#ifdef ATTN_HAVE_RELAXED
    case ATTN_ISA_RELAXED: return &attn_kernels_relaxed;
#endif
#ifdef ATTN_HAVE_NEON
    case ATTN_ISA_NEON: return &attn_kernels_neon;
#endif
#ifdef ATTN_HAVE_AVX2
    case ATTN_ISA_AVX2:
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return NULL;
        return &attn_kernels_avx2;
#endif
#ifdef ATTN_HAVE_AVX512
    case ATTN_ISA_AVX512: return __builtin_cpu_supports("avx512f") ? &attn_kernels_avx512 : NULL;
#endif
    default: return NULL;
    }
}

const attn_kernels *attn_isa_kernels(int isa) {
    if (isa != ATTN_ISA_BEST) return kernels_of(isa);
    /* The enumeration runs from slow to fast. */
    const attn_kernels *best = NULL;
    for (int candidate = ATTN_ISA_COUNT - 1; !best && candidate > 0; candidate--) {
        best = kernels_of(candidate);
    }
    return best;
}

const char *attn_isa_name(int isa) { return isa >= 0 && isa < ATTN_ISA_COUNT ? names[isa] : NULL; }

int attn_isa_available(int isa) { return attn_isa_kernels(isa) != NULL; }
