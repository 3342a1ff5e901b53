/*
 * test_masks.c - every rule that forbids a key, alone, at its edges, and all combined: both paths
 * against the oracle, which asks each rule of each pair. Empty rows are judged by the comparison.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const dims SIZE = {2, 4, 2, 50, 67, 3, 4};

/* Mask and bias over every choice of axes, sparse and dense. */
static void broadcast_axes(void **state) {
    (void)state;
    static const double densities[] = {0.02, 0.5, 0.97, 1};
    for (int choice = 0; choice < 16; choice++) {
        const int axes[] = {choice & 1, choice >> 1 & 1, choice >> 2 & 1, choice >> 3 & 1};
        for (size_t n = 0; n < COUNT(densities); n++) {
            problem t = problem_of(SIZE);
            problem_mask(&t, axes, densities[n]);
            problem_check(&t);
            buffers_release();

            t = problem_of(SIZE);
            problem_bias(&t, axes, densities[n]);
            problem_check(&t);
            buffers_release();
        }
    }
}

static void key_masks(void **state) {
    (void)state;
    static const double densities[] = {0, 0.02, 0.5, 0.97};
    for (int choice = 0; choice < 4; choice++) {
        for (size_t n = 0; n < COUNT(densities); n++) {
            problem t = problem_of(SIZE);
            problem_key_mask(&t, (const int[]){choice & 1, choice >> 1}, densities[n]);
            problem_check(&t);
            buffers_release();
        }
    }
}

/* The first number that is no bias is found wherever it stands, and only those are found. */
static void bias_prefix(void **state) {
    (void)state;
    enum { COUNT_MOST = 200 };
    static const float others[] = {NAN, INFINITY};
    float *bias = buffer_floats(COUNT_MOST);
    for (int j = 0; j < COUNT_MOST; j++) bias[j] = j % 3 == 0 ? -INFINITY : FLT_MAX;
    for (size_t count = 0; count <= COUNT_MOST; count++) {
        assert_int_equal(attn_bias_prefix(bias, count), count);
        for (size_t at = 0; at < count; at++) {
            const float kept = bias[at];
            bias[at] = others[(count + at) % COUNT(others)];
            assert_int_equal(attn_bias_prefix(bias, count), at);
            bias[at] = kept;
        }
    }
    buffers_release();
}

/* One value throughout: 0 does nothing, -3.4e38 is data and gives the mean, -inf empties the row. */
static void constant_bias(void **state) {
    (void)state;
    static const float values[] = {0, 1, -1e9f, -3.4e38f, 3e38f, -INFINITY};
    for (size_t n = 0; n < COUNT(values); n++) {
        problem t = problem_of(SIZE);
        float *bias = buffer_floats(1);
        bias[0] = values[n];
        t.p.bias = bias;
        problem_check(&t);
        buffers_release();
    }
}

/* Masks may be windows of larger arrays: rows further apart than they are long. */
static void strided_masks(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    const ptrdiff_t row = SIZE.Tk + 5, head = row * SIZE.Tq + 3, batch = head * SIZE.Hq + 1;
    float *bias = buffer_floats((size_t)(batch * SIZE.B));
    uint8_t *mask = buffer_bytes((size_t)(batch * SIZE.B));
    for (int b = 0; b < SIZE.B; b++) {
        for (int h = 0; h < SIZE.Hq; h++) {
            for (int i = 0; i < SIZE.Tq; i++) {
                for (int j = 0; j < SIZE.Tk; j++) {
                    const ptrdiff_t at = b * batch + h * head + i * row + j;
                    bias[at] = (float)rng_normal();
                    mask[at] = (uint8_t)rng_chance(0.5);
                }
            }
        }
    }
    const ptrdiff_t stride[] = {batch, head, row, 1};
    t.p.bias = bias;
    t.p.mask = mask;
    for (int axis = 0; axis < 4; axis++)
        t.p.bias_stride[axis] = t.p.mask_stride[axis] = stride[axis];
    problem_check(&t);
}

/* Both corners, rectangles of every kind. */
static void causal_corners(void **state) {
    (void)state;
    static const int lengths[] = {1, 2, 47, 48, 49, 64, 65, 100, 129};
    for (size_t a = 0; a < COUNT(lengths); a++) {
        for (size_t b = 0; b < COUNT(lengths); b++) {
            for (int causal = ATTN_CAUSAL; causal <= ATTN_CAUSAL_TOP_LEFT; causal++) {
                problem t = problem_of((dims){1, 2, 1, lengths[a], lengths[b], 3, 2});
                t.p.causal = causal;
                problem_check(&t);
                buffers_release();
            }
        }
    }
}

/* Windows of every reach, some of which leave whole tiles empty. */
static void windows(void **state) {
    (void)state;
    static const int reaches[] = {-1, 0, 1, 5, 47, 48, 64, 200, INT_MAX};
    for (size_t left = 0; left < COUNT(reaches); left++) {
        for (size_t right = 0; right < COUNT(reaches); right++) {
            for (int causal = 0; causal <= 2; causal++) {
                problem t = problem_of((dims){1, 1, 1, 99, 131, 2, 2});
                t.p.causal = causal;
                t.p.window_left = reaches[left];
                t.p.window_right = reaches[right];
                problem_check(&t);
                buffers_release();
            }
        }
    }
}

