/* vec_avx2.h - vectors of eight lanes in AVX2 with FMA. maxps returns its second operand on NaN. */
#include <immintrin.h>

#define VN 8

/* Blocks of the products: rows and vectors that stay in registers. */
#define SCORES_MR 6
#define SCORES_NV 2
#define VALUES_MR 6
#define VALUES_NV 2
#define ROW_NV    8

typedef __m256 vf;
typedef __m256 vm;
typedef __m256i vi;

/* All ones in the first n lanes, 0 <= n <= 8. */
static inline __m256i lanes_below(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline vf v_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void v_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
static inline vf v_load_n(const float *p, int n) { return _mm256_maskload_ps(p, lanes_below(n)); }
static inline void v_store_n(float *p, vf a, int n) { _mm256_maskstore_ps(p, lanes_below(n), a); }
static inline vf v_set1(float a) { return _mm256_set1_ps(a); }
static inline vf v_add(vf a, vf b) { return _mm256_add_ps(a, b); }
static inline vf v_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf v_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf v_div(vf a, vf b) { return _mm256_div_ps(a, b); }
static inline vf v_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
static inline vf v_abs(vf a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline vf v_copysign(vf size, vf sign) {
    return _mm256_or_ps(v_abs(size), _mm256_and_ps(_mm256_set1_ps(-0.0f), sign));
}
static inline vm v_lt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vm v_eq(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline int v_all(vm a) { return _mm256_movemask_ps(a) == 0xff; }
static inline vf v_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }
/* The instruction gives b where either is NaN; a NaN in a has to be put back. */
static inline vf v_max(vf a, vf b) {
    return _mm256_blendv_ps(_mm256_max_ps(a, b), a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}
static inline vf v_top(vf a, vf b) { return _mm256_max_ps(a, b); }
static inline vf v_min(vf a, vf b) {
    return _mm256_blendv_ps(_mm256_min_ps(a, b), a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}

/* Four columns of VN rows of x, each as a vector: fours of rows n and n + 4, turned within halves. */
static inline void v_columns(const float *x, ptrdiff_t row, vf *column) {
    vf four[4];
    for (int n = 0; n < 4; n++) {
        const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(x + n * row));
        four[n] = _mm256_insertf128_ps(low, _mm_loadu_ps(x + (n + 4) * row), 1);
    }
    const vf a = _mm256_unpacklo_ps(four[0], four[1]), b = _mm256_unpackhi_ps(four[0], four[1]);
    const vf c = _mm256_unpacklo_ps(four[2], four[3]), d = _mm256_unpackhi_ps(four[2], four[3]);
    column[0] = _mm256_shuffle_ps(a, c, 0x44);
    column[1] = _mm256_shuffle_ps(a, c, 0xee);
    column[2] = _mm256_shuffle_ps(b, d, 0x44);
    column[3] = _mm256_shuffle_ps(b, d, 0xee);
}

/* Sums of the lanes four apart, four numbers. */
static inline void v_fold(float *p, vf a) {
    _mm_storeu_ps(p, _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)));
}

static inline vi vi_load(const uint32_t *p) { return _mm256_loadu_si256((const void *)p); }
static inline vi vi_set1(uint32_t a) { return _mm256_set1_epi32((int)a); }
static inline vi vi_mul(vi a, vi b) { return _mm256_mullo_epi32(a, b); }
static inline vi vi_xor(vi a, vi b) { return _mm256_xor_si256(a, b); }
static inline vi vi_shr(vi a, int bits) { return _mm256_srli_epi32(a, bits); }
static inline vm vi_lt(vi a, vi b) { return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)); }
static inline vf v_pow2(vf t) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(t), 23));
}
