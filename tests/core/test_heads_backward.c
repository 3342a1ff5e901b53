/*
 * test_heads_backward.c - the gradients of multi-head attention, every number of every weight, bias and
 * input, against central differences of the layer in double.
 */
#include "buffers.h"
#include "layer.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Everything that a gradient is asked for, in the order of attn_mha_gradients. */
#define TARGETS 12

typedef struct target {
    const char *name;
    const float *x; /* what is differentiated, or NULL where the layer has none */
    float *dx;
    size_t count;
} target;

typedef struct training {
    layer l;
    attn_mha_gradients g;
    float *dout;
    target targets[TARGETS];
} training;

static size_t product(int a, int b, int c) { return (size_t)a * (size_t)b * (size_t)c; }

/* Results are poison until a run. */
static training training_of(layer l) {
    training t = {.l = l};
    attn_mha_params *m = &t.l.m;
    const attn_params *p = &m->attention;
    const int q = p->query_heads * p->head_dim, k = p->kv_heads * p->head_dim;
    const int v = p->kv_heads * p->value_dim, all = p->query_heads * p->value_dim;
    const size_t bias = p->bias ? (size_t)p->query_heads : 0;
    const size_t out = m->wo ? product(1, 1, m->output_width) : 0;
    layer_intermediates(m);
    m->lse = buffer_floats(product(p->batch, p->query_heads, p->query_length));
    attn_mha_gradients_defaults(&t.g);
    const target targets[TARGETS] = {
        {"dquery", m->query, NULL, product(p->batch, p->query_length, m->query_width)},
        {"dkey", m->key, NULL, product(p->batch, p->key_length, m->key_width)},
        {"dvalue", m->value, NULL, product(p->batch, p->key_length, m->value_width)},
        {"dwq", m->wq, NULL, product(1, m->query_width, q)},
        {"dwk", m->wk, NULL, product(1, m->key_width, k)},
        {"dwv", m->wv, NULL, product(1, m->value_width, v)},
        {"dwo", m->wo, NULL, product(1, all, m->wo ? m->output_width : 0)},
        {"dbq", m->bq, NULL, product(1, 1, q)},
        {"dbk", m->bk, NULL, product(1, 1, k)},
        {"dbv", m->bv, NULL, product(1, 1, v)},
        {"dbo", m->bo, NULL, out},
        {"dbias", p->bias, NULL, bias},
    };
    memcpy(t.targets, targets, sizeof targets);
    float **const results[TARGETS] = {&t.g.dquery, &t.g.dkey, &t.g.dvalue, &t.g.dwq,
                                      &t.g.dwk,    &t.g.dwv,  &t.g.dwo,    &t.g.dbq,
                                      &t.g.dbk,    &t.g.dbv,  &t.g.dbo,    &t.g.dbias};
    for (int n = 0; n < TARGETS; n++) {
        if (!targets[n].x) continue;
        *results[n] = t.targets[n].dx = buffer_floats(targets[n].count);
    }
    const int width = m->wo ? m->output_width : all;
    t.dout = layer_normals(product(p->batch, p->query_length, width), 1);
    t.g.dout = t.dout;
    return t;
}

/* Backward alone, with a workspace of exactly the size asked for, at any alignment. */
static void again(training *t) {
    size_t bytes = 0;
    assert_int_equal(attn_mha_backward_workspace_size(&t->l.m, &bytes), ATTN_OK);
    buffers_freeze();
    for (int n = 0; n < TARGETS; n++) {
        if (!t->targets[n].dx) continue;
        buffer_poison(t->targets[n].dx);
        buffer_thaw(t->targets[n].dx);
    }
    void *workspace = buffer_at(bytes, (size_t)rng_below(64));
    const char *field = "untouched";
    const attn_status status = attn_mha_backward(&t->l.m, &t->g, workspace, bytes, &field);
    if (status != ATTN_OK) fail_msg("%s, %s", attn_status_string(status), field);
    assert_true(buffers_intact());
    buffer_free(workspace);
}

static void run(training *t) {
    layer_run(&t->l.m, NULL, NULL);
    again(t);
}

/* The loss sum(dout * out), in double. */
static double loss_of(const training *t) {
    const attn_mha_params *m = &t->l.m;
    const attn_params *p = &m->attention;
    answer a = layer_answer(m);
    const int width = m->wo ? m->output_width : p->query_heads * p->value_dim;
    const double *out = m->wo ? a.out : a.concat;
    double loss = 0;
    for (size_t n = 0; n < product(p->batch, p->query_length, width); n++) {
        loss += (double)t->dout[n] * out[n];
    }
    answer_free(&a);
    return loss;
}

