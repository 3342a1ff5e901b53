/*
 * test_example.c - numbers that a person can check: the worked example, masking before and after the
 * softmax, the pictures of the masks. Each is compared to its last printed digit, on both paths.
 */
#include "buffers.h"
#include "problem.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* One head from given tensors. */
static problem given(int Tq, int Tk, int D, int Dv, const float *q, const float *k,
                     const float *v) {
    problem t = problem_of((dims){1, 1, 1, Tq, Tk, D, Dv});
    memcpy(t.q, q, sizeof(float) * (size_t)(Tq * D));
    memcpy(t.k, k, sizeof(float) * (size_t)(Tk * D));
    memcpy(t.v, v, sizeof(float) * (size_t)(Tk * Dv));
    return t;
}

static void assert_row(const float *x, const double *printed, int n, int decimals) {
    for (int j = 0; j < n; j++) assert_printed((double)x[j], printed[j], decimals);
}

/* The first n outputs of both paths. */
static void assert_outputs(problem *t, const double *printed, int n, int decimals) {
    attn_trace_params trace = {.size = sizeof trace};
    problem_trace(t, &trace);
    assert_row(t->out, printed, n, decimals);
    problem_forward(t);
    assert_row(t->out, printed, n, decimals);
}

/* The, cat, sat: only the last query is asked. */
static problem worked_example(void) {
    static const float q[] = {1, 2}, k[] = {1, 0, 0, 2, 1, 1}, v[] = {2, 0, 0, 4, 1, 1};
    return given(1, 3, 2, 2, q, k, v);
}

static void the_cat_sat(void **state) {
    (void)state;
    problem t = worked_example();
    attn_trace_params s = problem_stages(&t);
    problem_trace(&t, &s);
    assert_row(s.scores, (const double[]){1, 4, 3}, 3, 6);
    assert_row(s.scaled, (const double[]){0.7071, 2.8284, 2.1213}, 3, 4);
    assert_row(s.masked, (const double[]){0.7071, 2.8284, 2.1213}, 3, 4);
    assert_row(s.weights, (const double[]){0.074, 0.620, 0.306}, 3, 3);
    /* The exponentials 2.028, 16.919, 8.342 and their sum are those without the maximum taken out. */
    const double sum = (double)s.row_sum[0] * exp((double)s.row_max[0]);
    assert_printed(sum, 27.289, 3);
    assert_printed((double)s.weights[0] * sum, 2.028, 3);
    assert_printed((double)s.weights[1] * sum, 16.919, 3);
    assert_printed((double)s.weights[2] * sum, 8.342, 3);
    assert_printed((double)s.lse[0], log(27.289), 3);
    assert_outputs(&t, (const double[]){0.454, 2.786}, 2, 3);
}

/* Without the scale the weights sharpen. */
static void without_the_scale(void **state) {
    (void)state;
    problem t = worked_example();
    t.p.scale = 1;
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    assert_row(trace.weights, (const double[]){0.035, 0.705, 0.259}, 3, 3);
    /* 2 * 0.03512 + 0.25950 and 4 * 0.70538 + 0.25950 */
    assert_outputs(&t, (const double[]){0.330, 3.081}, 2, 3);
}

