/*
 * test_faults.c - small calls out of public fault reports, on every path: |a - b| <= t + t |b| with
 * t = 1e-5, or the case's own tolerance where that is larger.
 */
#include "buffers.h"
#include "caching.h"
#include "gradients.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct fault_case {
    const char *id;
    dims size;
    const float *q, *k, *v;
    float scale; /* NAN: the default */
    float softcap, dropout;
    int causal, window[2];
    const int32_t *key_lengths;
    const uint8_t *mask;
    const float *bias;
    int mask_dims[4], bias_dims[4];
    const double *out, *weights, *lse; /* NULL where nothing is expected */
    const int *keep;                   /* dropout: 1 for each weight that stays */
    const float *dout;                 /* NULL without gradients */
    const double *dq, *dk, *dv, *dbias;
    double tolerance;
} fault_case;

#include "../vectors/fault_cases.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void set(float *target, const float *source, size_t count) {
    if (count > 0) memcpy(target, source, count * sizeof(float));
}

/* Packed strides of a broadcast tensor of the given dimensions, 0 along an axis of 1. */
static void broadcast_strides(const int dimensions[4], ptrdiff_t *stride) {
    ptrdiff_t step = 1;
    for (int axis = 3; axis >= 0; axis--) {
        stride[axis] = dimensions[axis] > 1 ? step : 0;
        step *= dimensions[axis];
    }
}

static problem problem_from(const fault_case *c) {
    problem t = problem_of(c->size);
    const size_t rows = problem_rows(&t), keys = problem_keys(&t), D = (size_t)c->size.D;
    set(t.q, c->q, rows * D);
    set(t.k, c->k, keys * D);
    set(t.v, c->v, keys * D);
    if (!isnan(c->scale)) t.p.scale = c->scale;
    t.p.softcap = c->softcap;
    t.p.dropout = c->dropout;
    t.p.causal = c->causal;
    t.p.window_left = c->window[0];
    t.p.window_right = c->window[1];
    t.p.key_lengths = c->key_lengths;
    t.p.mask = c->mask;
    t.p.bias = c->bias;
    if (c->mask) broadcast_strides(c->mask_dims, t.p.mask_stride);
    if (c->bias) broadcast_strides(c->bias_dims, t.p.bias_stride);
    return t;
}

static void compare(const fault_case *c, const char *what, const float *got, const double *expected,
                    size_t count) {
    if (!expected) return;
    const double t = c->tolerance > 1e-5 ? c->tolerance : 1e-5;
    for (size_t n = 0; n < count; n++) {
        const double a = (double)got[n], b = expected[n];
        if (a == b) continue;
        if (!(fabs(a - b) <= t + t * fabs(b))) {
            fail_msg("%s: %s[%zu] is %g, not %g", c->id, what, n, a, b);
        }
    }
}

/* The first seed whose dropout keeps exactly the weights that the case keeps. */
static uint32_t seed_of(const attn_params *p, const int *keep) {
    attn_params tried = *p;
    for (tried.seed = 0; tried.seed < 100000; tried.seed++) {
        int differs = 0;
        for (int i = 0, n = 0; i < p->query_length; i++) {
            for (int j = 0; j < p->key_length; j++, n++) {
                differs |= oracle_keeps(&tried, 0, 0, i, j) != keep[n];
            }
        }
        if (!differs) return tried.seed;
    }
    fail_msg("no seed keeps these weights");
    return 0;
}

static void check_gradients(const fault_case *c, problem t) {
    backward w = backward_of(t);
    set(w.dout, c->dout, problem_outputs(&t));
    backward_run(&w);
    compare(c, "dq", w.dq, c->dq, backward_count(&w, 0));
    compare(c, "dk", w.dk, c->dk, backward_count(&w, 1));
    compare(c, "dv", w.dv, c->dv, backward_count(&w, 2));
    compare(c, "dbias", w.dbias, c->dbias, w.biases);
    if (!c->dbias) return;
    w.g.dq = w.g.dk = w.g.dv = NULL; /* the bias alone */
    backward_again(&w);
    compare(c, "dbias alone", w.dbias, c->dbias, w.biases);
}

/* The keys and values of a cache with room to spare, which is NaN, and the queries at its end. */
static void check_decode(const fault_case *c, problem *t) {
    const attn_cache cache = caching_of(c->size, c->size.Tk + 3);
    assert_int_equal(caching_append(&cache, t, 0, c->size.Tk, c->key_lengths), ATTN_OK);
    caching_attend(&cache, t, 0, c->size.Tq, NULL, t->out);
    compare(c, "decode out", t->out, c->out, problem_outputs(t));
}

static void every_case(void **state) {
    (void)state;
    int differentiated = 0;
    for (size_t n = 0; n < COUNT(FAULT_CASES); n++) {
        const fault_case *c = &FAULT_CASES[n];
        problem t = problem_from(c);
        if (c->keep) t.p.seed = seed_of(&t.p, c->keep);

        problem_forward(&t);
        compare(c, "forward out", t.out, c->out, problem_outputs(&t));
        compare(c, "forward lse", t.lse, c->lse, problem_rows(&t));
        attn_trace_params trace = problem_stages(&t);
        problem_trace(&t, &trace);
        compare(c, "trace out", t.out, c->out, problem_outputs(&t));
        compare(c, "trace lse", trace.lse, c->lse, problem_rows(&t));
        compare(c, "trace weights", trace.weights, c->weights, problem_cells(&t));
        check_decode(c, &t);
        if (c->dout) check_gradients(c, t), differentiated++;
        buffers_release();
    }
    printf("    %zu cases, %d of them with gradients\n", COUNT(FAULT_CASES), differentiated);
    assert_true(COUNT(FAULT_CASES) >= 25 && differentiated >= 5);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {TEST(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
