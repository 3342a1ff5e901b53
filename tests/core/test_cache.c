/*
 * test_cache.c - attending to a cache, in steps, in chunks, with ragged rows and with eviction, gives the
 * bits of one call over all the keys; what is padding is never written, and what is not there never read.
 *
 * Storage and padding hold NaN throughout (buffers.h).
 */
#include "buffers.h"
#include "caching.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Options under which a step is a row of the whole call: dropout counts rows from the call's first. */
static void some_options(problem *t) {
    t->p.causal = ATTN_CAUSAL;
    problem_options(t);
    t->p.dropout = 0;
}

/* One token at a time, or in chunks of any size: the rows of one causal call. */
static void steps_and_chunks(void **state) {
    (void)state;
    static const int largest[] = {1, 2, 7, 48, 70, 200};
    for (int round = 0; round < 24; round++) {
        const int T = 1 + rng_below(150), most = largest[round % 6];
        const dims s = {1 + rng_below(3), 4, 1 + rng_below(2), T, T, 5, 3};
        problem t = problem_of(s);
        some_options(&t);
        problem_forward(&t);
        const attn_cache c = caching_of(s, T + rng_below(70));
        float *out = buffer_floats(problem_outputs(&t));
        for (int from = 0, count; from < T; from += count) {
            count = 1 + rng_below(most);
            if (count > T - from) count = T - from;
            assert_int_equal(caching_append(&c, &t, from, count, NULL), ATTN_OK);
            caching_attend(&c, &t, from, count, NULL, out);
            for (int b = 0; b < s.B; b++) {
                assert_true(c.lengths[b] == from + count && c.positions[b] == from + count);
            }
        }
        assert_same_bits(out, t.out, problem_outputs(&t), "rows from the cache");
        assert_true(buffers_intact());
        buffers_release();
    }
}

/* Each batch row brings its own number of tokens; the others are NaN and stay outside. */
static void ragged_rows(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        const int T = 40, B = 3, chunks = 4;
        const dims s = {B, 2, 1, T * chunks, T * chunks, 3, 2};
        problem t = problem_of(s);
        some_options(&t);
        const attn_cache c = caching_of(s, T * chunks);
        float *out = buffer_floats(problem_outputs(&t));
        int present[3] = {0};
        problem rows = t; /* what each batch row has in sequence, for one call of its own */
        rows.q = buffer_copy(t.q, problem_rows(&t) * 3);
        rows.k = buffer_copy(t.k, problem_keys(&t) * 3);
        rows.v = buffer_copy(t.v, problem_keys(&t) * 2);
        float *expected = buffer_floats(problem_outputs(&t));

        for (int chunk = 0; chunk < chunks; chunk++) {
            int32_t *lengths = problem_batch_values(&t, -2, T + 2);
            for (int b = 0; b < B; b++) {
                const int count = lengths[b] < 0 ? 0 : lengths[b] > T ? T : lengths[b];
                for (int i = 0; i < T; i++) {
                    const int from = b * s.Tk + chunk * T + i, to = b * s.Tk + present[b] + i;
                    for (int d = 0; d < 3; d++) {
                        if (i < count) rows.k[to * 3 + d] = t.k[from * 3 + d];
                        if (i >= count) t.k[from * 3 + d] = NAN;
                    }
                    for (int d = 0; d < 2; d++) {
                        if (i < count) rows.v[to * 2 + d] = t.v[from * 2 + d];
                        if (i >= count) t.v[from * 2 + d] = NAN;
                    }
                }
                present[b] += count;
            }
            assert_int_equal(caching_append(&c, &t, chunk * T, T, lengths), ATTN_OK);
            caching_attend(&c, &t, chunk * T, T, lengths, out);

            /* One call over the same keys, packed, for each batch row. */
            for (int b = 0; b < B; b++) {
                const int count = lengths[b] < 0 ? 0 : lengths[b] > T ? T : lengths[b];
                assert_int_equal(c.lengths[b], present[b]);
                attn_params p = t.p;
                p.batch = 1, p.query_length = T, p.key_length = present[b];
                int32_t *query_length = buffer_ints(1);
                query_length[0] = count;
                p.query_lengths = query_length;
                slice_strides(2, s.Tq, 3, p.q_stride);
                slice_strides(2, s.Tq, 2, p.out_stride);
                p.q = t.q + b * p.q_stride[0] + chunk * T * 3;
                p.k = rows.k + b * s.Tk * 3, p.v = rows.v + b * s.Tk * 2;
                p.out = expected + b * p.out_stride[0] + chunk * T * 2;
                p.lse = NULL;
                size_t bytes = 0;
                assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &bytes), ATTN_OK);
                void *workspace = buffer_at(bytes, 0);
                assert_int_equal(attn_forward(&p, workspace, bytes), ATTN_OK);
                buffer_free(workspace);
            }
        }
        assert_same_bits(out, expected, problem_outputs(&t), "ragged rows");
        /* Behind the keys present the storage is as it was found. */
        for (int b = 0; b < B; b++) {
            for (int n = present[b] * 3; n < s.Tk * 3; n++)
                assert_true(isnan(c.k[b * s.Tk * 3 + n]));
            for (int n = 0; n < present[b] * 3; n++) assert_true(!isnan(c.k[b * s.Tk * 3 + n]));
        }
        assert_true(buffers_intact());
        buffers_release();
    }
}

