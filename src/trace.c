/*
 * trace.c - the definition of attention, to be read.
 *
 *     1  scores  = q k^T              2  masked = cap(scale scores) + terms, -inf where not allowed
 *     3  weights = softmax(masked)    4  out    = dropout(weights) v
 *
 * Four plain passes over one (batch, head) at a time; every other file computes the same thing
 * faster. This file alone knows the what-ifs: scores given by hand, softmax over the queries, the
 * mask applied after the softmax. The weights array serves as the working copy of each stage in
 * turn.
 */
#include "attention.h"
#include "mask.h"
#include "random.h"
#include "shape.h"

#include <math.h>
#include <string.h>

/* Terms are fetched in runs of this many keys, so that no array of Tk is needed. */
#define RUN 64

/* One (batch, head): pointers to its part of everything. Any output but weights may be NULL. */
typedef struct head_trace {
    int Tq, Tk, D, Dv;
    const float *q, *k, *v, *given;
    float *out;
    ptrdiff_t q_row, k_row, v_row, out_row;
    float *scores, *scaled, *capped, *masked, *weights, *dropped;
    float *row_max, *row_sum, *lse, *entropy;
    mask_view mask;
    float scale, softcap, dropout;
    uint32_t seed;
    int b, h;
} head_trace;

void attn_trace_defaults(attn_trace_params *trace) {
    *trace = (attn_trace_params){.size = sizeof(attn_trace_params)};
}

/* Where a part of a stage begins; NULL stays NULL. */
static float *part(float *stage, ptrdiff_t offset) { return stage ? stage + offset : NULL; }

static void store(float *stage, ptrdiff_t index, float x) {
    if (stage) stage[index] = x;
}

/* 1. scores[i, j] = sum over d of q[i, d] k[j, d], also for keys that will be masked. */
static void pass_scores(const head_trace *t) {
    for (int i = 0; i < t->Tq; i++) {
        for (int j = 0; j < t->Tk; j++) {
            const float *q_i = t->q + i * t->q_row, *k_j = t->k + j * t->k_row;
            const ptrdiff_t ij = (ptrdiff_t)i * t->Tk + j;
            float score = 0.0f;
            for (int d = 0; d < t->D; d++) score += q_i[d] * k_j[d];
            if (t->given && !isnan(t->given[ij])) score = t->given[ij];
            t->weights[ij] = score;
            store(t->scores, ij, score);
        }
    }
}

/* Row terms without the mask: where the bias is -inf, ALiBi alone. */
static void open_terms(const head_trace *t, int i, int j0, int j1, float *term) {
    float alibi[RUN];
    mask_view open = mask_bias_only(&t->mask, t->Tq, t->Tk);
    attn_mask_row_terms(&open, i, j0, j1, term);
    open.bias = NULL;
    attn_mask_row_terms(&open, i, j0, j1, alibi);
    for (int j = 0; j < j1 - j0; j++) {
        if (term[j] == -INFINITY) term[j] = alibi[j];
    }
}

/* 2. scaled, capped, and masked: the row term is added, or -inf takes the place of the score.
 *    With the mask after the softmax, only bias and ALiBi are terms here; -inf waits for pass 3. */
static void pass_mask(const head_trace *t, int mask_order) {
    for (int i = 0; i < t->Tq; i++) {
        for (int j0 = 0; j0 < t->Tk; j0 += RUN) {
            float term[RUN];
            const int j1 = j0 + RUN < t->Tk ? j0 + RUN : t->Tk;
            if (mask_order == ATTN_MASK_AFTER) {
                open_terms(t, i, j0, j1, term);
            } else {
                attn_mask_row_terms(&t->mask, i, j0, j1, term);
            }
            for (int j = j0; j < j1; j++) {
                const ptrdiff_t ij = (ptrdiff_t)i * t->Tk + j;
                float x = t->scale * t->weights[ij];
                store(t->scaled, ij, x);
                if (t->softcap > 0) x = t->softcap * tanhf(x / t->softcap);
                store(t->capped, ij, x);
                x = term[j - j0] == -INFINITY ? -INFINITY : x + term[j - j0];
                t->weights[ij] = x;
                store(t->masked, ij, x);
            }
        }
    }
}

