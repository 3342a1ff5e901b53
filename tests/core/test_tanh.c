/*
 * test_tanh.c - v_tanh_with() of the instruction set that this file is compiled for, over every float of
 * both signs: at most 4 ULP, odd, never beyond 1, and NaN passes.
 *
 * The second argument is the step between floats: 997 by default, 1 for all of them.
 */
#include "kernel/exp.h"

#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 1024 /* floats at a time, a multiple of VN */

static uint32_t step = 997;

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void tanh_of(const float *x, float *y) {
    const exp_constants constants = exp_load_constants();
    for (int n = 0; n < BLOCK; n += VN) v_store(y + n, v_tanh_with(&constants, v_load(x + n)));
}

/* The error in units of the last place of the exact value, which may be subnormal. */
static double ulp_error(float y, double exact) {
    int exponent;
    frexp(exact, &exponent);
    if (exponent < -125) exponent = -125;
    return fabs((double)y - exact) / ldexp(1, exponent - 24);
}

/* From 0 over infinity to the last NaN, each with its negative. */
static void every_float(void **state) {
    (void)state;
    const uint32_t last = 0x7fffffffu;
    static float x[BLOCK], y[BLOCK], opposite[BLOCK];
    double worst = 0;
    float worst_at = 0;
    uint64_t judged = 0, nans = 0, ones = 0, bits = 0;
    while (bits <= last) {
        int count = 0;
        for (; count < BLOCK && bits <= last; bits += step) x[count++] = float_of((uint32_t)bits);
        for (int n = count; n < BLOCK; n++) x[n] = 0;
        tanh_of(x, y);
        for (int n = 0; n < BLOCK; n++) x[n] = float_of(bits_of(x[n]) ^ 0x80000000u);
        tanh_of(x, opposite);
        for (int n = 0; n < count; n++) {
            judged++;
            if (isnan(x[n])) {
                nans++;
                if (!isnan(y[n]) || !isnan(opposite[n])) fail_msg("tanh(NaN) is %a", (double)y[n]);
                continue;
            }
            if (bits_of(opposite[n]) != (bits_of(y[n]) ^ 0x80000000u)) {
                fail_msg("tanh(%a) is %a, its opposite %a", (double)x[n], (double)opposite[n],
                         (double)y[n]);
            }
            if (y[n] > 1 || signbit(y[n])) fail_msg("tanh(%a) is %a", (double)-x[n], (double)y[n]);
            ones += y[n] == 1;
            const double error = ulp_error(y[n], tanh(-(double)x[n]));
            if (!(error <= worst)) worst = error, worst_at = -x[n];
        }
    }
    printf("    %llu floats of each sign, %llu of them NaN, %llu with tanh 1; worst error %.3f ULP "
           "at %a\n",
           (unsigned long long)judged, (unsigned long long)nans, (unsigned long long)ones, worst,
           (double)worst_at);
    assert_true(judged == (uint64_t)last / step + 1 && nans > 0 && ones > judged / 4);
    assert_true(worst <= 4);
}

/* The ends: zeros keep their sign, 9.011 and all above are 1, infinity too, NaN of both signs passes. */
static void special_values(void **state) {
    (void)state;
    static float x[BLOCK], y[BLOCK];
    const float values[] = {0.0f, -0.0f, 1e-45f, -1e-45f,   1e-38f, 9.02f,
                            10,   -11,   3e38f,  -INFINITY, NAN,    -NAN};
    const float expected[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 1e-38f, 1, 1, -1, 1, -1, NAN, NAN};
    for (int lane = 0; lane < VN; lane++) {
        /* Different numbers stand side by side. */
        for (int n = 0; n < 12; n++) x[n] = values[(n + lane) % 12];
        tanh_of(x, y);
        for (int n = 0; n < 12; n++) {
            const float e = expected[(n + lane) % 12];
            if (isnan(e) ? !isnan(y[n]) : bits_of(y[n]) != bits_of(e)) {
                fail_msg("tanh(%a) is %a, not %a", (double)x[n], (double)y[n], (double)e);
            }
        }
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    if (argc > 2) step = (uint32_t)strtoul(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        TEST(every_float),
        TEST(special_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
