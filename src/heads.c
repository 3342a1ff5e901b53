/*
 * heads.c - multi-head attention with projections: X W, rotation, attention, concatenation, W_O.
 *
 * Projections write (B, T, H, D), so that a head is a run of columns and concatenating heads is no
 * work at all: attention reads and writes them through strides.
 */
#include "heads.h"

#include "check.h"
#include "isa.h"
#include "shape.h"
#include "workspace.h"

#include <string.h>

/* Where the working tensors lie in the workspace, in floats; those that are given take none. */
typedef struct mha_plan {
    uint64_t q, k, v, concat, query_lengths, attention;
    uint64_t floats;
    size_t attention_bytes;
} mha_plan;

void attn_mha_defaults(attn_mha_params *mha, int batch, int heads, int length, int head_dim) {
    const int width =
        heads > 0 && head_dim > 0 && head_dim <= INT32_MAX / heads ? heads * head_dim : 0;
    *mha = (attn_mha_params){
        .size = sizeof(attn_mha_params),
        .query_width = width,
        .key_width = width,
        .value_width = width,
        .output_width = width,
    };
    attn_defaults(&mha->attention, batch, heads, length, head_dim);
}

/* Whether a table of cos or sin can be read by its strides [batch, row]. */
static bool table_fits(const attn_mha_params *m, const ptrdiff_t stride[2], int length) {
    const ptrdiff_t strides[3] = {stride[0], stride[1], 1};
    const int extent[3] = {m->attention.batch, length, m->rotary_dim / 2};
    return attn_broadcast_fits(strides, extent, 3);
}

attn_status attn_mha_check(const attn_mha_params *m, const char **field) {
    const char *ignored;
    if (!field) field = &ignored;
    *field = "mha";
    if (!m) return ATTN_NULL;
    FAIL_IF(m->size != sizeof(attn_mha_params), ATTN_VERSION_MISMATCH, "size");
    const attn_status status = attn_check(&m->attention, field);
    if (status != ATTN_OK) return status;

    const attn_params *p = &m->attention;
    FAIL_IF(m->query_width < 1, ATTN_SIZE, "query_width");
    FAIL_IF(m->key_width < 1, ATTN_SIZE, "key_width");
    FAIL_IF(m->value_width < 1, ATTN_SIZE, "value_width");
    FAIL_IF(m->wo && m->output_width < 1, ATTN_SIZE, "output_width");
    /* Columns of all heads are counted in int. */
    FAIL_IF(p->head_dim > INT32_MAX / p->query_heads, ATTN_SIZE, "head_dim");
    FAIL_IF(p->value_dim > INT32_MAX / p->query_heads, ATTN_SIZE, "value_dim");
    FAIL_IF(m->rotary_dim < 0 || m->rotary_dim % 2 != 0 || m->rotary_dim > p->head_dim, ATTN_RANGE,
            "rotary_dim");
    FAIL_IF(m->interleaved != 0 && m->interleaved != 1, ATTN_RANGE, "interleaved");
    FAIL_IF(m->rotary_dim > 0 && !table_fits(m, m->q_table_stride, p->query_length), ATTN_STRIDE,
            "q_table_stride");
    FAIL_IF(m->rotary_dim > 0 && !table_fits(m, m->k_table_stride, p->key_length), ATTN_STRIDE,
            "k_table_stride");
    return ATTN_OK;
}

attn_params attn_mha_inner(const attn_mha_params *m, const attn_cache *cache) {
    attn_params p = m->attention;
    const ptrdiff_t q_row = (ptrdiff_t)p.query_heads * p.head_dim;
    const ptrdiff_t k_row = (ptrdiff_t)p.kv_heads * p.head_dim;
    const ptrdiff_t v_row = (ptrdiff_t)p.kv_heads * p.value_dim;
    const ptrdiff_t out_row = (ptrdiff_t)p.query_heads * p.value_dim;
    const ptrdiff_t strides[4][3] = {
        {q_row * p.query_length, p.head_dim, q_row},
        {k_row * p.key_length, p.head_dim, k_row},
        {v_row * p.key_length, p.value_dim, v_row},
        {out_row * p.query_length, p.value_dim, out_row},
    };
    memcpy(p.q_stride, strides[0], sizeof p.q_stride);
    memcpy(p.k_stride, strides[1], sizeof p.k_stride);
    memcpy(p.v_stride, strides[2], sizeof p.v_stride);
    memcpy(p.out_stride, strides[3], sizeof p.out_stride);
    p.lse = m->lse;
    if (cache) {
        p.key_length = cache->capacity;
        memset(p.k_stride, 0, sizeof p.k_stride);
        memset(p.v_stride, 0, sizeof p.v_stride);
        p.k = cache->k;
        p.v = cache->v;
        p.key_lengths = cache->lengths;
        p.query_offset = NULL;
    }
    return p;
}

