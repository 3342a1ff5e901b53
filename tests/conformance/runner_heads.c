/*
 * runner_heads.c - multi-head attention forward and backward, for runner.c.
 *
 * After the header come query, key, value, then weights (in, out) and biases of q, k, v and o, then
 * dout. The answer has the gradients of all but dout, in the same order. Positions count from 0.
 */
#include "runner.h"

enum { PROJECTIONS = 4 };

/* Cosines and sines of positions from 0 on, for as many rows as the longer side has. */
static void rotate(attn_mha_params *m, const int32_t *h, float base) {
    const int rows = h[QUERY_LENGTH] > h[KEY_LENGTH] ? h[QUERY_LENGTH] : h[KEY_LENGTH];
    const size_t count = (size_t)rows * (size_t)h[ROTARY_DIM] / 2;
    float *cos = reserve(count, 4), *sin = reserve(count, 4);
    int32_t *positions = reserve((size_t)rows, 4);
    for (int i = 0; i < rows; i++) positions[i] = i;
    if (attn_rope_table(cos, sin, positions, rows, h[ROTARY_DIM], (double)base)) exit(2);
    free(positions);
    m->rotary_dim = h[ROTARY_DIM];
    m->interleaved = h[INTERLEAVED];
    m->q_cos = m->k_cos = cos;
    m->q_sin = m->k_sin = sin;
    m->q_table_stride[1] = m->k_table_stride[1] = h[ROTARY_DIM] / 2;
}

static attn_status forward(const attn_mha_params *m) {
    size_t bytes = 0;
    attn_status status = attn_mha_workspace_size(m, NULL, &bytes);
    if (status != ATTN_OK) return status;
    void *workspace = reserve(bytes, 1);
    status = attn_mha_forward(m, NULL, NULL, workspace, bytes);
    free(workspace);
    return status;
}

static attn_status backward(const attn_mha_params *m, const attn_mha_gradients *g) {
    size_t bytes = 0;
    attn_status status = attn_mha_backward_workspace_size(m, &bytes);
    if (status != ATTN_OK) return status;
    void *workspace = reserve(bytes, 1);
    status = attn_mha_backward(m, g, workspace, bytes, NULL);
    free(workspace);
    return status;
}

void answer_heads(const int32_t *h, const float *numbers) {
    const size_t queries = (size_t)h[BATCH] * (size_t)h[QUERY_LENGTH];
    const size_t keys = (size_t)h[BATCH] * (size_t)h[KEY_LENGTH];
    const size_t q = (size_t)(h[QUERY_HEADS] * h[HEAD_DIM]);
    const size_t k = (size_t)(h[KV_HEADS] * h[HEAD_DIM]);
    const size_t v = (size_t)(h[KV_HEADS] * h[VALUE_DIM]);
    const size_t concat = (size_t)(h[QUERY_HEADS] * h[VALUE_DIM]);
    const size_t widths[PROJECTIONS] = {(size_t)h[QUERY_WIDTH], (size_t)h[KEY_WIDTH],
                                        (size_t)h[VALUE_WIDTH], concat};
    const size_t columns[PROJECTIONS] = {q, k, v, (size_t)h[OUTPUT_WIDTH]};
    const size_t outputs = queries * (size_t)h[OUTPUT_WIDTH];

    attn_mha_params m;
    attn_mha_gradients g;
    attn_mha_defaults(&m, h[BATCH], h[QUERY_HEADS], h[QUERY_LENGTH], h[HEAD_DIM]);
    attn_mha_gradients_defaults(&g);
    attn_params *p = &m.attention;
    int32_t *offset = reserve((size_t)h[BATCH], 4);
    p->kv_heads = h[KV_HEADS];
    p->key_length = h[KEY_LENGTH];
    p->value_dim = h[VALUE_DIM];
    p->causal = h[CAUSAL];
    p->query_offset = offset;
    p->scale = numbers[SCALE];
    p->softcap = numbers[SOFTCAP];
    p->dropout = numbers[DROPOUT];
    p->seed = (uint32_t)h[SEED];
    p->isa = h[ISA];
    m.query_width = h[QUERY_WIDTH];
    m.key_width = h[KEY_WIDTH];
    m.value_width = h[VALUE_WIDTH];
    m.output_width = h[OUTPUT_WIDTH];
    if (h[ROTARY_DIM] > 0) rotate(&m, h, numbers[BASE]);

    /* Inputs and their gradients, in the order of the request. */
    const struct {
        const float **x;
        float **dx;
        size_t count;
    } all[] = {
        {&m.query, &g.dquery, queries * widths[0]},
        {&m.key, &g.dkey, keys * widths[1]},
        {&m.value, &g.dvalue, keys * widths[2]},
        {&m.wq, &g.dwq, widths[0] * columns[0]},
        {&m.bq, &g.dbq, columns[0]},
        {&m.wk, &g.dwk, widths[1] * columns[1]},
        {&m.bk, &g.dbk, columns[1]},
        {&m.wv, &g.dwv, widths[2] * columns[2]},
        {&m.bv, &g.dbv, columns[2]},
        {&m.wo, &g.dwo, widths[3] * columns[3]},
        {&m.bo, &g.dbo, columns[3]},
    };
    const size_t count = sizeof all / sizeof *all, inputs = 3;
    for (size_t n = 0; n < count; n++) {
        const int is_bias = n >= inputs && (n - inputs) % 2 == 1;
        if (is_bias && !h[HAS_BIASES]) continue;
        *all[n].x = receive(all[n].count, 4);
        *all[n].dx = reserve(all[n].count, 4);
    }
    g.dout = receive(outputs, 4);
    m.out = reserve(outputs, 4);
    m.q = reserve(queries * q, 4);
    m.k = reserve(keys * k, 4);
    m.v = reserve(keys * v, 4);
    m.concat = reserve(queries * concat, 4);
    m.lse = reserve(queries * (size_t)h[QUERY_HEADS], 4);

    attn_status status = forward(&m);
    if (status == ATTN_OK) status = backward(&m, &g);
    send(&(int32_t){(int32_t)status}, 1);
    for (size_t n = 0; n < count; n++) {
        if (status == ATTN_OK && *all[n].dx) send(*all[n].dx, all[n].count);
        free((void *)(uintptr_t)*all[n].x), free(*all[n].dx);
    }
    free((void *)(uintptr_t)g.dout), free(m.out), free(m.q), free(m.k), free(m.v);
    free(m.concat), free(m.lse), free(offset);
    free((void *)(uintptr_t)m.q_cos), free((void *)(uintptr_t)m.q_sin);
}
