/* vec_neon.h - vectors of four lanes in Armv8 NEON. fmax passes NaN on from either side. */
#include <arm_neon.h>

#define VN 4

/* Blocks of the products: rows and vectors that stay in registers. */
#define SCORES_MR 6
#define SCORES_NV 2
#define VALUES_MR 6
#define VALUES_NV 2
#define ROW_NV    8

typedef float32x4_t vf;
typedef uint32x4_t vm;
typedef uint32x4_t vi;

static inline vf v_load(const float *p) { return vld1q_f32(p); }
static inline void v_store(float *p, vf a) { vst1q_f32(p, a); }

/* The first n lanes, 0 <= n <= 4; the others read as 0 and are not written. */
static inline vf v_load_n(const float *p, int n) {
    if (n == 4) return v_load(p);
    float lanes[4] = {0};
    for (int i = 0; i < n; i++) lanes[i] = p[i];
    return v_load(lanes);
}
static inline void v_store_n(float *p, vf a, int n) {
    float lanes[4];
    v_store(lanes, a);
    for (int i = 0; i < n; i++) p[i] = lanes[i];
}

static inline vf v_set1(float a) { return vdupq_n_f32(a); }
static inline vf v_add(vf a, vf b) { return vaddq_f32(a, b); }
static inline vf v_sub(vf a, vf b) { return vsubq_f32(a, b); }
static inline vf v_mul(vf a, vf b) { return vmulq_f32(a, b); }
static inline vf v_div(vf a, vf b) { return vdivq_f32(a, b); }
static inline vf v_fma(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
static inline vf v_abs(vf a) { return vabsq_f32(a); }
static inline vf v_copysign(vf size, vf sign) {
    return vbslq_f32(vdupq_n_u32(0x80000000u), sign, size);
}
static inline vm v_lt(vf a, vf b) { return vcltq_f32(a, b); }
static inline vm v_eq(vf a, vf b) { return vceqq_f32(a, b); }
static inline int v_all(vm a) { return vminvq_u32(a) != 0; }
static inline vf v_select(vm m, vf a, vf b) { return vbslq_f32(m, a, b); }
static inline vf v_max(vf a, vf b) { return vmaxq_f32(a, b); }
static inline vf v_top(vf a, vf b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline vf v_min(vf a, vf b) { return vminq_f32(a, b); }

/* Four columns of VN rows of x, each as a vector. */
static inline void v_columns(const float *x, ptrdiff_t row, vf *column) {
    const float32x4x2_t a = vtrnq_f32(v_load(x), v_load(x + row));
    const float32x4x2_t b = vtrnq_f32(v_load(x + 2 * row), v_load(x + 3 * row));
    for (int n = 0; n < 2; n++) {
        column[n] = vcombine_f32(vget_low_f32(a.val[n]), vget_low_f32(b.val[n]));
        column[n + 2] = vcombine_f32(vget_high_f32(a.val[n]), vget_high_f32(b.val[n]));
    }
}

/* Sums of the lanes four apart, four numbers. */
static inline void v_fold(float *p, vf a) { v_store(p, a); }

static inline vi vi_load(const uint32_t *p) { return vld1q_u32(p); }
static inline vi vi_set1(uint32_t a) { return vdupq_n_u32(a); }
static inline vi vi_mul(vi a, vi b) { return vmulq_u32(a, b); }
static inline vi vi_xor(vi a, vi b) { return veorq_u32(a, b); }
static inline vi vi_shr(vi a, int bits) { return vshlq_u32(a, vdupq_n_s32(-bits)); }
static inline vm vi_lt(vi a, vi b) { return vcltq_u32(a, b); }
static inline vf v_pow2(vf t) {
    return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_f32(t), 23));
}
