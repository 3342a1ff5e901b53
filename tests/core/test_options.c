/*
 * test_options.c - softcap and ALiBi: by hand, alone over shapes and tiles, at the ends of float32, and
 * in the order that the manual gives: cap, then bias and ALiBi, then the mask.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* cap tanh(s / cap), and not s tanh(s): 2 with a cap of 0.5. */
static void softcap_by_hand(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 1, 1, 1, 1});
    t.q[0] = 1, t.k[0] = 2;
    t.p.scale = 1, t.p.softcap = 0.5f;
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    assert_printed((double)trace.capped[0], 0.49966, 5);
    problem_forward(&t);
    assert_printed((double)t.lse[0], 0.49966, 5);
}

/* Caps from far below the scores to far above, at and beside the borders of tiles. */
static void softcaps(void **state) {
    (void)state;
    static const float caps[] = {1e-40f, 1e-30f, 0.01f, 0.5f, 1, 30, 1e6f, 3e38f};
    static const int lengths[] = {1, 7, 48, 49, 64, 65, 130};
    for (size_t n = 0; n < COUNT(caps); n++) {
        for (size_t m = 0; m < COUNT(lengths); m++) {
            problem t = problem_of((dims){1, 2, 1, lengths[m], 67, 5, 3});
            t.p.softcap = caps[n];
            t.p.causal = rng_below(3);
            problem_check(&t);
            buffers_release();
        }
    }
}

/* Scores beyond the cap, to infinity: all the same weight, never NaN. */
static void saturated(void **state) {
    (void)state;
    static const float sizes[] = {100, 4400, 1e10f, 1e30f, INFINITY};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        problem t = problem_of((dims){1, 1, 1, 1, 80, 1, 2});
        t.q[0] = 1;
        for (int j = 0; j < 80; j++) t.k[j] = rng_chance(0.5) ? sizes[n] : -sizes[n];
        t.p.scale = 1, t.p.softcap = 5;
        problem_check(&t);
        buffers_release();
    }
}

/* A bias of -inf, like a mask, stays out of the cap; a causal first row sees its own value only. */
static void cap_before_mask(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 2, 1, 70, 70, 4, 3});
    t.p.softcap = 0.5f;
    float *bias = problem_bias(&t, (const int[]){0, 0, 0, 1}, 1);
    bias[5] = -INFINITY;
    t.p.causal = ATTN_CAUSAL;
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    for (size_t row = 5; row < 140; row++) assert_true(trace.weights[row * 70 + 5] == 0);
    assert_same_bits(t.out, t.v, 3, "row 0");
    problem_forward(&t);
    assert_same_bits(t.out, t.v, 3, "row 0");
    problem_check(&t);
}

/* Slopes as published for two heads, positions from 3: distances by hand. */
static void alibi_by_hand(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 2, 1, 2, 5, 1, 1});
    const float slopes[] = {0.0625f, 0.00390625f};
    t.p.alibi_slopes = slopes;
    t.p.scale = 0;
    const float distances[] = {3, 2, 1, 0, 1, 4, 3, 2, 1, 0};
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    for (int n = 0; n < 20; n++)
        assert_true(trace.masked[n] == -slopes[n / 10] * distances[n % 10]);
    problem_check(&t);
}

/* A slope of 0 leaves its head alone, bit for bit; ALiBi is never scaled, and no slope is too steep. */
static void slopes_of_heads(void **state) {
    (void)state;
    problem t = problem_of((dims){2, 3, 1, 60, 70, 3, 4});
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    const float slopes[] = {0.5f, 0, 30};
    t.p.alibi_slopes = slopes;
    problem_check(&t);
    problem_forward(&t);
    for (size_t b = 0; b < 2; b++) {
        const size_t head = (b * 3 + 1) * 60 * 4;
        assert_same_bits(t.out + head, out + head, 240, "head without a slope");
        assert_true(memcmp(t.out + head - 240, out + head - 240, sizeof(float) * 240) != 0);
    }
    t.p.scale = 7;
    problem_check(&t);
}

/* ALiBi from every kind of position, over tiles that stand far from the row. */
static void alibi_positions(void **state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        problem t = problem_of((dims){3, 2, 1, 1 + rng_below(100), 1 + rng_below(300), 3, 2});
        problem_alibi(&t);
        t.p.causal = rng_below(3);
        t.p.query_lengths = problem_batch_values(&t, 0, t.p.query_length);
        t.p.key_lengths = problem_batch_values(&t, 0, t.p.key_length);
        if (t.p.causal != ATTN_CAUSAL_TOP_LEFT && round % 2) {
            t.p.query_offset = problem_batch_values(&t, -200, 400);
        }
        problem_check(&t);
        buffers_release();
    }
}

/* Softcap, ALiBi and dropout together over the widths and lengths that tiles and vectors cut. */
static void options_and_shapes(void **state) {
    (void)state;
    static const int widths[] = {1, 3, 8, 15, 16, 17, 33, 64};
    static const int lengths[] = {1, 5, 47, 48, 49, 64, 97, 130};
    for (int round = 0; round < 200; round++) {
        const int Hk = 1 + rng_below(2);
        problem t =
            problem_of((dims){1 + rng_below(2), Hk * (1 + rng_below(2)), Hk, lengths[rng_below(8)],
                              lengths[rng_below(8)], widths[rng_below(8)], widths[rng_below(8)]});
        problem_options(&t);
        problem_check(&t);
        buffers_release();
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(softcap_by_hand), TEST(softcaps),           TEST(saturated),
        TEST(cap_before_mask), TEST(alibi_by_hand),      TEST(slopes_of_heads),
        TEST(alibi_positions), TEST(options_and_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