/* Differences of fourth order around *x; the steps are exact in float. */
static double difference(const training *t, float *x) {
    const float before = *x, step = 0x1p-8f;
    double loss[5] = {0}, place[5] = {0};
    for (int n = 0; n < 5; n++) {
        *x = before + (float)(n - 2) * step;
        place[n] = (double)*x;
        if (n != 2) loss[n] = loss_of(t);
    }
    *x = before;
    const double near = (loss[3] - loss[1]) / (place[3] - place[1]);
    const double far = (loss[4] - loss[0]) / (place[4] - place[0]);
    return (4 * near - far) / 3;
}

static void check(training *t) {
    run(t);
    for (int n = 0; n < TARGETS; n++) {
        const target *it = &t->targets[n];
        for (size_t i = 0; it->dx && i < it->count; i++) {
            /* Inputs of a layer are const to it, not to the test. */
            const double expected = difference(t, (float *)(uintptr_t)&it->x[i]);
            const double error = fabs((double)it->dx[i] - expected);
            if (!(error <= 3e-5 * fmax(1, fabs(expected)))) {
                fail_msg("%s[%zu] is %g, not %g", it->name, i, (double)it->dx[i], expected);
            }
        }
    }
}

static layer small(int biased) {
    const int Hk = 1 + rng_below(2);
    return layer_of(1 + rng_below(2), Hk * (1 + rng_below(2)), Hk, 1 + rng_below(4),
                    1 + rng_below(5), 2 + rng_below(3), 1 + rng_below(3), biased);
}

/* Widths, groups, biases, rotation and the options of the attention inside, each now and then. */
static void differences(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        layer l = small(round % 2);
        attn_params *p = &l.m.attention;
        if (round % 3 == 0) layer_rotation(&l.m, 2, round & 1, round >> 2 & 1);
        if (round % 4 == 1) p->causal = ATTN_CAUSAL;
        if (round % 5 == 1) p->softcap = 1.5f;
        if (round % 5 == 2) p->dropout = round % 2 ? 0.25f : 0.5f, p->seed = rng_bits();
        if (round % 5 == 3) {
            p->bias = layer_normals((size_t)p->query_heads, 1), p->bias_stride[1] = 1;
        }
        if (round % 7 == 0) {
            const int width = p->query_heads * p->value_dim;
            l.m.wo = NULL;
            l.m.bo = NULL;
            l.m.out = buffer_floats(product(p->batch, p->query_length, width));
        }
        training t = training_of(l);
        check(&t);
        buffers_release();
    }
}

/* Each result alone has the bits that it has among all; those not asked for are not written. */
static void results_are_optional(void **state) {
    (void)state;
    layer l = layer_of(2, 4, 2, 9, 70, 6, 5, 1);
    layer_rotation(&l.m, 4, 0, 0);
    training t = training_of(l);
    run(&t);
    float *all[TARGETS] = {0};
    for (int n = 0; n < TARGETS; n++) {
        if (t.targets[n].dx) all[n] = buffer_copy(t.targets[n].dx, t.targets[n].count);
    }
    const training whole = t;
    float **const results[TARGETS] = {&t.g.dquery, &t.g.dkey, &t.g.dvalue, &t.g.dwq,
                                      &t.g.dwk,    &t.g.dwv,  &t.g.dwo,    &t.g.dbq,
                                      &t.g.dbk,    &t.g.dbv,  &t.g.dbo,    &t.g.dbias};
    for (int n = 0; n < TARGETS; n++) {
        if (!all[n]) continue;
        t = whole;
        for (int other = 0; other < TARGETS; other++) {
            if (other != n) *results[other] = NULL;
        }
        again(&t);
        assert_same_bits(t.targets[n].dx, all[n], t.targets[n].count, t.targets[n].name);
        for (int other = 0; other < TARGETS; other++) {
            if (other != n && all[other]) assert_true(buffer_is_poison(t.targets[other].dx));
        }
    }
    /* Threads change no bit either. */
    for (int threads = 0; threads <= 3; threads++) {
        t = whole;
        t.l.m.attention.threads = threads;
        again(&t);
        for (int n = 0; n < TARGETS; n++) {
            if (all[n]) assert_same_bits(t.targets[n].dx, all[n], t.targets[n].count, "threads");
        }
    }
}