static int matches(const attn_mha_params *m, const attn_cache *cache) {
    const attn_params *p = &m->attention;
    return cache->batch == p->batch && cache->kv_heads == p->kv_heads &&
           cache->head_dim == p->head_dim && cache->value_dim == p->value_dim;
}

static uint64_t take(mha_plan *plan, const float *given, int rows, int length, int columns) {
    const uint64_t at = plan->floats;
    if (!given) plan->floats += (uint64_t)rows * (uint64_t)length * (uint64_t)columns;
    return at;
}

static attn_status plan_workspace(const attn_mha_params *m, const attn_cache *cache,
                                  mha_plan *plan) {
    attn_status status = attn_mha_check(m, NULL);
    if (status != ATTN_OK) return status;
    if (cache && cache->size != sizeof(attn_cache)) return ATTN_VERSION_MISMATCH;
    if (cache && !matches(m, cache)) return ATTN_CONFLICT;
    const attn_params *p = &m->attention, inner = attn_mha_inner(m, cache);
    *plan = (mha_plan){0};
    plan->q = take(plan, m->q, p->batch, p->query_length, p->query_heads * p->head_dim);
    plan->k = take(plan, m->k, p->batch, p->key_length, p->kv_heads * p->head_dim);
    plan->v = take(plan, m->v, p->batch, p->key_length, p->kv_heads * p->value_dim);
    if (m->wo) {
        plan->concat =
            take(plan, m->concat, p->batch, p->query_length, p->query_heads * p->value_dim);
    }
    plan->query_lengths = take(plan, NULL, p->batch, 1, 1);
    plan->attention = plan->floats;
    attn_params sized = inner;
    const int32_t any = 0;
    if (cache)
        sized.query_lengths = &any; /* a length is said for every row; its value is not read */
    status = attn_workspace_size(&sized, ATTN_OP_FORWARD, &plan->attention_bytes);
    if (status != ATTN_OK) return status;
    if (plan->floats > (SIZE_MAX - WORKSPACE_ALIGNMENT - plan->attention_bytes) / sizeof(float))
        return ATTN_SIZE;
    return ATTN_OK;
}

attn_status attn_mha_workspace_size(const attn_mha_params *m, const attn_cache *cache,
                                    size_t *bytes) {
    mha_plan plan;
    const attn_status status = plan_workspace(m, cache, &plan);
    if (status != ATTN_OK) return status;
    if (!bytes) return ATTN_NULL;
    *bytes = WORKSPACE_ALIGNMENT + sizeof(float) * (size_t)plan.floats + plan.attention_bytes;
    return ATTN_OK;
}

/* Rows that are projected at once. */
#define RUN 64

/* y (rows, out) = x (rows, in) w (in, out) + bias: the bias is what gemm carries on from. */
static void project(const attn_kernels *kernels, ptrdiff_t rows, int in, int out, const float *x,
                    const float *w, const float *bias, float *y) {
    float ones[RUN];
    for (int i = 0; i < RUN; i++) ones[i] = 1.0f;
    for (ptrdiff_t i0 = 0; i0 < rows; i0 += RUN) {
        const int count = rows - i0 < RUN ? (int)(rows - i0) : RUN;
        float *y_i = y + i0 * out;
        for (int i = 0; bias && i < count; i++) {
            memcpy(y_i + (ptrdiff_t)i * out, bias, sizeof(float) * (size_t)out);
        }
        kernels->gemm(count, out, in, x + i0 * in, in, 1, w, out, y_i, out, bias ? ones : NULL);
    }
}

attn_status attn_mha_rotate(const attn_mha_params *m, float *x, int heads, int length,
                            const float *cos, const float *sin, const ptrdiff_t table_stride[2],
                            int inverse) {
    attn_rope_params rope;
    const int D = m->attention.head_dim;
    if (m->rotary_dim == 0) return ATTN_OK;
    attn_rope_defaults(&rope, m->attention.batch, heads, length, D);
    const ptrdiff_t row = (ptrdiff_t)heads * D, stride[3] = {row * length, D, row};
    memcpy(rope.x_stride, stride, sizeof stride);
    memcpy(rope.out_stride, stride, sizeof stride);
    memcpy(rope.table_stride, table_stride, sizeof rope.table_stride);
    rope.x = x;
    rope.out = x;
    rope.cos = cos;
    rope.sin = sin;
    rope.rotary_dim = m->rotary_dim;
    rope.interleaved = m->interleaved;
    rope.inverse = inverse;
    return attn_rope(&rope, NULL);
}

