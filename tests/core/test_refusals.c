/*
 * test_refusals.c - the structures besides attn_params: every bad field of attn_rope_params, attn_cache,
 * attn_mha_params and attn_gradients is named, and a call that fails has written nothing.
 */
#include "buffers.h"
#include "gradients.h"
#include "layer.h"
#include "suite.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct fault {
    const char *what;
    void (*spoil)(void *structure);
    attn_status status;
    const char *field;
} fault;

#define FAULT(name, status, field) {#name, name, status, field}

/* A function that spoils *x, a structure of the type. */
#define SPOIL(type, name, ...)                                                                     \
    static void name(void *structure) {                                                            \
        type *x = structure;                                                                       \
        __VA_ARGS__;                                                                               \
    }

static void strides(ptrdiff_t *s, ptrdiff_t batch, ptrdiff_t head, ptrdiff_t row) {
    s[0] = batch, s[1] = head, s[2] = row;
}

static void judge(const fault *f, attn_status status, const char *field) {
    if (status != f->status || !field || strcmp(field, f->field) != 0) {
        fail_msg("%s: %s, field %s", f->what, attn_status_string(status), field ? field : "none");
    }
    if (!buffers_intact()) fail_msg("%s: written", f->what);
}

SPOIL(attn_rope_params, rope_size_zero, x->size = 0)
SPOIL(attn_rope_params, rope_batch_negative, x->batch = -1)
SPOIL(attn_rope_params, rope_heads_zero, x->heads = 0)
SPOIL(attn_rope_params, rope_length_negative, x->length = -1)
SPOIL(attn_rope_params, rope_head_dim_zero, x->head_dim = 0)
SPOIL(attn_rope_params, rope_too_large, x->batch = x->heads = x->length = INT_MAX)
SPOIL(attn_rope_params, rope_x_row_short, strides(x->x_stride, 60, 20, 3))
SPOIL(attn_rope_params, rope_x_negative, strides(x->x_stride, 60, -20, 4))
SPOIL(attn_rope_params, rope_out_row_short, strides(x->out_stride, 60, 20, 3))
SPOIL(attn_rope_params, rope_out_heads_equal, strides(x->out_stride, 60, 4, 4))
SPOIL(attn_rope_params, rope_out_far, strides(x->out_stride, PTRDIFF_MAX, 20, 4))
SPOIL(attn_rope_params, rope_table_batch_negative, x->table_stride[0] = -1)
SPOIL(attn_rope_params, rope_table_row_negative, x->table_stride[1] = -1)
SPOIL(attn_rope_params, rope_table_far, x->table_stride[0] = PTRDIFF_MAX)
SPOIL(attn_rope_params, rope_rotary_zero, x->rotary_dim = 0)
SPOIL(attn_rope_params, rope_rotary_odd, x->rotary_dim = 3)
SPOIL(attn_rope_params, rope_rotary_wide, x->rotary_dim = 6)
SPOIL(attn_rope_params, rope_interleaved_two, x->interleaved = 2)
SPOIL(attn_rope_params, rope_inverse_two, x->inverse = -1)
SPOIL(attn_rope_params, rope_x_null, x->x = NULL)
SPOIL(attn_rope_params, rope_out_null, x->out = NULL)
SPOIL(attn_rope_params, rope_cos_null, x->cos = NULL)
SPOIL(attn_rope_params, rope_sin_null, x->sin = NULL)

