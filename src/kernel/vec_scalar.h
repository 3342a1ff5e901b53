/*
 * vec_scalar.h - vectors of one lane in plain C: the specification that the others are tested
 * against.
 *
 * A mask is 0 or 1. v_max passes NaN on from either side. v_pow2(t) takes n + 127 + 1.5 * 2^23, as
 * v_exp rounds it, and makes the low bits the exponent.
 */
#define VN 1

/* Blocks of the products: rows and vectors that stay in registers. */
#define SCORES_MR 4
#define SCORES_NV 2
#define VALUES_MR 4
#define VALUES_NV 2
#define ROW_NV    4

typedef float vf;
typedef int vm;
typedef uint32_t vi;

static inline vf v_load(const float *p) { return *p; }
static inline void v_store(float *p, vf a) { *p = a; }
static inline vf v_load_n(const float *p, int n) { return n > 0 ? *p : 0.0f; }
static inline void v_store_n(float *p, vf a, int n) {
    if (n > 0) *p = a;
}
static inline vf v_set1(float a) { return a; }
static inline vf v_add(vf a, vf b) { return a + b; }
static inline vf v_sub(vf a, vf b) { return a - b; }
static inline vf v_mul(vf a, vf b) { return a * b; }
static inline vf v_fma(vf a, vf b, vf c) { return a * b + c; }
static inline vf v_max(vf a, vf b) { return a > b || a != a ? a : b; }
static inline vf v_min(vf a, vf b) { return a < b || a != a ? a : b; }
static inline vf v_top(vf a, vf b) { return a > b ? a : b; }
static inline vf v_div(vf a, vf b) { return a / b; }
static inline vf v_abs(vf a) { return fabsf(a); }
static inline vf v_copysign(vf size, vf sign) { return copysignf(size, sign); }
static inline vm v_lt(vf a, vf b) { return a < b; }
static inline vm v_eq(vf a, vf b) { return a == b; }
static inline int v_all(vm a) { return a; }
static inline vf v_select(vm m, vf a, vf b) { return m ? a : b; }

/* Four columns of VN rows of x, each as a vector. */
static inline void v_columns(const float *x, ptrdiff_t row, vf *column) {
    (void)row;
    for (int n = 0; n < 4; n++) column[n] = x[n];
}

static inline void v_fold(float *p, vf a) { p[0] = a, p[1] = p[2] = p[3] = 0.0f; }

static inline vi vi_load(const uint32_t *p) { return *p; }
static inline vi vi_set1(uint32_t a) { return a; }
static inline vi vi_mul(vi a, vi b) { return a * b; }
static inline vi vi_xor(vi a, vi b) { return a ^ b; }
static inline vi vi_shr(vi a, int bits) { return a >> bits; }
static inline vm vi_lt(vi a, vi b) { return a < b; }

static inline vf v_pow2(vf t) {
    uint32_t bits;
    memcpy(&bits, &t, sizeof bits);
    bits <<= 23;
    memcpy(&t, &bits, sizeof t);
    return t;
}
