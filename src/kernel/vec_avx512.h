/* vec_avx512.h - vectors of sixteen lanes in AVX-512 F. maxps returns its second operand on NaN. */
#include <immintrin.h>

#define VN 16

/* Blocks of the products: rows and vectors that stay in registers. */
#define SCORES_MR 8
#define SCORES_NV 3
#define VALUES_MR 6
#define VALUES_NV 4
#define ROW_NV    4

typedef __m512 vf;
typedef __mmask16 vm;
typedef __m512i vi;

/* The first n lanes, 0 <= n <= 16. */
static inline __mmask16 lanes_below(int n) { return (__mmask16)((1u << n) - 1); }

static inline vf v_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void v_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
static inline vf v_load_n(const float *p, int n) {
    return _mm512_maskz_loadu_ps(lanes_below(n), p);
}
static inline void v_store_n(float *p, vf a, int n) { _mm512_mask_storeu_ps(p, lanes_below(n), a); }
static inline vf v_set1(float a) { return _mm512_set1_ps(a); }
static inline vf v_add(vf a, vf b) { return _mm512_add_ps(a, b); }
static inline vf v_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf v_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf v_div(vf a, vf b) { return _mm512_div_ps(a, b); }
static inline vf v_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
static inline vf v_abs(vf a) { return _mm512_abs_ps(a); }
static inline vf v_copysign(vf size, vf sign) {
    const __m512i s = _mm512_set1_epi32((int)0x80000000u);
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(s, _mm512_castps_si512(sign), _mm512_castps_si512(size), 0xca));
}
static inline vm v_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vm v_eq(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline int v_all(vm a) { return a == 0xffff; }
static inline vf v_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }
/* The instruction gives b where either is NaN; a NaN in a has to be put back. */
static inline vf v_max(vf a, vf b) {
    return _mm512_mask_mov_ps(_mm512_max_ps(a, b), _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}
static inline vf v_top(vf a, vf b) { return _mm512_max_ps(a, b); }
static inline vf v_min(vf a, vf b) {
    return _mm512_mask_mov_ps(_mm512_min_ps(a, b), _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}

/* The fours at x and four rows on. */
static inline __m256 fours(const float *x, ptrdiff_t row) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x)), _mm_loadu_ps(x + 4 * row),
                                1);
}

/* Four columns of VN rows of x, each as a vector: fours of rows n, n + 4, n + 8 and n + 12, turned
 * within quarters. */
static inline void v_columns(const float *x, ptrdiff_t row, vf *column) {
    vf four[4];
    for (int n = 0; n < 4; n++) {
        const __m512 low = _mm512_castps256_ps512(fours(x + n * row, row));
        const __m256 high = fours(x + (n + 8) * row, row);
        four[n] =
            _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(low), _mm256_castps_pd(high), 1));
    }
    const vf a = _mm512_unpacklo_ps(four[0], four[1]), b = _mm512_unpackhi_ps(four[0], four[1]);
    const vf c = _mm512_unpacklo_ps(four[2], four[3]), d = _mm512_unpackhi_ps(four[2], four[3]);
    column[0] = _mm512_shuffle_ps(a, c, 0x44);
    column[1] = _mm512_shuffle_ps(a, c, 0xee);
    column[2] = _mm512_shuffle_ps(b, d, 0x44);
    column[3] = _mm512_shuffle_ps(b, d, 0xee);
}

/* Sums of the lanes four apart, four numbers. */
static inline void v_fold(float *p, vf a) {
    const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1));
    const __m256 sum = _mm256_add_ps(_mm512_castps512_ps256(a), high);
    _mm_storeu_ps(p, _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1)));
}

static inline vi vi_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
static inline vi vi_set1(uint32_t a) { return _mm512_set1_epi32((int)a); }
static inline vi vi_mul(vi a, vi b) { return _mm512_mullo_epi32(a, b); }
static inline vi vi_xor(vi a, vi b) { return _mm512_xor_si512(a, b); }
static inline vi vi_shr(vi a, int bits) { return _mm512_srli_epi32(a, (unsigned)bits); }
static inline vm vi_lt(vi a, vi b) { return _mm512_cmplt_epi32_mask(a, b); }
static inline vf v_pow2(vf t) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(t), 23));
}
