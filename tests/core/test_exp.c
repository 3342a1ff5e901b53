/*
 * test_exp.c - v_exp of the instruction set that this file is compiled for, over the floats of
 * [-104, 0]: at most 2 ULP down to the cut, exactly 0 below it.
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

static float exp_of(float x) {
    float lanes[VN];
    v_store(lanes, v_exp(v_set1(x)));
    for (int lane = 1; lane < VN; lane++) assert_true(bits_of(lanes[lane]) == bits_of(lanes[0]));
    return lanes[0];
}

/* The error in units of the last place of the exact value. */
static double ulp_error(float y, double exact) {
    int exponent;
    frexp(exact, &exponent);
    return fabs((double)y - exact) / ldexp(1, exponent - 24);
}

/* All negative floats from -0 down to -104 in steps. */
static void every_float(void **state) {
    (void)state;
    const uint32_t first = bits_of(-0.0f), last = bits_of(-104.0f);
    double worst = 0;
    float worst_at = 0;
    uint64_t judged = 0, zeros = 0;
    static float x[BLOCK], y[BLOCK];
    uint64_t bits = first;
    while (bits <= last) {
        int count = 0;
        for (; count < BLOCK && bits <= last; bits += step) x[count++] = float_of((uint32_t)bits);
        for (int n = count; n < BLOCK; n++) x[n] = 0;
        for (int n = 0; n < BLOCK; n += VN) v_store(y + n, v_exp(v_load(x + n)));
        for (int n = 0; n < count; n++) {
            judged++;
            if (x[n] < EXP_CUT) {
                zeros++;
                if (bits_of(y[n]) != 0) fail_msg("exp(%a) is %a below the cut", x[n], y[n]);
                continue;
            }
            const double error = ulp_error(y[n], exp((double)x[n]));
            if (!(error <= worst)) worst = error, worst_at = x[n];
        }
    }
    printf("    %llu floats, %llu below the cut; worst error %.3f ULP at %a\n",
           (unsigned long long)judged, (unsigned long long)zeros, worst, (double)worst_at);
    assert_true(judged == (uint64_t)(last - first) / step + 1);
    assert_true(zeros > judged / 1000 && zeros < judged / 2);
    assert_true(worst <= 2);
}

/* The ends: exact 1 at 0, NaN passes, -inf is 0, and the cut lies at -64 ln 2. */
static void special_values(void **state) {
    (void)state;
    assert_true(exp_of(0.0f) == 1 && exp_of(-0.0f) == 1);
    assert_true(isnan(exp_of(NAN)) && isnan(exp_of(-NAN)));
    assert_true(bits_of(exp_of(-INFINITY)) == 0);
    assert_true(bits_of(exp_of(-3.4028235e38f)) == 0);
    assert_true(fabs((double)EXP_CUT + 64 * log(2)) < 4e-6);
    assert_true(exp_of(EXP_CUT) > 0);
    assert_true(ulp_error(exp_of(EXP_CUT), exp((double)EXP_CUT)) <= 2);
    assert_true(bits_of(exp_of(nextafterf(EXP_CUT, -INFINITY))) == 0);
}

/* Lanes do not disturb each other: NaN, the cut and plain numbers side by side. */
static void mixed_lanes(void **state) {
    (void)state;
    const float values[] = {NAN, -1, -INFINITY, 0, -50, -44, -1e30f, -0.5f};
    for (int turn = 0; turn < 8; turn++) {
        float x[VN], y[VN];
        for (int lane = 0; lane < VN; lane++) x[lane] = values[(lane + turn) % 8];
        v_store(y, v_exp(v_load(x)));
        for (int lane = 0; lane < VN; lane++) {
            const float alone = exp_of(x[lane]);
            assert_true(isnan(alone) ? isnan(y[lane]) : bits_of(alone) == bits_of(y[lane]));
        }
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    if (argc > 2) step = (uint32_t)strtoul(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        TEST(every_float),
        TEST(special_values),
        TEST(mixed_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