/* A masked key and whatever stands in it: exact zeros for it, and nothing of it elsewhere. */
static void masked_keys_leak_nothing(void **state) {
    (void)state;
    layer l = layer_of(1, 2, 2, 3, 4, 3, 3, 0);
    uint8_t *mask = buffer_bytes(4);
    for (int j = 0; j < 4; j++) mask[j] = j != 2;
    l.m.attention.key_mask = mask;
    l.m.attention.key_mask_stride[1] = 1;
    training t = training_of(l);
    check(&t);
    for (int c = 0; c < t.l.m.key_width; c++) {
        assert_true(t.g.dkey[2 * t.l.m.key_width + c] == 0);
    }
    for (int c = 0; c < t.l.m.value_width; c++) {
        assert_true(t.g.dvalue[2 * t.l.m.value_width + c] == 0);
    }
    float *clean[TARGETS] = {0};
    for (int n = 0; n < TARGETS; n++) {
        if (t.targets[n].dx) clean[n] = buffer_copy(t.targets[n].dx, t.targets[n].count);
    }
    float *key = (float *)(uintptr_t)t.l.m.key, *value = (float *)(uintptr_t)t.l.m.value;
    for (int c = 0; c < t.l.m.key_width; c++) key[2 * t.l.m.key_width + c] = NAN;
    for (int c = 0; c < t.l.m.value_width; c++) value[2 * t.l.m.value_width + c] = INFINITY;
    run(&t);
    for (int n = 0; n < TARGETS; n++) {
        for (size_t i = 0; clean[n] && i < t.targets[n].count; i++) {
            const float error = fabsf(t.targets[n].dx[i] - clean[n][i]);
            if (!(error <= 1e-6f)) fail_msg("%s[%zu]: %g", t.targets[n].name, i, (double)error);
        }
    }
}

static attn_status call(const training *t, size_t missing, const char **field) {
    size_t bytes = 0;
    assert_int_equal(attn_mha_backward_workspace_size(&t->l.m, &bytes), ATTN_OK);
    void *space = buffer_at(bytes, 0);
    return attn_mha_backward(&t->l.m, &t->g, space, bytes - missing, field);
}

static void refusals(void **state) {
    (void)state;
    const training whole = training_of(layer_of(1, 2, 1, 3, 4, 2, 3, 1));
    buffers_freeze();
    const struct {
        size_t offset; /* of a pointer of the layer */
        const char *field;
    } needed[] = {
        {offsetof(attn_mha_params, query), "query"},   {offsetof(attn_mha_params, key), "key"},
        {offsetof(attn_mha_params, value), "value"},   {offsetof(attn_mha_params, wq), "wq"},
        {offsetof(attn_mha_params, wk), "wk"},         {offsetof(attn_mha_params, wv), "wv"},
        {offsetof(attn_mha_params, q), "q"},           {offsetof(attn_mha_params, k), "k"},
        {offsetof(attn_mha_params, v), "v"},           {offsetof(attn_mha_params, lse), "lse"},
        {offsetof(attn_mha_params, concat), "concat"},
    };
    const char *field = NULL;
    for (size_t n = 0; n < COUNT(needed); n++) {
        training t = whole;
        memset((char *)&t.l.m + needed[n].offset, 0, sizeof(float *));
        assert_int_equal(call(&t, 0, &field), ATTN_NULL);
        assert_string_equal(field, needed[n].field);
    }
    training t = whole;
    t.g.dout = NULL;
    assert_int_equal(call(&t, 0, &field), ATTN_NULL);
    assert_string_equal(field, "dout");
    t = whole;
    t.g.size--;
    assert_int_equal(call(&t, 0, &field), ATTN_VERSION_MISMATCH);
    t = whole;
    t.l.m.wo = NULL;
    assert_int_equal(call(&t, 0, &field), ATTN_CONFLICT);
    assert_string_equal(field, "dwo");
    t.g.dwo = NULL;
    assert_int_equal(call(&t, 0, &field), ATTN_CONFLICT);
    assert_string_equal(field, "dbo");
    t = whole;
    t.g.dbias = t.dout;
    assert_int_equal(call(&t, 0, &field), ATTN_CONFLICT);
    assert_string_equal(field, "dbias");
    assert_int_equal(call(&whole, 1, &field), ATTN_WORKSPACE);
    t = whole;
    t.l.m.attention.batch = -1;
    assert_int_equal(attn_mha_backward(&t.l.m, &t.g, NULL, 0, &field), ATTN_SIZE);
    assert_string_equal(field, "batch");
    assert_true(buffers_intact());
}

/* Without queries, or without keys, what remains is zero. */
static void empty(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        training t = training_of(layer_of(1, 2, 1, side ? 0 : 3, side ? 4 : 0, 2, 3, 1));
        run(&t);
        for (int n = 0; n < TARGETS; n++) {
            const int of_output = t.targets[n].dx == t.g.dbo;
            for (size_t i = 0; t.targets[n].dx && i < t.targets[n].count; i++) {
                if (!of_output || side) assert_true(t.targets[n].dx[i] == 0);
            }
        }
        buffers_release();
    }
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {TEST(differences), TEST(results_are_optional),
                                       TEST(masked_keys_leak_nothing), TEST(refusals), TEST(empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
