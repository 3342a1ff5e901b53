/* gradients.c - problems with gradients, their runs, and the formula twice; see gradients.h. */
#include "gradients.h"

#include <math.h>
#include <stdlib.h>
#include <tgmath.h>

#include "bound.h"
#include "buffers.h"
#include "rng.h"
#include "suite.h"

#define REAL           double
#define NAME(function) function##_exact
#include "gradients_real.h"
#undef REAL
#undef NAME
#define REAL           float
#define NAME(function) function##_plain
#include "gradients_real.h"

size_t backward_count(const backward *w, int which) {
    const attn_params *p = &w->t.p;
    if (which == 0) return problem_rows(&w->t) * (size_t)p->head_dim;
    return problem_keys(&w->t) * (size_t)(which == 1 ? p->head_dim : p->value_dim);
}

/* From the first number of a broadcast tensor to the last. */
static size_t bias_extent(const attn_params *p) {
    const int length[] = {p->batch, p->query_heads, p->query_length, p->key_length};
    size_t extent = 1;
    for (int axis = 0; axis < 4; axis++) {
        if (p->bias_stride[axis] == 0) continue;
        if (length[axis] == 0) return 0;
        extent += (size_t)p->bias_stride[axis] * (size_t)(length[axis] - 1);
    }
    return extent;
}

backward backward_of(problem t) {
    backward w = {.t = t};
    attn_gradients_defaults(&w.g);
    w.dout = buffer_floats(problem_outputs(&t));
    for (size_t n = 0; n < problem_outputs(&t); n++) w.dout[n] = (float)rng_normal();
    w.g.dout = w.dout;
    w.g.dq = w.dq = buffer_floats(backward_count(&w, 0));
    w.g.dk = w.dk = buffer_floats(backward_count(&w, 1));
    w.g.dv = w.dv = buffer_floats(backward_count(&w, 2));
    if (t.p.bias) {
        w.biases = bias_extent(&t.p);
        w.g.dbias = w.dbias = buffer_floats(w.biases);
    }
    return w;
}

void backward_again(backward *w) {
    size_t bytes = 0;
    assert_int_equal(attn_workspace_size(&w->t.p, ATTN_OP_BACKWARD, &bytes), ATTN_OK);
    float *const results[] = {w->g.dq, w->g.dk, w->g.dv, w->g.dbias};
    buffers_freeze();
    for (int n = 0; n < 4; n++) {
        if (!results[n]) continue;
        buffer_poison(results[n]);
        buffer_thaw(results[n]);
    }
    void *workspace = buffer_at(bytes, (size_t)rng_below(64));
    const char *field = "untouched";
    const attn_status status = attn_backward(&w->t.p, &w->g, workspace, bytes, &field);
    if (status != ATTN_OK) {
        fail_msg("%s, %s: %s", attn_status_string(status), field, problem_text(&w->t));
    }
    assert_null(field);
    if (!buffers_intact()) fail_msg("memory was touched: %s", problem_text(&w->t));
    buffer_free(workspace);
}

void backward_run(backward *w) {
    problem_forward(&w->t);
    backward_again(w);
}

static gradient zeros(size_t count) {
    gradient g = {.numbers = calloc(count + 1, sizeof(double))};
    g.sizes = calloc(count + 1, sizeof(double));
    assert_true(g.numbers && g.sizes);
    return g;
}

gradients gradients_of(const backward *w, oracle_precision precision) {
    oracle o = oracle_of(&w->t.p, NULL, precision);
    gradients g = {zeros(backward_count(w, 0)), zeros(backward_count(w, 1)),
                   zeros(backward_count(w, 2)), zeros(w->biases)};
    if (precision == ORACLE_EXACT) {
        gradients_exact(w, &o, &g);
    } else {
        gradients_plain(w, &o, &g);
    }
    g.dq.unit = g.dk.unit = g.dv.unit = g.dbias.unit = oracle_unit(&o, 1);
    oracle_free(&o);
    return g;
}

void gradients_free(gradients *g) {
    gradient *const all[] = {&g->dq, &g->dk, &g->dv, &g->dbias};
    for (int n = 0; n < 4; n++) free(all[n]->numbers), free(all[n]->sizes);
    *g = (gradients){0};
}

static void judge(const backward *w, const char *name, const float *ours, const gradient *exact,
                  const gradient *plain, size_t count) {
    bound_check(name, problem_text(&w->t), ours, exact->numbers, plain->numbers, count,
                exact->unit * fmax(1, exact->largest));
}

void backward_check(backward *w) {
    backward_run(w);
    gradients exact = gradients_of(w, ORACLE_EXACT), plain = gradients_of(w, ORACLE_PLAIN);
    if (w->g.dq) {
        judge(w, "dq", w->dq, &exact.dq, &plain.dq, backward_count(w, 0));
        judge(w, "dk", w->dk, &exact.dk, &plain.dk, backward_count(w, 1));
        judge(w, "dv", w->dv, &exact.dv, &plain.dv, backward_count(w, 2));
    }
    if (w->g.dbias) judge(w, "dbias", w->dbias, &exact.dbias, &plain.dbias, w->biases);
    gradients_free(&exact);
    gradients_free(&plain);
}
