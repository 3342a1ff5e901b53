/*
 * exp.h - the exponential of the softmax, exp(x) for x <= 0.
 *
 *     exp(x) = 2^n * exp(r),  n = round(x / ln 2),  r = x - n ln 2,  |r| <= ln(2)/2
 *
 * Below -44.36 (2^-64) the result is exactly 0: a weight that small cannot move an output, and
 * smaller ones times a small value would be subnormal, which is slow wherever flush-to-zero is
 * missing. exp(0) is exactly 1, NaN passes, -inf gives 0. Worst error over every float of the range
 * (tests/core): 1.04 ULP with two roundings in v_fma, 1.07 with one. Coefficients:
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

static inline exp_parts exp_reduce(vf x) {
    /* Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits. */
    const vf round_bias = v_set1(0x1.8p+23f);
    const vf t = v_fma(x, v_set1(0x1.715476p+0f), round_bias);
    const vf n = v_sub(t, round_bias);

    /* ln 2 in two parts, the first short enough for an exact product. */
    vf r = v_sub(x, v_mul(n, v_set1(0x1.62p-1f)));
    r = v_sub(r, v_mul(n, v_set1(0x1.c85fe0p-10f)));

    vf y = v_set1(0x1.6a23d0p-10f);
    y = v_fma(y, r, v_set1(0x1.123a20p-7f));
    y = v_fma(y, r, v_set1(0x1.5558f2p-5f));
    y = v_fma(y, r, v_set1(0x1.555492p-3f));
    y = v_fma(y, r, v_set1(0x1.fffffcp-2f));
    return (exp_parts){v_fma(v_mul(r, r), y, r), v_pow2(t)};
}

static inline vf v_exp(vf x) {
    const exp_parts e = exp_reduce(x);
    const vf y = v_mul(v_add(e.minus_one, v_set1(1.0f)), e.power);
    return v_select(v_lt(x, v_set1(EXP_CUT)), v_set1(0.0f), y);
}

/*
 * tanh(x) = -t / (t + 2) with t = exp(-2|x|) - 1, for every float: t is computed without the
 * cancellation that a quotient of exponentials has near 0, and past |x| = 10 it is -1. NaN passes.
 */
static inline vf v_tanh(vf x) {
    const vf size = v_min(v_abs(x), v_set1(10.0f));
    const exp_parts e = exp_reduce(v_mul(v_set1(-2.0f), size));
    const vf t = v_fma(e.minus_one, e.power, v_sub(e.power, v_set1(1.0f)));
    return v_copysign(v_div(t, v_add(t, v_set1(2.0f))), x);
}

#endif
