/*
 * test_extremes.c - numbers at the ends of float32: huge scores, huge bias, scales of any sign, a spread
 * of 200, and the cut below which a weight is exactly 0.
 */
#include "buffers.h"
#include "gradients.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void multiply(float *x, size_t count, float factor) {
    for (size_t n = 0; n < count; n++) x[n] *= factor;
}

/* Scores up to about 1e30: each row gives all its weight to one key. */
static void huge_scores(void **state) {
    (void)state;
    static const float sizes[] = {1e4f, 1e15f, 1e19f};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        for (int causal = 0; causal <= 1; causal++) {
            problem t = problem_of((dims){1, 2, 1, 60, 140, 1, 3});
            multiply(t.q, 2 * 60, sizes[n]);
            multiply(t.k, 140, sizes[n] < 1e19f ? sizes[n] : 1e18f);
            t.p.causal = causal;
            problem_check(&t);
            buffers_release();
        }
    }
}

/* Bias of 3e38 of both signs: what has it shares the weight, what has not gets nothing. */
static void huge_bias(void **state) {
    (void)state;
    static const float levels[] = {3e38f, -3e38f, -3.4e38f, FLT_MAX, -FLT_MAX, 0};
    for (int round = 0; round < 20; round++) {
        problem t = problem_of((dims){1, 2, 2, 50, 70, 3, 2});
        float *bias = problem_bias(&t, (const int[]){0, 1, 1, 1}, 1);
        for (int n = 0; n < 2 * 50 * 70; n++) bias[n] = levels[rng_below(COUNT(levels))];
        problem_check(&t);
        buffers_release();
    }
}

/* Any finite scale: 0 gives the mean of v, negative prefers opposite keys. */
static void any_scale(void **state) {
    (void)state;
    static const float scales[] = {0, -0.0f, -1, -0.3f, 1, 40, -40, 1e-30f, 1e-42f, 1e30f};
    for (size_t n = 0; n < COUNT(scales); n++) {
        problem t = problem_of((dims){1, 2, 1, 50, 70, 3, 2});
        t.p.scale = scales[n];
        problem_check(&t);
        buffers_release();
    }
}

/* Scores spread over 200, and with most keys masked besides. */
static void spread_of_200(void **state) {
    (void)state;
    for (int masked = 0; masked <= 1; masked++) {
        problem t = problem_of((dims){1, 2, 1, 100, 200, 1, 4});
        for (int i = 0; i < 200; i++) t.q[i] = 1;
        for (int j = 0; j < 200; j++) t.k[j] = (float)(200 * rng_uniform() - 100);
        t.p.scale = 1;
        if (masked) problem_key_mask(&t, (const int[]){1, 1}, 0.1);
        problem_check(&t);
        buffers_release();
    }
}

/* Equal inputs of any size: the weights are equal, whatever the scores. v = 3: out is exactly 3. */
static void equal_inputs(void **state) {
    (void)state;
    static const float values[] = {0, 1, 1e4f, 1e10f, -1e10f, 1e18f};
    for (size_t n = 0; n < COUNT(values); n++) {
        problem t = problem_of((dims){1, 1, 1, 49, 129, 4, 2});
        for (int d = 0; d < 49 * 4; d++) t.q[d] = values[n];
        for (int d = 0; d < 129 * 4; d++) t.k[d] = values[n];
        problem_check(&t);
        for (int d = 0; d < 129 * 2; d++) t.v[d] = 3;
        problem_forward(&t);
        for (int d = 0; d < 49 * 2; d++) assert_true(t.out[d] == 3);
        buffers_release();
    }
}

/* One key, or one allowed key among many: exactly its value, be it subnormal or the largest float. */
static void single_key(void **state) {
    (void)state;
    static const float values[] = {0x1.fffffep-1f, FLT_MAX, -FLT_MAX, FLT_MIN, 1e-42f, -3.7f};
    for (int Tk = 1; Tk <= 130; Tk += 43) {
        problem t = problem_of((dims){1, 1, 1, 49, Tk, 3, COUNT(values)});
        uint8_t *mask = problem_key_mask(&t, (const int[]){0, 1}, 0);
        const int only = rng_below(Tk);
        mask[only] = 1;
        memcpy(t.v + only * (int)COUNT(values), values, sizeof values);
        problem_forward(&t);
        for (size_t i = 0; i < 49; i++) {
            assert_same_bits(t.out + i * COUNT(values), values, COUNT(values), "forward");
        }
        attn_trace_params trace = {.size = sizeof trace};
        problem_trace(&t, &trace);
        for (size_t i = 0; i < 49; i++) {
            assert_same_bits(t.out + i * COUNT(values), values, COUNT(values), "trace");
        }
        buffers_release();
    }
}

