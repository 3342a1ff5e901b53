/*
 * test_positions.c - sinusoidal tables and ALiBi slopes: published numbers, the formula in long double,
 * and that distances alone count.
 */
#include "attention.h"
#include "buffers.h"
#include "suite.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_near(double x, double expected, double tolerance, const char *what) {
    if (!(fabs(x - expected) <= tolerance)) fail_msg("%s: %.9g, not %.9g", what, x, expected);
}

static float *table_of(int rows, int columns) {
    return buffer_floats((size_t)rows * (size_t)columns);
}

static void sinusoidal_by_hand(void **state) {
    (void)state;
    static const double even[] = {0,
                                  1,
                                  0,
                                  1,
                                  0.8414709848078965,
                                  0.5403023058681398,
                                  0.009999833334166664,
                                  0.9999500004166653,
                                  0.9092974268256817,
                                  -0.4161468365471424,
                                  0.01999866669333308,
                                  0.9998000066665778};
    static const double odd[] = {0,
                                 1,
                                 0,
                                 1,
                                 0,
                                 0.8414709848078965,
                                 0.5403023058681398,
                                 0.025116222909773774,
                                 0.9996845379152098,
                                 0.0006309573026154199,
                                 0.9092974268256817,
                                 -0.4161468365471424,
                                 0.050216599387465206,
                                 0.9987383506934931,
                                 0.0012619143540422218};
    float *table = table_of(3, 4);
    assert_int_equal(attn_sinusoidal(table, 3, 4, 10000), ATTN_OK);
    for (int n = 0; n < 12; n++) assert_near((double)table[n], even[n], 1e-7, "sinusoidal, 4");
    table = table_of(3, 5);
    assert_int_equal(attn_sinusoidal(table, 3, 5, 10000), ATTN_OK);
    for (int n = 0; n < 15; n++) assert_near((double)table[n], odd[n], 1e-7, "sinusoidal, 5");
    table = table_of(3, 1);
    assert_int_equal(attn_sinusoidal(table, 3, 1, 10000), ATTN_OK);
    for (int n = 0; n < 3; n++) assert_near((double)table[n], sin(n), 1e-7, "sinusoidal, 1");
}

/* Any width and base against the formula; every number within a rounding of float. */
static void sinusoidal_formula(void **state) {
    (void)state;
    static const int widths[] = {1, 2, 3, 7, 16, 29, 64, 512};
    static const double bases[] = {10000, 500000, 2, 0.5, 1};
    for (size_t n = 0; n < COUNT(widths); n++) {
        for (size_t m = 0; m < COUNT(bases); m++) {
            const int length = 70, dim = widths[n];
            float *table = table_of(length, dim);
            assert_int_equal(attn_sinusoidal(table, length, dim, bases[m]), ATTN_OK);
            for (int p = 0; p < length; p++) {
                for (int d = 0; d < dim; d++) {
                    const long double exponent = (long double)(d - d % 2) / dim;
                    const long double angle = p / powl((long double)bases[m], exponent);
                    const double exact = (double)(d % 2 ? cosl(angle) : sinl(angle));
                    assert_near((double)table[p * dim + d], exact, 1e-7, "sinusoidal");
                }
            }
            assert_true(buffers_intact());
            buffers_release();
        }
    }
}

/* The dot product of two rows depends on their distance alone; every row of even width has the same
 * length. */
static void sinusoidal_distances(void **state) {
    (void)state;
    const int length = 60, dim = 32;
    float *table = table_of(length, dim);
    assert_int_equal(attn_sinusoidal(table, length, dim, 10000), ATTN_OK);
    for (int distance = 0; distance < 40; distance++) {
        double first = 0;
        for (int p = 0; p + distance < length; p++) {
            double dot = 0;
            for (int d = 0; d < dim; d++) {
                dot += (double)table[p * dim + d] * (double)table[(p + distance) * dim + d];
            }
            if (p == 0) first = dot;
            assert_near(dot, first, 1e-5, "dot product of two rows");
        }
        if (distance == 0) assert_near(first, dim / 2, 1e-5, "length of a row");
    }
}