static const fault ROPE_FAULTS[] = {
    FAULT(rope_size_zero, ATTN_VERSION_MISMATCH, "size"),
    FAULT(rope_batch_negative, ATTN_SIZE, "batch"),
    FAULT(rope_heads_zero, ATTN_SIZE, "heads"),
    FAULT(rope_length_negative, ATTN_SIZE, "length"),
    FAULT(rope_head_dim_zero, ATTN_SIZE, "head_dim"),
    FAULT(rope_too_large, ATTN_SIZE, "x"),
    FAULT(rope_x_row_short, ATTN_STRIDE, "x_stride"),
    FAULT(rope_x_negative, ATTN_STRIDE, "x_stride"),
    FAULT(rope_out_row_short, ATTN_STRIDE, "out_stride"),
    FAULT(rope_out_heads_equal, ATTN_STRIDE, "out_stride"),
    FAULT(rope_out_far, ATTN_STRIDE, "out_stride"),
    FAULT(rope_table_batch_negative, ATTN_STRIDE, "table_stride"),
    FAULT(rope_table_row_negative, ATTN_STRIDE, "table_stride"),
    FAULT(rope_table_far, ATTN_STRIDE, "table_stride"),
    FAULT(rope_rotary_zero, ATTN_RANGE, "rotary_dim"),
    FAULT(rope_rotary_odd, ATTN_RANGE, "rotary_dim"),
    FAULT(rope_rotary_wide, ATTN_RANGE, "rotary_dim"),
    FAULT(rope_interleaved_two, ATTN_RANGE, "interleaved"),
    FAULT(rope_inverse_two, ATTN_RANGE, "inverse"),
    FAULT(rope_x_null, ATTN_NULL, "x"),
    FAULT(rope_out_null, ATTN_NULL, "out"),
    FAULT(rope_cos_null, ATTN_NULL, "cos"),
    FAULT(rope_sin_null, ATTN_NULL, "sin"),
};

static void rope(void **state) {
    (void)state;
    attn_rope_params good;
    attn_rope_defaults(&good, 2, 3, 5, 4);
    good.x = buffer_floats(120);
    good.out = buffer_floats(120);
    good.cos = buffer_floats(10);
    good.sin = buffer_floats(10);
    buffers_freeze();
    for (size_t n = 0; n < COUNT(ROPE_FAULTS); n++) {
        attn_rope_params r = good;
        ROPE_FAULTS[n].spoil(&r);
        const char *field = "untouched";
        const attn_status status = attn_rope(&r, &field);
        judge(&ROPE_FAULTS[n], status, field);
        assert_int_equal(attn_rope(&r, NULL), status);
    }
    const char *field = NULL;
    assert_int_equal(attn_rope(NULL, &field), ATTN_NULL);
    assert_string_equal(field, "rope");

    /* An odd head size has no whole pairs: the default refuses, a smaller rotary_dim will do. */
    attn_rope_params odd;
    attn_rope_defaults(&odd, 1, 1, 1, 5);
    assert_int_equal(attn_rope(&odd, &field), ATTN_RANGE);
    assert_string_equal(field, "rotary_dim");

    float *table = buffer_floats(4);
    const int32_t positions[] = {0, 1};
    buffers_freeze();
    assert_int_equal(attn_rope_table(table, table, positions, -1, 4, 10000), ATTN_SIZE);
    assert_int_equal(attn_rope_table(table, table, positions, 2, 3, 10000), ATTN_SIZE);
    assert_int_equal(attn_rope_table(table, table, positions, 2, 0, 10000), ATTN_SIZE);
    assert_int_equal(attn_rope_table(table, table, positions, 2, 4, 0), ATTN_RANGE);
    assert_int_equal(attn_rope_table(table, table, positions, 2, 4, NAN), ATTN_RANGE);
    assert_int_equal(attn_rope_table(NULL, table, positions, 2, 4, 10000), ATTN_NULL);
    assert_int_equal(attn_rope_table(table, NULL, positions, 2, 4, 10000), ATTN_NULL);
    assert_int_equal(attn_rope_table(table, table, NULL, 2, 4, 10000), ATTN_NULL);
    assert_int_equal(attn_rope_table(NULL, NULL, NULL, 0, 4, 10000), ATTN_OK);
    assert_true(buffers_intact());
}