/* The larger of two numbers; NaN if either is. */
static float larger(float a, float b) { return a > b || isnan(a) ? a : b; }

/* Maximum of n numbers step apart, and the sum of exp(x - maximum); -inf and 0 when empty. */
static void statistics(const float *x, int n, ptrdiff_t step, float *max, float *sum) {
    float m = -INFINITY, l = 0.0f;
    for (int j = 0; j < n; j++) m = larger(m, x[j * step]);
    for (int j = 0; j < n; j++) l += x[j * step] == -INFINITY ? 0.0f : expf(x[j * step] - m);
    *max = m;
    *sum = l;
}

/* x = exp(x - max) / sum, the weights of one row, or of one column in a what-if. */
static void softmax(float *x, int n, ptrdiff_t step) {
    float max, sum;
    statistics(x, n, step, &max, &sum);
    for (int j = 0; j < n; j++) {
        x[j * step] = x[j * step] == -INFINITY ? 0.0f : expf(x[j * step] - max) / sum;
    }
}

/* Sets the weights of masked keys to 0, for the what-if that masks after the softmax. */
static void zero_masked(const head_trace *t, int i) {
    for (int j0 = 0; j0 < t->Tk; j0 += RUN) {
        float term[RUN];
        const int j1 = j0 + RUN < t->Tk ? j0 + RUN : t->Tk;
        attn_mask_row_terms(&t->mask, i, j0, j1, term);
        for (int j = j0; j < j1; j++) {
            if (term[j - j0] == -INFINITY) t->weights[(ptrdiff_t)i * t->Tk + j] = 0.0f;
        }
    }
}

/* The weight after dropout: 0, or divided by the probability to be kept. NaN stays. */
static float dropped_weight(const head_trace *t, uint32_t row_key, int i, int j) {
    const float weight = t->weights[(ptrdiff_t)i * t->Tk + j];
    if (t->dropout == 0) return weight;
    const int keep = random_bits(row_key, j) >= random_threshold(t->dropout);
    return weight * (keep ? random_keep_scale(t->dropout) : 0.0f);
}

/* 3. weights: every row (or column) becomes a distribution. */
static void pass_softmax(const head_trace *t, int softmax_axis, int mask_order) {
    for (int i = 0; i < t->Tq; i++) {
        float max, sum;
        statistics(part(t->weights, (ptrdiff_t)i * t->Tk), t->Tk, 1, &max, &sum);
        store(t->row_max, i, max);
        store(t->row_sum, i, sum);
        store(t->lse, i, max == -INFINITY ? max : max + logf(sum));
    }
    if (softmax_axis == ATTN_OVER_QUERIES) {
        for (int j = 0; j < t->Tk; j++) softmax(t->weights + j, t->Tq, t->Tk);
    } else {
        for (int i = 0; i < t->Tq; i++) softmax(part(t->weights, (ptrdiff_t)i * t->Tk), t->Tk, 1);
    }
    for (int i = 0; i < t->Tq; i++) {
        if (mask_order == ATTN_MASK_AFTER) zero_masked(t, i);
        float entropy = 0.0f;
        for (int j = 0; j < t->Tk; j++) {
            const ptrdiff_t ij = (ptrdiff_t)i * t->Tk + j;
            const float w = t->weights[ij];
            entropy -= w == 0.0f ? 0.0f : w * logf(w);
        }
        store(t->entropy, i, entropy);
    }
}

/* A row in which nothing has weight hands over nothing, whatever its values hold. */
static int is_empty(const float *weights_i, int n) {
    for (int j = 0; j < n; j++) {
        if (weights_i[j] != 0.0f) return 0;
    }
    return 1;
}

