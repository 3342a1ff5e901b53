/*
 * test_nan.c - what may not be seen is never used: NaN and infinities in masked keys and values change
 * no bit; NaN in an allowed key reaches exactly the rows that may see it; nothing after a causal row
 * reaches it.
 */
#include "buffers.h"
#include "oracle.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What later tokens may turn into. */
static const float ANYTHING[] = {NAN,   INFINITY, -INFINITY, 0.0f, -0.0f,
                                 3e38f, -3e38f,   1e-40f,    1.0f};

static float anything(void) { return ANYTHING[rng_below(COUNT(ANYTHING))]; }

/* Outputs of both paths, to compare with those of another run. */
typedef struct results {
    float *out, *lse; /* of attn_forward() */
    float *trace_out, *weights, *trace_lse;
} results;

static results results_of(problem *t) {
    results r;
    problem_forward(t);
    r.out = buffer_copy(t->out, problem_outputs(t));
    r.lse = buffer_copy(t->lse, problem_rows(t));
    attn_trace_params trace = problem_stages(t);
    problem_trace(t, &trace);
    r.trace_out = buffer_copy(t->out, problem_outputs(t));
    r.weights = trace.weights;
    r.trace_lse = trace.lse;
    return r;
}

/* Rows [row, row + rows) of all heads in the order (B, Hq, Tq) have the same bits. */
static void assert_same_rows(const problem *t, const results *a, const results *b, size_t row,
                             size_t rows) {
    const size_t Dv = (size_t)t->p.value_dim, Tk = (size_t)t->p.key_length;
    assert_same_bits(a->out + row * Dv, b->out + row * Dv, rows * Dv, "forward out");
    assert_same_bits(a->lse + row, b->lse + row, rows, "forward lse");
    assert_same_bits(a->trace_out + row * Dv, b->trace_out + row * Dv, rows * Dv, "trace out");
    assert_same_bits(a->weights + row * Tk, b->weights + row * Tk, rows * Tk, "trace weights");
    assert_same_bits(a->trace_lse + row, b->trace_lse + row, rows, "trace lse");
}

/* Whether query row (b, h, i), counted in one, may see key (b, kv_h, j), counted likewise. */
static int sees(const problem *t, size_t row, size_t key) {
    const int Tq = t->p.query_length, Tk = t->p.key_length, Hq = t->p.query_heads;
    const int i = (int)row % Tq, h = (int)row / Tq % Hq, b = (int)row / Tq / Hq;
    const int j = (int)key % Tk, kv_h = (int)key / Tk % t->p.kv_heads;
    const int key_b = (int)key / Tk / t->p.kv_heads;
    return b == key_b && h / (Hq / t->p.kv_heads) == kv_h && oracle_allows(&t->p, b, h, i, j);
}

static int is_seen(const problem *t, size_t key) {
    for (size_t row = 0; row < problem_rows(t); row++) {
        if (sees(t, row, key)) return 1;
    }
    return 0;
}

static void spoil(float *tensor, size_t key, int columns) {
    for (int d = 0; d < columns; d++) tensor[key * (size_t)columns + (size_t)d] = anything();
}

/* A problem with one kind of mask for each number, and with a combination beyond them. */
#define KINDS 13
static problem masked_problem(int kind) {
    problem t = problem_of((dims){2, 2, 1, 52, 70, 3, 5});
    const int axes[] = {1, 0, 0, 1};
    switch (kind) {
    case 0: t.p.causal = ATTN_CAUSAL_TOP_LEFT; break;
    case 1: problem_mask(&t, axes, 0.5); break;
    case 2: problem_key_mask(&t, (const int[]){1, 1}, 0.5); break;
    case 3: problem_bias(&t, axes, 0.5); break;
    case 4: t.p.key_lengths = problem_batch_values(&t, 1, 69); break;
    case 5: t.p.window_left = 2, t.p.window_right = 1, t.p.causal = ATTN_CAUSAL_TOP_LEFT; break;
    case 6: t.p.causal = ATTN_CAUSAL, t.p.query_offset = problem_batch_values(&t, -40, 10); break;
    case 7:
        t.p.query_lengths = problem_batch_values(&t, 0, 51), t.p.causal = ATTN_CAUSAL_TOP_LEFT;
        break;
    case 8: problem_mask(&t, (const int[]){1, 1, 1, 1}, 0.03); break;
    case 9: t.p.softcap = 0.5f, t.p.causal = ATTN_CAUSAL_TOP_LEFT; break;
    case 10: problem_alibi(&t), problem_key_mask(&t, (const int[]){1, 1}, 0.5); break;
    case 11: t.p.dropout = 0.5f, t.p.causal = ATTN_CAUSAL_TOP_LEFT; break;
    case 12: t.p.dropout = 1, problem_mask(&t, axes, 0.5); break;
    default: problem_combine(&t); break;
    }
    return t;
}