/* The oldest keys leave, and a window does not miss them. Keys lie elsewhere, so that tiles are cut
 * elsewhere: equal to 1e-6, not in bits. */
static void eviction(void **state) {
    (void)state;
    static const int windows[] = {1, 2, 9, 64, 65};
    for (size_t n = 0; n < COUNT(windows); n++) {
        for (int most = 1; most <= 40; most += 13) {
            const int T = 150, W = windows[n];
            const dims s = {2, 4, 2, T, T, 3, 5};
            problem t = problem_of(s);
            some_options(&t);
            t.p.window_left = W - 1;
            problem_forward(&t);
            attn_cache c = caching_of(s, W - 1 + most);
            c.evict = 1;
            float *out = buffer_floats(problem_outputs(&t));
            for (int from = 0, count; from < T; from += count) {
                count = most < T - from ? most : T - from;
                assert_int_equal(caching_append(&c, &t, from, count, NULL), ATTN_OK);
                caching_attend(&c, &t, from, count, NULL, out);
                const int present = from + count < c.capacity ? from + count : c.capacity;
                assert_true(c.lengths[1] == present && c.positions[1] == from + count);
            }
            for (size_t at = 0; at < problem_outputs(&t); at++) {
                assert_true(fabsf(out[at] - t.out[at]) <= 1e-6f * fmaxf(1, fabsf(t.out[at])) * 4);
            }
            assert_true(buffers_intact());
            buffers_release();
        }
    }
}

/* Room for one key: with eviction the newest, without it the first. */
static void capacity_of_one(void **state) {
    (void)state;
    const dims s = {2, 2, 2, 5, 5, 3, 4};
    problem t = problem_of(s);
    attn_cache c = caching_of(s, 1);
    c.evict = 1;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(caching_append(&c, &t, i, 1, NULL), ATTN_OK);
        for (int row = 0; row < 4; row++) {
            assert_same_bits(c.v + row * 4, t.v + (row * 5 + i) * 4, 4, "value");
        }
        assert_true(c.lengths[0] == 1 && c.positions[0] == i + 1);
    }
    assert_int_equal(caching_append(&c, &t, 0, 2, NULL), ATTN_FULL); /* more than ever fit */

    /* One token of two is padding: it is not written over the one that is valid. */
    int32_t *lengths = buffer_ints(2);
    lengths[0] = lengths[1] = 1;
    t.k[3] = t.v[4] = NAN;
    assert_int_equal(caching_append(&c, &t, 0, 2, lengths), ATTN_OK);
    assert_same_bits(c.v, t.v, 4, "value");
    c.evict = 0;
    assert_int_equal(caching_append(&c, &t, 0, 1, NULL), ATTN_FULL);
}

/* Full: nothing changes, in no batch row, though another has room; nor where the count would overflow. */
static void full(void **state) {
    (void)state;
    const dims s = {3, 2, 1, 10, 10, 3, 4};
    problem t = problem_of(s);
    attn_cache c = caching_of(s, 12);
    int32_t *lengths = buffer_ints(3);
    lengths[0] = 4, lengths[1] = 9, lengths[2] = 0;
    assert_int_equal(caching_append(&c, &t, 0, 10, lengths), ATTN_OK);
    buffers_freeze();
    assert_int_equal(caching_append(&c, &t, 0, 4, NULL), ATTN_FULL);
    assert_int_equal(caching_append(&c, &t, 0, 10, NULL), ATTN_FULL);
    c.evict = 1;
    c.capacity = 9; /* the same storage, seen as smaller */
    assert_int_equal(caching_append(&c, &t, 0, 10, NULL), ATTN_FULL);
    c.evict = 0, c.capacity = 12;
    assert_true(buffers_intact());

    buffer_thaw(c.positions);
    c.positions[2] = INT32_MAX - 2;
    buffers_freeze();
    assert_int_equal(caching_append(&c, &t, 0, 3, NULL), ATTN_FULL);
    assert_true(buffers_intact());
    buffer_thaw(c.k), buffer_thaw(c.v), buffer_thaw(c.lengths), buffer_thaw(c.positions);
    assert_int_equal(caching_append(&c, &t, 0, 2, NULL), ATTN_OK);
    assert_true(c.positions[2] == INT32_MAX && c.lengths[1] == 11);
}

