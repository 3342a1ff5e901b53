/*
 * test_backward.c - the gradients against the formula in double, over shapes and every option, and the
 * formula against central differences of the forward pass in double.
 */
#include "bound.h"
#include "buffers.h"
#include "gradients.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Any combination of masks and options, over lengths of several tiles. */
static void all_combined(void **state) {
    (void)state;
    for (int round = 0; round < 200; round++) {
        const int Hk = 1 + rng_below(2);
        problem t =
            problem_of((dims){1 + rng_below(3), Hk * (1 + rng_below(3)), Hk, 1 + rng_below(110),
                              1 + rng_below(140), 1 + rng_below(5), 1 + rng_below(5)});
        problem_combine(&t);
        backward w = backward_of(t);
        backward_check(&w);
        buffers_release();
    }
}

/* Each option alone over the borders of tiles; dropout at a quarter and a half. */
static void each_option(void **state) {
    (void)state;
    static const int lengths[] = {1, 5, 48, 49, 64, 65, 97, 130};
    for (int option = 0; option < 8; option++) {
        for (size_t n = 0; n < COUNT(lengths); n++) {
            problem t = problem_of((dims){2, 4, 2, lengths[n], lengths[rng_below(8)], 3, 5});
            switch (option) {
            case 0: break;
            case 1: t.p.causal = ATTN_CAUSAL; break;
            case 2: t.p.softcap = 0.7f; break;
            case 3: problem_alibi(&t); break;
            case 4: t.p.dropout = 0.25f, t.p.seed = rng_bits(); break;
            case 5: t.p.dropout = 0.5f, t.p.seed = rng_bits(); break;
            case 6: problem_bias(&t, (const int[]){1, 1, 1, 1}, 0.8); break;
            case 7: t.p.window_left = 3, t.p.window_right = 2; break;
            }
            backward w = backward_of(t);
            backward_check(&w);
            buffers_release();
        }
    }
}

static void widths(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 111};
    for (size_t a = 0; a < COUNT(sizes); a++) {
        for (size_t b = 0; b < COUNT(sizes); b++) {
            problem t = problem_of((dims){1, 2, 1, 5, 67, sizes[a], sizes[b]});
            t.p.causal = rng_below(3);
            problem_options(&t);
            backward w = backward_of(t);
            backward_check(&w);
            buffers_release();
        }
    }
}

/* The loss sum(dout * out), in double. */
static double loss_of(const backward *w) {
    oracle o = oracle_of(&w->t.p, NULL, ORACLE_EXACT);
    double loss = 0;
    for (size_t n = 0; n < o.outputs; n++) loss += (double)w->dout[n] * o.out[n];
    oracle_free(&o);
    return loss;
}

/* Differences of fourth order around *x; the steps are exact in float. */
static double difference(const backward *w, float *x) {
    const float before = *x, step = 0x1p-7f;
    double loss[5] = {0}, place[5] = {0};
    for (int n = 0; n < 5; n++) {
        *x = before + (float)(n - 2) * step;
        place[n] = (double)*x;
        if (n != 2) loss[n] = loss_of(w);
    }
    *x = before;
    const double near = (loss[3] - loss[1]) / (place[3] - place[1]);
    const double far = (loss[4] - loss[0]) / (place[4] - place[0]);
    return (4 * near - far) / 3;
}

static void compare_with_differences(const backward *w, float *x, size_t count, const float *ours,
                                     const double *formula, const char *what) {
    for (size_t n = 0; n < count; n++) {
        if (!isfinite(x[n])) continue;
        const double expected = difference(w, &x[n]);
        const double size = 2e-5 * fmax(1, fabs(expected));
        if (!(fabs(formula[n] - expected) <= size && fabs((double)ours[n] - expected) <= size)) {
            fail_msg("%s[%zu] is %g, by the formula %g, by differences %g: %s", what, n,
                     (double)ours[n], formula[n], expected, problem_text(&w->t));
        }
    }
}

/* Every number of small problems with any option. */
static void central_differences(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        const int Hk = 1 + rng_below(2);
        problem t =
            problem_of((dims){1 + rng_below(2), Hk * (1 + rng_below(2)), Hk, 1 + rng_below(4),
                              1 + rng_below(6), 1 + rng_below(3), 1 + rng_below(3)});
        problem_combine(&t);
        if (t.p.softcap > 0 && t.p.softcap < 1) t.p.softcap = 1; /* smooth at the size of a step */
        backward w = backward_of(t);
        if (t.p.bias) {
            /* -3.4e38 swallows every other term: in its place, what can be differentiated. */
            float *bias = buffer_copy(t.p.bias, w.biases);
            for (size_t n = 0; n < w.biases; n++) {
                if (isfinite(bias[n]) && bias[n] < -1e30f) bias[n] = -3;
            }
            w.t.p.bias = bias;
        }
        backward_run(&w);
        gradients exact = gradients_of(&w, ORACLE_EXACT);
        compare_with_differences(&w, t.q, backward_count(&w, 0), w.dq, exact.dq.numbers, "dq");
        compare_with_differences(&w, t.k, backward_count(&w, 1), w.dk, exact.dk.numbers, "dk");
        compare_with_differences(&w, t.v, backward_count(&w, 2), w.dv, exact.dv.numbers, "dv");
        if (w.dbias) {
            float *bias = buffer_copy(w.t.p.bias, w.biases);
            w.t.p.bias = bias;
            compare_with_differences(&w, bias, w.biases, w.dbias, exact.dbias.numbers, "dbias");
        }
        gradients_free(&exact);
        buffers_release();
    }
}