/* Keys that no row may see hold anything at all. */
static void unseen_keys(void **state) {
    (void)state;
    size_t spoiled = 0;
    for (int kind = 0; kind < KINDS + 12; kind++) {
        problem t = masked_problem(kind);
        const results clean = results_of(&t);
        for (int round = 0; round < 3; round++) {
            for (size_t key = 0; key < problem_keys(&t); key++) {
                if (is_seen(&t, key)) continue;
                spoil(t.k, key, t.p.head_dim);
                spoil(t.v, key, t.p.value_dim);
                spoiled++;
            }
            const results dirty = results_of(&t);
            assert_same_rows(&t, &clean, &dirty, 0, problem_rows(&t));
        }
        buffers_release();
    }
    assert_true(spoiled > 1000);
}

/* A key that some rows may see and others not. The value first: NaN reaches its column only. */
static void seen_by_some(void **state) {
    (void)state;
    size_t reached = 0, spared = 0;
    for (int kind = 0; kind < KINDS + 12; kind++) {
        problem t = masked_problem(kind);
        const results clean = results_of(&t);
        for (int round = 0; round < 4; round++) {
            const size_t key = (size_t)rng_below((int)problem_keys(&t));
            const size_t Dv = (size_t)t.p.value_dim, column = (size_t)rng_below(t.p.value_dim);
            float *v = &t.v[key * Dv + column], *k = &t.k[key * (size_t)t.p.head_dim];
            const float v_before = *v, k_before = *k;

            *v = NAN;
            const results spoiled_v = results_of(&t);
            *v = v_before;
            *k = NAN;
            const results spoiled_k = results_of(&t);
            *k = k_before;

            for (size_t row = 0; row < problem_rows(&t); row++) {
                if (!sees(&t, row, key)) {
                    assert_same_rows(&t, &clean, &spoiled_v, row, 1);
                    assert_same_rows(&t, &clean, &spoiled_k, row, 1);
                    spared++;
                    continue;
                }
                reached++;
                for (size_t at = row * Dv; at < (row + 1) * Dv; at++) {
                    const int hit = at == row * Dv + column;
                    const float expected = hit ? NAN : clean.out[at];
                    assert_true(isnan(expected) == isnan(spoiled_v.out[at]));
                    assert_true(isnan(expected) == isnan(spoiled_v.trace_out[at]));
                    if (!hit) {
                        assert_same_bits(&spoiled_v.out[at], &clean.out[at], 1, "other column");
                        assert_same_bits(&spoiled_v.trace_out[at], &clean.trace_out[at], 1,
                                         "other column of the trace");
                    }
                    assert_true(isnan(spoiled_k.out[at]) && isnan(spoiled_k.trace_out[at]));
                }
                assert_same_bits(&spoiled_v.lse[row], &clean.lse[row], 1, "lse");
                assert_true(isnan(spoiled_k.lse[row]) && isnan(spoiled_k.trace_lse[row]));
            }
        }
        buffers_release();
    }
    assert_true(reached > 100 && spared > 1000);
}

/* An infinite value that some rows see: infinite there, nothing elsewhere. */
static void infinite_value(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 70, 70, 2, 3});
    t.p.causal = ATTN_CAUSAL;
    const results clean = results_of(&t);
    t.v[30 * 3 + 1] = -INFINITY;
    const results dirty = results_of(&t);
    assert_same_rows(&t, &clean, &dirty, 0, 30);
    for (size_t i = 30; i < 70; i++) {
        assert_true(dirty.out[i * 3 + 1] == -INFINITY && dirty.trace_out[i * 3 + 1] == -INFINITY);
        assert_same_bits(&dirty.out[i * 3 + 2], &clean.out[i * 3 + 2], 1, "other column");
    }
}