/* 4. out[i, :] = sum over j of dropout(weights)[i, j] v[j, :], without keys not allowed. */
static void pass_output(const head_trace *t) {
    for (int i = 0; i < t->Tq; i++) {
        float *out_i = t->out + i * t->out_row;
        const float *weights_i = part(t->weights, (ptrdiff_t)i * t->Tk);
        const uint32_t row_key = random_row_key(t->seed, t->b, t->h, i);
        for (int j = 0; j < t->Tk; j++) {
            store(t->dropped, (ptrdiff_t)i * t->Tk + j, dropped_weight(t, row_key, i, j));
        }
        memset(out_i, 0, sizeof(float) * (size_t)t->Dv);
        if (is_empty(weights_i, t->Tk)) continue;
        const mask_span span = mask_row_span(&t->mask, i);
        for (int j0 = span.begin; j0 < span.end; j0 += RUN) {
            float term[RUN];
            const int j1 = j0 + RUN < span.end ? j0 + RUN : span.end;
            attn_mask_row_terms(&t->mask, i, j0, j1, term);
            for (int j = j0; j < j1; j++) {
                if (term[j - j0] == -INFINITY) continue;
                const float weight = dropped_weight(t, row_key, i, j), *v_j = t->v + j * t->v_row;
                for (int d = 0; d < t->Dv; d++) out_i[d] += weight * v_j[d];
            }
        }
    }
}

attn_status attn_trace(const attn_params *p, const attn_trace_params *trace) {
    const attn_status status = attn_check(p, NULL);
    if (status != ATTN_OK) return status;
    if (!trace) return ATTN_NULL;
    if (trace->size != sizeof(attn_trace_params)) return ATTN_VERSION_MISMATCH;
    if (trace->softmax_axis != ATTN_OVER_KEYS && trace->softmax_axis != ATTN_OVER_QUERIES) {
        return ATTN_RANGE;
    }
    if (trace->mask_order != ATTN_MASK_BEFORE && trace->mask_order != ATTN_MASK_AFTER)
        return ATTN_RANGE;
    if (p->batch == 0 || p->query_length == 0) return ATTN_OK;
    if (!p->q || !p->out) return ATTN_NULL;
    if (p->key_length > 0 && (!p->k || !p->v || !trace->weights)) return ATTN_NULL;

    const shape q = shape_of(p->q_stride, p->query_heads, p->query_length, p->head_dim);
    const shape k = shape_of(p->k_stride, p->kv_heads, p->key_length, p->head_dim);
    const shape v = shape_of(p->v_stride, p->kv_heads, p->key_length, p->value_dim);
    const shape out = shape_of(p->out_stride, p->query_heads, p->query_length, p->value_dim);

    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < p->query_heads; h++) {
            const int kv_h = kv_head_of(p, h);
            const ptrdiff_t rows = ((ptrdiff_t)b * p->query_heads + h) * p->query_length;
            const ptrdiff_t cells = rows * p->key_length;
            const head_trace t = {
                .Tq = p->query_length,
                .Tk = p->key_length,
                .D = p->head_dim,
                .Dv = p->value_dim,
                .q = shape_row(p->q, q, b, h, 0),
                .k = shape_row(p->k, k, b, kv_h, 0),
                .v = shape_row(p->v, v, b, kv_h, 0),
                .out = p->out + shape_offset(out, b, h, 0),
                .q_row = q.row,
                .k_row = k.row,
                .v_row = v.row,
                .out_row = out.row,
                .given = trace->given_scores ? trace->given_scores + cells : NULL,
                .scores = part(trace->scores, cells),
                .scaled = part(trace->scaled, cells),
                .capped = part(trace->capped, cells),
                .masked = part(trace->masked, cells),
                .weights = part(trace->weights, cells),
                .dropped = part(trace->dropped, cells),
                .row_max = part(trace->row_max, rows),
                .row_sum = part(trace->row_sum, rows),
                .lse = part(trace->lse, rows),
                .entropy = part(trace->entropy, rows),
                .mask = mask_view_of(p, b, h),
                .scale = p->scale,
                .softcap = p->softcap,
                .dropout = p->dropout,
                .seed = p->seed,
                .b = b,
                .h = h,
            };
            pass_scores(&t);
            pass_mask(&t, trace->mask_order);
            pass_softmax(&t, trace->softmax_axis, trace->mask_order);
            pass_output(&t);
        }
    }
    return ATTN_OK;
}
