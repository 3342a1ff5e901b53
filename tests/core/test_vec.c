/*
 * test_vec.c - each vector operation of the instruction set that this file is compiled for, lane by
 * lane against plain C, and every tail length of the partial loads and stores.
 */
#include "kernel/vec.h"

#include "buffers.h"
#include "rng.h"
#include "suite.h"

#include <math.h>

/* Numbers that tell operations apart, the special ones included. */
static float some_number(void) {
    static const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-40f, 3.4e38f, -1.0f};
    return rng_chance(0.3) ? special[rng_below(8)] : (float)rng_normal();
}

static void assert_lane(float got, float expected, const char *operation) {
    if (isnan(expected) ? !isnan(got) : got != expected) {
        fail_msg("%s gave %a, not %a", operation, (double)got, (double)expected);
    }
}

static void arithmetic(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        float a[VN], b[VN], c[VN], y[VN];
        for (int n = 0; n < VN; n++)
            a[n] = some_number(), b[n] = some_number(), c[n] = some_number();
        if (round % 3 == 0) memcpy(b, a, sizeof a); /* equal operands, for the comparisons */
        const vf va = v_load(a), vb = v_load(b), vc = v_load(c);
        const vf one = v_set1(1), two = v_set1(2);
        const vm less = v_lt(va, vb), equal = v_eq(va, vb);

        v_store(y, v_add(va, vb));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] + b[n], "v_add");
        v_store(y, v_sub(va, vb));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] - b[n], "v_sub");
        v_store(y, v_mul(va, vb));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] * b[n], "v_mul");
        v_store(y, v_div(va, vb));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] / b[n], "v_div");
        v_store(y, v_abs(va));
        for (int n = 0; n < VN; n++) {
            assert_lane(y[n], fabsf(a[n]), "v_abs");
            assert_true(!signbit(y[n]));
        }
        v_store(y, v_copysign(va, vb));
        for (int n = 0; n < VN; n++) {
            assert_lane(y[n], copysignf(a[n], b[n]), "v_copysign");
            assert_true(!signbit(y[n]) == !signbit(b[n]));
        }
        v_store(y, v_select(less, one, two));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] < b[n] ? 1 : 2, "v_lt");
        v_store(y, v_select(equal, one, two));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] == b[n] ? 1 : 2, "v_eq");
        v_store(y, v_set1(c[0]));
        for (int n = 0; n < VN; n++) assert_lane(y[n], c[0], "v_set1");

        int all = 1;
        for (int n = 0; n < VN; n++) all &= a[n] < b[n];
        assert_true(!v_all(less) == !all);

        /* Fused or not: one of the two roundings. */
        v_store(y, v_fma(va, vb, vc));
        for (int n = 0; n < VN; n++) {
            const float twice = a[n] * b[n] + c[n], once = fmaf(a[n], b[n], c[n]);
            assert_lane(y[n], y[n] == once ? once : twice, "v_fma");
        }
    }
}

/* NaN on either side is NaN; but v_top is exactly the comparison. */
static void extremum(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        float a[VN], b[VN], y[VN];
        for (int n = 0; n < VN; n++) a[n] = some_number(), b[n] = some_number();
        v_store(y, v_max(v_load(a), v_load(b)));
        for (int n = 0; n < VN; n++) {
            const float expected = isnan(a[n]) || isnan(b[n]) ? NAN : fmaxf(a[n], b[n]);
            assert_lane(y[n], expected, "v_max");
        }
        v_store(y, v_min(v_load(a), v_load(b)));
        for (int n = 0; n < VN; n++) {
            const float expected = isnan(a[n]) || isnan(b[n]) ? NAN : fminf(a[n], b[n]);
            assert_lane(y[n], expected, "v_min");
        }
        v_store(y, v_top(v_load(a), v_load(b)));
        for (int n = 0; n < VN; n++) assert_lane(y[n], a[n] > b[n] ? a[n] : b[n], "v_top");
    }
}

/* The lanes where m is set. */
static void assert_mask(vm m, const int *expected, const char *operation) {
    float y[VN];
    v_store(y, v_select(m, v_set1(1), v_set1(0)));
    for (int n = 0; n < VN; n++) assert_lane(y[n], (float)expected[n], operation);
}

