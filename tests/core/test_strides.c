/*
 * test_strides.c - where rows lie does not change what they hold: (B, T, H, D), one buffer for q, k and
 * v, gaps, any order of the axes give the bits of packed tensors, and gaps are neither read nor written.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <string.h>

static const dims SIZE = {2, 4, 2, 50, 67, 5, 3};

/* Visits (b, h, i) of a tensor: the row within a packed one, and its place by the strides. */
typedef struct rows_of {
    int B, H, T, columns;
} rows_of;

static void spread(const float *packed, float *target, rows_of s, const ptrdiff_t *stride) {
    for (int b = 0; b < s.B; b++) {
        for (int h = 0; h < s.H; h++) {
            for (int i = 0; i < s.T; i++) {
                memcpy(target + b * stride[0] + h * stride[1] + i * stride[2], packed,
                       sizeof(float) * (size_t)s.columns);
                packed += s.columns;
            }
        }
    }
}

/* Elements from the first to the last of the tensor. */
static size_t extent(rows_of s, const ptrdiff_t *stride) {
    return (size_t)((s.B - 1) * stride[0] + (s.H - 1) * stride[1] + (s.T - 1) * stride[2]) +
           (size_t)s.columns;
}

/* The packed tensor at other strides, in poison. */
static float *strided(const float *packed, rows_of s, const ptrdiff_t *stride) {
    float *tensor = buffer_floats(extent(s, stride));
    spread(packed, tensor, s, stride);
    return tensor;
}

static rows_of q_rows(void) { return (rows_of){SIZE.B, SIZE.Hq, SIZE.Tq, SIZE.D}; }
static rows_of k_rows(void) { return (rows_of){SIZE.B, SIZE.Hk, SIZE.Tk, SIZE.D}; }
static rows_of v_rows(void) { return (rows_of){SIZE.B, SIZE.Hk, SIZE.Tk, SIZE.Dv}; }
static rows_of out_rows(void) { return (rows_of){SIZE.B, SIZE.Hq, SIZE.Tq, SIZE.Dv}; }

/* Strides with the axes in the given order, the first varying slowest, each row so much longer. */
static void strides_in_order(rows_of s, const int order[3], int gap, ptrdiff_t *stride) {
    const int length[] = {s.B, s.H, s.T};
    ptrdiff_t step = s.columns + gap;
    for (int n = 2; n >= 0; n--) {
        stride[order[n]] = step;
        step = step * length[order[n]] + gap;
    }
}

/* What lies in out between its rows is poison still, and its rows have the packed bits. */
static void assert_strided_out(const problem *t, const float *packed) {
    const size_t count = extent(out_rows(), t->p.out_stride);
    float *expected = buffer_floats(count);
    spread(packed, expected, out_rows(), t->p.out_stride);
    assert_same_bits(t->out, expected, count, "out and its gaps");
}

static void compare_with_packed(problem *packed, problem *other) {
    attn_trace_params trace = problem_stages(packed), other_trace = problem_stages(packed);
    problem_forward(packed);
    problem_forward(other);
    assert_strided_out(other, packed->out);
    assert_same_bits(packed->lse, other->lse, problem_rows(packed), "lse");
    problem_trace(packed, &trace);
    problem_trace(other, &other_trace);
    assert_strided_out(other, packed->out);
    assert_same_bits(trace.weights, other_trace.weights, problem_cells(packed), "weights");
}

static problem with_strides(const problem *packed, const int order[3], int gap) {
    problem t = *packed;
    strides_in_order(q_rows(), order, gap, t.p.q_stride);
    strides_in_order(k_rows(), order, gap, t.p.k_stride);
    strides_in_order(v_rows(), order, gap, t.p.v_stride);
    strides_in_order(out_rows(), order, gap, t.p.out_stride);
    t.p.q = t.q = strided(packed->q, q_rows(), t.p.q_stride);
    t.p.k = t.k = strided(packed->k, k_rows(), t.p.k_stride);
    t.p.v = t.v = strided(packed->v, v_rows(), t.p.v_stride);
    t.p.out = t.out = buffer_floats(extent(out_rows(), t.p.out_stride));
    t.p.lse = t.lse = buffer_floats(problem_rows(packed));
    return t;
}

