/* compare.c - both paths against the oracle, stage by stage; see problem.h. */
#include <math.h>

#include "bound.h"
#include "buffers.h"
#include "oracle.h"
#include "problem.h"
#include "suite.h"

typedef struct stage {
    const char *name;
    const float *ours;
    const double *exact, *plain;
    size_t count;
} stage;

/* The output, in the order of a packed tensor. */
static float *gathered(const problem *t) {
    const attn_params *p = &t->p;
    float *packed = buffer_floats(problem_outputs(t));
    size_t n = 0;
    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < p->query_heads; h++) {
            for (int i = 0; i < p->query_length; i++) {
                for (int d = 0; d < p->value_dim; d++) {
                    packed[n++] = oracle_element(p->out, p->out_stride, p->query_heads,
                                                 p->query_length, p->value_dim, b, h, i, d);
                }
            }
        }
    }
    return packed;
}

/* An empty row is exactly 0, with a lse of exactly -inf. */
static void check_empty_rows(const problem *t, const oracle *exact, const float *out,
                             const float *lse) {
    const size_t Dv = (size_t)t->p.value_dim;
    for (size_t row = 0; row < exact->rows; row++) {
        if (exact->row_max[row] != -INFINITY) continue;
        if (lse && lse[row] != -INFINITY) fail_msg("lse of an empty row: %s", problem_text(t));
        for (size_t d = 0; d < Dv; d++) {
            const float x = out[row * Dv + d];
            if (x != 0 || signbit(x)) fail_msg("output of an empty row: %s", problem_text(t));
        }
    }
}

static void check_stages(const problem *t, const stage *stages, size_t count) {
    for (size_t n = 0; n < count; n++) {
        const stage *s = &stages[n];
        if (s->ours) {
            bound_check(s->name, problem_text(t), s->ours, s->exact, s->plain, s->count, -1);
        }
    }
}

void problem_check_forward(problem *t) {
    problem_forward(t);
    oracle exact = oracle_of(&t->p, NULL, ORACLE_EXACT);
    oracle plain = oracle_of(&t->p, NULL, ORACLE_PLAIN);
    float *out = gathered(t);
    bound_check("forward out", problem_text(t), out, exact.out, plain.out, exact.outputs,
                exact.largest_v);
    bound_check("forward lse", problem_text(t), t->lse, exact.lse, plain.lse, exact.rows, -1);
    check_empty_rows(t, &exact, out, t->lse);
    buffer_free(out);
    oracle_free(&exact);
    oracle_free(&plain);
}

void problem_check_trace(problem *t, attn_trace_params *trace) {
    problem_trace(t, trace);
    oracle exact = oracle_of(&t->p, trace, ORACLE_EXACT);
    oracle plain = oracle_of(&t->p, trace, ORACLE_PLAIN);
    float *out = gathered(t);
    const stage stages[] = {
        {"trace scores", trace->scores, exact.scores, plain.scores, exact.cells},
        {"trace scaled", trace->scaled, exact.scaled, plain.scaled, exact.cells},
        {"trace capped", trace->capped, exact.scaled, plain.scaled, exact.cells},
        {"trace masked", trace->masked, exact.masked, plain.masked, exact.cells},
        {"trace weights", trace->weights, exact.weights, plain.weights, exact.cells},
        {"trace dropped", trace->dropped, exact.weights, plain.weights, exact.cells},
        {"trace row_max", trace->row_max, exact.row_max, plain.row_max, exact.rows},
        {"trace row_sum", trace->row_sum, exact.row_sum, plain.row_sum, exact.rows},
        {"trace lse", trace->lse, exact.lse, plain.lse, exact.rows},
        {"trace entropy", trace->entropy, exact.entropy, plain.entropy, exact.rows},
    };
    check_stages(t, stages, sizeof stages / sizeof *stages);
    bound_check("trace out", problem_text(t), out, exact.out, plain.out, exact.outputs,
                exact.largest_v);
    if (trace->softmax_axis == ATTN_OVER_KEYS && trace->mask_order == ATTN_MASK_BEFORE) {
        check_empty_rows(t, &exact, out, trace->lse);
    }
    buffer_free(out);
    oracle_free(&exact);
    oracle_free(&plain);
}

void problem_check(problem *t) {
    problem_check_forward(t);
    attn_trace_params trace = problem_stages(t);
    problem_check_trace(t, &trace);
    float *const stages[] = {trace.scores,  trace.scaled,  trace.capped,  trace.masked,
                             trace.weights, trace.dropped, trace.row_max, trace.row_sum,
                             trace.lse,     trace.entropy};
    for (size_t n = 0; n < sizeof stages / sizeof *stages; n++) buffer_free(stages[n]);
}
