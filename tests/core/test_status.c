/*
 * test_status.c - every status is reached, every bad field is named, and a call that fails has written
 * nothing. attn_check() reads no pointer.
 */
#include "buffers.h"
#include "problem.h"
#include "suite.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const dims SIZE = {2, 4, 2, 5, 7, 3, 6};

/* A pointer that must not be followed. */
#define POISON_ADDRESS ((void *)8)

typedef void (*spoiler)(attn_params *p);

typedef struct fault {
    const char *what;
    spoiler spoil;
    attn_status status;
    const char *field;
} fault;

#define SPOIL(name, ...)                                                                           \
    static void name(attn_params *p) { __VA_ARGS__; }

/* Dimensions. */
SPOIL(size_zero, p->size = 0)
SPOIL(size_other, p->size--)
SPOIL(batch_negative, p->batch = -1)
SPOIL(query_heads_zero, p->query_heads = 0)
SPOIL(kv_heads_zero, p->kv_heads = 0)
SPOIL(kv_heads_negative, p->kv_heads = INT_MIN)
SPOIL(query_length_negative, p->query_length = -1)
SPOIL(key_length_negative, p->key_length = INT_MIN)
SPOIL(head_dim_zero, p->head_dim = 0)
SPOIL(value_dim_zero, p->value_dim = 0)
SPOIL(heads_uneven, p->query_heads = 5)
SPOIL(heads_fewer, p->query_heads = 1)

/* Products that leave 64 bits, or ptrdiff_t, or would wrap to something small. */
SPOIL(q_too_large, p->batch = p->query_length = p->head_dim = INT_MAX)
SPOIL(q_just_too_large, p->batch = p->query_length = 1 << 30; p->query_heads = 4; p->head_dim = 1)
SPOIL(k_too_large, p->batch = 4; p->key_length = p->head_dim = INT_MAX; p->query_length = 1)
SPOIL(v_too_large, p->batch = 4; p->key_length = p->value_dim = INT_MAX)
SPOIL(out_too_large, p->batch = 4; p->query_length = p->value_dim = INT_MAX)
SPOIL(q_wraps, p->batch = p->query_length = 1 << 30; p->query_heads = 1 << 4)

static void strides(ptrdiff_t *s, ptrdiff_t batch, ptrdiff_t head, ptrdiff_t row) {
    s[0] = batch, s[1] = head, s[2] = row;
}

/* Strides of inputs: Tq 5, Tk 7, D 3, Dv 6. */
SPOIL(q_row_short, strides(p->q_stride, 60, 15, 2))
SPOIL(q_head_short, strides(p->q_stride, 60, 2, 3))
SPOIL(q_some_zero, strides(p->q_stride, 0, 15, 3))
SPOIL(q_negative, strides(p->q_stride, 60, 15, -3))
SPOIL(k_row_short, strides(p->k_stride, 42, 21, 2))
SPOIL(k_some_zero, strides(p->k_stride, 42, 0, 3))
SPOIL(k_far, strides(p->k_stride, PTRDIFF_MAX, 21, 3))
SPOIL(v_row_short, strides(p->v_stride, 84, 42, 5))
SPOIL(v_far, strides(p->v_stride, PTRDIFF_MAX / 8, PTRDIFF_MAX / 8, 6))

/* Rows of out may not share an element. */
SPOIL(out_row_short, strides(p->out_stride, 120, 30, 5))
SPOIL(out_heads_inside, strides(p->out_stride, 120, 29, 6))
SPOIL(out_heads_equal, strides(p->out_stride, 120, 6, 6))
SPOIL(out_batch_inside, strides(p->out_stride, 119, 30, 6))
SPOIL(out_all_equal, strides(p->out_stride, 6, 6, 6))
SPOIL(out_interleaved, strides(p->out_stride, 120, 12, 6))