static void sinusoidal_refusals(void **state) {
    (void)state;
    float *table = table_of(2, 4);
    buffers_freeze();
    assert_int_equal(attn_sinusoidal(table, -1, 4, 10000), ATTN_SIZE);
    assert_int_equal(attn_sinusoidal(table, 2, 0, 10000), ATTN_SIZE);
    assert_int_equal(attn_sinusoidal(table, 2, -4, 10000), ATTN_SIZE);
    static const double bases[] = {0, -1, 0x1p-901, INFINITY, NAN};
    for (size_t n = 0; n < COUNT(bases); n++) {
        assert_int_equal(attn_sinusoidal(table, 2, 4, bases[n]), ATTN_RANGE);
    }
    assert_int_equal(attn_sinusoidal(NULL, 2, 4, 10000), ATTN_NULL);
    assert_int_equal(attn_sinusoidal(NULL, 0, 4, 10000), ATTN_OK);
    assert_true(buffers_intact());
}

/* The published recursion, printed: powers of two and others. */
static void alibi_slopes(void **state) {
    (void)state;
    static const double one[] = {0.00390625}, two[] = {0.0625, 0.00390625};
    static const double four[] = {0.25, 0.0625, 0.015625, 0.00390625};
    static const double five[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5};
    static const double six[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    static const double eight[] = {0.5,     0.25,     0.125,     0.0625,
                                   0.03125, 0.015625, 0.0078125, 0.00390625};
    static const double twelve[] = {0.5,
                                    0.25,
                                    0.125,
                                    0.0625,
                                    0.03125,
                                    0.015625,
                                    0.0078125,
                                    0.00390625,
                                    0.7071067811865475,
                                    0.35355339059327373,
                                    0.17677669529663687,
                                    0.08838834764831843};
    static const double forty[] = {
        0.8408964152537146,   0.7071067811865475,   0.5946035575013605,   0.5,
        0.4204482076268573,   0.35355339059327373,  0.29730177875068026,  0.25,
        0.21022410381342865,  0.17677669529663687,  0.14865088937534013,  0.125,
        0.10511205190671433,  0.08838834764831843,  0.07432544468767006,  0.0625,
        0.05255602595335716,  0.044194173824159216, 0.03716272234383503,  0.03125,
        0.02627801297667858,  0.022097086912079608, 0.018581361171917516, 0.015625,
        0.01313900648833929,  0.011048543456039804, 0.009290680585958758, 0.0078125,
        0.006569503244169645, 0.005524271728019902, 0.004645340292979379, 0.00390625,
        0.9170040432046712,   0.7711054127039705,   0.6484197773255048,   0.5452538663326288,
        0.4585020216023356,   0.38555270635198524,  0.3242098886627524,   0.2726269331663144};
    static const struct {
        int heads;
        const double *slopes;
    } printed[] = {{1, one}, {2, two},   {4, four},    {5, five},
                   {6, six}, {8, eight}, {12, twelve}, {40, forty}};
    for (size_t n = 0; n < COUNT(printed); n++) {
        float *slopes = table_of(printed[n].heads, 1);
        assert_int_equal(attn_alibi_slopes(slopes, printed[n].heads), ATTN_OK);
        for (int h = 0; h < printed[n].heads; h++) {
            const double expected = printed[n].slopes[h];
            assert_near((double)slopes[h], expected, 6e-8 * expected, "slope");
        }
    }
    /* Powers of two are exact, up to any number of heads. */
    float *slopes = table_of(1024, 1);
    assert_int_equal(attn_alibi_slopes(slopes, 1024), ATTN_OK);
    for (int h = 127; h < 1024; h += 128) {
        assert_true(slopes[h] == ldexpf(1, -(h + 1) / 128));
    }
    buffers_freeze();
    assert_int_equal(attn_alibi_slopes(slopes, 0), ATTN_SIZE);
    assert_int_equal(attn_alibi_slopes(slopes, -2), ATTN_SIZE);
    assert_int_equal(attn_alibi_slopes(NULL, 2), ATTN_NULL);
    assert_true(buffers_intact());
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {TEST(sinusoidal_by_hand), TEST(sinusoidal_formula),
                                       TEST(sinusoidal_distances), TEST(sinusoidal_refusals),
                                       TEST(alibi_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
