/*
 * test_decode.c - multi-head attention through a cache: steps and chunks give the rows of one causal call,
 * padding stays outside, a full cache leaves all as it was; and the numbers of a public suite, read from
 * beside the project.
 */
#include "buffers.h"
#include "json.h"
#include "layer.h"
#include "rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_WIDTH 7

/* Self-attention over T tokens of one width, rotated by position. */
static layer causal_layer(int B, int T, int rotated) {
    layer l = layer_of(B, 4, 2, T, T, 6, 5, 1);
    attn_mha_params *m = &l.m;
    const double size = 1 / sqrt(TEST_WIDTH);
    m->query_width = m->key_width = m->value_width = TEST_WIDTH;
    m->query = m->key = m->value = layer_normals((size_t)(B * T * TEST_WIDTH), 1);
    m->wq = layer_normals(TEST_WIDTH * 4 * 6, size);
    m->wk = layer_normals(TEST_WIDTH * 2 * 6, size);
    m->wv = layer_normals(TEST_WIDTH * 2 * 5, size);
    m->attention.causal = ATTN_CAUSAL;
    if (rotated) layer_rotation(m, 4, rotated - 1, 0);
    return l;
}

static attn_cache cache_of(const attn_mha_params *m, int capacity) {
    const attn_params *p = &m->attention;
    const size_t rows = (size_t)p->batch * (size_t)p->kv_heads * (size_t)capacity;
    attn_cache c = {
        .size = sizeof c,
        .batch = p->batch,
        .kv_heads = p->kv_heads,
        .head_dim = p->head_dim,
        .value_dim = p->value_dim,
        .capacity = capacity,
        .k = buffer_floats(rows * (size_t)p->head_dim),
        .v = buffer_floats(rows * (size_t)p->value_dim),
        .lengths = buffer_ints((size_t)p->batch),
        .positions = buffer_ints((size_t)p->batch),
    };
    for (int b = 0; b < p->batch; b++) c.lengths[b] = c.positions[b] = 0;
    return c;
}

/* Tokens [from, from + count) of a layer, as a layer of their own. */
static layer chunk_of(const layer *whole, int from, int count) {
    layer l = *whole;
    attn_mha_params *m = &l.m;
    const int B = m->attention.batch, T = m->attention.query_length, W = TEST_WIDTH;
    float *tokens = buffer_floats((size_t)(B * count * W));
    for (int b = 0; b < B; b++) {
        memcpy(tokens + b * count * W, m->query + (b * T + from) * W,
               sizeof(float) * (size_t)(count * W));
    }
    m->query = m->key = m->value = tokens;
    m->attention.query_length = m->attention.key_length = count;
    l.outputs = (size_t)(B * count * m->output_width);
    m->out = buffer_floats(l.outputs);
    if (m->rotary_dim > 0) {
        m->q_cos += from * m->q_table_stride[1], m->q_sin += from * m->q_table_stride[1];
        m->k_cos += from * m->k_table_stride[1], m->k_sin += from * m->k_table_stride[1];
    }
    return l;
}

/* Row i of batch b of the whole call has the bits of row n of the chunk. */
static void assert_row(const layer *whole, int i, const layer *chunk, int n, int b) {
    const int width = whole->m.output_width;
    const float *expected = whole->m.out + (b * whole->m.attention.query_length + i) * width;
    const float *got = chunk->m.out + (b * chunk->m.attention.query_length + n) * width;
    assert_same_bits(got, expected, (size_t)width, "row");
}

static void steps_and_chunks(void **state) {
    (void)state;
    static const int largest[] = {1, 3, 50, 200};
    for (int round = 0; round < 12; round++) {
        const int T = 1 + rng_below(80), B = 1 + rng_below(3);
        layer whole = causal_layer(B, T, round % 3);
        if (round % 4 == 1) whole.m.attention.window_left = 9;
        if (round % 4 == 2) whole.m.attention.softcap = 2;
        layer_run(&whole.m, NULL, NULL);
        attn_cache c = cache_of(&whole.m, T + rng_below(9));
        for (int from = 0, count; from < T; from += count) {
            count = 1 + rng_below(largest[round % 4]);
            if (count > T - from) count = T - from;
            layer chunk = chunk_of(&whole, from, count);
            layer_run(&chunk.m, &c, NULL);
            for (int n = 0; n < count; n++) {
                for (int b = 0; b < B; b++) assert_row(&whole, from + n, &chunk, n, b);
            }
        }
        assert_true(c.lengths[0] == T && c.positions[B - 1] == T);
        buffers_release();
    }
}

/* The second of two batch rows brings fewer tokens; what stands in the others is NaN and stays outside.
 * Its outputs beyond are the output's bias. */
