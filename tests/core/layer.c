/* layer.c - random layers, their answer in double, and one run; see layer.h. */
#include "layer.h"

#include <math.h>
#include <stdlib.h>

#include "buffers.h"
#include "oracle.h"
#include "rng.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t product(int a, int b, int c, int d) {
    return (size_t)a * (size_t)b * (size_t)c * (size_t)d;
}

float *layer_normals(size_t count, double size) {
    float *x = buffer_floats(count);
    for (size_t n = 0; n < count; n++) x[n] = (float)(size * rng_normal());
    return x;
}

void layer_compare(const char *what, const float *got, const double *expected, size_t count,
                   double t) {
    for (size_t n = 0; n < count; n++) {
        if (!(fabs((double)got[n] - expected[n]) <= t + t * fabs(expected[n]))) {
            fail_msg("%s[%zu] is %.9g, not %.9g", what, n, (double)got[n], expected[n]);
        }
    }
}

/* Zeros, freed by the caller. */
static double *doubles(size_t count) {
    double *x = calloc(count > 0 ? count : 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* y (rows, out) = x (rows, in) w (in, out) + bias, x in double or, where that is NULL, in float. */
static double *project(const double *x, const float *floats, size_t rows, int in, int out,
                       const float *w, const float *bias) {
    double *y = doubles(rows * (size_t)out);
    for (size_t i = 0; i < rows; i++) {
        for (int c = 0; c < out; c++) {
            double sum = bias ? (double)bias[c] : 0;
            for (int r = 0; r < in; r++) {
                const size_t at = i * (size_t)in + (size_t)r;
                sum += (x ? x[at] : (double)floats[at]) * (double)w[r * out + c];
            }
            y[i * (size_t)out + (size_t)c] = sum;
        }
    }
    return y;
}

/* Rotates x (B, T, heads, D) in place. */
static void rotate(const attn_mha_params *m, double *x, int T, int heads, const float *c,
                   const float *s, const ptrdiff_t stride[2]) {
    const int D = m->attention.head_dim, half = m->rotary_dim / 2;
    for (int b = 0; b < m->attention.batch; b++) {
        for (int i = 0; i < T; i++) {
            for (int h = 0; h < heads; h++) {
                double *row = x + ((b * T + i) * heads + h) * D;
                for (int k = 0; k < half; k++) {
                    const ptrdiff_t at = b * stride[0] + i * stride[1] + k;
                    double *first = row + (m->interleaved ? 2 * k : k);
                    double *second = row + (m->interleaved ? 2 * k + 1 : k + half);
                    const double a = *first, e = *second;
                    *first = a * (double)c[at] - e * (double)s[at];
                    *second = a * (double)s[at] + e * (double)c[at];
                }
            }
        }
    }
}

/* One row of one head; weights has room for Tk. */
static void attend(const attn_params *p, answer *a, int b, int h, int i, double *weights) {
    const int Hq = p->query_heads, Hk = p->kv_heads, Tk = p->key_length, D = p->head_dim;
    const int kv_h = h / (Hq / Hk), Dv = p->value_dim;
    double max = -(double)INFINITY, sum = 0;
    for (int j = 0; j < Tk; j++) {
        double s = 0;
        for (int d = 0; d < D; d++) {
            s += a->q[((b * p->query_length + i) * Hq + h) * D + d] *
                 a->k[((b * Tk + j) * Hk + kv_h) * D + d];
        }
        s *= (double)p->scale;
        if (p->softcap > 0) s = (double)p->softcap * tanh(s / (double)p->softcap);
        const int allowed = oracle_allows(p, b, h, i, j);
        weights[j] = allowed ? s + oracle_term(p, b, h, i, j) : -(double)INFINITY;
        max = fmax(max, weights[j]);
    }
    for (int j = 0; j < Tk; j++) {
        weights[j] = weights[j] == -(double)INFINITY ? 0 : exp(weights[j] - max);
        sum += weights[j];
    }
    for (int j = 0; j < Tk; j++) {
        const int kept = p->dropout == 0 || oracle_keeps(p, b, h, i, j);
        const double weight = kept && sum > 0 ? weights[j] / sum / (1 - (double)p->dropout) : 0;
        for (int d = 0; weight > 0 && d < Dv; d++) {
            a->concat[((b * p->query_length + i) * Hq + h) * Dv + d] +=
                weight * a->v[((b * Tk + j) * Hk + kv_h) * Dv + d];
        }
    }
}

answer layer_answer(const attn_mha_params *m) {
    const attn_params *p = &m->attention;
    const int Hq = p->query_heads, Hk = p->kv_heads, D = p->head_dim, Dv = p->value_dim;
    const size_t rows = product(p->batch, p->query_length, 1, 1);
    const size_t keys = product(p->batch, p->key_length, 1, 1);
    answer a = {
        .q = project(NULL, m->query, rows, m->query_width, Hq * D, m->wq, m->bq),
        .k = project(NULL, m->key, keys, m->key_width, Hk * D, m->wk, m->bk),
        .v = project(NULL, m->value, keys, m->value_width, Hk * Dv, m->wv, m->bv),
        .concat = doubles(rows * (size_t)(Hq * Dv)),
    };
    rotate(m, a.q, p->query_length, Hq, m->q_cos, m->q_sin, m->q_table_stride);
    rotate(m, a.k, p->key_length, Hk, m->k_cos, m->k_sin, m->k_table_stride);
    double *weights = doubles((size_t)p->key_length);
    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < Hq; h++) {
            for (int i = 0; i < p->query_length; i++) attend(p, &a, b, h, i, weights);
        }
    }
    free(weights);
    if (m->wo) {
        a.out = project(a.concat, NULL, rows, Hq * Dv, m->output_width, m->wo, m->bo);
    }
    return a;
}

