/*
 * heads_backward.c - gradients of multi-head attention with projections.
 *
 * The layer runs backwards: W_O, attention, rotation, then the three projections. Each projection
 * gives three gradients, of its weights, its bias and its input, and each is one product.
 */
#include "heads.h"

#include "check.h"
#include "isa.h"
#include "workspace.h"

#include <math.h>

/* Where the working tensors lie in the workspace, in floats. */
typedef struct plan {
    uint64_t dq, dk, dv, dconcat, turned, attention;
    uint64_t bytes;
    size_t attention_bytes;
} plan;

/* One projection y = x w + b, by what its gradients are made of; rows of x and y are packed. */
typedef struct projection {
    const float *x, *w, *dy;
    float *dx, *dw, *db;
    ptrdiff_t rows;
    int in, out;
} projection;

void attn_mha_gradients_defaults(attn_mha_gradients *gradients) {
    *gradients = (attn_mha_gradients){.size = sizeof(attn_mha_gradients)};
}

static uint64_t take(plan *w, int a, int b, int c) {
    const uint64_t at = w->attention;
    w->attention += (uint64_t)a * (uint64_t)b * (uint64_t)c;
    return at;
}

static attn_status plan_workspace(const attn_mha_params *m, plan *w, const char **field) {
    attn_status status = attn_mha_check(m, field);
    if (status != ATTN_OK) return status;
    const attn_params inner = attn_mha_inner(m, NULL), *p = &inner;
    const int q_columns = p->query_heads * p->head_dim, k_columns = p->kv_heads * p->head_dim;
    const int v_columns = p->kv_heads * p->value_dim, columns = p->query_heads * p->value_dim;
    *w = (plan){0};
    w->dq = take(w, p->batch, p->query_length, q_columns);
    w->dk = take(w, p->batch, p->key_length, k_columns);
    w->dv = take(w, p->batch, p->key_length, v_columns);
    if (m->wo) w->dconcat = take(w, p->batch, p->query_length, columns);
    /* The largest matrix of weights, turned. */
    const uint64_t from = w->attention;
    w->turned = from;
    const int shapes[4][2] = {{m->query_width, q_columns},
                              {m->key_width, k_columns},
                              {m->value_width, v_columns},
                              {m->wo ? m->output_width : 0, columns}};
    for (int n = 0; n < 4; n++) {
        const uint64_t end = from + (uint64_t)shapes[n][0] * (uint64_t)shapes[n][1];
        if (end > w->attention) w->attention = end;
    }
    status = attn_workspace_size(&inner, ATTN_OP_BACKWARD, &w->attention_bytes);
    if (status != ATTN_OK) return status;
    FAIL_IF(w->attention > (SIZE_MAX - WORKSPACE_ALIGNMENT - w->attention_bytes) / sizeof(float),
            ATTN_SIZE, "workspace");
    w->bytes = WORKSPACE_ALIGNMENT + sizeof(float) * w->attention + w->attention_bytes;
    return ATTN_OK;
}

attn_status attn_mha_backward_workspace_size(const attn_mha_params *m, size_t *bytes) {
    const char *ignored;
    plan w;
    const attn_status status = plan_workspace(m, &w, &ignored);
    if (status != ATTN_OK) return status;
    if (!bytes) return ATTN_NULL;
    *bytes = (size_t)w.bytes;
    return ATTN_OK;
}

static attn_status check_pointers(const attn_mha_params *m, const attn_mha_gradients *g,
                                  const char **field) {
    const attn_params *p = &m->attention;
    FAIL_IF(!m->wo && g->dwo, ATTN_CONFLICT, "dwo");
    FAIL_IF(!m->wo && g->dbo, ATTN_CONFLICT, "dbo");
    FAIL_IF(!p->bias && g->dbias, ATTN_CONFLICT, "dbias");
    FAIL_IF(!m->wq, ATTN_NULL, "wq");
    FAIL_IF(!m->wk, ATTN_NULL, "wk");
    FAIL_IF(!m->wv, ATTN_NULL, "wv");
    const bool queries = p->batch > 0 && p->query_length > 0;
    const bool keys = p->batch > 0 && p->key_length > 0;
    const struct {
        const void *pointer;
        const char *name;
        bool needed;
    } required[] = {
        {m->query, "query", queries},
        {m->q, "q", queries},
        {m->lse, "lse", queries},
        {m->wo ? m->concat : m->out, m->wo ? "concat" : "out", queries},
        {g->dout, "dout", queries},
        {m->key, "key", keys},
        {m->value, "value", keys},
        {m->k, "k", keys},
        {m->v, "v", keys},
        {m->q_cos, "q_cos", queries && m->rotary_dim > 0},
        {m->q_sin, "q_sin", queries && m->rotary_dim > 0},
        {m->k_cos, "k_cos", keys && m->rotary_dim > 0},
        {m->k_sin, "k_sin", keys && m->rotary_dim > 0},
    };
    for (size_t n = 0; n < sizeof required / sizeof *required; n++) {
        FAIL_IF(required[n].needed && !required[n].pointer, ATTN_NULL, required[n].name);
    }
    return ATTN_OK;
}

/* turned (columns, rows) = w (rows, columns)^T */
static void turn(const float *w, int rows, int columns, float *turned) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            turned[(ptrdiff_t)c * rows + r] = w[(ptrdiff_t)r * columns + c];
        }
    }
}

/* Rows that a product is summed over at once: counted in int, and few roundings of large sums. */
#define RUN 1024

