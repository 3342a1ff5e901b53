/*
 * test_leaks.c - gradients and memory: what a row may not see gives and receives exact zeros, whatever
 * stands there; strides, threads and the workspace change no bit; and sizes of nothing.
 */
#include "buffers.h"
#include "gradients.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static float anything(void) {
    static const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, 0, 1};
    return values[rng_below(COUNT(values))];
}

static void spoil(float *tensor, size_t row, int columns) {
    for (int d = 0; d < columns; d++) tensor[row * (size_t)columns + (size_t)d] = anything();
}

/* The results of a run, to compare with those of another. */
typedef struct results {
    float *dq, *dk, *dv, *dbias;
} results;

static results results_of(const backward *w) {
    results r = {
        buffer_copy(w->dq, backward_count(w, 0)),
        buffer_copy(w->dk, backward_count(w, 1)),
        buffer_copy(w->dv, backward_count(w, 2)),
        NULL,
    };
    if (w->g.dbias) r.dbias = buffer_copy(w->dbias, w->biases);
    return r;
}

static void assert_same_results(const backward *w, const results *r) {
    assert_same_bits(w->dq, r->dq, backward_count(w, 0), "dq");
    assert_same_bits(w->dk, r->dk, backward_count(w, 1), "dk");
    assert_same_bits(w->dv, r->dv, backward_count(w, 2), "dv");
    if (r->dbias) assert_same_bits(w->dbias, r->dbias, w->biases, "dbias");
}

static void assert_zero(const float *x, int count, const char *what) {
    for (int n = 0; n < count; n++) {
        if (x[n] != 0) fail_msg("%s: %g is no zero", what, (double)x[n]);
    }
}

/* Rows without a key, and keys without a row: NaN in their q, dout, k and v changes no bit, and their
 * own gradients are zeros. */
static void unseen(void **state) {
    (void)state;
    int rows = 0, keys = 0;
    for (int round = 0; round < 60; round++) {
        problem t = problem_of((dims){1 + rng_below(2), 2, 1, 1 + rng_below(60), 1 + rng_below(140),
                                      1 + rng_below(4), 1 + rng_below(4)});
        problem_combine(&t);
        if (round % 3 == 0) problem_key_mask(&t, (const int[]){1, 1}, 0.1);
        backward w = backward_of(t);
        backward_run(&w);
        const results clean = results_of(&w);
        const attn_params *p = &t.p;
        for (int b = 0; b < p->batch; b++) {
            char key_seen[140] = {0};
            for (int h = 0; h < 2; h++) {
                for (int i = 0; i < p->query_length; i++) {
                    int sees = 0;
                    for (int j = 0; j < p->key_length; j++) {
                        if (!oracle_allows(p, b, h, i, j)) continue;
                        sees = key_seen[j] = 1;
                    }
                    if (sees) continue;
                    const size_t row = (size_t)((b * 2 + h) * p->query_length + i);
                    assert_zero(w.dq + row * (size_t)p->head_dim, p->head_dim, "dq");
                    spoil(t.q, row, p->head_dim);
                    spoil(w.dout, row, p->value_dim);
                    rows++;
                }
            }
            for (int j = 0; j < p->key_length; j++) {
                if (key_seen[j]) continue;
                const size_t key = (size_t)(b * p->key_length + j);
                assert_zero(w.dk + key * (size_t)p->head_dim, p->head_dim, "dk");
                assert_zero(w.dv + key * (size_t)p->value_dim, p->value_dim, "dv");
                spoil(t.k, key, p->head_dim);
                spoil(t.v, key, p->value_dim);
                keys++;
            }
        }
        backward_run(&w);
        assert_same_results(&w, &clean);
        buffers_release();
    }
    assert_true(rows > 100 && keys > 100);
}

/* A key that some rows may see holds NaN: the dq of the other rows keeps its bits, and so do dk and dv of
 * the keys that no row sees together with it. */