/* NaN in a query is NaN in its row; in a row without keys, 0. */
static void spoiled_query(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 60, 40, 3, 2});
    t.p.causal = ATTN_CAUSAL; /* rows 0 to 19 are empty */
    const results clean = results_of(&t);
    t.q[5 * 3] = t.q[50 * 3 + 2] = NAN;
    const results dirty = results_of(&t);
    for (size_t i = 0; i < 60; i++) {
        if (i == 50) {
            assert_true(isnan(dirty.out[100]) && isnan(dirty.out[101]) && isnan(dirty.lse[50]));
            assert_true(isnan(dirty.trace_out[100]) && isnan(dirty.trace_lse[50]));
        } else {
            assert_same_rows(&t, &clean, &dirty, i, 1);
        }
    }
    assert_true(dirty.out[10] == 0 && dirty.lse[5] == -INFINITY);
}

/* Every token after row i turns into anything; rows up to i keep every bit. */
static void causal_bits(void **state) {
    (void)state;
    static const int lengths[] = {2, 48, 49, 64, 65, 97, 130};
    for (size_t n = 0; n < COUNT(lengths); n++) {
        const int T = lengths[n];
        for (int step = 0; step < 12; step++) {
            problem t = problem_of((dims){1, 2, 1, T, T, 3, 4});
            t.p.causal = step % 2 ? ATTN_CAUSAL : ATTN_CAUSAL_TOP_LEFT;
            const results clean = results_of(&t);
            const int kept = step < 2 ? T - 1 : rng_below(T); /* the last row that is kept */
            for (size_t j = (size_t)kept + 1; j < (size_t)T; j++) {
                spoil(t.k, j, 3);
                spoil(t.v, j, 4);
                spoil(t.q, j, 3);
                spoil(t.q, (size_t)T + j, 3);
            }
            const results dirty = results_of(&t);
            for (size_t h = 0; h < 2; h++) {
                assert_same_rows(&t, &clean, &dirty, h * (size_t)T, (size_t)kept + 1);
            }
            buffers_release();
        }
    }
}

/* A padded batch beside others: NaN beyond its lengths, in q too, changes nothing. */
static void beyond_the_lengths(void **state) {
    (void)state;
    problem t = problem_of((dims){3, 2, 2, 66, 66, 3, 4});
    int32_t *valid = buffer_ints(3);
    valid[0] = 66, valid[1] = 13, valid[2] = 0;
    t.p.key_lengths = t.p.query_lengths = valid;
    const results clean = results_of(&t);
    for (size_t b = 0; b < 3; b++) {
        for (size_t h = 0; h < 2; h++) {
            for (size_t j = (size_t)valid[b]; j < 66; j++) {
                const size_t token = (b * 2 + h) * 66 + j;
                spoil(t.k, token, 3);
                spoil(t.v, token, 4);
                spoil(t.q, token, 3);
            }
        }
    }
    const results dirty = results_of(&t);
    assert_same_rows(&t, &clean, &dirty, 0, problem_rows(&t));
}

/* Keys that no row's span reaches need no memory: the tiles do not read them. (Where they do, the address
 * sanitizer stops the test.) */
static void unseen_keys_are_not_read(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 50, 130, 3, 4});
    int32_t *valid = buffer_ints(1);
    valid[0] = 70;
    t.p.key_lengths = valid;
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    t.p.k = buffer_copy(t.k, 70 * 3);
    t.p.v = buffer_copy(t.v, 70 * 4);
    problem_forward(&t);
    assert_same_bits(t.out, out, problem_outputs(&t), "by length");

    t.p.key_lengths = NULL;
    t.p.causal = ATTN_CAUSAL_TOP_LEFT;
    t.p.k = t.k, t.p.v = t.v;
    problem_forward(&t);
    memcpy(out, t.out, sizeof(float) * problem_outputs(&t));
    t.p.k = buffer_copy(t.k, 50 * 3);
    t.p.v = buffer_copy(t.v, 50 * 4);
    problem_forward(&t);
    assert_same_bits(t.out, out, problem_outputs(&t), "causal");
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(unseen_keys),
        TEST(seen_by_some),
        TEST(infinite_value),
        TEST(spoiled_query),
        TEST(causal_bits),
        TEST(beyond_the_lengths),
        TEST(unseen_keys_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
