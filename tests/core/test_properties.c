/*
 * test_properties.c - what must hold whatever the parameters: the bound on both paths, sums of rows, what
 * a row may not see, and NaN in the same rows of both paths. Each for random problems over every
 * option, packed and strided (varied.h).
 */
#include "bound.h"
#include "buffers.h"
#include "oracle.h"
#include "rng.h"
#include "suite.h"
#include "varied.h"

#include <math.h>
#include <string.h>

static problem any_problem(void) {
    problem packed = varied_problem();
    return rng_chance(0.5) ? packed : varied_strides(&packed);
}

/* Every stage of the trace, and the output of the tiles, against the oracle. */
static void within_the_bound(void) {
    problem t = any_problem();
    problem_check(&t);
}

/* Weights of a row sum to 1, or 0 in an empty one; so values of 1 give an output of 1, or 0. */
static void sums_of_rows(void) {
    problem t = varied_problem();
    t.p.dropout = 0;
    const size_t Tk = (size_t)t.p.key_length, Dv = (size_t)t.p.value_dim;
    const double most = 1e-6 + 0x1p-24 * (double)Tk; /* half a unit for each addition */
    for (size_t n = 0; n < problem_keys(&t) * Dv; n++) t.v[n] = 1;
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    attn_trace_params trace = problem_stages(&t);
    problem_trace(&t, &trace);
    for (size_t row = 0; row < problem_rows(&t); row++) {
        const double expected = trace.lse[row] == -INFINITY ? 0 : 1;
        double sum = 0;
        for (size_t j = 0; j < Tk; j++) sum += (double)trace.weights[row * Tk + j];
        for (size_t at = row * Dv; at < (row + 1) * Dv; at++) {
            if (!(fabs(sum - expected) <= most && fabs((double)out[at] - expected) <= 2 * most &&
                  fabs((double)t.out[at] - expected) <= 2 * most)) {
                fail_msg("row %zu sums to %g, tiles %g, trace %g: %s", row, sum, (double)out[at],
                         (double)t.out[at], problem_text(&t));
            }
        }
    }
}

/* Outputs of both paths. */
typedef struct results {
    float *out, *lse, *trace_out, *weights, *trace_lse;
} results;

static results results_of(problem *t) {
    results r;
    attn_trace_params trace = problem_stages(t);
    problem_forward(t);
    r.out = buffer_copy(t->out, problem_outputs(t));
    r.lse = buffer_copy(t->lse, problem_rows(t));
    problem_trace(t, &trace);
    r.trace_out = buffer_copy(t->out, problem_outputs(t));
    r.weights = trace.weights;
    r.trace_lse = trace.lse;
    return r;
}

static void assert_same_row(const problem *t, const results *a, const results *b, size_t row) {
    const size_t Dv = (size_t)t->p.value_dim, Tk = (size_t)t->p.key_length;
    assert_same_bits(a->out + row * Dv, b->out + row * Dv, Dv, problem_text(t));
    assert_same_bits(a->lse + row, b->lse + row, 1, problem_text(t));
    assert_same_bits(a->trace_out + row * Dv, b->trace_out + row * Dv, Dv, problem_text(t));
    assert_same_bits(a->trace_lse + row, b->trace_lse + row, 1, problem_text(t));
    assert_same_bits(a->weights + row * Tk, b->weights + row * Tk, Tk, problem_text(t));
}

static float not_finite(void) {
    static const float values[] = {NAN, INFINITY, -INFINITY};
    return values[rng_below(3)];
}

/* NaN, infinite, huge, subnormal: what a token may turn into. */
static float anything(void) {
    static const float values[] = {0, -0.0f, 3e38f, -3e38f, 1e-40f, 1};
    return rng_chance(0.5) ? not_finite() : values[rng_below(6)];
}

static void fill(float *row, int columns, float (*value)(void)) {
    for (int d = 0; d < columns; d++) row[d] = value();
}