/* Whether row i gets no gradient but holds NaN or infinity, which a product with 0 would not erase. */
static int is_masked_poison(const projection *y, ptrdiff_t i) {
    const float *x = y->x + i * y->in, *dy = y->dy + i * y->out;
    for (int c = 0; c < y->out; c++) {
        if (dy[c] != 0) return 0;
    }
    for (int c = 0; c < y->in; c++) {
        if (!isfinite(x[c])) return 1;
    }
    return 0;
}

/* How many rows from i on dw is summed over at once. */
static int run_from(const projection *y, ptrdiff_t i) {
    int count = 0;
    while (count < RUN && i + count < y->rows && !is_masked_poison(y, i + count)) count++;
    return count;
}

/* dw = x^T dy, without the rows that are masked. */
static void project_weights(const attn_kernels *kernels, const projection *y) {
    const int in = y->in, out = y->out;
    for (ptrdiff_t n = 0; n < (ptrdiff_t)in * out; n++) y->dw[n] = 0;
    for (ptrdiff_t i = 0; i < y->rows;) {
        const int count = run_from(y, i);
        for (int r = 0; count > 0 && r < in; r += RUN) {
            float ones[RUN];
            const int height = in - r < RUN ? in - r : RUN;
            for (int n = 0; n < height; n++) ones[n] = 1;
            kernels->gemm(height, out, count, y->x + i * in + r, 1, in, y->dy + i * out, out,
                          y->dw + (ptrdiff_t)r * out, out, ones);
        }
        i += count > 0 ? count : 1;
    }
}

/* The gradients that are asked for. Sums over rows run in their order, whoever computes them. */
static void project_back(const attn_kernels *kernels, const projection *y, float *turned) {
    const int in = y->in, out = y->out;
    if (y->dw) project_weights(kernels, y);
    if (y->db) {
        for (int c = 0; c < out; c++) {
            double sum = 0;
            for (ptrdiff_t i = 0; i < y->rows; i++) sum += (double)y->dy[i * out + c];
            y->db[c] = (float)sum;
        }
    }
    if (!y->dx) return;
    turn(y->w, in, out, turned);
    for (ptrdiff_t i = 0; i < y->rows; i += RUN) {
        const int count = y->rows - i < RUN ? (int)(y->rows - i) : RUN;
        kernels->gemm(count, in, out, y->dy + i * out, out, 1, turned, in, y->dx + i * in, in,
                      NULL);
    }
}

attn_status attn_mha_backward(const attn_mha_params *m, const attn_mha_gradients *g,
                              void *workspace, size_t workspace_bytes, const char **field) {
    const char *ignored;
    if (!field) field = &ignored;
    plan w;
    attn_status status = plan_workspace(m, &w, field);
    if (status != ATTN_OK) return status;
    FAIL_IF(!g, ATTN_NULL, "gradients");
    FAIL_IF(g->size != sizeof(attn_mha_gradients), ATTN_VERSION_MISMATCH, "size");
    status = check_pointers(m, g, field);
    if (status != ATTN_OK) return status;
    FAIL_IF(!workspace || workspace_bytes < w.bytes, ATTN_WORKSPACE, "workspace");

    float *floats = (float *)(void *)workspace_start(workspace);
    float *turned = floats + w.turned, *dconcat = floats + w.dconcat;
    attn_params p = attn_mha_inner(m, NULL);
    const attn_kernels *kernels = attn_isa_kernels(p.isa);
    const ptrdiff_t query_rows = (ptrdiff_t)p.batch * p.query_length;
    const ptrdiff_t key_rows = (ptrdiff_t)p.batch * p.key_length;
    const int columns = p.query_heads * p.value_dim;

    if (m->wo) {
        project_back(kernels,
                     &(projection){m->concat, m->wo, g->dout, dconcat, g->dwo, g->dbo, query_rows,
                                   columns, m->output_width},
                     turned);
    }

    attn_gradients inner;
    attn_gradients_defaults(&inner);
    p.q = m->q;
    p.k = m->k;
    p.v = m->v;
    p.out = m->wo ? m->concat : m->out;
    inner.dout = m->wo ? dconcat : g->dout;
    inner.dq = floats + w.dq;
    inner.dk = floats + w.dk;
    inner.dv = floats + w.dv;
    inner.dbias = g->dbias;
    for (int n = 0; n < 3; n++) {
        inner.dout_stride[n] = p.out_stride[n];
        inner.dq_stride[n] = p.q_stride[n];
        inner.dk_stride[n] = p.k_stride[n];
        inner.dv_stride[n] = p.v_stride[n];
    }
    status = attn_backward(&p, &inner, floats + w.attention, w.attention_bytes, field);
    if (status == ATTN_OK) {
        status = attn_mha_rotate(m, inner.dq, p.query_heads, p.query_length, m->q_cos, m->q_sin,
                                 m->q_table_stride, 1);
    }
    if (status == ATTN_OK) {
        status = attn_mha_rotate(m, inner.dk, p.kv_heads, p.key_length, m->k_cos, m->k_sin,
                                 m->k_table_stride, 1);
    }
    if (status != ATTN_OK) return status;

    const projection projections[3] = {
        {m->query, m->wq, inner.dq, g->dquery, g->dwq, g->dbq, query_rows, m->query_width,
         p.query_heads * p.head_dim},
        {m->key, m->wk, inner.dk, g->dkey, g->dwk, g->dbk, key_rows, m->key_width,
         p.kv_heads * p.head_dim},
        {m->value, m->wv, inner.dv, g->dvalue, g->dwv, g->dbv, key_rows, m->value_width,
         p.kv_heads * p.value_dim},
    };
    for (int n = 0; n < 3; n++) project_back(kernels, &projections[n], turned);
    return ATTN_OK;
}
