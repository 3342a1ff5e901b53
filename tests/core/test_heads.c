/*
 * test_heads.c - multi-head attention with projections against the formula in double: widths, biases,
 * rotation, groups, cross-attention, the cache, every intermediate, and the numbers of public reports.
 *
 * |a - b| <= t + t |b| with t = 1e-5.
 */
#include "buffers.h"
#include "layer.h"
#include "rng.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t product(int a, int b, int c, int d) {
    return (size_t)a * (size_t)b * (size_t)c * (size_t)d;
}

static void check(layer *l) {
    attn_mha_params *m = &l->m;
    const attn_params *p = &m->attention;
    answer a = layer_answer(m);
    layer_run(m, NULL, NULL);
    if (m->wo) layer_compare("out", m->out, a.out, l->outputs, 1e-5);
    const size_t rows = product(p->batch, p->query_length, 1, 1);
    const size_t keys = product(p->batch, p->key_length, 1, 1);
    const size_t concat = rows * (size_t)(p->query_heads * p->value_dim);
    if (!m->wo) layer_compare("out", m->out, a.concat, concat, 1e-5);
    if (m->q) {
        layer_compare("q", m->q, a.q, rows * (size_t)(p->query_heads * p->head_dim), 1e-5);
        layer_compare("k", m->k, a.k, keys * (size_t)(p->kv_heads * p->head_dim), 1e-5);
        layer_compare("v", m->v, a.v, keys * (size_t)(p->kv_heads * p->value_dim), 1e-5);
        layer_compare("concat", m->concat, a.concat, concat, 1e-5);
    }
    answer_free(&a);
}

static void add_options(attn_params *p) {
    p->causal = rng_below(3);
    if (rng_chance(0.3)) p->softcap = 1.5f;
    if (rng_chance(0.3)) p->scale = 0.3f;
    if (rng_chance(0.3)) p->dropout = 0.25f, p->seed = rng_bits();
    if (rng_chance(0.3)) {
        float *slopes = buffer_floats((size_t)p->query_heads);
        assert_int_equal(attn_alibi_slopes(slopes, p->query_heads), ATTN_OK);
        p->alibi_slopes = slopes;
    }
    if (rng_chance(0.3)) {
        uint8_t *mask = buffer_bytes(product(p->batch, p->key_length, 1, 1));
        for (int n = 0; n < p->batch * p->key_length; n++) mask[n] = (uint8_t)rng_chance(0.8);
        p->key_mask = mask;
        p->key_mask_stride[0] = p->key_length, p->key_mask_stride[1] = 1;
    }
    if (rng_chance(0.3)) p->bias = layer_normals((size_t)p->query_heads, 1), p->bias_stride[1] = 1;
}

/* Batches, heads and lengths that all differ; every option now and then. */
static void formula(void **state) {
    (void)state;
    for (int round = 0; round < 120; round++) {
        const int Hk = 1 + rng_below(3), Hq = Hk * (1 + rng_below(3)), D = 1 + rng_below(9);
        const int Tq = 1 + rng_below(round % 10 == 0 ? 120 : 9), Tk = 1 + rng_below(70);
        layer l = layer_of(1 + rng_below(3), Hq, Hk, Tq, Tk, D, 1 + rng_below(9), round % 2);
        add_options(&l.m.attention);
        if (round % 3 && D > 1) {
            layer_rotation(&l.m, 2 * (1 + rng_below(D / 2)), round & 1, round >> 2 & 1);
        }
        if (round % 5 == 0) {
            l.m.wo = NULL; /* the concatenation itself */
            l.m.out = buffer_floats(product(l.m.attention.batch, Tq, Hq, l.m.attention.value_dim));
        }
        if (round % 4 < 2) layer_intermediates(&l.m);
        check(&l);
        buffers_release();
    }
}

/* Each intermediate alone, or none: the same bits. */
static void intermediates_are_optional(void **state) {
    (void)state;
    layer l = layer_of(2, 6, 3, 7, 11, 4, 5, 1);
    layer_rotation(&l.m, 4, 0, 0);
    const attn_mha_params plain = l.m;
    layer_intermediates(&l.m);
    const attn_mha_params all = l.m;
    layer_run(&l.m, NULL, NULL);
    float *out = buffer_copy(l.m.out, l.outputs);
    float *k = buffer_copy(l.m.k, product(2, 11, 3, 4));
    for (int n = 0; n < 16; n++) {
        l.m = plain;
        if (n & 1) l.m.q = all.q;
        if (n & 2) l.m.k = all.k;
        if (n & 4) l.m.v = all.v;
        if (n & 8) l.m.concat = all.concat;
        layer_run(&l.m, NULL, NULL);
        assert_same_bits(l.m.out, out, l.outputs, "out");
        if (n & 2) assert_same_bits(l.m.k, k, product(2, 11, 3, 4), "k");
    }
    /* Threads change no bit either. */
    l.m = plain;
    for (l.m.attention.threads = 0; l.m.attention.threads <= 3; l.m.attention.threads++) {
        layer_run(&l.m, NULL, NULL);
        assert_same_bits(l.m.out, out, l.outputs, "out");
    }
}