/* Strides of masks. */
SPOIL(mask_column_two, p->mask = POISON_ADDRESS; p->mask_stride[3] = 2)
SPOIL(mask_negative, p->mask = POISON_ADDRESS; p->mask_stride[2] = -7)
SPOIL(mask_far, p->mask = POISON_ADDRESS; p->mask_stride[0] = PTRDIFF_MAX)
SPOIL(key_mask_column_two, p->key_mask = POISON_ADDRESS; p->key_mask_stride[1] = 2)
SPOIL(key_mask_negative, p->key_mask = POISON_ADDRESS; p->key_mask_stride[0] = -1)
SPOIL(bias_column_negative, p->bias = POISON_ADDRESS; p->bias_stride[3] = -1)
SPOIL(bias_far, p->bias = POISON_ADDRESS; p->bias_stride[1] = PTRDIFF_MAX / 2)

/* Ranges. */
SPOIL(scale_nan, p->scale = NAN)
SPOIL(scale_infinite, p->scale = -INFINITY)
SPOIL(softcap_nan, p->softcap = NAN)
SPOIL(softcap_infinite, p->softcap = INFINITY)
SPOIL(softcap_negative, p->softcap = -1)
SPOIL(causal_negative, p->causal = -1)
SPOIL(causal_three, p->causal = 3)
SPOIL(window_left_low, p->window_left = -2)
SPOIL(window_right_low, p->window_right = INT_MIN)
SPOIL(dropout_nan, p->dropout = NAN)
SPOIL(dropout_negative, p->dropout = -0.1f)
SPOIL(dropout_above, p->dropout = 1.5f)
SPOIL(threads_negative, p->threads = -1)

/* Combinations. */
SPOIL(corner_and_offset, p->causal = ATTN_CAUSAL_TOP_LEFT; p->query_offset = POISON_ADDRESS)
SPOIL(padding_open, p->query_length = 7; p->causal = ATTN_CAUSAL; p->key_lengths = POISON_ADDRESS)
SPOIL(window_open, p->query_length = 7; p->window_left = 2; p->key_lengths = POISON_ADDRESS)
SPOIL(window_open_right, p->query_length = 7; p->window_right = 0; p->key_lengths = POISON_ADDRESS)
SPOIL(alibi_open, p->query_length = 7; p->alibi_slopes = POISON_ADDRESS;
      p->key_lengths = POISON_ADDRESS)

/* Instruction sets. */
SPOIL(isa_negative, p->isa = -1)
SPOIL(isa_unknown, p->isa = ATTN_ISA_COUNT)
SPOIL(isa_elsewhere, p->isa = ATTN_ISA_SIMD128) /* wasm's, never in a native build */

#define FAULT(name, status, field) {#name, name, status, field}

