/*
 * elementary.h - e^x, ln x, sine and cosine in double, each to a few units in the last place.
 *
 * The tables of the C library's functions would weigh more in wasm than the kernels of an
 * instruction set. Here arguments are reduced by constants cut into parts whose products are exact
 * (Cody and Waite, "Software Manual for the Elementary Functions", 1980), and what is left is small
 * enough for a Taylor series.
 */
#ifndef ATTN_ELEMENTARY_H
#define ATTN_ELEMENTARY_H

#include <math.h>
#include <stdint.h>

/* x 2^n, for results that are normal. */
static inline double times_power(double x, int n) {
    for (; n > 1000; n -= 1000) x *= 0x1p1000;
    for (; n < -1000; n += 1000) x *= 0x1p-1000;
    const union {
        uint64_t bits;
        double value;
    } power = {.bits = (uint64_t)(1023 + n) << 52};
    return x * power.value;
}

/* e^x, for |x| < 700. */
static inline double exponential(double x) {
    const double n = nearbyint(x * 0x1.71547652b82fep+0);                 /* 1 / ln 2 */
    const double r = x - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33; /* ln 2 in two parts */
    double sum = 1;
    for (int k = 14; k > 0; k--) sum = 1 + r / k * sum;
    return times_power(sum, (int)n);
}

/* ln x, for normal x > 0: the float logarithm and two of Halley's steps. */
static inline double natural_log(double x) {
    union {
        double value;
        uint64_t bits;
    } parts = {.value = x};
    const int exponent = (int)(parts.bits >> 52) - 1022;
    const double fraction = times_power(x, -exponent);
    double y = (double)logf((float)fraction);
    for (int step = 0; step < 2; step++) {
        const double power = exponential(y);
        y += 2 * (fraction - power) / (fraction + power);
    }
    return y + exponent * 0x1.62e42fefa39efp-1; /* ln 2 */
}

/*
 * The sine of x, or of x + pi / 2, its cosine. Of |x| > 2^31, whose double has little fraction left,
 * whole turns go first, and with them the last digits.
 */
static inline double sine(double x, int quarter_turns) {
    while (fabs(x) > 0x1p31) {
        x -= nearbyint(x * 0x1.45f306dc9c883p-3) * 0x1.921fb54442d18p+2; /* 1 / 2 pi, 2 pi */
    }
    const double n = nearbyint(x * 0x1.45f306dc9c883p-1); /* 2 / pi, and pi / 2 in three parts */
    x = x - n * 0x1.921fbp+0 - n * 0x1.5110bp-22 - n * 0x1.18469898cc517p-44;
    const int quadrant = ((int32_t)n + quarter_turns) & 3;
    /* Terms of the series, odd for a sine and even for a cosine. */
    const int even = quadrant & 1;
    double sum = 1;
    for (int k = 18 + !even; k > 1; k -= 2) sum = 1 - x * x / (k * (k - 1)) * sum;
    if (!even) sum *= x;
    return quadrant & 2 ? -sum : sum;
}

#endif
