/*
 * suite.h - what every test program shares: the instruction set, the seed, and the clean-up.
 *
 * A program takes the name of an instruction set as its argument (none: the best of the machine), and
 * the seed from ATTN_SEED. After each test the guards of all buffers are judged, the worst errors
 * printed, and everything released.
 */
#ifndef SUITE_H
#define SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The attn_isa that the tests put into params.isa. */
extern int suite_isa;

/* Reads argument and seed and prints both. Exits with 77, which ctest takes for "skipped", and the
 * reason, where this build or machine lacks the instruction set. */
void suite_begin(int argc, char **argv);

int suite_setup(void **state);
int suite_teardown(void **state);

/* Starts case n of a property: as case 0 of seed + n. While one runs (n >= 0), a failure prints
 * the seed that repeats it alone. */
void suite_case(int n);

/* An entry of the table for cmocka_run_group_tests(). */
#define TEST(function) cmocka_unit_test_setup_teardown(function, suite_setup, suite_teardown)

/* Fails unless the bits are the same: NaN equals NaN, -0 differs from +0. */
void assert_same_bits(const float *a, const float *b, size_t count, const char *what);

/* Fails unless x, rounded to so many decimals, is the number printed. */
void assert_printed(double x, double printed, int decimals);

#endif