void answer_free(answer *a) { free(a->q), free(a->k), free(a->v), free(a->concat), free(a->out); }

layer layer_of(int B, int Hq, int Hk, int Tq, int Tk, int D, int Dv, int biased) {
    layer l;
    attn_mha_params *m = &l.m;
    attn_mha_defaults(m, B, Hq, Tq, D);
    m->attention.kv_heads = Hk;
    m->attention.key_length = Tk;
    m->attention.value_dim = Dv;
    m->attention.isa = suite_isa;
    m->attention.threads = 1;
    m->query_width = 1 + rng_below(20);
    m->key_width = 1 + rng_below(20);
    m->value_width = 1 + rng_below(20);
    m->output_width = 1 + rng_below(20);
    m->query = layer_normals(product(B, Tq, m->query_width, 1), 1);
    m->key = layer_normals(product(B, Tk, m->key_width, 1), 1);
    m->value = layer_normals(product(B, Tk, m->value_width, 1), 1);
    m->wq = layer_normals(product(m->query_width, Hq, D, 1), 1 / sqrt(m->query_width));
    m->wk = layer_normals(product(m->key_width, Hk, D, 1), 1 / sqrt(m->key_width));
    m->wv = layer_normals(product(m->value_width, Hk, Dv, 1), 1 / sqrt(m->value_width));
    m->wo = layer_normals(product(Hq, Dv, m->output_width, 1), 1 / sqrt(Hq * Dv));
    if (biased) {
        m->bq = layer_normals(product(Hq, D, 1, 1), 1);
        m->bk = layer_normals(product(Hk, D, 1, 1), 1);
        m->bv = layer_normals(product(Hk, Dv, 1, 1), 1);
        m->bo = layer_normals((size_t)m->output_width, 1);
    }
    l.outputs = product(B, Tq, m->output_width, 1);
    m->out = buffer_floats(l.outputs);
    return l;
}

void layer_intermediates(attn_mha_params *m) {
    const attn_params *p = &m->attention;
    m->q = buffer_floats(product(p->batch, p->query_length, p->query_heads, p->head_dim));
    m->k = buffer_floats(product(p->batch, p->key_length, p->kv_heads, p->head_dim));
    m->v = buffer_floats(product(p->batch, p->key_length, p->kv_heads, p->value_dim));
    m->concat = buffer_floats(product(p->batch, p->query_length, p->query_heads, p->value_dim));
}

/* Tables for positions from a start on, the same for the batch, or one row after the other for each. */
void layer_rotation(attn_mha_params *m, int rotary_dim, int interleaved, int per_batch) {
    const int lengths[] = {m->attention.query_length, m->attention.key_length};
    const float **const tables[] = {&m->q_cos, &m->q_sin, &m->k_cos, &m->k_sin};
    ptrdiff_t *const strides[] = {m->q_table_stride, m->k_table_stride};
    m->rotary_dim = rotary_dim;
    m->interleaved = interleaved;
    for (int n = 0; n < 2; n++) {
        const int rows = lengths[n] * (per_batch ? m->attention.batch : 1), half = rotary_dim / 2;
        int32_t *positions = buffer_ints((size_t)rows);
        for (int row = 0; row < rows; row++) positions[row] = 5 + row * 3;
        float *c = buffer_floats(product(rows, half, 1, 1));
        float *s = buffer_floats(product(rows, half, 1, 1));
        assert_int_equal(attn_rope_table(c, s, positions, rows, rotary_dim, 10000), ATTN_OK);
        *tables[2 * n] = c, *tables[2 * n + 1] = s;
        strides[n][0] = per_batch ? (ptrdiff_t)lengths[n] * half : 0;
        strides[n][1] = half;
    }
}

/* With a workspace of exactly the size asked for, at any alignment; inputs keep their contents. */
void layer_run(attn_mha_params *m, const attn_cache *cache, const int32_t *lengths) {
    size_t bytes = 0;
    assert_int_equal(attn_mha_workspace_size(m, cache, &bytes), ATTN_OK);
    buffers_freeze();
    void *const written[] = {m->out, m->q, m->k, m->v, m->concat, m->lse};
    for (size_t n = 0; n < COUNT(written); n++) {
        if (!written[n]) continue;
        buffer_poison(written[n]);
        buffer_thaw(written[n]);
    }
    if (cache) {
        void *const kept[] = {cache->k, cache->v, cache->lengths, cache->positions};
        for (size_t n = 0; n < COUNT(kept); n++) buffer_thaw(kept[n]);
    }
    void *workspace = buffer_at(bytes, 4 * (size_t)rng_below(16));
    assert_int_equal(attn_mha_forward(m, cache, lengths, workspace, bytes), ATTN_OK);
    assert_true(buffers_intact());
    buffer_free(workspace);
}
