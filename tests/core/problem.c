/* problem.c - building problems and running both paths on them; see problem.h. */
#include "problem.h"

#include <math.h>
#include <stdio.h>

#include "buffers.h"
#include "rng.h"
#include "suite.h"

static float *normals(size_t count) {
    float *x = buffer_floats(count);
    for (size_t n = 0; n < count; n++) x[n] = (float)rng_normal();
    return x;
}

static size_t product(int a, int b, int c, int d) {
    return (size_t)a * (size_t)b * (size_t)c * (size_t)d;
}

problem problem_of(dims s) {
    problem t;
    attn_defaults(&t.p, s.B, s.Hq, s.Tq, s.D);
    t.p.kv_heads = s.Hk;
    t.p.key_length = s.Tk;
    t.p.value_dim = s.Dv;
    t.p.isa = suite_isa;
    t.p.threads = 1;
    t.p.q = t.q = normals(product(s.B, s.Hq, s.Tq, s.D));
    t.p.k = t.k = normals(product(s.B, s.Hk, s.Tk, s.D));
    t.p.v = t.v = normals(product(s.B, s.Hk, s.Tk, s.Dv));
    t.p.out = t.out = buffer_floats(product(s.B, s.Hq, s.Tq, s.Dv));
    t.p.lse = t.lse = buffer_floats(product(s.B, s.Hq, s.Tq, 1));
    return t;
}

size_t problem_rows(const problem *t) {
    return product(t->p.batch, t->p.query_heads, t->p.query_length, 1);
}
size_t problem_cells(const problem *t) {
    return product(t->p.batch, t->p.query_heads, t->p.query_length, t->p.key_length);
}
size_t problem_outputs(const problem *t) {
    return product(t->p.batch, t->p.query_heads, t->p.query_length, t->p.value_dim);
}
size_t problem_keys(const problem *t) {
    return product(t->p.batch, t->p.kv_heads, t->p.key_length, 1);
}

/* Packed strides over the axes that are there, 0 for the others; the number of elements. */
static size_t broadcast(const int *extent, const int *axes, int count, ptrdiff_t *stride) {
    size_t elements = 1;
    for (int axis = count - 1; axis >= 0; axis--) {
        stride[axis] = axes[axis] ? (ptrdiff_t)elements : 0;
        if (axes[axis]) elements *= (size_t)extent[axis];
    }
    return elements;
}

static uint8_t *random_mask(size_t elements, double allowed) {
    uint8_t *mask = buffer_bytes(elements);
    for (size_t n = 0; n < elements; n++) {
        /* Any byte but 0 allows. */
        mask[n] = (uint8_t)(rng_chance(allowed) ? 1 + rng_below(255) : 0);
    }
    return mask;
}

uint8_t *problem_mask(problem *t, const int axes[4], double allowed) {
    const int extent[] = {t->p.batch, t->p.query_heads, t->p.query_length, t->p.key_length};
    uint8_t *mask = random_mask(broadcast(extent, axes, 4, t->p.mask_stride), allowed);
    t->p.mask = mask;
    return mask;
}

uint8_t *problem_key_mask(problem *t, const int axes[2], double allowed) {
    const int extent[] = {t->p.batch, t->p.key_length};
    uint8_t *mask = random_mask(broadcast(extent, axes, 2, t->p.key_mask_stride), allowed);
    t->p.key_mask = mask;
    return mask;
}

float *problem_bias(problem *t, const int axes[4], double finite) {
    const int extent[] = {t->p.batch, t->p.query_heads, t->p.query_length, t->p.key_length};
    const size_t elements = broadcast(extent, axes, 4, t->p.bias_stride);
    float *bias = buffer_floats(elements);
    for (size_t n = 0; n < elements; n++) {
        const float low = rng_chance(0.5) ? -INFINITY : -3.4e38f;
        bias[n] = rng_chance(finite) ? 2.0f * (float)rng_normal() : low;
    }
    t->p.bias = bias;
    return bias;
}

int32_t *problem_batch_values(const problem *t, int low, int high) {
    int32_t *values = buffer_ints((size_t)t->p.batch);
    for (int b = 0; b < t->p.batch; b++) values[b] = low + rng_below(high - low + 1);
    return values;
}

float *problem_alibi(problem *t) {
    float *slopes = buffer_floats((size_t)t->p.query_heads);
    for (int h = 0; h < t->p.query_heads; h++) {
        slopes[h] = rng_chance(0.2) ? 0 : (float)rng_uniform();
    }
    t->p.alibi_slopes = slopes;
    return slopes;
}

void problem_options(problem *t) {
    static const float caps[] = {0.3f, 2, 50}, rates[] = {0.1f, 0.25f, 0.5f, 0.9f, 1};
    if (rng_chance(0.4)) t->p.softcap = caps[rng_below(3)];
    if (rng_chance(0.4)) problem_alibi(t);
    if (rng_chance(0.4)) {
        t->p.dropout = rates[rng_below(5)];
        t->p.seed = rng_bits();
    }
}