/* Forgetting the newest: as if they had never come. 0 starts again. */
static void truncation(void **state) {
    (void)state;
    const dims s = {2, 2, 1, 30, 30, 3, 4};
    problem t = problem_of(s);
    attn_cache c = caching_of(s, 40), fresh = caching_of(s, 40);
    int32_t *lengths = buffer_ints(2);
    lengths[0] = 30, lengths[1] = 12;
    assert_int_equal(caching_append(&c, &t, 0, 30, lengths), ATTN_OK);
    assert_int_equal(attn_cache_truncate(&c, 40), ATTN_OK);
    assert_true(c.lengths[0] == 30 && c.lengths[1] == 12);
    assert_int_equal(attn_cache_truncate(&c, 20), ATTN_OK);
    assert_true(c.lengths[0] == 20 && c.positions[0] == 20);
    assert_true(c.lengths[1] == 12 && c.positions[1] == 12);
    assert_int_equal(caching_append(&c, &t, 5, 9, NULL), ATTN_OK);

    lengths[0] = 20;
    assert_int_equal(caching_append(&fresh, &t, 0, 20, lengths), ATTN_OK);
    assert_int_equal(caching_append(&fresh, &t, 5, 9, NULL), ATTN_OK);
    for (int b = 0; b < 2; b++) {
        assert_true(c.lengths[b] == fresh.lengths[b] && c.positions[b] == fresh.positions[b]);
        const size_t keys = (size_t)c.lengths[b];
        assert_same_bits(c.k + b * 40 * 3, fresh.k + b * 40 * 3, keys * 3, "k");
        assert_same_bits(c.v + b * 40 * 4, fresh.v + b * 40 * 4, keys * 4, "v");
    }
    assert_int_equal(attn_cache_truncate(&c, 0), ATTN_OK);
    assert_true(c.lengths[0] == 0 && c.positions[0] == 0 && c.positions[1] == 0);

    /* Keys that left count in the position until it starts again. */
    attn_cache rolling = caching_of(s, 8);
    rolling.evict = 1;
    for (int i = 0; i < 20; i++)
        assert_int_equal(caching_append(&rolling, &t, i, 1, NULL), ATTN_OK);
    assert_int_equal(attn_cache_truncate(&rolling, 5), ATTN_OK);
    assert_true(rolling.lengths[0] == 5 && rolling.positions[0] == 17);
    assert_int_equal(attn_cache_truncate(&rolling, 0), ATTN_OK);
    assert_true(rolling.positions[0] == 0);
}

/* Sources at any strides: the bits of packed ones. */
static void strided_sources(void **state) {
    (void)state;
    const dims s = {2, 3, 3, 11, 11, 4, 2};
    problem t = problem_of(s);
    const attn_cache packed = caching_of(s, 11), strided = caching_of(s, 11);
    const ptrdiff_t none[3] = {0};
    assert_int_equal(attn_cache_append(&packed, 11, t.k, none, t.v, none, NULL), ATTN_OK);
    const ptrdiff_t k[] = {11 * 3 * 6, 6, 3 * 6}, v[] = {11 * 3 * 5, 5, 3 * 5};
    float *kt = buffer_floats(2 * 11 * 3 * 6), *vt = buffer_floats(2 * 11 * 3 * 5);
    for (int row = 0; row < 66; row++) {
        const int b = row / 33, h = row / 11 % 3, i = row % 11;
        memcpy(kt + b * k[0] + h * k[1] + i * k[2], t.k + row * 4, sizeof(float) * 4);
        memcpy(vt + b * v[0] + h * v[1] + i * v[2], t.v + row * 2, sizeof(float) * 2);
    }
    assert_int_equal(attn_cache_append(&strided, 11, kt, k, vt, v, NULL), ATTN_OK);
    assert_same_bits(strided.k, packed.k, 66 * 4, "k");
    assert_same_bits(strided.v, packed.v, 66 * 2, "v");
}

/* A cache without keys: zeros. Nothing appended: nothing changes, and no pointer is needed. */
static void empty(void **state) {
    (void)state;
    const dims s = {2, 2, 1, 1, 1, 3, 4};
    problem t = problem_of(s);
    t.p.causal = ATTN_CAUSAL;
    const attn_cache c = caching_of(s, 6);
    caching_attend(&c, &t, 0, 1, NULL, t.out);
    for (int n = 0; n < 16; n++) assert_true(t.out[n] == 0);
    const ptrdiff_t none[3] = {0};
    assert_int_equal(attn_cache_append(&c, 0, NULL, none, NULL, none, NULL), ATTN_OK);
    int32_t *lengths = buffer_ints(2);
    lengths[0] = 0, lengths[1] = -7;
    assert_int_equal(caching_append(&c, &t, 0, 1, lengths), ATTN_OK);
    assert_true(c.lengths[0] == 0 && c.lengths[1] == 0);
    const attn_cache nothing = {
        .size = sizeof nothing, .kv_heads = 1, .head_dim = 1, .value_dim = 1, .capacity = 1};
    assert_int_equal(attn_cache_append(&nothing, 1, NULL, none, NULL, none, NULL), ATTN_OK);
    assert_int_equal(attn_cache_truncate(&nothing, 0), ATTN_OK);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(steps_and_chunks), TEST(ragged_rows), TEST(eviction),
        TEST(capacity_of_one),  TEST(full),        TEST(truncation),
        TEST(strided_sources),  TEST(empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
