/*
 * test_determinism.c - the same bits whatever the number of threads, with and without lse, wherever the
 * workspace lies and whatever it holds.
 */
#include "buffers.h"
#include "problem.h"
#include "rng.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

/* A problem of many tiles with masks of every kind. */
static problem some_problem(void) {
    problem t = problem_of((dims){2, 4, 2, 1 + rng_below(150), 1 + rng_below(200), 7, 5});
    problem_combine(&t);
    return t;
}

static size_t workspace_size(const problem *t) {
    size_t bytes = 0;
    assert_int_equal(attn_workspace_size(&t->p, ATTN_OP_FORWARD, &bytes), ATTN_OK);
    return bytes;
}

static void number_of_threads(void **state) {
    (void)state;
    problem probe = some_problem();
    const size_t one = (probe.p.threads = 1, workspace_size(&probe));
    const size_t three = (probe.p.threads = 3, workspace_size(&probe));
    printf("    %s\n", three > one ? "threads share the work" : "built without OpenMP: one thread");

    for (int round = 0; round < 40; round++) {
        problem t = some_problem();
        problem_forward(&t);
        float *out = buffer_copy(t.out, problem_outputs(&t));
        float *lse = buffer_copy(t.lse, problem_rows(&t));
        for (int threads = 0; threads <= 3; threads++) {
            t.p.threads = threads;
            problem_forward(&t);
            assert_same_bits(t.out, out, problem_outputs(&t), "out");
            assert_same_bits(t.lse, lse, problem_rows(&t), "lse");
        }
        buffers_release();
    }
}

static void without_lse(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        problem t = some_problem();
        problem_forward(&t);
        float *out = buffer_copy(t.out, problem_outputs(&t));
        t.p.lse = NULL;
        problem_forward(&t);
        assert_same_bits(t.out, out, problem_outputs(&t), "out");
        assert_true(buffer_is_poison(t.lse) || problem_rows(&t) == 0);
        buffers_release();
    }
}

/* Any alignment, and any contents: what the last call left, NaN, all ones, zeros. */
static void workspace(void **state) {
    (void)state;
    problem t = some_problem();
    problem_forward(&t);
    float *out = buffer_copy(t.out, problem_outputs(&t));
    const size_t bytes = workspace_size(&t);
    for (size_t offset = 0; offset < 64; offset++) {
        unsigned char *space = buffer_at(bytes, offset);
        for (int filling = 0; filling < 4; filling++) {
            if (filling > 1) memset(space, filling == 2 ? 0xff : 0, bytes);
            buffer_poison(t.out);
            assert_int_equal(attn_forward(&t.p, space, bytes), ATTN_OK);
            assert_same_bits(t.out, out, problem_outputs(&t), "out");
        }
        assert_true(buffers_intact());
        buffer_free(space);
    }
}

/* One byte less, or none: a status, and nothing written. One byte more is no harm. */
static void workspace_too_small(void **state) {
    (void)state;
    problem t = some_problem();
    const size_t bytes = workspace_size(&t);
    void *space = buffer_at(bytes, 0);
    buffers_freeze();
    assert_int_equal(attn_forward(&t.p, space, bytes - 1), ATTN_WORKSPACE);
    assert_int_equal(attn_forward(&t.p, space, 0), ATTN_WORKSPACE);
    assert_int_equal(attn_forward(&t.p, NULL, bytes), ATTN_WORKSPACE);
    assert_int_equal(attn_forward(&t.p, NULL, 0), ATTN_WORKSPACE);
    assert_true(buffers_intact());
    buffer_thaw(t.out), buffer_thaw(t.lse), buffer_thaw(space);
    assert_int_equal(attn_forward(&t.p, space, bytes + 1), ATTN_OK);
}

/* The workspace grows with the widths and the threads, never with the lengths. */
static void workspace_is_of_tiles(void **state) {
    (void)state;
    attn_params p;
    size_t small = 0, large = 0;
    attn_defaults(&p, 1, 1, 1, 64);
    p.isa = suite_isa;
    p.threads = 1;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &small), ATTN_OK);
    assert_true(small > 0 && small < 200000);
    p.batch = 7, p.query_length = p.key_length = 1000000;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &large), ATTN_OK);
    assert_true(large == small);
}

/* Few queries: a part for each chunk of keys, of the size of the queries; what size_t cannot hold is said. */
static void workspace_of_parts(void **state) {
    (void)state;
    attn_params p;
    size_t one = 0, many = 0;
    attn_defaults(&p, 1, 8, 1, 64);
    p.isa = suite_isa;
    p.threads = 1;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &one), ATTN_OK);
    p.key_length = 1 << 20;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &many), ATTN_OK);
    assert_true(many > one && many - one < (size_t)p.key_length * 8);
    p.query_length = 1000;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &many), ATTN_OK);
    assert_true(many == one);

    /* Every head reads the same key, so that only the parts are large. */
    p.query_length = 1, p.key_length = INT32_MAX, p.query_heads = INT32_MAX, p.kv_heads = 1;
    p.head_dim = p.value_dim = 1, p.batch = INT32_MAX / 2;
    const ptrdiff_t none[3] = {0, 0, 1};
    memcpy(p.k_stride, none, sizeof none);
    memcpy(p.v_stride, none, sizeof none);
    const attn_status fits = attn_check(&p, NULL);
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &many),
                     fits == ATTN_OK ? ATTN_SIZE : fits);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(number_of_threads),   TEST(without_lse),           TEST(workspace),
        TEST(workspace_too_small), TEST(workspace_is_of_tiles), TEST(workspace_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
