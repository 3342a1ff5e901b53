/*
 * runner.c - the core behind a pipe, so that the vectors are read and judged in one place
 * (tools/conformance.js) for the native library too.
 *
 *     attn_conformance isas     prints the instruction sets of build and machine, one a line
 *     attn_conformance          answers requests from standard input until it ends
 *
 * A request is int32 header[], float numbers[], then the arrays, packed; an answer is the int32
 * status, then, if it is 0, the floats. Masks and biases come whole, (B, Hq, Tq, Tk), and so does
 * the gradient of a bias.
 */
#include "runner.h"

#include <string.h>

/* scaled, capped, masked and weights, in the order of the answer. */
static attn_status trace(const attn_params *p, float *stages, size_t scores) {
    attn_trace_params t;
    attn_trace_defaults(&t);
    t.scaled = stages;
    t.capped = stages + scores;
    t.masked = stages + 2 * scores;
    t.weights = stages + 3 * scores;
    return attn_trace(p, &t);
}

static attn_status forward(const attn_params *p) {
    size_t bytes = 0;
    attn_status status = attn_workspace_size(p, ATTN_OP_FORWARD, &bytes);
    if (status != ATTN_OK) return status;
    void *workspace = reserve(bytes, 1);
    status = attn_forward(p, workspace, bytes);
    free(workspace);
    return status;
}

/* Forward, then backward: dq, dk, dv and dbias one after another. */
static attn_status backward(attn_params *p, const float *dout, float *slopes, size_t queries,
                            size_t keys) {
    p->lse = reserve(queries, 4);
    attn_status status = forward(p);
    size_t bytes = 0;
    if (status == ATTN_OK) status = attn_workspace_size(p, ATTN_OP_BACKWARD, &bytes);
    if (status == ATTN_OK) {
        attn_gradients g;
        attn_gradients_defaults(&g);
        g.dout = dout;
        g.dq = slopes;
        g.dk = g.dq + queries * (size_t)p->head_dim;
        g.dv = g.dk + keys * (size_t)p->head_dim;
        if (p->bias) g.dbias = g.dv + keys * (size_t)p->value_dim;
        void *workspace = reserve(bytes, 1);
        status = attn_backward(p, &g, workspace, bytes, NULL);
        free(workspace);
    }
    free(p->lse);
    return status;
}