static const fault FAULTS[] = {
    FAULT(size_zero, ATTN_VERSION_MISMATCH, "size"),
    FAULT(size_other, ATTN_VERSION_MISMATCH, "size"),
    FAULT(batch_negative, ATTN_SIZE, "batch"),
    FAULT(query_heads_zero, ATTN_SIZE, "query_heads"),
    FAULT(kv_heads_zero, ATTN_SIZE, "kv_heads"),
    FAULT(kv_heads_negative, ATTN_SIZE, "kv_heads"),
    FAULT(query_length_negative, ATTN_SIZE, "query_length"),
    FAULT(key_length_negative, ATTN_SIZE, "key_length"),
    FAULT(head_dim_zero, ATTN_SIZE, "head_dim"),
    FAULT(value_dim_zero, ATTN_SIZE, "value_dim"),
    FAULT(heads_uneven, ATTN_HEADS, "query_heads"),
    FAULT(heads_fewer, ATTN_HEADS, "query_heads"),
    FAULT(q_too_large, ATTN_SIZE, "q"),
    FAULT(q_just_too_large, ATTN_SIZE, "q"),
    FAULT(k_too_large, ATTN_SIZE, "k"),
    FAULT(v_too_large, ATTN_SIZE, "v"),
    FAULT(out_too_large, ATTN_SIZE, "out"),
    FAULT(q_wraps, ATTN_SIZE, "q"),
    FAULT(q_row_short, ATTN_STRIDE, "q_stride"),
    FAULT(q_head_short, ATTN_STRIDE, "q_stride"),
    FAULT(q_some_zero, ATTN_STRIDE, "q_stride"),
    FAULT(q_negative, ATTN_STRIDE, "q_stride"),
    FAULT(k_row_short, ATTN_STRIDE, "k_stride"),
    FAULT(k_some_zero, ATTN_STRIDE, "k_stride"),
    FAULT(k_far, ATTN_STRIDE, "k_stride"),
    FAULT(v_row_short, ATTN_STRIDE, "v_stride"),
    FAULT(v_far, ATTN_STRIDE, "v_stride"),
    FAULT(out_row_short, ATTN_STRIDE, "out_stride"),
    FAULT(out_heads_inside, ATTN_STRIDE, "out_stride"),
    FAULT(out_heads_equal, ATTN_STRIDE, "out_stride"),
    FAULT(out_batch_inside, ATTN_STRIDE, "out_stride"),
    FAULT(out_all_equal, ATTN_STRIDE, "out_stride"),
    FAULT(out_interleaved, ATTN_STRIDE, "out_stride"),
    FAULT(mask_column_two, ATTN_STRIDE, "mask_stride"),
    FAULT(mask_negative, ATTN_STRIDE, "mask_stride"),
    FAULT(mask_far, ATTN_STRIDE, "mask_stride"),
    FAULT(key_mask_column_two, ATTN_STRIDE, "key_mask_stride"),
    FAULT(key_mask_negative, ATTN_STRIDE, "key_mask_stride"),
    FAULT(bias_column_negative, ATTN_STRIDE, "bias_stride"),
    FAULT(bias_far, ATTN_STRIDE, "bias_stride"),
    FAULT(scale_nan, ATTN_RANGE, "scale"),
    FAULT(scale_infinite, ATTN_RANGE, "scale"),
    FAULT(softcap_nan, ATTN_RANGE, "softcap"),
    FAULT(softcap_infinite, ATTN_RANGE, "softcap"),
    FAULT(softcap_negative, ATTN_RANGE, "softcap"),
    FAULT(causal_negative, ATTN_RANGE, "causal"),
    FAULT(causal_three, ATTN_RANGE, "causal"),
    FAULT(window_left_low, ATTN_RANGE, "window_left"),
    FAULT(window_right_low, ATTN_RANGE, "window_right"),
    FAULT(dropout_nan, ATTN_RANGE, "dropout"),
    FAULT(dropout_negative, ATTN_RANGE, "dropout"),
    FAULT(dropout_above, ATTN_RANGE, "dropout"),
    FAULT(threads_negative, ATTN_RANGE, "threads"),
    FAULT(corner_and_offset, ATTN_CONFLICT, "query_offset"),
    FAULT(padding_open, ATTN_CONFLICT, "key_lengths"),
    FAULT(window_open, ATTN_CONFLICT, "key_lengths"),
    FAULT(window_open_right, ATTN_CONFLICT, "key_lengths"),
    FAULT(alibi_open, ATTN_CONFLICT, "key_lengths"),
    FAULT(isa_negative, ATTN_ISA, "isa"),
    FAULT(isa_unknown, ATTN_ISA, "isa"),
    FAULT(isa_elsewhere, ATTN_ISA, "isa"),
};

/* Each fault is found by attn_check(), named, and stops every call before it writes. */
static void every_fault(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    attn_trace_params trace = problem_stages(&t);
    void *workspace = buffer_at(1 << 20, 0);
    buffers_freeze();
    for (size_t n = 0; n < COUNT(FAULTS); n++) {
        const fault *f = &FAULTS[n];
        attn_params p = t.p;
        f->spoil(&p);
        const char *field = "untouched";
        const attn_status status = attn_check(&p, &field);
        if (status != f->status || !field || strcmp(field, f->field) != 0) {
            fail_msg("%s: %s, field %s; expected %s, field %s", f->what, attn_status_string(status),
                     field ? field : "none", attn_status_string(f->status), f->field);
        }
        assert_int_equal(attn_check(&p, NULL), f->status);

        size_t bytes = 12345;
        assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &bytes), f->status);
        assert_true(bytes == 12345);
        assert_int_equal(attn_forward(&p, workspace, 1 << 20), f->status);
        assert_int_equal(attn_trace(&p, &trace), f->status);
        if (!buffers_intact()) fail_msg("%s: written", f->what);
    }
}