static int random_reach(int longest) { return rng_chance(0.3) ? -1 : rng_below(longest + 3); }

void problem_combine(problem *t) {
    attn_params *p = &t->p;
    int axes[4];
    for (int axis = 0; axis < 4; axis++) axes[axis] = rng_chance(0.6);
    if (rng_chance(0.4)) problem_mask(t, axes, 0.8);
    for (int axis = 0; axis < 4; axis++) axes[axis] = rng_chance(0.6);
    if (rng_chance(0.4)) problem_bias(t, axes, 0.9);
    for (int axis = 0; axis < 2; axis++) axes[axis] = rng_chance(0.6);
    if (rng_chance(0.4)) problem_key_mask(t, axes, 0.8);

    p->causal = rng_below(3);
    if (rng_chance(0.3)) {
        p->window_left = random_reach(p->key_length);
        p->window_right = random_reach(p->key_length);
    }
    if (rng_chance(0.4)) p->key_lengths = problem_batch_values(t, -1, p->key_length + 1);
    if (rng_chance(0.4)) p->query_lengths = problem_batch_values(t, -1, p->query_length + 1);
    if (p->causal != ATTN_CAUSAL_TOP_LEFT && rng_chance(0.4)) {
        p->query_offset = problem_batch_values(t, -p->query_length - 1, p->key_length + 1);
    }

    problem_options(t);

    /* The one combination that attn_check() refuses. */
    if (attn_check(p, NULL) == ATTN_CONFLICT) {
        p->query_lengths = problem_batch_values(t, 0, p->query_length);
    }
}

const char *problem_text(const problem *t) {
    static char text[400];
    const attn_params *p = &t->p;
    snprintf(text, sizeof text,
             "B %d, Hq %d, Hk %d, Tq %d, Tk %d, D %d, Dv %d, scale %g, causal %d, window [%d, %d]"
             "%s%s%s%s%s%s%s, softcap %g, dropout %g, seed %u",
             p->batch, p->query_heads, p->kv_heads, p->query_length, p->key_length, p->head_dim,
             p->value_dim, (double)p->scale, p->causal, p->window_left, p->window_right,
             p->mask ? ", mask" : "", p->key_mask ? ", key_mask" : "", p->bias ? ", bias" : "",
             p->key_lengths ? ", key_lengths" : "", p->query_lengths ? ", query_lengths" : "",
             p->query_offset ? ", query_offset" : "", p->alibi_slopes ? ", alibi_slopes" : "",
             (double)p->softcap, (double)p->dropout, (unsigned)p->seed);
    return text;
}

void problem_forward(problem *t) {
    size_t bytes = 0;
    assert_int_equal(attn_workspace_size(&t->p, ATTN_OP_FORWARD, &bytes), ATTN_OK);

    buffer_poison(t->out);
    buffer_poison(t->lse);
    buffers_freeze();
    buffer_thaw(t->out);
    buffer_thaw(t->lse);
    void *workspace = buffer_at(bytes, 0);
    const attn_status status = attn_forward(&t->p, workspace, bytes);
    if (status != ATTN_OK) fail_msg("%s: %s", attn_status_string(status), problem_text(t));
    if (!buffers_intact()) fail_msg("memory was touched: %s", problem_text(t));
    buffer_free(workspace);
}

attn_trace_params problem_stages(const problem *t) {
    attn_trace_params trace;
    attn_trace_defaults(&trace);
    float **const cells[] = {&trace.scores, &trace.scaled,  &trace.capped,
                             &trace.masked, &trace.weights, &trace.dropped};
    float **const rows[] = {&trace.row_max, &trace.row_sum, &trace.lse, &trace.entropy};
    for (int n = 0; n < 6; n++) *cells[n] = buffer_floats(problem_cells(t));
    for (int n = 0; n < 4; n++) *rows[n] = buffer_floats(problem_rows(t));
    return trace;
}

void problem_trace(problem *t, attn_trace_params *trace) {
    if (!trace->weights) trace->weights = buffer_floats(problem_cells(t));
    float *const stages[] = {t->out,         trace->scores,  trace->scaled,  trace->capped,
                             trace->masked,  trace->weights, trace->dropped, trace->row_max,
                             trace->row_sum, trace->lse,     trace->entropy};
    buffers_freeze();
    for (size_t n = 0; n < sizeof stages / sizeof *stages; n++) {
        if (!stages[n]) continue;
        buffer_poison(stages[n]);
        buffer_thaw(stages[n]);
    }
    const attn_status status = attn_trace(&t->p, trace);
    if (status != ATTN_OK) fail_msg("%s: %s", attn_status_string(status), problem_text(t));
    if (!buffers_intact()) fail_msg("memory was touched: %s", problem_text(t));
}