static void ragged_rows(void **state) {
    (void)state;
    const int T = 9, first = 5, valid = 3;
    layer whole = causal_layer(2, T, 0);
    layer_run(&whole.m, NULL, NULL);
    attn_cache c = cache_of(&whole.m, T);
    layer chunk = chunk_of(&whole, 0, first);
    float *tokens = buffer_copy(chunk.m.query, (size_t)(2 * first * TEST_WIDTH));
    for (int n = (first + valid) * TEST_WIDTH; n < 2 * first * TEST_WIDTH; n++) tokens[n] = NAN;
    chunk.m.query = chunk.m.key = chunk.m.value = tokens;
    int32_t *lengths = buffer_ints(2);
    lengths[0] = first, lengths[1] = valid;
    layer_run(&chunk.m, &c, lengths);
    for (int n = 0; n < first; n++) assert_row(&whole, n, &chunk, n, 0);
    for (int n = 0; n < valid; n++) assert_row(&whole, n, &chunk, n, 1);
    for (int n = valid; n < first; n++) {
        const float *row = chunk.m.out + (first + n) * chunk.m.output_width;
        assert_same_bits(row, chunk.m.bo, (size_t)chunk.m.output_width, "padded row");
    }
    /* The next token of each: the fifth of one, the third of the other. */
    layer next = chunk_of(&whole, 0, 1);
    float *two = buffer_floats(2 * TEST_WIDTH);
    memcpy(two, whole.m.query + first * TEST_WIDTH, sizeof(float) * TEST_WIDTH);
    memcpy(two + TEST_WIDTH, whole.m.query + (T + valid) * TEST_WIDTH, sizeof(float) * TEST_WIDTH);
    next.m.query = next.m.key = next.m.value = two;
    layer_run(&next.m, &c, NULL);
    assert_row(&whole, first, &next, 0, 0);
    assert_row(&whole, valid, &next, 0, 1);
}

/* Nothing to append: the queries read what is there. */
static void reading_only(void **state) {
    (void)state;
    layer whole = causal_layer(2, 6, 1);
    layer_run(&whole.m, NULL, NULL);
    attn_cache c = cache_of(&whole.m, 8);
    layer all = chunk_of(&whole, 0, 6);
    layer_run(&all.m, &c, NULL);
    layer last = chunk_of(&whole, 4, 2);
    last.m.attention.key_length = 0;
    last.m.key = last.m.value = last.m.k_cos = last.m.k_sin = NULL;
    layer_run(&last.m, &c, NULL);
    for (int b = 0; b < 2; b++) {
        assert_row(&whole, 4, &last, 0, b);
        assert_row(&whole, 5, &last, 1, b);
    }
    assert_int_equal(c.lengths[0], 6);
}

static attn_status refused(const attn_mha_params *m, const attn_cache *c, const int32_t *lengths) {
    static char workspace[1 << 16];
    buffers_freeze();
    const attn_status status = attn_mha_forward(m, c, lengths, workspace, sizeof workspace);
    assert_true(buffers_intact());
    return status;
}

/* A cache that is full, of another shape, or no cache at all: neither it nor any result is written. */
static void refusals(void **state) {
    (void)state;
    layer l = causal_layer(2, 5, 1);
    layer_intermediates(&l.m);
    attn_cache c = cache_of(&l.m, 4);
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_FULL);
    c = cache_of(&l.m, 5);
    const attn_cache good = c;
    c.lengths[1] = c.positions[1] = 1;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_FULL);
    c.lengths[1] = 6;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_RANGE);
    c.lengths[1] = 0;
    c = good, c.batch = 1;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_CONFLICT);
    c = good, c.kv_heads = 4;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_CONFLICT);
    c = good, c.head_dim = 5;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_CONFLICT);
    c = good, c.value_dim = 6;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_CONFLICT);
    c = good, c.size = 0;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_VERSION_MISMATCH);
    c = good, c.k = NULL;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_NULL);
    c = good, c.positions = NULL;
    assert_int_equal(refused(&l.m, &c, NULL), ATTN_NULL);
    int32_t *lengths = buffer_ints(2);
    assert_int_equal(refused(&l.m, NULL, lengths), ATTN_CONFLICT);
}

/* The columns [from, from + count) of w (rows, columns). */
static float *columns_of(const float *w, int rows, int columns, int from, int count) {
    float *part = buffer_floats((size_t)(rows * count));
    for (int r = 0; r < rows; r++) {
        memcpy(part + r * count, w + r * columns + from, sizeof(float) * (size_t)count);
    }
    return part;
}

/* An array, or the name of one that several cases share. */
static float *floats_of(const json *file, const json *value) {
    if (value && value->kind == JSON_STRING)
        value = json_get(json_get(file, "weights"), value->text);
    return json_floats(value);
}