static attn_status check_pointers(const attn_mha_params *m) {
    const attn_params *p = &m->attention;
    if (!m->wq || !m->wk || !m->wv) return ATTN_NULL;
    if (p->batch == 0) return ATTN_OK;
    if (p->query_length > 0 && (!m->query || !m->out)) return ATTN_NULL;
    if (p->key_length > 0 && (!m->key || !m->value)) return ATTN_NULL;
    if (m->rotary_dim == 0) return ATTN_OK;
    if (p->query_length > 0 && (!m->q_cos || !m->q_sin)) return ATTN_NULL;
    if (p->key_length > 0 && (!m->k_cos || !m->k_sin)) return ATTN_NULL;
    return ATTN_OK;
}

attn_status attn_mha_forward(const attn_mha_params *m, const attn_cache *cache,
                             const int32_t *lengths, void *workspace, size_t workspace_bytes) {
    mha_plan plan;
    attn_status status = plan_workspace(m, cache, &plan);
    if (status == ATTN_OK) status = check_pointers(m);
    if (status == ATTN_OK && cache) {
        status = attn_cache_check(cache, m->attention.key_length, lengths);
    }
    if (status == ATTN_OK && !cache && lengths) status = ATTN_CONFLICT;
    if (status != ATTN_OK) return status;
    const size_t needed =
        WORKSPACE_ALIGNMENT + sizeof(float) * (size_t)plan.floats + plan.attention_bytes;
    if (!workspace || workspace_bytes < needed) return ATTN_WORKSPACE;

    float *floats = (float *)(void *)workspace_start(workspace);
    float *q = m->q ? m->q : floats + plan.q;
    float *k = m->k ? m->k : floats + plan.k;
    float *v = m->v ? m->v : floats + plan.v;
    float *concat = !m->wo ? m->out : m->concat ? m->concat : floats + plan.concat;

    attn_params p = attn_mha_inner(m, cache);
    const attn_kernels *kernels = attn_isa_kernels(p.isa);
    const ptrdiff_t query_rows = (ptrdiff_t)p.batch * m->attention.query_length;
    const ptrdiff_t key_rows = (ptrdiff_t)p.batch * m->attention.key_length;
    project(kernels, query_rows, m->query_width, p.query_heads * p.head_dim, m->query, m->wq, m->bq,
            q);
    project(kernels, key_rows, m->key_width, p.kv_heads * p.head_dim, m->key, m->wk, m->bk, k);
    project(kernels, key_rows, m->value_width, p.kv_heads * p.value_dim, m->value, m->wv, m->bv, v);

    status = attn_mha_rotate(m, q, p.query_heads, p.query_length, m->q_cos, m->q_sin,
                             m->q_table_stride, 0);
    if (status == ATTN_OK) {
        status = attn_mha_rotate(m, k, p.kv_heads, m->attention.key_length, m->k_cos, m->k_sin,
                                 m->k_table_stride, 0);
    }
    if (status == ATTN_OK && cache) {
        const attn_params own = attn_mha_inner(m, NULL);
        int32_t *query_lengths = (int32_t *)(void *)(floats + plan.query_lengths);
        for (int b = 0; b < p.batch; b++) query_lengths[b] = lengths ? lengths[b] : p.query_length;
        p.query_lengths = query_lengths;
        status =
            attn_cache_append(cache, own.key_length, k, own.k_stride, v, own.v_stride, lengths);
    }
    if (status != ATTN_OK) return status;

    p.q = q;
    if (!cache) p.k = k;
    if (!cache) p.v = v;
    p.out = concat;
    status = attn_forward(&p, floats + plan.attention, plan.attention_bytes);
    if (status != ATTN_OK) return status;
    if (!m->wo) {
        const size_t count = (size_t)query_rows * (size_t)p.query_heads * (size_t)p.value_dim;
        if (m->concat && count > 0) memcpy(m->concat, concat, sizeof(float) * count);
        return ATTN_OK;
    }
    project(kernels, query_rows, p.query_heads * p.value_dim, m->output_width, concat, m->wo, m->bo,
            m->out);
    return ATTN_OK;
}
