/*
 * test_split.c - few queries over many keys: as exact as any call, with every option; the bits of the
 * same rows among many; the same for any number of threads; and nothing that comes later, or that the
 * masks hide, changes one of them.
 */
#include "bound.h"
#include "buffers.h"
#include "caching.h"
#include "oracle.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* Up to 16 queries are few; keys go by chunks of 512. */
#define FEW   16
#define CHUNK 512

/* One to sixteen queries over up to four chunks, often to the very end of one; groups of any size. */
static problem few_queries(void) {
    static const int group[] = {1, 1, 2, 3, 4, 8, 20};
    const int Hk = 1 + rng_below(2), Tq = rng_chance(0.4) ? 1 : 1 + rng_below(FEW);
    const int edge = CHUNK * (1 + rng_below(3)) + rng_below(3) - 1;
    const int Tk = rng_chance(0.5) ? edge : 1 + rng_below(4 * CHUNK);
    return problem_of((dims){1 + rng_below(2), Hk * group[rng_below(7)], Hk, Tq, Tk,
                             1 + rng_below(12), 1 + rng_below(12)});
}

static void within_the_bound(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        suite_case(round);
        problem t = few_queries();
        problem_combine(&t);
        problem_check_forward(&t);
        buffers_release();
    }
    suite_case(-1);
}

/* A cache of many chunks and sizes as they are in use. */
static void long_cache(void **state) {
    (void)state;
    for (int round = 0; round < 4; round++) {
        problem t = problem_of((dims){1, 4, 1 + round % 2, 1, 5000 + round, 64, 64});
        t.p.causal = ATTN_CAUSAL;
        problem_check_forward(&t);
        buffers_release();
    }
}

/* The first rows of a call with a few more of them, which is cut by queries: the same bits, dropout
 * included. A row quite alone is as exact. */
static void rows_among_many(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        suite_case(round);
        problem t = few_queries();
        const int Hq = t.p.query_heads, rows = t.p.query_length, Dv = t.p.value_dim;
        const int Tk = t.p.key_length, more = FEW + 1 + rng_below(50);
        problem whole =
            problem_of((dims){t.p.batch, Hq, t.p.kv_heads, more, Tk, t.p.head_dim, t.p.value_dim});
        problem_combine(&whole);
        whole.p.query_lengths = NULL;
        whole.p.causal = whole.p.causal ? ATTN_CAUSAL : 0;
        whole.p.query_offset = problem_batch_values(&whole, -2, Tk);
        problem_forward(&whole);

        problem part = whole;
        part.p.query_length = rows;
        const ptrdiff_t q[] = {(ptrdiff_t)Hq * more * t.p.head_dim, (ptrdiff_t)more * t.p.head_dim,
                               t.p.head_dim};
        memcpy(part.p.q_stride, q, sizeof q);
        part.p.out = part.out = t.out;
        part.p.lse = part.lse = t.lse;
        if (rows == 1 && Hq == t.p.kv_heads) {
            problem_check_forward(&part);
            buffers_release();
            continue;
        }
        problem_forward(&part);
        for (size_t h = 0; h < (size_t)(t.p.batch * Hq); h++) {
            const size_t row = h * (size_t)more, own = h * (size_t)rows;
            assert_same_bits(part.out + own * (size_t)Dv, whole.out + row * (size_t)Dv,
                             (size_t)(rows * Dv), problem_text(&part));
            assert_same_bits(part.lse + own, whole.lse + row, (size_t)rows, problem_text(&part));
        }
        buffers_release();
    }
    suite_case(-1);
}

static void number_of_threads(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        problem t = few_queries();
        problem_combine(&t);
        problem_forward(&t);
        float *out = buffer_copy(t.out, problem_outputs(&t));
        float *lse = buffer_copy(t.lse, problem_rows(&t));
        for (int threads = 0; threads <= 3; threads++) {
            t.p.threads = threads;
            problem_forward(&t);
            assert_same_bits(t.out, out, problem_outputs(&t), problem_text(&t));
            assert_same_bits(t.lse, lse, problem_rows(&t), problem_text(&t));
        }
        buffers_release();
    }
}

