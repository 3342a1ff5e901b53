/*
 * vec_wasm.h - vectors of four lanes in WebAssembly SIMD, with or without the relaxed multiply-add.
 *
 * The relaxed instructions may round once or twice, as the machine likes; nothing else is relaxed:
 * relaxed_min and relaxed_max may drop a NaN. wasm's f32x4.max passes NaN on.
 */
#include <wasm_simd128.h>

#define VN 4

/* Blocks of the products: rows and vectors that stay in registers. */
#define SCORES_MR 2
#define SCORES_NV 4
#define VALUES_MR 2
#define VALUES_NV 4
#define ROW_NV    8

typedef v128_t vf;
typedef v128_t vm;
typedef v128_t vi;

static inline vf v_load(const float *p) { return wasm_v128_load(p); }
static inline void v_store(float *p, vf a) { wasm_v128_store(p, a); }

/* The first n lanes, 0 <= n <= 4; the others read as 0 and are not written. */
static inline vf v_load_n(const float *p, int n) {
    switch (n) {
    case 0: return wasm_f32x4_const_splat(0);
    case 1: return wasm_v128_load32_zero(p);
    case 2: return wasm_v128_load64_zero(p);
    case 3: return wasm_v128_load32_lane(p + 2, wasm_v128_load64_zero(p), 2);
    default: return v_load(p);
    }
}
static inline void v_store_n(float *p, vf a, int n) {
    switch (n) {
    case 0: break;
    case 1: wasm_v128_store32_lane(p, a, 0); break;
    case 2: wasm_v128_store64_lane(p, a, 0); break;
    case 3:
        wasm_v128_store64_lane(p, a, 0);
        wasm_v128_store32_lane(p + 2, a, 2);
        break;
    default: v_store(p, a);
    }
}

static inline vf v_set1(float a) { return wasm_f32x4_splat(a); }
static inline vf v_add(vf a, vf b) { return wasm_f32x4_add(a, b); }
static inline vf v_sub(vf a, vf b) { return wasm_f32x4_sub(a, b); }
static inline vf v_mul(vf a, vf b) { return wasm_f32x4_mul(a, b); }
static inline vf v_fma(vf a, vf b, vf c) {
#ifdef __wasm_relaxed_simd__
    return wasm_f32x4_relaxed_madd(a, b, c);
#else
    return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}
static inline vf v_max(vf a, vf b) { return wasm_f32x4_max(a, b); }
static inline vf v_min(vf a, vf b) { return wasm_f32x4_min(a, b); }
static inline vf v_top(vf a, vf b) { return wasm_f32x4_pmax(b, a); }
static inline vf v_div(vf a, vf b) { return wasm_f32x4_div(a, b); }
static inline vf v_abs(vf a) { return wasm_f32x4_abs(a); }
static inline vf v_copysign(vf size, vf sign) {
    return wasm_v128_bitselect(sign, size, wasm_i32x4_const_splat(INT32_MIN));
}
static inline vm v_lt(vf a, vf b) { return wasm_f32x4_lt(a, b); }
static inline vm v_eq(vf a, vf b) { return wasm_f32x4_eq(a, b); }
static inline int v_all(vm a) { return wasm_i32x4_all_true(a); }
static inline vf v_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
/* Four columns of VN rows of x, each as a vector. */
static inline void v_columns(const float *x, ptrdiff_t row, vf *column) {
    const vf x0 = v_load(x), x1 = v_load(x + row);
    const vf x2 = v_load(x + 2 * row), x3 = v_load(x + 3 * row);
    const vf a = wasm_i32x4_shuffle(x0, x1, 0, 4, 1, 5), b = wasm_i32x4_shuffle(x2, x3, 0, 4, 1, 5);
    const vf c = wasm_i32x4_shuffle(x0, x1, 2, 6, 3, 7), d = wasm_i32x4_shuffle(x2, x3, 2, 6, 3, 7);
    column[0] = wasm_i64x2_shuffle(a, b, 0, 2);
    column[1] = wasm_i64x2_shuffle(a, b, 1, 3);
    column[2] = wasm_i64x2_shuffle(c, d, 0, 2);
    column[3] = wasm_i64x2_shuffle(c, d, 1, 3);
}

/* Sums of the lanes four apart, four numbers. */
static inline void v_fold(float *p, vf a) { v_store(p, a); }

static inline vi vi_load(const uint32_t *p) { return wasm_v128_load(p); }
static inline vi vi_set1(uint32_t a) { return wasm_u32x4_splat(a); }
static inline vi vi_mul(vi a, vi b) { return wasm_i32x4_mul(a, b); }
static inline vi vi_xor(vi a, vi b) { return wasm_v128_xor(a, b); }
static inline vi vi_shr(vi a, int bits) { return wasm_u32x4_shr(a, (uint32_t)bits); }
static inline vm vi_lt(vi a, vi b) { return wasm_i32x4_lt(a, b); }
static inline vf v_pow2(vf t) { return wasm_i32x4_shl(t, 23); }