/* Lengths of each batch, those outside [0, T] taken as the nearest bound. */
static void lengths(void **state) {
    (void)state;
    static const int32_t keys[] = {0, 1, 63, 64, 65, 67, 70, -3, INT32_MIN, INT32_MAX};
    static const int32_t queries[] = {50, 0, 1, 47, 48, 49, -3, 60, INT32_MAX, INT32_MIN};
    for (int which = 1; which <= 3; which++) {
        for (int causal = 0; causal <= 2; causal++) {
            dims size = SIZE;
            size.B = COUNT(keys);
            problem t = problem_of(size);
            t.p.causal = causal;
            int32_t *k = problem_batch_values(&t, 0, 0), *q = problem_batch_values(&t, 0, 0);
            for (int b = 0; b < size.B; b++) k[b] = keys[b], q[b] = queries[b];
            if (which & 1) t.p.key_lengths = k;
            if (which & 2) t.p.query_lengths = q;
            problem_check(&t);
            buffers_release();
        }
    }
}

/* Padded self-attention: both lengths given puts row 0 of each batch at position 0. */
static void padded_self_attention(void **state) {
    (void)state;
    problem t = problem_of((dims){3, 2, 1, 66, 66, 3, 2});
    int32_t *valid = buffer_ints(3);
    valid[0] = 66, valid[1] = 20, valid[2] = 49;
    t.p.causal = ATTN_CAUSAL;
    t.p.key_lengths = t.p.query_lengths = valid;
    problem_check(&t);

    /* The same padding as a mask means the same. */
    problem_forward(&t);
    float *by_lengths = buffer_copy(t.out, problem_outputs(&t));
    uint8_t *mask = problem_mask(&t, (const int[]){1, 0, 1, 1}, 1);
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < 66; i++) {
            for (int j = 0; j < 66; j++) {
                mask[(b * 66 + i) * 66 + j] = j <= i && i < valid[b] && j < valid[b];
            }
        }
    }
    t.p.causal = ATTN_NOT_CAUSAL;
    t.p.key_lengths = t.p.query_lengths = NULL;
    problem_forward(&t);
    assert_same_bits(t.out, by_lengths, problem_outputs(&t), "out");
}

/* Offsets before, inside, beyond, and at the ends of int32. */
static void query_offsets(void **state) {
    (void)state;
    static const int32_t offsets[] = {0,         1,
                                      -1,        17,
                                      -49,       -50,
                                      -51,       63,
                                      66,        67,
                                      1000,      -1000,
                                      INT32_MAX, INT32_MAX - 49,
                                      INT32_MIN, INT32_MIN + 49};
    for (int causal = 0; causal <= 1; causal++) {
        for (int window = 0; window < 4; window++) {
            dims size = SIZE;
            size.B = COUNT(offsets);
            problem t = problem_of(size);
            int32_t *offset = buffer_ints(COUNT(offsets));
            for (size_t b = 0; b < COUNT(offsets); b++) offset[b] = offsets[b];
            t.p.query_offset = offset;
            t.p.causal = causal;
            t.p.window_left = window & 1 ? 9 : -1;
            t.p.window_right = window & 2 ? INT_MAX : -1;
            problem_check(&t);
            buffers_release();
        }
    }
}

/* Everything at once, many times over. */
static void all_combined(void **state) {
    (void)state;
    for (int round = 0; round < 400; round++) {
        const int Hk = 1 + rng_below(2);
        problem t =
            problem_of((dims){1 + rng_below(3), Hk * (1 + rng_below(3)), Hk, 1 + rng_below(110),
                              1 + rng_below(140), 1 + rng_below(5), 1 + rng_below(5)});
        problem_combine(&t);
        problem_check(&t);
        buffers_release();
    }
}

/* Weights of each row with an allowed key sum to 1, those of an empty row to 0; so every output lies
 * between the smallest and largest value of its column. */
static void row_sums(void **state) {
    (void)state;
    int empty = 0, full = 0;
    for (int round = 0; round < 60; round++) {
        problem t = problem_of((dims){1, 2, 1, 1 + rng_below(60), 1 + rng_below(140), 3, 2});
        problem_combine(&t);
        attn_trace_params trace = problem_stages(&t);
        problem_trace(&t, &trace);
        problem_forward(&t);
        const size_t Tk = (size_t)t.p.key_length;
        for (size_t row = 0; row < problem_rows(&t); row++) {
            double sum = 0;
            for (size_t j = 0; j < Tk; j++) sum += (double)trace.weights[row * Tk + j];
            const int is_empty = trace.lse[row] == -INFINITY;
            assert_true(is_empty ? sum == 0 : fabs(sum - 1) <= 1e-6);
            empty += is_empty;
            full += !is_empty;
            for (int d = 0; d < 2 && t.p.dropout == 0; d++) {
                float low = is_empty ? 0 : INFINITY, high = is_empty ? 0 : -INFINITY;
                for (size_t j = 0; j < Tk && !is_empty; j++) {
                    low = fminf(low, t.v[j * 2 + (size_t)d]);
                    high = fmaxf(high, t.v[j * 2 + (size_t)d]);
                }
                const float x = t.out[row * 2 + (size_t)d];
                assert_true(low - 2e-6f <= x && x <= high + 2e-6f);
            }
        }
        buffers_release();
    }
    assert_true(empty > 0 && full > 0);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(broadcast_axes),        TEST(key_masks),      TEST(constant_bias), TEST(bias_prefix),
        TEST(strided_masks),         TEST(causal_corners), TEST(windows),       TEST(lengths),
        TEST(padded_self_attention), TEST(query_offsets),  TEST(all_combined),  TEST(row_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
