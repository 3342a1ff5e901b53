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

/* NaN on either side is NaN. */
static void maximum(void **state) {
    (void)state;
    for (int round = 0; round < 2000; round++) {
        float a[VN], b[VN], y[VN];
        for (int n = 0; n < VN; n++) a[n] = some_number(), b[n] = some_number();
        v_store(y, v_max(v_load(a), v_load(b)));
        for (int n = 0; n < VN; n++) {
            const float expected = isnan(a[n]) || isnan(b[n]) ? NAN : fmaxf(a[n], b[n]);
            assert_lane(y[n], expected, "v_max");
        }
    }
}

static void power_of_two(void **state) {
    (void)state;
    for (int n = -126; n <= 0; n++) {
        float y[VN];
        v_store(y, v_pow2(v_add(v_set1((float)n), v_set1(0x1.8p+23f))));
        for (int lane = 0; lane < VN; lane++) assert_lane(y[lane], ldexpf(1, n), "v_pow2");
    }
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
        TEST(arithmetic),
        TEST(maximum),
        TEST(power_of_two),
        TEST(tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