/* Unsigned integers: seen through vi_lt, which compares numbers below 2^31. */
static void integers(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t a[VN], b[VN];
        int expected[VN];
        for (int n = 0; n < VN; n++) a[n] = rng_bits(), b[n] = rng_bits();
        const uint32_t c = rng_bits(), half = c >> 1;
        const int bits = 1 + rng_below(31);
        const vi va = vi_load(a), vb = vi_load(b), limit = vi_set1(half);
        for (int n = 0; n < VN; n++) expected[n] = (a[n] >> 1) < half;
        assert_mask(vi_lt(vi_shr(va, 1), limit), expected, "vi_lt");
        for (int n = 0; n < VN; n++) expected[n] = (a[n] >> bits) < (c >> bits);
        assert_mask(vi_lt(vi_shr(va, bits), vi_shr(vi_set1(c), bits)), expected, "vi_shr");
        for (int n = 0; n < VN; n++) expected[n] = ((a[n] ^ b[n]) >> 1) < half;
        assert_mask(vi_lt(vi_shr(vi_xor(va, vb), 1), limit), expected, "vi_xor");
        for (int n = 0; n < VN; n++) expected[n] = (a[n] * b[n] >> 1) < half;
        assert_mask(vi_lt(vi_shr(vi_mul(va, vb), 1), limit), expected, "vi_mul");

        /* Equal numbers are not less; the lowest bit counts. */
        uint32_t product[VN];
        for (int n = 0; n < VN; n++) product[n] = (a[n] * c ^ b[n]) >> 1;
        const vi ours = vi_shr(vi_xor(vi_mul(va, vi_set1(c)), vb), 1);
        const vm less = vi_lt(ours, vi_load(product)), more = vi_lt(vi_load(product), ours);
        for (int n = 0; n < VN; n++) expected[n] = 0;
        assert_mask(less, expected, "vi_mul");
        assert_mask(more, expected, "vi_mul");
    }
}

static void power_of_two(void **state) {
    (void)state;
    for (int n = -126; n <= 0; n++) {
        float y[VN];
        v_store(y, v_pow2(v_add(v_set1((float)n), v_set1(0x1.8000fep+23f))));
        for (int lane = 0; lane < VN; lane++) assert_lane(y[lane], ldexpf(1, n), "v_pow2");
    }
}

static void columns(void **state) {
    (void)state;
    for (int gap = 0; gap < 3; gap++) {
        float *x = buffer_floats((size_t)((VN - 1) * (4 + gap) + 4)), y[VN];
        for (int r = 0; r < VN; r++) {
            for (int c = 0; c < 4; c++) x[r * (4 + gap) + c] = (float)(r * 4 + c);
        }
        vf column[4];
        v_columns(x, 4 + gap, column);
        for (int c = 0; c < 4; c++) {
            v_store(y, column[c]);
            for (int r = 0; r < VN; r++) assert_lane(y[r], (float)(r * 4 + c), "v_columns");
        }
    }
}

static void folds(void **state) {
    (void)state;
    float x[VN], expected[4] = {0}, *four = buffer_floats(4);
    for (int n = 0; n < VN; n++) {
        x[n] = (float)(1 << n);
        expected[n % 4] += x[n];
    }
    v_fold(four, v_load(x));
    for (int n = 0; n < 4; n++) assert_lane(four[n], expected[n], "v_fold");
}

/* The first n lanes: others read as 0 and are not written; nothing beyond is touched. */
static void tails(void **state) {
    (void)state;
    for (int n = 0; n <= VN; n++) {
        float *source = buffer_floats((size_t)n), *target = buffer_floats(VN);
        for (int lane = 0; lane < n; lane++) source[lane] = (float)(lane + 1);
        v_store(target, v_load_n(source, n));
        for (int lane = 0; lane < VN; lane++) {
            assert_lane(target[lane], lane < n ? (float)(lane + 1) : 0, "v_load_n");
        }
        float *tail = buffer_floats((size_t)n);
        v_store_n(tail, v_set1(7), n);
        for (int lane = 0; lane < n; lane++) assert_lane(tail[lane], 7, "v_store_n");
        assert_true(buffers_intact());
    }
    assert_int_equal(v_count(0), 0);
    assert_int_equal(v_count(1), 1);
    assert_int_equal(v_count(VN), 1);
    assert_int_equal(v_count(VN + 1), 2);
    assert_int_equal(v_count(INT32_MAX), INT32_MAX / VN + (INT32_MAX % VN != 0));
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(arithmetic), TEST(extremum), TEST(integers), TEST(power_of_two),
        TEST(columns),    TEST(folds),    TEST(tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