/* Keys and values that no row may see are anything at all, and fewer or more of them. */
static void unseen_keys(void **state) {
    (void)state;
    static const float anything[] = {NAN, INFINITY, -INFINITY, 3e38f, -0.0f};
    for (int round = 0; round < 40; round++) {
        suite_case(round);
        problem t = few_queries();
        problem_combine(&t);
        const int Hk = t.p.kv_heads, Tk = t.p.key_length, Tq = t.p.query_length;
        const int group = t.p.query_heads / Hk, D = t.p.head_dim, Dv = t.p.value_dim;
        problem_forward(&t);
        float *out = buffer_copy(t.out, problem_outputs(&t));
        float *lse = buffer_copy(t.lse, problem_rows(&t));
        for (int n = 0; n < t.p.batch * Hk * Tk; n++) {
            const int b = n / Tk / Hk, kv_h = n / Tk % Hk, j = n % Tk;
            int seen = 0;
            for (int r = 0; r < group * Tq && !seen; r++) {
                seen = oracle_allows(&t.p, b, kv_h * group + r / Tq, r % Tq, j);
            }
            const float x = anything[rng_below(5)];
            for (int d = 0; !seen && d < D; d++) t.k[n * D + d] = x;
            for (int d = 0; !seen && d < Dv; d++) t.v[n * Dv + d] = x;
        }
        problem_forward(&t);
        assert_same_bits(t.out, out, problem_outputs(&t), problem_text(&t));
        assert_same_bits(t.lse, lse, problem_rows(&t), problem_text(&t));
        buffers_release();
    }
    suite_case(-1);
}

/* NaN in one key that some rows may see, others not: in exactly their rows. */
static void one_key_of_nan(void **state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        suite_case(round);
        problem t = few_queries();
        problem_combine(&t);
        t.p.dropout = 0;
        const int Hk = t.p.kv_heads, Tk = t.p.key_length, Tq = t.p.query_length,
                  Hq = t.p.query_heads;
        const int n = rng_below(t.p.batch * Hk * Tk), D = t.p.head_dim, Dv = t.p.value_dim;
        problem_forward(&t);
        float *out = buffer_copy(t.out, problem_outputs(&t));
        for (int d = 0; d < D; d++) t.k[n * D + d] = NAN;
        problem_forward(&t);
        for (int row = 0; row < t.p.batch * Hq * Tq; row++) {
            const int i = row % Tq, h = row / Tq % Hq, b = row / Tq / Hq;
            const int theirs = b == n / Tk / Hk && h / (Hq / Hk) == n / Tk % Hk;
            const float *got = t.out + row * Dv, *before = out + row * Dv;
            if (theirs && oracle_allows(&t.p, b, h, i, n % Tk)) {
                for (int d = 0; d < Dv; d++) assert_true(isnan(got[d]));
                assert_true(isnan(t.lse[row]));
            } else {
                assert_same_bits(got, before, (size_t)Dv, problem_text(&t));
            }
        }
        buffers_release();
    }
    suite_case(-1);
}

/* Token by token through a cache of several chunks: with heads that share keys each row has the bits of
 * one causal call, and else it is as exact. */
static void decoding_heads(int kv_heads) {
    const int T = 2 * CHUNK + 70;
    const dims s = {1, 4, kv_heads, T, T, 8, 6};
    problem t = problem_of(s);
    t.p.causal = ATTN_CAUSAL;
    problem_forward(&t);
    attn_cache c = caching_of(s, T);
    float *out = buffer_floats(problem_outputs(&t));
    for (int from = 0, count; from < T; from += count) {
        count = from < 500 ? 100 : 1 + rng_below(3);
        if (count > T - from) count = T - from;
        assert_int_equal(caching_append(&c, &t, from, count, NULL), ATTN_OK);
        caching_attend(&c, &t, from, count, NULL, out);
    }
    if (kv_heads < 4) {
        assert_same_bits(out, t.out, problem_outputs(&t), "decoded");
        return;
    }
    oracle exact = oracle_of(&t.p, NULL, ORACLE_EXACT), plain = oracle_of(&t.p, NULL, ORACLE_PLAIN);
    bound_check("decoded out", problem_text(&t), out, exact.out, plain.out, exact.outputs,
                oracle_unit(&exact, exact.largest_v));
    oracle_free(&exact);
    oracle_free(&plain);
}

static void decoding(void **state) {
    (void)state;
    decoding_heads(2);
    decoding_heads(4);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(within_the_bound),  TEST(long_cache),  TEST(rows_among_many),
        TEST(number_of_threads), TEST(unseen_keys), TEST(one_key_of_nan),
        TEST(decoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