/* A cache names no field: its status says enough. */
static void cache(void **state) {
    (void)state;
    float *k = buffer_floats(2 * 2 * 5 * 3), *v = buffer_floats(2 * 2 * 5 * 4);
    int32_t *lengths = buffer_ints(2), *positions = buffer_ints(2);
    lengths[0] = positions[0] = 3, lengths[1] = 2, positions[1] = 9;
    const attn_cache good = {sizeof good, 2, 2, 3, 4, 5, 0, k, v, lengths, positions};
    int32_t negative[] = {-1, 0}, early[] = {3, 1};
    float *source = buffer_floats(100);
    const ptrdiff_t none[3] = {0}, narrow[3] = {30, 15, 2}, minus[3] = {-12, 6, 3};
    buffers_freeze();
    for (int n = 0; n < 16; n++) {
        attn_cache c = good;
        attn_status expected = ATTN_SIZE;
        switch (n) {
        case 0: c.size = 0, expected = ATTN_VERSION_MISMATCH; break;
        case 1: c.batch = -1; break;
        case 2: c.kv_heads = 0; break;
        case 3: c.head_dim = 0; break;
        case 4: c.value_dim = -4; break;
        case 5: c.capacity = 0; break;
        case 6: c.kv_heads = c.capacity = c.head_dim = INT_MAX; break;
        case 7: c.kv_heads = c.capacity = c.value_dim = INT_MAX; break;
        case 8: c.k = NULL, expected = ATTN_NULL; break;
        case 9: c.v = NULL, expected = ATTN_NULL; break;
        case 10: c.lengths = NULL, expected = ATTN_NULL; break;
        case 11: c.positions = NULL, expected = ATTN_NULL; break;
        case 12: c.capacity = 2, expected = ATTN_RANGE; break; /* fewer than are present */
        case 13: c.lengths = positions, expected = ATTN_RANGE; break;
        case 14: c.lengths = negative, expected = ATTN_RANGE; break;
        case 15: c.positions = early, expected = ATTN_RANGE; break; /* before its keys */
        }
        assert_int_equal(attn_cache_append(&c, 1, source, none, source, none, NULL), expected);
        assert_int_equal(attn_cache_truncate(&c, 1), expected);
        assert_true(buffers_intact());
    }
    assert_int_equal(attn_cache_append(NULL, 1, source, none, source, none, NULL), ATTN_NULL);
    assert_int_equal(attn_cache_truncate(NULL, 1), ATTN_NULL);
    assert_int_equal(attn_cache_append(&good, -1, source, none, source, none, NULL), ATTN_SIZE);
    assert_int_equal(attn_cache_truncate(&good, -1), ATTN_SIZE);
    assert_int_equal(attn_cache_append(&good, 1, NULL, none, source, none, NULL), ATTN_NULL);
    assert_int_equal(attn_cache_append(&good, 1, source, none, NULL, none, NULL), ATTN_NULL);
    assert_int_equal(attn_cache_append(&good, 1, source, NULL, source, none, NULL), ATTN_NULL);
    assert_int_equal(attn_cache_append(&good, 1, source, none, source, NULL, NULL), ATTN_NULL);
    assert_int_equal(attn_cache_append(&good, 2, source, narrow, source, none, NULL), ATTN_STRIDE);
    assert_int_equal(attn_cache_append(&good, 1, source, none, source, minus, NULL), ATTN_STRIDE);
    assert_true(buffers_intact());
}

SPOIL(attn_mha_params, mha_size_zero, x->size = 0)
SPOIL(attn_mha_params, mha_attention_size, x->attention.size--)
SPOIL(attn_mha_params, mha_heads_uneven, x->attention.query_heads = 5)
SPOIL(attn_mha_params, mha_scale_nan, x->attention.scale = NAN)
SPOIL(attn_mha_params, mha_isa_unknown, x->attention.isa = ATTN_ISA_COUNT)
SPOIL(attn_mha_params, mha_query_width_zero, x->query_width = 0)
SPOIL(attn_mha_params, mha_key_width_negative, x->key_width = -1)
SPOIL(attn_mha_params, mha_value_width_zero, x->value_width = 0)
SPOIL(attn_mha_params, mha_output_width_zero, x->output_width = 0)
SPOIL(attn_mha_params, mha_columns_many, x->attention.query_heads = x->attention.kv_heads = 1 << 16;
      x->attention.head_dim = 1 << 16)
SPOIL(attn_mha_params, mha_values_many, x->attention.query_heads = x->attention.kv_heads = 1 << 16;
      x->attention.value_dim = 1 << 16)
SPOIL(attn_mha_params, mha_rotary_odd, x->rotary_dim = 3)
SPOIL(attn_mha_params, mha_rotary_negative, x->rotary_dim = -2)
SPOIL(attn_mha_params, mha_rotary_wide, x->rotary_dim = 6)
SPOIL(attn_mha_params, mha_interleaved_two, x->interleaved = 2)
SPOIL(attn_mha_params, mha_q_table_negative, x->q_table_stride[1] = -1)
SPOIL(attn_mha_params, mha_q_table_far, x->q_table_stride[0] = PTRDIFF_MAX)
SPOIL(attn_mha_params, mha_k_table_negative, x->k_table_stride[0] = -1)

