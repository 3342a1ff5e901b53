/*
 * exp.h - the exponential of the softmax, exp(x) for x <= 0.
 *
 *     exp(x) = 2^n * exp(r),  n = round(x / ln 2),  r = x - n ln 2,  |r| <= ln(2)/2
 *
 * Below -44.36 (2^-64) the result is exactly 0: a weight that small cannot move an output, and
 * smaller ones times a small value would be subnormal, which is slow wherever flush-to-zero is
 * missing. exp(0) is exactly 1, NaN passes, -inf gives 0. Worst error over every float of the range
 * (tests/core): 1.04 ULP with two roundings in v_fma, 1.03 with one. Coefficients:
 * tests/vectors/exp_coefficients.py.
 */
#ifndef ATTN_EXP_H
#define ATTN_EXP_H

#include "vec.h"

#define EXP_CUT (-0x1.62e42ep+5f) /* the float just above -64 ln 2 */

/* exp(x) = (minus_one + 1) * power, for -64 ln 2 <= x <= 0. */
typedef struct exp_parts {
    vf minus_one; /* exp(r) - 1 */
    vf power;     /* 2^n */
} exp_parts;

/*
 * The constants, read once before a loop. From memory that the compiler must read: engines for wasm
 * that build a literal vector anew at each use then keep it in a register.
 */
typedef struct exp_constants {
    vf log2_e, round_bias, minus_ln2_high, minus_ln2_low, c6, c5, c4, c3, c2, one, cut;
} exp_constants;

static inline exp_constants exp_load_constants(void) {
    static const volatile float table[] = {
        0x1.715476p+0f,  /* log2(e) */
        0x1.8000fep+23f, /* adding it rounds to an integer and leaves that, + 127, in the low bits */
        -0x1.62p-1f,     /* -ln 2 in two parts, the first short enough for an exact product */
        -0x1.c85fe0p-10f, 0x1.6a23d0p-10f, /* c6 to c2 */
        0x1.123a20p-7f,   0x1.5558f2p-5f,  0x1.555492p-3f, 0x1.fffffcp-2f, 1.0f, EXP_CUT,
    };
    return (exp_constants){
        v_set1(table[0]), v_set1(table[1]), v_set1(table[2]),  v_set1(table[3]),
        v_set1(table[4]), v_set1(table[5]), v_set1(table[6]),  v_set1(table[7]),
        v_set1(table[8]), v_set1(table[9]), v_set1(table[10]),
    };
}

static inline exp_parts exp_reduce(const exp_constants *k, vf x) {
    const vf t = v_fma(x, k->log2_e, k->round_bias);
    const vf n = v_sub(t, k->round_bias);
    const vf r = v_fma(n, k->minus_ln2_low, v_fma(n, k->minus_ln2_high, x));

    vf y = v_fma(k->c6, r, k->c5);
    y = v_fma(y, r, k->c4);
    y = v_fma(y, r, k->c3);
    y = v_fma(y, r, k->c2);
    return (exp_parts){v_fma(v_mul(r, r), y, r), v_pow2(t)};
}

static inline vf v_exp_with(const exp_constants *k, vf x) {
    const exp_parts e = exp_reduce(k, x);
    const vf y = v_fma(e.minus_one, e.power, e.power); /* a product by a power of two is exact */
    return v_select(v_lt(x, k->cut), v_set1(0.0f), y);
}

/*
 * tanh(x) = -t / (t + 2) with t = exp(-2|x|) - 1, for every float: t is computed without the
 * cancellation that a quotient of exponentials has near 0, and past |x| = 10 it is -1. NaN passes.
 * Worst error over every float: 2.50 ULP.
 */
static inline vf v_tanh_with(const exp_constants *k, vf x) {
    const vf size = v_min(v_abs(x), v_set1(10.0f));
    const exp_parts e = exp_reduce(k, v_mul(v_set1(-2.0f), size));
    const vf t = v_fma(e.minus_one, e.power, v_sub(e.power, k->one));
    return v_copysign(v_div(t, v_add(t, v_set1(2.0f))), x);
}

/* One vector by itself. */
static inline vf v_exp(vf x) {
    const exp_constants constants = exp_load_constants();
    return v_exp_with(&constants, x);
}

#endif