static void seen_by_some(void **state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        const int T = 1 + rng_below(100), spoiled = rng_below(T);
        problem t = problem_of((dims){1, 1, 1, T, T, 3, 2});
        if (round % 2) t.p.causal = ATTN_CAUSAL;
        problem_mask(&t, (const int[]){0, 0, 1, 1}, round % 4 < 2 ? 1 : 0.5);
        if (round % 5 == 0) t.p.dropout = 0.25f;
        backward w = backward_of(t);
        backward_run(&w);
        const results clean = results_of(&w);
        if (round % 3 == 0) t.k[spoiled * 3] = NAN;
        if (round % 3 != 0) t.v[spoiled * 2] = NAN;
        backward_run(&w);
        int reached = 0;
        char touched[100] = {0};
        for (int i = 0; i < T; i++) {
            if (!oracle_allows(&t.p, 0, 0, i, spoiled)) {
                assert_same_bits(w.dq + i * 3, clean.dq + i * 3, 3, "dq of a row that sees it not");
                continue;
            }
            assert_true(isnan(w.dq[i * 3]));
            reached++;
            for (int j = 0; j < T; j++) touched[j] |= (char)oracle_allows(&t.p, 0, 0, i, j);
        }
        for (int j = 0; j < T; j++) {
            if (touched[j]) continue;
            assert_same_bits(w.dk + j * 3, clean.dk + j * 3, 3, "dk of a key apart");
            assert_same_bits(w.dv + j * 2, clean.dv + j * 2, 2, "dv of a key apart");
        }
        if (round == 1) assert_true(reached > 0);
        buffers_release();
    }
}

/* Multiplying the gradient of an empty row by 0, or having NaN there, is all the same. */
static void empty_row(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 2, 2, 1, 1});
    uint8_t *mask = problem_mask(&t, (const int[]){0, 0, 1, 1}, 1);
    mask[2] = mask[3] = 0;
    backward w = backward_of(t);
    backward_check(&w);
    const results r = results_of(&w);
    static const float values[] = {0, -7, NAN, INFINITY};
    for (size_t n = 0; n < COUNT(values); n++) {
        w.dout[1] = values[n];
        backward_run(&w);
        assert_same_results(&w, &r);
    }
    assert_true(w.dq[1] == 0);
}

/* Rows [b, h, i] at strides with gaps, in the poison of a new buffer. */
static float *spread(const float *packed, int B, int H, int T, int columns, const ptrdiff_t *stride,
                     size_t extent) {
    float *x = buffer_floats(extent);
    for (int b = 0; b < B; b++) {
        for (int h = 0; h < H; h++) {
            for (int i = 0; i < T; i++) {
                memcpy(x + b * stride[0] + h * stride[1] + i * stride[2], packed,
                       sizeof(float) * (size_t)columns);
                packed += columns;
            }
        }
    }
    return x;
}

/* Every tensor as (B, T, H, D) with gaps, or rows first of all: the bits of packed tensors; gaps stay. */
static void strides(void **state) {
    (void)state;
    const dims s = {2, 4, 2, 50, 67, 3, 5};
    for (int round = 0; round < 24; round++) {
        problem t = problem_of(s);
        problem_combine(&t);
        backward packed = backward_of(t);
        backward_run(&packed);
        backward w = packed;
        float *expected[3];
        size_t extents[3];
        const float *const sources[] = {packed.dq, packed.dk, packed.dv};
        ptrdiff_t *const strides[] = {w.g.dq_stride, w.g.dk_stride, w.g.dv_stride, w.g.dout_stride};
        const int heads[] = {s.Hq, s.Hk, s.Hk, s.Hq}, lengths[] = {s.Tq, s.Tk, s.Tk, s.Tq};
        const int columns[] = {s.D, s.D, s.Dv, s.Dv};
        for (int n = 0; n < 4; n++) {
            const int H = heads[n], T = lengths[n], row = columns[n] + rng_below(4);
            const ptrdiff_t by_token[] = {(ptrdiff_t)T * H * row + 3, row, (ptrdiff_t)H * row};
            const ptrdiff_t by_row[] = {row, 2 * row, (ptrdiff_t)2 * H * row};
            memcpy(strides[n], rng_chance(0.5) ? by_token : by_row, sizeof by_token);
            const size_t extent = (size_t)(strides[n][0] * (s.B - 1) + strides[n][1] * (H - 1) +
                                           strides[n][2] * (T - 1) + columns[n]);
            if (n == 3) {
                w.g.dout = spread(packed.dout, s.B, H, T, columns[n], strides[n], extent);
                break;
            }
            extents[n] = extent;
            expected[n] = spread(sources[n], s.B, H, T, columns[n], strides[n], extent);
        }
        float *dq = buffer_floats(extents[0]), *dk = buffer_floats(extents[1]);
        float *dv = buffer_floats(extents[2]);
        w.g.dq = dq, w.g.dk = dk, w.g.dv = dv;
        backward_again(&w);
        assert_same_bits(dq, expected[0], extents[0], "dq and its gaps");
        assert_same_bits(dk, expected[1], extents[1], "dk and its gaps");
        assert_same_bits(dv, expected[2], extents[2], "dv and its gaps");
        buffers_release();
    }
}