static const fault MHA_FAULTS[] = {
    FAULT(mha_size_zero, ATTN_VERSION_MISMATCH, "size"),
    FAULT(mha_attention_size, ATTN_VERSION_MISMATCH, "size"),
    FAULT(mha_heads_uneven, ATTN_HEADS, "query_heads"),
    FAULT(mha_scale_nan, ATTN_RANGE, "scale"),
    FAULT(mha_isa_unknown, ATTN_ISA, "isa"),
    FAULT(mha_query_width_zero, ATTN_SIZE, "query_width"),
    FAULT(mha_key_width_negative, ATTN_SIZE, "key_width"),
    FAULT(mha_value_width_zero, ATTN_SIZE, "value_width"),
    FAULT(mha_output_width_zero, ATTN_SIZE, "output_width"),
    FAULT(mha_columns_many, ATTN_SIZE, "head_dim"),
    FAULT(mha_values_many, ATTN_SIZE, "value_dim"),
    FAULT(mha_rotary_odd, ATTN_RANGE, "rotary_dim"),
    FAULT(mha_rotary_negative, ATTN_RANGE, "rotary_dim"),
    FAULT(mha_rotary_wide, ATTN_RANGE, "rotary_dim"),
    FAULT(mha_interleaved_two, ATTN_RANGE, "interleaved"),
    FAULT(mha_q_table_negative, ATTN_STRIDE, "q_table_stride"),
    FAULT(mha_q_table_far, ATTN_STRIDE, "q_table_stride"),
    FAULT(mha_k_table_negative, ATTN_STRIDE, "k_table_stride"),
};

static void mha(void **state) {
    (void)state;
    layer l = layer_of(2, 4, 2, 3, 5, 4, 3, 1);
    layer_rotation(&l.m, 4, 0, 1);
    layer_intermediates(&l.m);
    void *workspace = buffer_at(1 << 16, 0);
    buffers_freeze();
    for (size_t n = 0; n < COUNT(MHA_FAULTS); n++) {
        attn_mha_params m = l.m;
        MHA_FAULTS[n].spoil(&m);
        const char *field = "untouched";
        const attn_status status = attn_mha_check(&m, &field);
        judge(&MHA_FAULTS[n], status, field);
        size_t bytes = 12345;
        assert_int_equal(attn_mha_check(&m, NULL), status);
        assert_int_equal(attn_mha_workspace_size(&m, NULL, &bytes), status);
        assert_int_equal(attn_mha_forward(&m, NULL, NULL, workspace, 1 << 16), status);
        assert_true(bytes == 12345 && buffers_intact());
    }
    const char *field = NULL;
    assert_int_equal(attn_mha_check(NULL, &field), ATTN_NULL);
    assert_string_equal(field, "mha");
    assert_int_equal(attn_mha_check(&l.m, &field), ATTN_OK);
    assert_null(field);

    /* Required pointers, each in turn. */
    for (int n = 0; n < 11; n++) {
        attn_mha_params m = l.m;
        const float **const inputs[] = {&m.query, &m.key,   &m.value, &m.wq,    &m.wk,
                                        &m.wv,    &m.q_cos, &m.q_sin, &m.k_cos, &m.k_sin};
        if (n < 10) *inputs[n] = NULL;
        if (n == 10) m.out = NULL;
        assert_int_equal(attn_mha_check(&m, NULL), ATTN_OK);
        assert_int_equal(attn_mha_forward(&m, NULL, NULL, workspace, 1 << 16), ATTN_NULL);
        assert_true(buffers_intact());
    }
}