/* A workspace one byte too small, or none: refused, and nothing written. */
static void workspace(void **state) {
    (void)state;
    layer l = layer_of(2, 4, 2, 3, 5, 4, 3, 1);
    size_t bytes = 0, sized_before = 0;
    assert_int_equal(attn_mha_workspace_size(&l.m, NULL, &bytes), ATTN_OK);
    attn_mha_params unbound = l.m;
    unbound.query = unbound.key = unbound.value = NULL;
    unbound.out = NULL;
    assert_int_equal(attn_mha_workspace_size(&unbound, NULL, &sized_before), ATTN_OK);
    assert_true(sized_before == bytes); /* sizes before memory */
    void *space = buffer_at(bytes, 0);
    buffers_freeze();
    assert_int_equal(attn_mha_forward(&l.m, NULL, NULL, space, bytes - 1), ATTN_WORKSPACE);
    assert_int_equal(attn_mha_forward(&l.m, NULL, NULL, NULL, bytes), ATTN_WORKSPACE);
    assert_true(buffers_intact());
    assert_int_equal(attn_mha_workspace_size(&l.m, NULL, NULL), ATTN_NULL);

    l.m.wo = NULL;
    unbound = l.m;
    unbound.out = NULL;
    assert_int_equal(attn_mha_workspace_size(&l.m, NULL, &bytes), ATTN_OK);
    assert_int_equal(attn_mha_workspace_size(&unbound, NULL, &sized_before), ATTN_OK);
    assert_true(sized_before == bytes);
}

/* No key: zeros and the output's bias. No row, no batch: nothing. */
static void empty_sizes(void **state) {
    (void)state;
    static const int sizes[][3] = {{2, 3, 0}, {2, 0, 3}, {0, 3, 3}, {2, 0, 0}, {1, 3, 0}};
    for (size_t n = 0; n < COUNT(sizes); n++) {
        for (int rotated = 0; rotated <= 1; rotated++) {
            layer l = layer_of(sizes[n][0], 4, 2, sizes[n][1], sizes[n][2], 4, 3, 1);
            if (rotated) layer_rotation(&l.m, 4, 0, 0);
            layer_intermediates(&l.m);
            check(&l);
            buffers_release();
        }
    }
}

/* Heads are merged by columns, and projected: [[1,2],[3,4]] and [[5,6],[7,8]] with Wo the identity. */
static void merged_by_columns(void **state) {
    (void)state;
    const float identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float zero[16] = {0}, value[] = {1, 2, 5, 6, 3, 4, 7, 8};
    attn_mha_params m;
    attn_mha_defaults(&m, 1, 2, 2, 2);
    m.attention.isa = suite_isa;
    m.attention.threads = 1;
    m.attention.window_left = m.attention.window_right = 0; /* each row sees itself */
    m.query = m.key = zero, m.value = value;
    m.wq = m.wk = m.wv = m.wo = identity;
    m.out = buffer_floats(8);
    layer_run(&m, NULL, NULL);
    assert_same_bits(m.out, value, 8, "out");

    /* Two samples: the first never sees the second. */
    attn_mha_defaults(&m, 2, 1, 2, 1);
    m.attention.isa = suite_isa;
    const float samples[] = {1, 1, 100, 100};
    m.query = m.key = m.value = samples;
    m.wq = m.wk = m.wv = m.wo = identity;
    m.out = buffer_floats(4);
    layer_run(&m, NULL, NULL);
    assert_same_bits(m.out, samples, 4, "out");
}

/* 48 query heads on 2: heads 0 to 23 read the first, whatever the tiles. */
static void groups(void **state) {
    (void)state;
    attn_mha_params m;
    attn_mha_defaults(&m, 1, 48, 1, 1);
    m.attention.kv_heads = 2;
    m.attention.isa = suite_isa;
    m.query_width = m.key_width = m.value_width = 1;
    const float one = 1, values[] = {10, 20}, weights[48] = {0};
    m.query = m.key = m.value = &one;
    m.wq = m.wk = weights, m.wv = values;
    m.out = buffer_floats(48);
    layer_run(&m, NULL, NULL);
    for (int h = 0; h < 48; h++) assert_true(m.out[h] == (h < 24 ? 10 : 20));
}

/* Eight heads of the identity, as a public suite prints them: rounded, in float16. */
static void printed_identity(void **state) {
    (void)state;
    static const double printed[] = {2.4072254058328904, 2.4394467184520647, 2.471668031071239,
                                     2.503889343690413,  2.536110656309587,  2.568331968928762,
                                     2.6005532815479357, 2.63277459416711};
    attn_mha_params m;
    attn_mha_defaults(&m, 1, 8, 8, 8);
    m.attention.isa = suite_isa;
    m.query_width = m.key_width = m.value_width = m.output_width = 8;
    float identity[64] = {0}, value[64], w[8 * 64] = {0}, wo[64 * 8] = {0};
    for (int n = 0; n < 64; n++) value[n] = (float)n / 100;
    for (int n = 0; n < 8; n++) {
        identity[n * 9] = 1;
        for (int h = 0; h < 8; h++) w[n * 64 + h * 8 + n] = 1;
        for (int h = 0; h < 8; h++) wo[(h * 8 + n) * 8 + h] = 1;
    }
    m.query = m.key = identity, m.value = value;
    m.wq = m.wk = m.wv = w, m.wo = wo;
    m.out = buffer_floats(64);
    layer_run(&m, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        for (int c = 0; c < 8; c++) layer_compare("out", m.out + i * 8 + c, printed + i, 1, 1e-5);
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(formula),          TEST(intermediates_are_optional), TEST(workspace),
        TEST(empty_sizes),      TEST(merged_by_columns),          TEST(groups),
        TEST(printed_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