/* Whether query row (b, h, i), counted in one, sees any of the spoiled keys (B, Hk, Tk). */
static int sees_spoiled(const problem *t, size_t row, const char *spoiled) {
    const attn_params *p = &t->p;
    const int i = (int)row % p->query_length, h = (int)row / p->query_length % p->query_heads;
    const int b = (int)row / p->query_length / p->query_heads;
    const int kv_h = h / (p->query_heads / p->kv_heads);
    for (int j = 0; j < p->key_length; j++) {
        const int key = (b * p->kv_heads + kv_h) * p->key_length + j;
        if (spoiled[key] && oracle_allows(p, b, h, i, j)) return 1;
    }
    return 0;
}

/* The tokens from one on, or any, or one alone, turn into anything, keys as values: rows that see none of
 * them keep every bit on both paths. Under a causal mask these are the earlier tokens. */
static void unseen_tokens(void) {
    problem t = varied_problem();
    if (rng_chance(0.4)) {
        t.p.causal = ATTN_CAUSAL_TOP_LEFT;
        t.p.query_offset = NULL;
    }
    const results clean = results_of(&t);
    char *spoiled = buffer_at(problem_keys(&t), 0);
    const int first = rng_below(t.p.key_length + 1), kind = rng_below(3);
    for (size_t key = 0; key < problem_keys(&t); key++) {
        const int j = (int)key % t.p.key_length;
        spoiled[key] = (char)(kind == 0 ? j >= first : kind == 1 ? rng_chance(0.3) : j == first);
        if (!spoiled[key]) continue;
        fill(t.k + key * (size_t)t.p.head_dim, t.p.head_dim, anything);
        fill(t.v + key * (size_t)t.p.value_dim, t.p.value_dim, anything);
    }
    const results dirty = results_of(&t);
    for (size_t row = 0; row < problem_rows(&t); row++) {
        if (!sees_spoiled(&t, row, spoiled)) assert_same_row(&t, &clean, &dirty, row);
    }
}

/* Numbers that are not finite anywhere: NaN stands in the same places of both paths, and so does it in
 * lse. An infinite value times a weight that one path rounds to 0 is the exception that the manual
 * names; no weight is so small here. */
static void not_finite_on_both_paths(void) {
    problem t = varied_problem();
    t.p.alibi_slopes = NULL;
    t.p.scale = rng_chance(0.2) ? 0 : 0.3f;
    if (t.p.softcap > 2) t.p.softcap = 2; /* scores that are infinite lie so far apart */
    float *const tensors[] = {t.q, t.k, t.v};
    const size_t counts[] = {problem_rows(&t) * (size_t)t.p.head_dim,
                             problem_keys(&t) * (size_t)t.p.head_dim,
                             problem_keys(&t) * (size_t)t.p.value_dim};
    for (int n = rng_below(8); n >= 0; n--) {
        const int which = rng_below(3);
        if (counts[which] > 0) tensors[which][rng_below((int)counts[which])] = not_finite();
    }
    const results r = results_of(&t);
    for (size_t n = 0; n < problem_outputs(&t); n++) {
        if (!isnan(r.out[n]) != !isnan(r.trace_out[n])) {
            fail_msg("out[%zu] is %g by tiles, %g by the trace: %s", n, (double)r.out[n],
                     (double)r.trace_out[n], problem_text(&t));
        }
    }
    for (size_t n = 0; n < problem_rows(&t); n++) {
        if (!isnan(r.lse[n]) != !isnan(r.trace_lse[n])) {
            fail_msg("lse[%zu] is %g by tiles, %g by the trace: %s", n, (double)r.lse[n],
                     (double)r.trace_lse[n], problem_text(&t));
        }
    }
}

#define PROPERTY(name, count)                                                                      \
    static void name##_cases(void **state) {                                                       \
        (void)state;                                                                               \
        varied_cases(count, name);                                                                 \
    }

PROPERTY(within_the_bound, 200)
PROPERTY(sums_of_rows, 100)
PROPERTY(unseen_tokens, 200)
PROPERTY(not_finite_on_both_paths, 200)

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(within_the_bound_cases),
        TEST(sums_of_rows_cases),
        TEST(unseen_tokens_cases),
        TEST(not_finite_on_both_paths_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