SPOIL(attn_gradients, gradients_size_zero, x->size = 0)
SPOIL(attn_gradients, gradients_dout_row_short, strides(x->dout_stride, 120, 30, 5))
SPOIL(attn_gradients, gradients_dout_broadcast, strides(x->dout_stride, 0, 0, 6))
SPOIL(attn_gradients, gradients_dq_row_short, strides(x->dq_stride, 60, 15, 2))
SPOIL(attn_gradients, gradients_dq_heads_equal, strides(x->dq_stride, 60, 3, 3))
SPOIL(attn_gradients, gradients_dk_heads_inside, strides(x->dk_stride, 42, 20, 3))
SPOIL(attn_gradients, gradients_dv_negative, strides(x->dv_stride, 84, 42, -6))
SPOIL(attn_gradients, gradients_dv_batch_inside, strides(x->dv_stride, 83, 42, 6))
SPOIL(attn_gradients, gradients_dbias_of_nothing, x->dbias = x->dq)
SPOIL(attn_gradients, gradients_dq_missing, x->dq = NULL)
SPOIL(attn_gradients, gradients_dk_missing, x->dk = NULL)
SPOIL(attn_gradients, gradients_dv_missing, x->dv = NULL)
SPOIL(attn_gradients, gradients_only_dv, x->dq = x->dk = NULL)
SPOIL(attn_gradients, gradients_nothing_asked, x->dq = x->dk = x->dv = NULL)
SPOIL(attn_gradients, gradients_dout_missing, x->dout = NULL)

static const fault GRADIENTS_FAULTS[] = {
    FAULT(gradients_size_zero, ATTN_VERSION_MISMATCH, "size"),
    FAULT(gradients_dout_row_short, ATTN_STRIDE, "dout_stride"),
    FAULT(gradients_dout_broadcast, ATTN_STRIDE, "dout_stride"),
    FAULT(gradients_dq_row_short, ATTN_STRIDE, "dq_stride"),
    FAULT(gradients_dq_heads_equal, ATTN_STRIDE, "dq_stride"),
    FAULT(gradients_dk_heads_inside, ATTN_STRIDE, "dk_stride"),
    FAULT(gradients_dv_negative, ATTN_STRIDE, "dv_stride"),
    FAULT(gradients_dv_batch_inside, ATTN_STRIDE, "dv_stride"),
    FAULT(gradients_dbias_of_nothing, ATTN_CONFLICT, "dbias"),
    FAULT(gradients_dq_missing, ATTN_NULL, "dq"),
    FAULT(gradients_dk_missing, ATTN_NULL, "dk"),
    FAULT(gradients_dv_missing, ATTN_NULL, "dv"),
    FAULT(gradients_only_dv, ATTN_NULL, "dq"),
    FAULT(gradients_nothing_asked, ATTN_NULL, "dq"),
    FAULT(gradients_dout_missing, ATTN_NULL, "dout"),
};

static void backward_refusals(void **state) {
    (void)state;
    backward w = backward_of(problem_of((dims){2, 4, 2, 5, 7, 3, 6}));
    problem_forward(&w.t);
    void *workspace = buffer_at(1 << 20, 0);
    buffers_freeze();
    for (size_t n = 0; n < COUNT(GRADIENTS_FAULTS); n++) {
        attn_gradients g = w.g;
        GRADIENTS_FAULTS[n].spoil(&g);
        const char *field = "untouched";
        const attn_status status = attn_backward(&w.t.p, &g, workspace, 1 << 20, &field);
        judge(&GRADIENTS_FAULTS[n], status, field);
        assert_int_equal(attn_backward(&w.t.p, &g, workspace, 1 << 20, NULL), status);
    }
    static const char *const names[] = {"q", "k", "v", "out", "lse"};
    for (int n = 0; n < 5; n++) {
        attn_params p = w.t.p;
        if (n == 0) p.q = NULL;
        if (n == 1) p.k = NULL;
        if (n == 2) p.v = NULL;
        if (n == 3) p.out = NULL;
        if (n == 4) p.lse = NULL;
        const char *field = NULL;
        assert_int_equal(attn_backward(&p, &w.g, workspace, 1 << 20, &field), ATTN_NULL);
        assert_string_equal(field, names[n]);
    }
    const char *field = NULL;
    assert_int_equal(attn_backward(NULL, &w.g, workspace, 1 << 20, &field), ATTN_NULL);
    assert_string_equal(field, "params");
    assert_int_equal(attn_backward(&w.t.p, NULL, workspace, 1 << 20, &field), ATTN_NULL);
    assert_string_equal(field, "gradients");
    attn_params p = w.t.p;
    p.dropout = 2;
    assert_int_equal(attn_backward(&p, &w.g, workspace, 1 << 20, &field), ATTN_RANGE);
    assert_string_equal(field, "dropout");
    assert_true(buffers_intact());
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(rope),
        TEST(cache),
        TEST(mha),
        TEST(backward_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
