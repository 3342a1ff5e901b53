/*
 * test_trace.c - the readable definition: each stage can be left out, and each what-if is what it says.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static const dims SIZE = {2, 4, 2, 6, 70, 3, 5};

/* The array of a trace by number, ten in all. */
static float **stage_of(attn_trace_params *trace, int n) {
    float **const stages[] = {&trace->scores,  &trace->scaled,  &trace->capped,  &trace->masked,
                              &trace->weights, &trace->dropped, &trace->row_max, &trace->row_sum,
                              &trace->lse,     &trace->entropy};
    return stages[n];
}

static size_t count_of(const problem *t, int n) {
    return n < 6 ? problem_cells(t) : problem_rows(t);
}

/* A pointer that is NULL, in turn, changes no bit of the other stages. Weights alone are required. */
static void each_stage_is_optional(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    t.p.causal = ATTN_CAUSAL;
    attn_trace_params all = problem_stages(&t);
    problem_trace(&t, &all);
    float *out = buffer_copy(t.out, problem_outputs(&t));

    for (int missing = 0; missing < 10; missing++) {
        attn_trace_params some = problem_stages(&t);
        *stage_of(&some, missing) = NULL;
        if (!some.weights) {
            assert_int_equal(attn_trace(&t.p, &some), ATTN_NULL);
            continue;
        }
        problem_trace(&t, &some);
        assert_same_bits(t.out, out, problem_outputs(&t), "out");
        for (int n = 0; n < 10; n++) {
            if (n == missing) continue;
            assert_same_bits(*stage_of(&some, n), *stage_of(&all, n), count_of(&t, n), "stage");
        }
    }

    attn_trace_params only_weights = {.size = sizeof only_weights};
    problem_trace(&t, &only_weights);
    assert_same_bits(t.out, out, problem_outputs(&t), "out");
    assert_same_bits(only_weights.weights, all.weights, problem_cells(&t), "weights");
}

/* Scores are there for masked keys too, and weights of 0. */
static void scores_of_masked_keys(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    attn_trace_params open = problem_stages(&t), causal = problem_stages(&t);
    problem_trace(&t, &open);
    t.p.causal = ATTN_CAUSAL_TOP_LEFT;
    problem_trace(&t, &causal);
    assert_same_bits(open.scores, causal.scores, problem_cells(&t), "scores");
    for (int i = 0; i < SIZE.Tq; i++) {
        for (int j = i + 1; j < SIZE.Tk; j++) {
            assert_true(causal.masked[i * SIZE.Tk + j] == -INFINITY);
            assert_true(causal.weights[i * SIZE.Tk + j] == 0);
        }
    }
}

/* Some scores by hand, NaN for the others; infinite ones too. */
static void given_scores(void **state) {
    (void)state;
    for (int round = 0; round < 30; round++) {
        problem t = problem_of(SIZE);
        problem_combine(&t);
        attn_trace_params computed = problem_stages(&t), given = problem_stages(&t);
        problem_trace(&t, &computed);
        float *scores = buffer_floats(problem_cells(&t));
        for (size_t n = 0; n < problem_cells(&t); n++) {
            scores[n] = rng_chance(0.5)   ? NAN
                        : rng_chance(0.1) ? -INFINITY
                                          : 3 * (float)rng_normal();
        }
        given.given_scores = scores;
        problem_check_trace(&t, &given);
        for (size_t n = 0; n < problem_cells(&t); n++) {
            const float expected = isnan(scores[n]) ? computed.scores[n] : scores[n];
            assert_same_bits(&given.scores[n], &expected, 1, "scores");
        }
        buffers_release();
    }
}

/* Normalised along the wrong axis: columns sum to 1 and rows do not. */
static void softmax_over_queries(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 2, 2, 5, 7, 4, 3});
    attn_trace_params trace = problem_stages(&t);
    trace.softmax_axis = ATTN_OVER_QUERIES;
    problem_check_trace(&t, &trace);
    double furthest = 0;
    for (int h = 0; h < 2; h++) {
        const float *weights = trace.weights + h * 5 * 7;
        for (int j = 0; j < 7; j++) {
            double column = 0;
            for (int i = 0; i < 5; i++) column += (double)weights[i * 7 + j];
            assert_true(fabs(column - 1) <= 1e-6);
        }
        for (int i = 0; i < 5; i++) {
            double row = 0;
            for (int j = 0; j < 7; j++) row += (double)weights[i * 7 + j];
            if (fabs(row - 1) > furthest) furthest = fabs(row - 1);
        }
    }
    assert_true(furthest > 0.1);

    /* One query: every weight is 1, and the output the sum of v. */
    problem one = problem_of((dims){1, 1, 1, 1, 2, 1, 1});
    one.v[0] = 10, one.v[1] = 20;
    attn_trace_params single = problem_stages(&one);
    single.softmax_axis = ATTN_OVER_QUERIES;
    problem_trace(&one, &single);
    assert_true(single.weights[0] == 1 && single.weights[1] == 1 && one.out[0] == 30);
}

/* The what-ifs together with every mask. */
static void what_ifs_and_masks(void **state) {
    (void)state;
    for (int round = 0; round < 200; round++) {
        problem t = problem_of((dims){1 + rng_below(2), 4, 1 + rng_below(2), 1 + rng_below(8),
                                      1 + rng_below(80), 2, 3});
        problem_combine(&t);
        attn_trace_params trace = problem_stages(&t);
        trace.softmax_axis = rng_below(2);
        trace.mask_order = rng_below(2);
        problem_check_trace(&t, &trace);
        buffers_release();
    }
}

/* Masked after the softmax: a masked key keeps score and finite bias in the masked stage, loses its
 * weight afterwards, and the row no longer sums to 1. */
static void mask_after_softmax(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 1, 2, 1, 1});
    float *bias = buffer_floats(2);
    uint8_t *mask = buffer_bytes(2);
    bias[0] = bias[1] = 5;
    mask[0] = 1, mask[1] = 0;
    t.q[0] = 1, t.k[0] = t.k[1] = 2, t.v[0] = 8, t.v[1] = NAN;
    t.p.bias = bias, t.p.bias_stride[3] = 1;
    t.p.mask = mask, t.p.mask_stride[3] = 1;
    attn_trace_params trace = problem_stages(&t);
    trace.mask_order = ATTN_MASK_AFTER;
    problem_trace(&t, &trace);
    assert_same_bits(trace.masked, (const float[]){7, 7}, 2, "masked");
    assert_same_bits(trace.weights, (const float[]){0.5f, 0}, 2, "weights");
    assert_true(t.out[0] == 4);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(each_stage_is_optional), TEST(scores_of_masked_keys), TEST(given_scores),
        TEST(softmax_over_queries),   TEST(what_ifs_and_masks),    TEST(mask_after_softmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
