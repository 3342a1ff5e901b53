/*
 * test_shapes.c - every length around the borders of tiles, every width around those of vectors, heads,
 * batches, and sizes of nothing: both paths against the oracle.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A short query, every number of keys: the ragged tail of the key tiles. */
static void every_key_length(void **state) {
    (void)state;
    for (int Tk = 1; Tk <= 130; Tk++) {
        problem t = problem_of((dims){1, 1, 1, 5, Tk, 3, 2});
        problem_check(&t);
        buffers_release();
    }
}

static void every_query_length(void **state) {
    (void)state;
    for (int Tq = 1; Tq <= 130; Tq++) {
        problem t = problem_of((dims){1, 1, 1, Tq, 7, 2, 3});
        problem_check(&t);
        buffers_release();
    }
}

/* Both lengths at and beside the borders, open and causal. */
static void tile_borders(void **state) {
    (void)state;
    static const int lengths[] = {1, 47, 48, 49, 63, 64, 65, 96, 97, 127, 128, 129, 130};
    for (size_t a = 0; a < COUNT(lengths); a++) {
        for (size_t b = 0; b < COUNT(lengths); b++) {
            problem t = problem_of((dims){1, 1, 1, lengths[a], lengths[b], 4, 3});
            t.p.causal = rng_below(3);
            problem_check(&t);
            buffers_release();
        }
    }
}

static void every_width(void **state) {
    (void)state;
    static const int widths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 111};
    for (size_t a = 0; a < COUNT(widths); a++) {
        for (size_t b = 0; b < COUNT(widths); b++) {
            problem t = problem_of((dims){1, 1, 1, 3, 66, widths[a], widths[b]});
            problem_check(&t);
            buffers_release();
        }
    }
}

static void heads_and_batches(void **state) {
    (void)state;
    static const int heads[][2] = {{1, 1}, {2, 2}, {2, 1}, {4, 2}, {6, 3}, {6, 2}, {8, 1}, {5, 5}};
    for (size_t n = 0; n < COUNT(heads); n++) {
        for (int B = 1; B <= 3; B++) {
            problem t = problem_of((dims){B, heads[n][0], heads[n][1], 9, 11, 5, 6});
            problem_check(&t);
            buffers_release();
        }
    }
}

/* The head map is floor(h / (Hq / Hk)): with one key the output is that key's value. */
static void head_map(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 6, 3, 1, 1, 2, 1});
    for (int h = 0; h < 3; h++) t.v[h] = (float)(10 * (h + 1));
    const float expected[] = {10, 10, 20, 20, 30, 30};
    problem_forward(&t);
    assert_same_bits(t.out, expected, 6, "forward");
    attn_trace_params trace = {.size = sizeof trace};
    problem_trace(&t, &trace);
    assert_same_bits(t.out, expected, 6, "trace");
}

/* No key: zeros and -inf. No row, no batch: nothing written, nothing read; pointers may be NULL. */
static void empty_sizes(void **state) {
    (void)state;
    static const dims sizes[] = {
        {2, 2, 1, 3, 0, 4, 5}, {2, 2, 1, 0, 3, 4, 5}, {0, 2, 1, 3, 3, 4, 5}, {0, 1, 1, 0, 0, 1, 1}};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        for (int causal = 0; causal <= 2; causal++) {
            problem t = problem_of(sizes[n]);
            t.p.causal = causal;
            problem_check(&t);

            if (sizes[n].Tk == 0) t.p.k = t.p.v = NULL;
            if (problem_rows(&t) == 0) t.p.q = t.p.k = t.p.v = t.p.out = NULL;
            problem_forward(&t);
            attn_trace_params trace = {.size = sizeof trace};
            assert_int_equal(attn_trace(&t.p, &trace), ATTN_OK);
            buffers_release();
        }
    }
}

/* Without keys there is nothing to point to, whatever the strides. */
static void no_keys_with_strides(void **state) {
    (void)state;
    problem t = problem_of((dims){2, 4, 2, 3, 0, 4, 5});
    for (int axis = 0; axis < 3; axis++) t.p.k_stride[axis] = t.p.v_stride[axis] = 100;
    t.p.k = t.p.v = NULL;
    problem_forward(&t);
    for (size_t n = 0; n < problem_outputs(&t); n++) assert_true(t.out[n] == 0);

    /* (B, T, H, D) with T = 0: batches lie 0 apart. */
    const ptrdiff_t k[] = {0, 4, 2 * 4}, v[] = {0, 5, 2 * 5};
    memcpy(t.p.k_stride, k, sizeof k);
    memcpy(t.p.v_stride, v, sizeof v);
    problem_forward(&t);
    t = problem_of((dims){2, 4, 2, 0, 3, 4, 5});
    const ptrdiff_t q[] = {0, 4, 4 * 4}, out[] = {0, 5, 4 * 5};
    memcpy(t.p.q_stride, q, sizeof q);
    memcpy(t.p.out_stride, out, sizeof out);
    problem_forward(&t);
}

/* A head size of 63 is one of 64 with a column of zeros and the same scale; so for the values. */
static void padded_width(void **state) {
    (void)state;
    problem t = problem_of((dims){2, 4, 2, 51, 70, 63, 39});
    problem padded = problem_of((dims){2, 4, 2, 51, 70, 64, 40});
    const size_t rows = problem_rows(&t), keys = problem_keys(&t);
    for (size_t n = 0; n < rows * 64; n++) {
        padded.q[n] = n % 64 == 63 ? 0 : t.q[n / 64 * 63 + n % 64];
    }
    for (size_t n = 0; n < keys * 64; n++) {
        padded.k[n] = n % 64 == 63 ? 0 : t.k[n / 64 * 63 + n % 64];
    }
    for (size_t n = 0; n < keys * 40; n++) {
        padded.v[n] = n % 40 == 39 ? 0 : t.v[n / 40 * 39 + n % 40];
    }
    padded.p.scale = t.p.scale;
    problem_forward(&t);
    problem_forward(&padded);
    assert_same_bits(padded.lse, t.lse, rows, "lse");
    for (size_t row = 0; row < rows; row++) {
        assert_same_bits(padded.out + row * 40, t.out + row * 39, 39, "out");
        assert_true(padded.out[row * 40 + 39] == 0);
    }
}

static void many_tiles(void **state) {
    (void)state;
    problem t = problem_of((dims){2, 4, 2, 257, 321, 64, 80});
    problem_check(&t);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(every_key_length), TEST(every_query_length),   TEST(tile_borders),
        TEST(every_width),      TEST(heads_and_batches),    TEST(head_map),
        TEST(empty_sizes),      TEST(no_keys_with_strides), TEST(padded_width),
        TEST(many_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