/* Pointers: each required one in turn. */
static void null_pointers(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    attn_trace_params trace = problem_stages(&t);
    void *workspace = buffer_at(1 << 20, 0);
    buffers_freeze();
    for (int n = 0; n < 4; n++) {
        attn_params p = t.p;
        if (n == 0) p.q = NULL;
        if (n == 1) p.k = NULL;
        if (n == 2) p.v = NULL;
        if (n == 3) p.out = NULL;
        assert_int_equal(attn_check(&p, NULL), ATTN_OK);
        assert_int_equal(attn_forward(&p, workspace, 1 << 20), ATTN_NULL);
        assert_int_equal(attn_trace(&p, &trace), ATTN_NULL);
    }
    const char *field = NULL;
    size_t bytes = 12345;
    assert_int_equal(attn_check(NULL, &field), ATTN_NULL);
    assert_string_equal(field, "params");
    assert_int_equal(attn_check(NULL, NULL), ATTN_NULL);
    assert_int_equal(attn_workspace_size(NULL, ATTN_OP_FORWARD, &bytes), ATTN_NULL);
    assert_int_equal(attn_workspace_size(&t.p, ATTN_OP_FORWARD, NULL), ATTN_NULL);
    assert_int_equal(attn_forward(NULL, workspace, 1 << 20), ATTN_NULL);
    assert_int_equal(attn_trace(NULL, &trace), ATTN_NULL);
    assert_int_equal(attn_trace(&t.p, NULL), ATTN_NULL);
    assert_int_equal(attn_workspace_size(&t.p, (attn_op)7, &bytes), ATTN_RANGE);
    assert_true(bytes == 12345);
    assert_true(buffers_intact());
}

/* The trace has options of its own. */
static void trace_options(void **state) {
    (void)state;
    problem t = problem_of(SIZE);
    const attn_trace_params good = problem_stages(&t);
    buffers_freeze();
    attn_trace_params trace = good;
    trace.size = 0;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_VERSION_MISMATCH);
    trace = good, trace.softmax_axis = 2;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_RANGE);
    trace = good, trace.softmax_axis = -1;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_RANGE);
    trace = good, trace.mask_order = 2;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_RANGE);
    trace = good, trace.mask_order = -1;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_RANGE);
    trace = good, trace.weights = NULL;
    assert_int_equal(attn_trace(&t.p, &trace), ATTN_NULL);
    assert_true(buffers_intact());
}

/* Every status that there is has one clause of its own, and is reached by a test of this file; the
 * workspace is test_determinism's, and a full cache test_cache's. */
static void words_of_each_status(void **state) {
    (void)state;
    for (int status = ATTN_OK; status <= ATTN_WORKSPACE; status++) {
        const char *words = attn_status_string((attn_status)status);
        assert_non_null(words);
        assert_true(strlen(words) > 5 && words[strlen(words) - 1] != '.');
        assert_true(strcmp(words, "unknown status") != 0);
        for (int other = ATTN_OK; other < status; other++) {
            assert_string_not_equal(words, attn_status_string((attn_status)other));
        }
        int reached = status == ATTN_OK || status == ATTN_NULL || status == ATTN_WORKSPACE ||
                      status == ATTN_FULL;
        for (size_t n = 0; n < COUNT(FAULTS); n++) {
            reached |= FAULTS[n].status == (attn_status)status;
        }
        if (!reached) fail_msg("nothing reaches: %s", words);
    }
    assert_string_equal(attn_status_string((attn_status)(ATTN_WORKSPACE + 1)), "unknown status");
    assert_string_equal(attn_status_string((attn_status)-1), "unknown status");
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(every_fault),
        TEST(null_pointers),
        TEST(trace_options),
        TEST(words_of_each_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
