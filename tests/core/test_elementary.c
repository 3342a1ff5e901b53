/*
 * test_elementary.c - e^x, ln x, sine and cosine of elementary.h against the long double functions of
 * the C library, over every size of argument that positions have.
 */
#include "elementary.h"

#include "rng.h"
#include "suite.h"

#define TRIALS 20000

static void assert_within(double error, double bound, const char *what, double x) {
    if (!(fabs(error) <= bound)) fail_msg("%s(%.17g) is off by %g", what, x, error);
}

static double between(double low, double high) { return low + (high - low) * rng_uniform(); }

static void exponentials_and_logarithms(void **state) {
    (void)state;
    for (int n = 0; n < TRIALS; n++) {
        const double x = between(-690, 690);
        const long double power = expl((long double)x);
        assert_within((double)((long double)exponential(x) / power - 1), 3e-16, "exp", x);
        const double y = (double)power;
        const long double exact = logl((long double)y);
        const double size = fmax(1, fabs((double)exact));
        assert_within((double)((long double)natural_log(y) - exact) / size, 4e-16, "ln", y);
    }
    assert_true(exponential(0) == 1);
    assert_true(natural_log(1) == 0);
}

/* The last angles are those of the last position that an int32 counts. */
static void sines(void **state) {
    (void)state;
    for (int n = 0; n < TRIALS; n++) {
        const double reach = exp(between(-20, log(0x1p31)));
        const double x = n % 2 ? reach : -reach;
        assert_within((double)(sine(x, 0) - sinl((long double)x)), 3e-16, "sin", x);
        assert_within((double)(sine(x, 1) - cosl((long double)x)), 3e-16, "cos", x);
    }
    assert_true(sine(0, 0) == 0 && sine(0, 1) == 1);
    assert_within(sine(0x1p31, 0) - (double)sinl(0x1p31L), 3e-16, "sin", 0x1p31);
}

/* Of larger angles hardly a digit is left, but what comes is a sine, whatever the base. */
static void huge_angles(void **state) {
    (void)state;
    for (int exponent = 32; exponent < 1000; exponent += 7) {
        const double x = ldexp(1.3, exponent);
        const double s = sine(x, 0), c = sine(x, 1);
        assert_within(s * s + c * c - 1, 1e-15, "sin^2 + cos^2", x);
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {TEST(exponentials_and_logarithms), TEST(sines),
                                       TEST(huge_angles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