/* One, two, three threads, or all: the same bits, with several chunks of keys too. */
static void number_of_threads(void **state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const int many = round % 6 == 0;
        problem t = problem_of((dims){many ? 1 : 2, 4, 2, 1 + rng_below(150),
                                      many ? 4097 + rng_below(5000) : 1 + rng_below(200), 2, 3});
        problem_combine(&t);
        backward w = backward_of(t);
        backward_run(&w);
        const results one = results_of(&w);
        for (int threads = 0; threads <= 3; threads++) {
            w.t.p.threads = threads;
            backward_again(&w);
            assert_same_results(&w, &one);
        }
        buffers_release();
    }
}

/* Any alignment and any contents; one byte less is refused, and nothing written. */
static void workspace(void **state) {
    (void)state;
    static const int lengths[] = {70, 4100};
    for (size_t n = 0; n < COUNT(lengths); n++) {
        problem t = problem_of((dims){1, 2, 1, 50, lengths[n], 3, 2});
        problem_combine(&t);
        backward w = backward_of(t);
        backward_run(&w);
        const results r = results_of(&w);
        size_t bytes = 0;
        assert_int_equal(attn_workspace_size(&w.t.p, ATTN_OP_BACKWARD, &bytes), ATTN_OK);
        for (size_t offset = 0; offset < 64; offset += 7) {
            unsigned char *space = buffer_at(bytes, offset);
            for (int filling = 0; filling < 3; filling++) {
                if (filling > 0) memset(space, filling == 1 ? 0xff : 0, bytes);
                assert_int_equal(attn_backward(&w.t.p, &w.g, space, bytes, NULL), ATTN_OK);
                assert_same_results(&w, &r);
            }
            buffer_free(space);
        }
        void *space = buffer_at(bytes, 0);
        buffers_freeze();
        const char *field = NULL;
        assert_int_equal(attn_backward(&w.t.p, &w.g, space, bytes - 1, &field), ATTN_WORKSPACE);
        assert_string_equal(field, "workspace");
        assert_int_equal(attn_backward(&w.t.p, &w.g, NULL, bytes, NULL), ATTN_WORKSPACE);
        assert_true(buffers_intact());
        buffers_release();
    }
}

/* Nothing of size Tq Tk: the workspace has rows of q, once more for each chunk of keys beyond one. */
static void workspace_is_small(void **state) {
    (void)state;
    attn_params p;
    size_t bytes = 0;
    attn_defaults(&p, 1, 1, 4096, 64);
    p.isa = suite_isa, p.threads = 1;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_BACKWARD, &bytes), ATTN_OK);
    assert_true(bytes < 200000);
    p.key_length = 3 * 4096;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_BACKWARD, &bytes), ATTN_OK);
    assert_true(bytes < 200000 + 2 * 4096 * 64 * sizeof(float));
    /* What would not fit is a status. */
    attn_defaults(&p, 1, 1, 1 << 30, 1 << 30);
    p.query_length = 1 << 29;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_BACKWARD, &bytes), ATTN_SIZE);
}

/* Without rows the keys' gradients are zeros, and without keys the rows'; a bias that broadcasts over what
 * is not there has a gradient all the same. Pointers to nothing may be NULL. */
static void empty_sizes(void **state) {
    (void)state;
    static const dims sizes[] = {
        {2, 2, 1, 3, 0, 4, 5}, {2, 2, 1, 0, 3, 4, 5}, {0, 2, 1, 3, 3, 4, 5}, {1, 1, 1, 0, 0, 1, 1}};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        for (int nulls = 0; nulls <= 1; nulls++) {
            const dims s = sizes[n];
            const int axes[] = {0, 0, 0, s.Tk > 0};
            problem t = problem_of(s);
            problem_bias(&t, axes, 1);
            backward w = backward_of(t);
            if (nulls && (s.B == 0 || s.Tq == 0)) {
                w.t.p.q = w.g.dout = NULL;
                w.t.p.out = w.t.p.lse = w.g.dq = NULL;
            }
            if (nulls && (s.B == 0 || s.Tk == 0)) {
                w.t.p.k = w.t.p.v = NULL;
                w.g.dk = w.g.dv = NULL;
            }
            if (!nulls) problem_forward(&w.t);
            if (nulls && w.t.p.out) problem_forward(&w.t);
            backward_again(&w);
            assert_zero(w.dq, (int)backward_count(&w, 0), "dq");
            assert_zero(w.dk, (int)backward_count(&w, 1), "dk");
            assert_zero(w.dv, (int)backward_count(&w, 2), "dv");
            assert_zero(w.dbias, (int)w.biases, "dbias");
            buffers_release();
        }
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(unseen),
        TEST(seen_by_some),
        TEST(empty_row),
        TEST(strides),
        TEST(number_of_threads),
        TEST(workspace),
        TEST(workspace_is_small),
        TEST(empty_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
