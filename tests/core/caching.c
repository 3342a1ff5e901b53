/* caching.c - caches for the tests; see caching.h. */
#include "caching.h"

#include "buffers.h"
#include "suite.h"

attn_cache caching_of(dims s, int capacity) {
    attn_cache c = {.size = sizeof c, .batch = s.B, .kv_heads = s.Hk, .head_dim = s.D};
    const size_t rows = (size_t)s.B * (size_t)s.Hk * (size_t)capacity;
    c.value_dim = s.Dv;
    c.capacity = capacity;
    c.k = buffer_floats(rows * (size_t)s.D);
    c.v = buffer_floats(rows * (size_t)s.Dv);
    c.lengths = buffer_ints((size_t)s.B);
    c.positions = buffer_ints((size_t)s.B);
    for (int b = 0; b < s.B; b++) c.lengths[b] = c.positions[b] = 0;
    return c;
}

void slice_strides(int heads, int T, int columns, ptrdiff_t *stride) {
    stride[2] = columns;
    stride[1] = stride[2] * T;
    stride[0] = stride[1] * heads;
}

attn_status caching_append(const attn_cache *c, const problem *t, int from, int count,
                           const int32_t *lengths) {
    ptrdiff_t k[3], v[3];
    slice_strides(t->p.kv_heads, t->p.key_length, t->p.head_dim, k);
    slice_strides(t->p.kv_heads, t->p.key_length, t->p.value_dim, v);
    return attn_cache_append(c, count, t->k + from * k[2], k, t->v + from * v[2], v, lengths);
}

void caching_attend(const attn_cache *c, const problem *t, int from, int count,
                    const int32_t *lengths, float *out) {
    attn_params p = t->p;
    int32_t *query_lengths = buffer_ints((size_t)p.batch);
    for (int b = 0; b < p.batch; b++) query_lengths[b] = lengths ? lengths[b] : count;
    slice_strides(p.query_heads, p.query_length, p.head_dim, p.q_stride);
    slice_strides(p.query_heads, p.query_length, p.value_dim, p.out_stride);
    p.q = t->q + from * p.q_stride[2];
    p.out = out + from * p.out_stride[2];
    p.lse = NULL;
    p.query_length = count;
    p.key_length = c->capacity;
    p.k = c->k, p.v = c->v;
    p.key_lengths = c->lengths;
    p.query_lengths = query_lengths;
    size_t bytes = 0;
    assert_int_equal(attn_workspace_size(&p, ATTN_OP_FORWARD, &bytes), ATTN_OK);
    void *workspace = buffer_at(bytes, 0);
    assert_int_equal(attn_forward(&p, workspace, bytes), ATTN_OK);
    buffer_free(workspace);
}