static void assert_present(const attn_cache *c, const float *present) {
    const int D = c->head_dim, T = c->lengths[0];
    for (int part = 0; part < 2; part++) {
        const float *rows = part ? c->v : c->k;
        for (int h = 0; h < c->kv_heads; h++) {
            for (int n = 0; n < T * D; n++) {
                const double expected = (double)present[(part * c->kv_heads + h) * T * D + n];
                layer_compare("present", rows + h * c->capacity * D + n, &expected, 1, 1e-5);
            }
        }
    }
}

/* One case: fused weights cut apart, lengths, past as a cache. */
static void projected_case(const json *file, const json *item) {
    const json *sizes = json_get(item, "sizes");
    const int B = (int)json_number(json_get(item, "B"), 1),
              T = (int)json_number(json_get(item, "T"), 1);
    const int in = (int)json_number(json_get(item, "Din"), 1),
              H = (int)json_number(json_get(item, "H"), 1);
    const int P = (int)json_number(json_get(item, "P"), 0);
    const int q = (int)sizes->first->number, v = (int)sizes->first->next->next->number;
    const int columns = 2 * q + v, D = q / H, Dv = v / H;
    const float *w = floats_of(file, json_get(item, "weight"));
    const float *bias = floats_of(file, json_get(item, "bias"));

    attn_mha_params m;
    attn_mha_defaults(&m, B, H, T, D);
    m.attention.value_dim = Dv;
    m.attention.isa = suite_isa;
    m.attention.causal = json_get(item, "causal") ? ATTN_CAUSAL : ATTN_NOT_CAUSAL;
    m.query_width = m.key_width = m.value_width = in;
    m.query = m.key = m.value = floats_of(file, json_get(item, "input"));
    m.wq = columns_of(w, in, columns, 0, q), m.bq = columns_of(bias, 1, columns, 0, q);
    m.wk = columns_of(w, in, columns, q, q), m.bk = columns_of(bias, 1, columns, q, q);
    m.wv = columns_of(w, in, columns, 2 * q, v), m.bv = columns_of(bias, 1, columns, 2 * q, v);
    m.out = buffer_floats((size_t)(B * T * v));
    const json *added = json_get(item, "attnBias");
    if (added) {
        m.attention.bias = json_floats(json_get(added, "data"));
        const ptrdiff_t stride[] = {0, (ptrdiff_t)T * T, T, 1};
        memcpy(m.attention.bias_stride, stride, sizeof stride);
    }
    const json *valid = json_get(item, "keyLen");
    int32_t *lengths = buffer_ints((size_t)B);
    int b = 0;
    for (const json *n = valid ? valid->first : NULL; n; n = n->next) lengths[b++] = (int)n->number;
    if (valid && P == 0) m.attention.key_lengths = lengths;
    if (valid && m.attention.causal) m.attention.query_lengths = lengths;

    attn_cache c = cache_of(&m, P + T);
    if (P > 0) {
        const float *past = json_floats(json_get(item, "past"));
        const ptrdiff_t none[3] = {0};
        assert_int_equal(attn_cache_append(&c, P, past, none, past + H * P * D, none, NULL),
                         ATTN_OK);
    }
    layer_run(&m, P > 0 ? &c : NULL, NULL);
    const json *output = json_get(item, "output");
    double *expected = calloc(output->count, sizeof *expected);
    assert_true(expected && output->count == (size_t)(B * T * v));
    size_t n = 0;
    for (const json *x = output->first; x; x = x->next) expected[n++] = x->number;
    layer_compare(json_get(item, "name")->text, m.out, expected, output->count, 1e-5);
    free(expected);
    if (P > 0) assert_present(&c, json_floats(json_get(item, "present")));
}

static void projected_cases(void **state) {
    (void)state;
    const char *given = getenv("ATTN_VECTORS");
    char path[1000];
    snprintf(path, sizeof path, "%s/projected_mha_cases.json", given ? given : ATTN_VECTORS);
    json *file = json_read(path);
    if (!file) {
        printf("    skipped: there is no %s (set ATTN_VECTORS)\n", path);
        skip();
    }
    int count = 0;
    for (const json *item = json_get(file, "cases")->first; item; item = item->next, count++) {
        projected_case(file, item);
        buffers_release();
    }
    printf("    %d cases of a public suite\n", count);
    assert_int_equal(count, (int)json_get(file, "cases")->count);
    assert_true(count >= 10);
    json_free(file);
}

int main(int argc, char **argv) {
    suite_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(steps_and_chunks), TEST(ragged_rows),     TEST(reading_only),
        TEST(refusals),         TEST(projected_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