/* Scaled scores 2, 1, 3, 5, the last key in the future; values are unit vectors, outputs the weights. */
static problem future_key(void) {
    static const float q[] = {1}, k[] = {2, 1, 3, 5};
    static const float v[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    return given(1, 4, 1, 4, q, k, v);
}

static void masked_before_the_softmax(void **state) {
    (void)state;
    problem t = future_key();
    int32_t *offset = buffer_ints(1);
    offset[0] = 2;
    t.p.causal = ATTN_CAUSAL;
    t.p.query_offset = offset;
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    assert_printed((double)trace.row_sum[0] * exp(3), 30.193, 3);
    assert_true(trace.weights[3] == 0);
    assert_outputs(&t, (const double[]){0.245, 0.090, 0.665, 0}, 4, 3);

    /* -1e9 gives the same weights while another key is left. */
    float *bias = buffer_floats(4);
    memcpy(bias, (const float[]){0, 0, 0, -1e9f}, sizeof(float[4]));
    t.p.causal = ATTN_NOT_CAUSAL;
    t.p.query_offset = NULL;
    t.p.bias = bias;
    t.p.bias_stride[3] = 1;
    assert_outputs(&t, (const double[]){0.245, 0.090, 0.665, 0}, 4, 3);

    /* When every key has it, the mean of v; with -inf, nothing. */
    for (int j = 0; j < 4; j++) bias[j] = -1e9f;
    assert_outputs(&t, (const double[]){0.25, 0.25, 0.25, 0.25}, 4, 6);
    for (int j = 0; j < 4; j++) bias[j] = -INFINITY;
    assert_outputs(&t, (const double[]){0, 0, 0, 0}, 4, 9);
    assert_true(t.lse[0] == -INFINITY);
}

static void masked_after_the_softmax(void **state) {
    (void)state;
    problem t = future_key();
    assert_outputs(&t, (const double[]){0.041, 0.015, 0.112, 0.831}, 4, 3);
    assert_printed(exp((double)t.lse[0]), 178.606, 2);

    int32_t *offset = buffer_ints(1);
    offset[0] = 2;
    t.p.causal = ATTN_CAUSAL;
    t.p.query_offset = offset;
    attn_trace_params trace = problem_stages(&t);
    trace.mask_order = ATTN_MASK_AFTER;
    problem_trace(&t, &trace);
    assert_row(trace.weights, (const double[]){0.041, 0.015, 0.112, 0}, 4, 3);
    assert_row(t.out, (const double[]){0.041, 0.015, 0.112, 0}, 4, 3);
    const double sum =
        (double)trace.weights[0] + (double)trace.weights[1] + (double)trace.weights[2];
    assert_printed(sum, 0.169, 3);
}

typedef struct picture {
    int Tq, Tk, causal, left, right, offset; /* offset -1: the default */
    const char *rows;                        /* 1 where the key is allowed, row by row */
} picture;

/* Who may see whom, drawn: weights are above 0 exactly there, on both paths. */
static void mask_pictures(void **state) {
    (void)state;
    static const picture pictures[] = {
        {2, 5, ATTN_CAUSAL, -1, -1, -1, "11110 11111"},
        {2, 5, ATTN_CAUSAL_TOP_LEFT, -1, -1, -1, "10000 11000"},
        {5, 2, ATTN_CAUSAL, -1, -1, -1, "00 00 00 10 11"},
        {5, 2, ATTN_CAUSAL_TOP_LEFT, -1, -1, -1, "10 11 11 11 11"},
        {4, 4, ATTN_NOT_CAUSAL, 1, 2, -1, "1110 1111 0111 0011"},
        {4, 6, ATTN_NOT_CAUSAL, 2, 1, 0, "110000 111000 111100 011110"},
        {4, 4, ATTN_CAUSAL, 1, -1, -1, "1000 1100 0110 0011"},
        {1, 6, ATTN_CAUSAL, 2, 0, -1, "000111"},
        {3, 3, ATTN_CAUSAL, 0, 0, -1, "100 010 001"},
        {3, 3, ATTN_CAUSAL, -1, -1, 1, "110 111 111"},
    };
    for (size_t n = 0; n < sizeof pictures / sizeof *pictures; n++) {
        const picture *c = &pictures[n];
        problem t = problem_of((dims){1, 1, 1, c->Tq, c->Tk, 2, c->Tk});
        memset(t.v, 0, sizeof(float) * (size_t)(c->Tk * c->Tk));
        for (int j = 0; j < c->Tk; j++) t.v[j * c->Tk + j] = 1;
        t.p.causal = c->causal;
        t.p.window_left = c->left;
        t.p.window_right = c->right;
        int32_t *offset = buffer_ints(1);
        offset[0] = c->offset;
        if (c->offset >= 0) t.p.query_offset = offset;

        attn_trace_params trace = problem_stages(&t);
        problem_trace(&t, &trace);
        problem_forward(&t);
        for (int i = 0; i < c->Tq; i++) {
            for (int j = 0; j < c->Tk; j++) {
                const int allowed = c->rows[i * (c->Tk + 1) + j] == '1';
                const int traced = trace.weights[i * c->Tk + j] > 0;
                const int tiled = t.out[i * c->Tk + j] > 0;
                if (traced != allowed || tiled != allowed) {
                    fail_msg("picture %zu, row %d, key %d: drawn %d, trace %d, forward %d", n, i, j,
                             allowed, traced, tiled);
                }
            }
        }
    }
}

/* Equal scores of v = 1: every output is exactly 1, a padded tile would give 63/64. */
static void ones_stay_ones(void **state) {
    (void)state;
    static const int lengths[] = {1, 47, 48, 49, 63, 64, 65, 95, 127, 128, 129};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        problem t = problem_of((dims){1, 1, 1, lengths[n], lengths[n], 1, 1});
        for (int j = 0; j < lengths[n]; j++) t.q[j] = t.k[j] = 0, t.v[j] = 1;
        problem_forward(&t);
        for (int i = 0; i < lengths[n]; i++) assert_true(t.out[i] == 1);
    }
}

/* Raising one score lowers every other allowed weight of its row. */
static void one_score_rises(void **state) {
    (void)state;
    problem t = worked_example();
    attn_trace_params before = problem_stages(&t), after = problem_stages(&t);
    problem_trace(&t, &before);
    float *scores = buffer_floats(3);
    memcpy(scores, (const float[]){NAN, 4.5f, NAN}, sizeof(float[3]));
    after.given_scores = scores;
    problem_trace(&t, &after);
    assert_row(after.scores, (const double[]){1, 4.5, 3}, 3, 6);
    assert_true(after.weights[1] > before.weights[1]);
    assert_true(after.weights[0] < before.weights[0] && after.weights[2] < before.weights[2]);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(the_cat_sat),
        TEST(without_the_scale),
        TEST(masked_before_the_softmax),
        TEST(masked_after_the_softmax),
        TEST(mask_pictures),
        TEST(ones_stay_ones),
        TEST(one_score_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