/* Two keys, one at distance x below the other, and a value that would show the smallest weight. */
static float weight_at(float x, int far_apart) {
    const int Tk = far_apart ? 100 : 2, near = far_apart ? 90 : 1;
    problem t = problem_of((dims){1, 1, 1, 1, Tk, 1, 1});
    uint8_t *mask = problem_key_mask(&t, (const int[]){0, 1}, 0);
    mask[0] = mask[near] = 1;
    t.p.scale = 1;
    t.q[0] = 1;
    t.k[0] = x, t.k[near] = 0;
    t.v[0] = 1, t.v[near] = 0;
    problem_forward(&t);
    const float weight = t.out[0];
    buffers_release();
    return weight;
}

/* Weights below 2^-64 of the largest are exactly 0, in one tile and from tile to tile; those above are
 * there. */
static void cut_of_small_weights(void **state) {
    (void)state;
    const float cut = -44.361420f; /* -64 ln 2 */
    for (int far_apart = 0; far_apart <= 1; far_apart++) {
        static const float below[] = {-44.37f, -45,  -60,   -87,    -88,
                                      -100,    -104, -1e4f, -1e30f, -3e38f};
        for (size_t n = 0; n < COUNT(below); n++) {
            const float weight = weight_at(below[n], far_apart);
            assert_true(weight == 0 && !signbit(weight));
        }
        static const float above[] = {-44.36f, -44, -30, -1};
        for (size_t n = 0; n < COUNT(above); n++) {
            const double e = exp((double)above[n]), weight = (double)weight_at(above[n], far_apart);
            assert_true(fabs(weight - e / (1 + e)) <= 3e-7 * e);
        }
        assert_true(weight_at(nextafterf(cut, -INFINITY) - 1e-4f, far_apart) == 0);
    }
}

/* A row whose allowed scores are all -inf is empty like one without keys: 0, whatever its values
 * hold. Scores of +inf make no number. */
static void infinite_scores(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 3, 70, 1, 1});
    t.q[0] = t.q[2] = 1;
    t.q[1] = -1;
    for (int j = 0; j < 70; j++) t.k[j] = -INFINITY, t.v[j] = j % 2 ? NAN : INFINITY;
    const float zero = 0;
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    assert_true(trace.lse[0] == -INFINITY && isnan(trace.lse[1]) && trace.lse[2] == -INFINITY);
    assert_same_bits(&t.out[0], &zero, 1, "trace");
    assert_same_bits(&t.out[2], &zero, 1, "trace");
    assert_true(isnan(t.out[1]));
    problem_forward(&t);
    assert_true(t.lse[0] == -INFINITY && isnan(t.lse[1]) && t.lse[2] == -INFINITY);
    assert_same_bits(&t.out[0], &zero, 1, "forward");
    assert_same_bits(&t.out[2], &zero, 1, "forward");
    assert_true(isnan(t.out[1]));
}

/* An output that vanishes below the smallest float: not even the sign of its zero may tell what a
 * masked value is. */
static void sign_of_zero(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 1, 66, 1, 1});
    uint8_t *mask = problem_key_mask(&t, (const int[]){0, 1}, 0);
    mask[0] = mask[64] = 1;
    t.p.scale = 1;
    t.q[0] = 1;
    for (int j = 0; j < 66; j++) t.k[j] = 0;
    t.k[64] = 44;
    t.v[0] = -1e-38f, t.v[64] = -0.0f;
    t.v[65] = 1;
    problem_forward(&t);
    const float above = t.out[0];
    t.v[65] = -1;
    problem_forward(&t);
    assert_same_bits(&t.out[0], &above, 1, "out");
}

/* Values so large that their plain sum would overflow are in range up to FLT_MAX / Tk. */
static void largest_values(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 3, 100, 2, 2});
    for (int d = 0; d < 200; d++) t.v[d] = (rng_chance(0.5) ? 1 : -1) * (FLT_MAX / 101);
    problem_check(&t);
}

/* A handful of keys and scores beyond 1000: one score rounded the other way moves an output by a unit in
 * the last place of the score, which is more than plain float32 may happen to be off by. */
static void few_large_scores(void **state) {
    (void)state;
    for (int round = 0; round < 1500; round++) {
        problem t = problem_of((dims){1, 1, 1, 1 + rng_below(3), 1 + rng_below(4), 1 + rng_below(8),
                                      1 + rng_below(2)});
        const float size = (float)exp(2.5 + 1.7 * rng_uniform()); /* scores of 150 to 20 000 */
        multiply(t.q, problem_rows(&t) * (size_t)t.p.head_dim, size);
        /* Keys near one another, so that more than one has weight. */
        for (size_t n = 0; n < problem_keys(&t) * (size_t)t.p.head_dim; n++) {
            t.k[n] = t.k[n % (size_t)t.p.head_dim] * size + t.k[n] / size;
        }
        backward w = backward_of(t);
        problem_check(&t);
        backward_check(&w);
        buffers_release();
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(huge_scores),          TEST(huge_bias),        TEST(any_scale),
        TEST(spread_of_200),        TEST(equal_inputs),     TEST(single_key),
        TEST(cut_of_small_weights), TEST(infinite_scores),  TEST(sign_of_zero),
        TEST(largest_values),       TEST(few_large_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
