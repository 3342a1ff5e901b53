/*
 * test_defaults.c - what attn_defaults() fills in, what attn_check() lets pass, and the names of things.
 */
#include "attention.h"
#include "suite.h"

#include <limits.h>
#include <string.h>

/* A pointer that must not be followed. */
#define POISON_ADDRESS ((void *)8)

static void defaults(void **state) {
    (void)state;
    attn_params p;
    memset(&p, 0xff, sizeof p);
    attn_defaults(&p, 3, 4, 5, 64);
    assert_true(p.size == sizeof p && p.batch == 3 && p.query_heads == 4 && p.kv_heads == 4);
    assert_true(p.query_length == 5 && p.key_length == 5 && p.head_dim == 64 && p.value_dim == 64);
    assert_true(p.scale == 0.125f && p.softcap == 0 && p.causal == ATTN_NOT_CAUSAL);
    assert_true(p.window_left == -1 && p.window_right == -1 && p.threads == 0 && p.isa == 0);
    assert_true(!p.q && !p.k && !p.v && !p.out && !p.lse && !p.mask && !p.key_mask && !p.bias);
    assert_true(!p.query_offset && !p.key_lengths && !p.query_lengths && !p.alibi_slopes);
    assert_true(p.dropout == 0 && p.seed == 0);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(!p.q_stride[axis] && !p.k_stride[axis] && !p.v_stride[axis] &&
                    !p.out_stride[axis]);
    }
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);

    const char *field = NULL;
    attn_defaults(&p, 1, 1, 1, 0);
    assert_true(p.scale == 1);
    assert_int_equal(attn_check(&p, &field), ATTN_SIZE);
    assert_string_equal(field, "head_dim");

    attn_trace_params trace;
    memset(&trace, 0xff, sizeof trace);
    attn_trace_defaults(&trace);
    const attn_trace_params zero = {.size = sizeof zero};
    assert_true(trace.size == zero.size && !trace.scores && !trace.weights && !trace.given_scores);
    assert_true(trace.softmax_axis == ATTN_OVER_KEYS && trace.mask_order == ATTN_MASK_BEFORE);
}

/* What is no fault: fields at the ends of their ranges, unusual strides, all names of corners. */
static void no_fault(void **state) {
    (void)state;
    attn_params p;
    const char *field = "untouched";
    attn_defaults(&p, 2, 4, 5, 3);
    p.kv_heads = 2;
    p.q = p.k = p.v = POISON_ADDRESS;
    p.out = p.lse = POISON_ADDRESS;
    p.mask = p.key_mask = POISON_ADDRESS;
    p.bias = POISON_ADDRESS;
    p.query_offset = p.key_lengths = p.query_lengths = POISON_ADDRESS;
    p.causal = ATTN_CAUSAL;
    p.window_left = p.window_right = INT_MAX;
    p.threads = INT_MAX;
    p.scale = -3e38f;
    for (int axis = 0; axis < 3; axis++) p.mask_stride[axis] = p.bias_stride[axis] = 0;
    p.mask_stride[3] = p.bias_stride[3] = p.key_mask_stride[1] = 1;
    assert_int_equal(attn_check(&p, &field), ATTN_OK);
    assert_null(field);
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);

    size_t bytes = 0;
    p.threads = 1;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &bytes), ATTN_OK);
    assert_true(bytes > 0);

    memcpy(p.out_stride, (const ptrdiff_t[]){60, 3, 12}, sizeof p.out_stride); /* (B, T, H, D) */
    assert_int_equal(attn_check(&p, &field), ATTN_OK);
    memcpy(p.q_stride, (const ptrdiff_t[]){3, 3, 3}, sizeof p.q_stride); /* read twice: no harm */
    assert_int_equal(attn_check(&p, &field), ATTN_OK);

    attn_defaults(&p, 0, 1, INT_MAX, INT_MAX); /* nothing at all, however large */
    assert_int_equal(attn_check(&p, &field), ATTN_OK);
}

/* Padding of the keys alone is clear where the lengths differ, or where a corner is named. */
static void padding_that_is_clear(void **state) {
    (void)state;
    attn_params p;
    attn_defaults(&p, 1, 1, 7, 3);
    p.key_lengths = POISON_ADDRESS;
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);
    p.causal = ATTN_CAUSAL;
    assert_int_equal(attn_check(&p, NULL), ATTN_CONFLICT);
    p.query_lengths = POISON_ADDRESS;
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);
    p.query_lengths = NULL;
    p.query_offset = POISON_ADDRESS;
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);
    p.query_offset = NULL;
    p.causal = ATTN_CAUSAL_TOP_LEFT;
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);
    p.causal = ATTN_CAUSAL;
    p.query_length = 3;
    assert_int_equal(attn_check(&p, NULL), ATTN_OK);
}

static void names(void **state) {
    (void)state;
    static const char *const expected[] = {"best", "scalar", "simd128", "relaxed",
                                           "neon", "avx2",   "avx512"};
    assert_int_equal(ATTN_ISA_COUNT, sizeof expected / sizeof *expected);
    for (int isa = 0; isa < ATTN_ISA_COUNT; isa++) {
        assert_string_equal(attn_isa_name(isa), expected[isa]);
        assert_true(attn_isa_available(isa) == 0 || attn_isa_available(isa) == 1);
    }
    assert_null(attn_isa_name(-1));
    assert_null(attn_isa_name(ATTN_ISA_COUNT));
    assert_true(attn_isa_available(ATTN_ISA_BEST) && attn_isa_available(ATTN_ISA_SCALAR));
    assert_true(!attn_isa_available(-1) && !attn_isa_available(INT_MAX));
    assert_string_equal(attn_version(), ATTN_VERSION);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(defaults),
        TEST(no_fault),
        TEST(padding_that_is_clear),
        TEST(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