/* A bias over every choice of axes: the gradient is summed over the others. Asked for alone, it has the
 * same bits. */
static void broadcast_bias(void **state) {
    (void)state;
    for (int choice = 0; choice < 16; choice++) {
        const int axes[] = {choice & 1, choice >> 1 & 1, choice >> 2 & 1, choice >> 3 & 1};
        problem t = problem_of((dims){2, 4, 2, 51, 67, 3, 4});
        problem_bias(&t, axes, 0.9);
        t.p.causal = rng_below(3);
        backward w = backward_of(t);
        backward_check(&w);
        float *dbias = buffer_copy(w.dbias, w.biases);
        w.g.dq = w.g.dk = w.g.dv = NULL;
        backward_again(&w);
        assert_same_bits(w.dbias, dbias, w.biases, "dbias alone");
        buffers_release();
    }
}

/* Positions of which rows share a bias by overlapping strides: bias[i - j], one number a diagonal. */
static void overlapping_bias(void **state) {
    (void)state;
    problem t = problem_of((dims){2, 2, 1, 130, 70, 3, 4});
    float *bias = buffer_floats(199);
    for (int n = 0; n < 199; n++) bias[n] = (float)rng_normal();
    t.p.bias = bias;
    t.p.bias_stride[2] = t.p.bias_stride[3] = 1;
    backward w = backward_of(t);
    backward_check(&w);
    float *dbias = buffer_copy(w.dbias, w.biases);
    for (int round = 0; round < 20; round++) {
        w.t.p.threads = 1 + round % 3;
        backward_again(&w);
        assert_same_bits(w.dbias, dbias, w.biases, "dbias");
    }
}

/* More keys than one chunk, at and beside its border; causal rows reach into all of them. */
static void chunks_of_keys(void **state) {
    (void)state;
    static const int lengths[] = {4095, 4096, 4097, 4200, 8193, 9000};
    for (size_t n = 0; n < COUNT(lengths); n++) {
        problem t = problem_of((dims){1, 2, 1, 50, lengths[n], 2, 3});
        t.p.causal = n % 2 ? ATTN_CAUSAL : ATTN_NOT_CAUSAL;
        if (n % 3 == 0) problem_options(&t);
        backward w = backward_of(t);
        backward_check(&w);
        buffers_release();
    }
}

/* A row whose scores are all lowered by 1e9, or all equally large, weighs its keys equally: log-sum-exp
 * alone cannot tell how many they are, since no float lies near enough. */
static void large_scores(void **state) {
    (void)state;
    static const float levels[] = {-1e9f, -3.4e38f, 1e9f, 1e5f, 3e3f, -2e4f};
    for (size_t n = 0; n < COUNT(levels); n++) {
        for (int Tk = 2; Tk <= 140; Tk += 69) {
            problem t = problem_of((dims){1, 2, 1, 50, Tk, 1, 2});
            float *bias = problem_bias(&t, (const int[]){0, 0, 0, 0}, 1);
            bias[0] = levels[n];
            backward w = backward_of(t);
            backward_check(&w);
            buffers_release();
        }
    }
    static const float sizes[] = {3, 30, 300, 1e4f, 1e9f};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        problem t = problem_of((dims){1, 2, 1, 50, 70, 2, 3});
        for (int at = 0; at < 140; at++) t.k[at] = 1;
        for (int at = 0; at < 200; at++) t.q[at] = sizes[n];
        backward w = backward_of(t);
        backward_check(&w);
        buffers_release();
    }
}

/* Large batches of real spread: the direction of every gradient is that of the formula. */
static void direction(void **state) {
    (void)state;
    problem t = problem_of((dims){3, 2, 2, 40, 70, 256, 256});
    for (size_t n = 0; n < problem_rows(&t) * 256; n++) t.q[n] *= 3;
    backward w = backward_of(t);
    backward_run(&w);
    gradients exact = gradients_of(&w, ORACLE_EXACT);
    const float *const ours[] = {w.dq, w.dk, w.dv};
    const double *const formula[] = {exact.dq.numbers, exact.dk.numbers, exact.dv.numbers};
    for (int which = 0; which < 3; which++) {
        double dot = 0, a = 0, b = 0;
        for (size_t n = 0; n < backward_count(&w, which); n++) {
            dot += (double)ours[which][n] * formula[which][n];
            a += (double)ours[which][n] * (double)ours[which][n];
            b += formula[which][n] * formula[which][n];
        }
        assert_true(dot / sqrt(a * b) > 0.9999999 && fabs(a / b - 1) < 1e-5);
    }
    gradients_free(&exact);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(all_combined),        TEST(each_option),    TEST(widths),
        TEST(central_differences), TEST(broadcast_bias), TEST(overlapping_bias),
        TEST(chunks_of_keys),      TEST(large_scores),   TEST(direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
