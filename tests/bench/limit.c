/* limit.c - loops of nothing but fused multiply-adds; see limit.h. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "limit.h"

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define ROUNDS   20000
#define UNROLLED _Pragma("GCC unroll 32")

/* A loop of so many independent accumulators, all in registers; x and y are not known to the compiler. */
#define LOOP(name, type, target_isa, count, broadcast, fused, reduce)                              \
    __attribute__((target(target_isa))) static float name(float x, float y) {                      \
        type acc[count];                                                                           \
        const type a = broadcast(x), b = broadcast(y);                                             \
        UNROLLED for (int n = 0; n < (count); n++) acc[n] = broadcast((float)n);                   \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            UNROLLED for (int n = 0; n < (count); n++) acc[n] = fused(a, acc[n], b);               \
        }                                                                                          \
        type sum = acc[0];                                                                         \
        UNROLLED for (int n = 1; n < (count); n++) sum = fused(a, sum, acc[n]);                    \
        return reduce(sum);                                                                        \
    }

__attribute__((target("avx512f"))) static inline float first512(__m512 x) {
    return _mm512_cvtss_f32(x);
}
__attribute__((target("avx2,fma"))) static inline float first256(__m256 x) {
    return _mm256_cvtss_f32(x);
}

LOOP(avx512_8, __m512, "avx512f", 8, _mm512_set1_ps, _mm512_fmadd_ps, first512)
LOOP(avx512_12, __m512, "avx512f", 12, _mm512_set1_ps, _mm512_fmadd_ps, first512)
LOOP(avx512_24, __m512, "avx512f", 24, _mm512_set1_ps, _mm512_fmadd_ps, first512)
LOOP(avx2_8, __m256, "avx2,fma", 8, _mm256_set1_ps, _mm256_fmadd_ps, first256)
LOOP(avx2_10, __m256, "avx2,fma", 10, _mm256_set1_ps, _mm256_fmadd_ps, first256)
LOOP(avx2_12, __m256, "avx2,fma", 12, _mm256_set1_ps, _mm256_fmadd_ps, first256)

typedef struct loop {
    const char *isa;
    float (*run)(float, float);
    int accumulators, lanes;
} loop;

static const loop loops[] = {
    {"avx512", avx512_8, 8, 16}, {"avx512", avx512_12, 12, 16}, {"avx512", avx512_24, 24, 16},
    {"avx2", avx2_8, 8, 8},      {"avx2", avx2_10, 10, 8},      {"avx2", avx2_12, 12, 8},
};

static int runs_here(const char *isa) {
    if (strcmp(isa, "avx512") == 0) return __builtin_cpu_supports("avx512f");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

double limit_gflops(const char *isa, int threads, double seconds) {
    double best = 0;
    if (!runs_here(isa)) return 0;
    volatile float sink = 0;
    for (const double end = now() + seconds; now() < end;) {
        for (size_t n = 0; n < sizeof loops / sizeof *loops; n++) {
            const loop *l = &loops[n];
            if (strcmp(l->isa, isa) != 0) continue;
            const double start = now();
            float sum = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
#endif
            for (int thread = 0; thread < threads; thread++) {
                for (int again = 0; again < 40; again++) sum += l->run(0.999f, 0.001f);
            }
            sink = sink + sum;
            const double work = 40.0 * threads * ROUNDS * l->accumulators * l->lanes * 2;
            const double rate = work / (now() - start) * 1e-9;
            if (rate > best) best = rate;
        }
    }
    return best;
}
#else
double limit_gflops(const char *isa, int threads, double seconds) {
    (void)isa, (void)threads, (void)seconds;
    return 0;
}
#endif

/* Sixteen sums side by side: the compiler makes vectors of them. */
static float sum_of(const float *data, size_t count) {
    float sums[64] = {0};
    for (size_t n = 0; n + 64 <= count; n += 64) {
        for (int lane = 0; lane < 64; lane++) sums[lane] += data[n + (size_t)lane];
    }
    float sum = 0;
    for (int lane = 0; lane < 64; lane++) sum += sums[lane];
    return sum;
}

double limit_stream(const float *data, size_t bytes, int threads) {
    const size_t count = bytes / sizeof(float), share = count / (size_t)threads;
    volatile float sink = 0;
    double best = 0;
    for (int round = 0; round < 40; round++) {
        const double start = now();
        float sum = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
#endif
        for (int thread = 0; thread < threads; thread++) {
            sum += sum_of(data + share * (size_t)thread, share);
        }
        sink = sink + sum;
        const double rate = (double)bytes / (now() - start) * 1e-9;
        if (rate > best) best = rate;
    }
    return best;
}