/* All six orders of (batch, head, row), without and with gaps, with masks of every kind. */
static void orders_of_axes(void **state) {
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t n = 0; n < 6; n++) {
        for (int gap = 0; gap <= 7; gap += 7) {
            problem packed = problem_of(SIZE);
            problem_combine(&packed);
            problem other = with_strides(&packed, orders[n], gap);
            compare_with_packed(&packed, &other);
            buffers_release();
        }
    }
}

/* (B, T, 3, H, D): one buffer, q, k and v side by side. */
static void fused_buffer(void **state) {
    (void)state;
    const int B = 2, H = 3, T = 53, D = 4;
    problem packed = problem_of((dims){B, H, H, T, T, D, D});
    packed.p.causal = ATTN_CAUSAL;
    problem t = packed;
    float *fused = buffer_floats((size_t)(B * T * 3 * H * D));
    const ptrdiff_t stride[] = {(ptrdiff_t)T * 3 * H * D, D, (ptrdiff_t)3 * H * D};
    const rows_of rows = {B, H, T, D};
    float *const parts[] = {fused, fused + H * D, fused + 2 * H * D};
    const float *const sources[] = {packed.q, packed.k, packed.v};
    for (int n = 0; n < 3; n++) spread(sources[n], parts[n], rows, stride);
    memcpy(t.p.q_stride, stride, sizeof stride);
    memcpy(t.p.k_stride, stride, sizeof stride);
    memcpy(t.p.v_stride, stride, sizeof stride);
    t.p.q = parts[0], t.p.k = parts[1], t.p.v = parts[2];
    t.p.out = t.out = buffer_floats(problem_outputs(&t));
    t.p.lse = t.lse = buffer_floats(problem_rows(&t));
    problem_forward(&packed);
    problem_forward(&t);
    assert_same_bits(packed.out, t.out, problem_outputs(&t), "out");
    assert_same_bits(packed.lse, t.lse, problem_rows(&t), "lse");
}

/* v may be a part of k, and q of both: inputs may overlap each other. */
static void shared_inputs(void **state) {
    (void)state;
    problem shared = problem_of((dims){1, 2, 2, 20, 20, 6, 4}), copied = shared;
    shared.p.q = shared.p.k;
    shared.p.v = shared.p.k + 1;
    shared.p.v_stride[0] = 2 * 20 * 6, shared.p.v_stride[1] = 20 * 6, shared.p.v_stride[2] = 6;
    problem_check(&shared);
    problem_forward(&shared);
    float *out = buffer_copy(shared.out, problem_outputs(&shared));
    for (int row = 0; row < 40; row++) memcpy(copied.v + row * 4, copied.k + row * 6 + 1, 16);
    copied.p.q = copied.p.k;
    problem_forward(&copied);
    assert_same_bits(copied.out, out, problem_outputs(&shared), "out");
}

/* The stride of an axis of length 1 is never used. */
static void axes_of_length_one(void **state) {
    (void)state;
    problem t = problem_of((dims){1, 1, 1, 9, 11, 3, 2});
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    t.p.q_stride[2] = t.p.k_stride[2] = 3;
    t.p.v_stride[2] = t.p.out_stride[2] = 2;
    problem_forward(&t);
    assert_same_bits(t.out, out, problem_outputs(&t), "out");
    t.p.q_stride[0] = t.p.k_stride[1] = PTRDIFF_MAX;
    t.p.v_stride[0] = t.p.out_stride[1] = 1;
    problem_forward(&t);
    assert_same_bits(t.out, out, problem_outputs(&t), "out");
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(orders_of_axes),
        TEST(fused_buffer),
        TEST(shared_inputs),
        TEST(axes_of_length_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