static void answer_attention(const int32_t *h, const float *numbers) {
    const size_t queries = (size_t)h[BATCH] * (size_t)h[QUERY_HEADS] * (size_t)h[QUERY_LENGTH];
    const size_t keys = (size_t)h[BATCH] * (size_t)h[KV_HEADS] * (size_t)h[KEY_LENGTH];
    const size_t scores = queries * (size_t)h[KEY_LENGTH], batch = (size_t)h[BATCH];
    const size_t outputs = queries * (size_t)h[VALUE_DIM];
    float *q = receive(queries * (size_t)h[HEAD_DIM], 4);
    float *k = receive(keys * (size_t)h[HEAD_DIM], 4), *v = receive(keys * (size_t)h[VALUE_DIM], 4);
    uint8_t *mask = h[HAS_MASK] ? receive(scores, 1) : NULL;
    float *bias = h[HAS_BIAS] ? receive(scores, 4) : NULL;
    int32_t *key_lengths = h[HAS_KEY_LENGTHS] ? receive(batch, 4) : NULL;
    int32_t *query_lengths = h[HAS_QUERY_LENGTHS] ? receive(batch, 4) : NULL;
    int32_t *query_offset = h[HAS_QUERY_OFFSET] ? receive(batch, 4) : NULL;
    float *alibi = h[HAS_SLOPES] ? receive((size_t)h[QUERY_HEADS], 4) : NULL;
    float *dout = h[OP] == 3 ? receive(outputs, 4) : NULL;
    const size_t slopes = queries * (size_t)h[HEAD_DIM] + (bias ? scores : 0) +
                          keys * (size_t)(h[HEAD_DIM] + h[VALUE_DIM]);
    float *out = reserve(outputs, 4);
    float *results = reserve(h[OP] == 3 ? slopes : 4 * scores, 4);

    attn_params p;
    attn_defaults(&p, h[BATCH], h[QUERY_HEADS], h[QUERY_LENGTH], h[HEAD_DIM]);
    p.kv_heads = h[KV_HEADS];
    p.key_length = h[KEY_LENGTH];
    p.value_dim = h[VALUE_DIM];
    p.q = q, p.k = k, p.v = v, p.out = out;
    p.scale = numbers[SCALE];
    p.softcap = numbers[SOFTCAP];
    p.causal = h[CAUSAL];
    p.window_left = h[WINDOW_LEFT];
    p.window_right = h[WINDOW_RIGHT];
    p.key_lengths = key_lengths;
    p.query_lengths = query_lengths;
    p.query_offset = query_offset;
    p.mask = mask;
    p.bias = bias;
    p.alibi_slopes = alibi;
    p.dropout = numbers[DROPOUT];
    p.seed = (uint32_t)h[SEED];
    p.isa = h[ISA];
    const ptrdiff_t row = h[KEY_LENGTH], head = row * h[QUERY_LENGTH];
    const ptrdiff_t stride[4] = {head * h[QUERY_HEADS], head, row, 1};
    memcpy(p.mask_stride, stride, sizeof stride);
    memcpy(p.bias_stride, stride, sizeof stride);

    const attn_status status = h[OP] == 1   ? trace(&p, results, scores)
                               : h[OP] == 3 ? backward(&p, dout, results, queries, keys)
                                            : forward(&p);
    send(&(int32_t){(int32_t)status}, 1);
    if (status == ATTN_OK) send(out, outputs);
    if (status == ATTN_OK && h[OP] == 1) send(results, 4 * scores);
    if (status == ATTN_OK && h[OP] == 3) send(results, slopes);
    free(q), free(k), free(v), free(mask), free(bias), free(key_lengths), free(query_lengths);
    free(query_offset), free(alibi), free(dout), free(out), free(results);
}

/* Tables of (B, T, rotary_dim / 2). */
static void answer_rope(const int32_t *h) {
    const size_t rows = (size_t)h[BATCH] * (size_t)h[QUERY_LENGTH];
    const size_t half = (size_t)h[ROTARY_DIM] / 2;
    const size_t count = rows * (size_t)h[QUERY_HEADS] * (size_t)h[HEAD_DIM];
    float *x = receive(count, 4), *cos = receive(rows * half, 4), *sin = receive(rows * half, 4);
    attn_rope_params p;
    attn_rope_defaults(&p, h[BATCH], h[QUERY_HEADS], h[QUERY_LENGTH], h[HEAD_DIM]);
    p.x = x, p.out = x, p.cos = cos, p.sin = sin;
    p.rotary_dim = h[ROTARY_DIM];
    p.interleaved = h[INTERLEAVED];
    p.table_stride[0] = (ptrdiff_t)half * h[QUERY_LENGTH];
    p.table_stride[1] = (ptrdiff_t)half;
    const attn_status status = attn_rope(&p, NULL);
    send(&(int32_t){(int32_t)status}, 1);
    if (status == ATTN_OK) send(x, count);
    free(x), free(cos), free(sin);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "isas") == 0) {
        for (int isa = 1; isa < ATTN_ISA_COUNT; isa++) {
            if (attn_isa_available(isa)) printf("%d %s\n", isa, attn_isa_name(isa));
        }
        return 0;
    }
    int32_t header[HEADER_COUNT];
    float numbers[NUMBER_COUNT];
    while (fread(header, 4, HEADER_COUNT, stdin) == HEADER_COUNT) {
        if (fread(numbers, 4, NUMBER_COUNT, stdin) != NUMBER_COUNT) return 2;
        if (header[OP] == 2)
            answer_rope(header);
        else if (header[OP] == 4)
            answer_heads(header, numbers);
        else
            answer_attention(header, numbers);
    }
    return 0;
}
