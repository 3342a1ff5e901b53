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
    double magnitude; /* negative: the largest number of the stage, or this if it is larger */
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
            bound_check(s->name, problem_text(t), s->ours, s->exact, s->plain, s->count,
                        s->magnitude);
        }
    }
}

/* The answer and the plain float32 of one problem. */
typedef struct references {
    oracle exact, plain;
} references;

static references references_of(const problem *t, const attn_trace_params *what_if) {
    return (references){oracle_of(&t->p, what_if, ORACLE_EXACT),
                        oracle_of(&t->p, what_if, ORACLE_PLAIN)};
}

static void references_free(references *r) {
    oracle_free(&r->exact);
    oracle_free(&r->plain);
}

static void check_forward(problem *t, const references *r) {
    problem_forward(t);
    float *out = gathered(t);
    bound_check("forward out", problem_text(t), out, r->exact.out, r->plain.out, r->exact.outputs,
                oracle_unit(&r->exact, r->exact.largest_v));
    bound_check("forward lse", problem_text(t), t->lse, r->exact.lse, r->plain.lse, r->exact.rows,
                -oracle_unit(&r->exact, 1));
    check_empty_rows(t, &r->exact, out, t->lse);
    buffer_free(out);
}

static void check_trace(problem *t, attn_trace_params *trace, const references *r) {
    problem_trace(t, trace);
    float *out = gathered(t);
    const oracle *exact = &r->exact, *plain = &r->plain;
    /* Weights are at most 1, dropped ones 1 / (1 - p), their sum before division Tk. */
    const double kept = t->p.dropout < 1 ? 1 / (1 - (double)t->p.dropout) : 1;
    const double unit = oracle_unit(exact, 1), sum = oracle_unit(exact, t->p.key_length);
    const stage stages[] = {
        {"trace scores", trace->scores, exact->scores, plain->scores, exact->cells, -unit},
        {"trace scaled", trace->scaled, exact->scaled, plain->scaled, exact->cells, -unit},
        {"trace capped", trace->capped, exact->capped, plain->capped, exact->cells, -unit},
        {"trace masked", trace->masked, exact->masked, plain->masked, exact->cells, -unit},
        {"trace weights", trace->weights, exact->weights, plain->weights, exact->cells, unit},
        {"trace dropped", trace->dropped, exact->dropped, plain->dropped, exact->cells,
         unit * kept},
        {"trace row_max", trace->row_max, exact->row_max, plain->row_max, exact->rows, -unit},
        {"trace row_sum", trace->row_sum, exact->row_sum, plain->row_sum, exact->rows, sum},
        {"trace lse", trace->lse, exact->lse, plain->lse, exact->rows, -unit},
        {"trace entropy", trace->entropy, exact->entropy, plain->entropy, exact->rows, unit},
    };
    check_stages(t, stages, sizeof stages / sizeof *stages);
    bound_check("trace out", problem_text(t), out, exact->out, plain->out, exact->outputs,
                oracle_unit(exact, exact->largest_v));
    if (trace->softmax_axis == ATTN_OVER_KEYS && trace->mask_order == ATTN_MASK_BEFORE) {
        check_empty_rows(t, exact, out, trace->lse);
    }
    buffer_free(out);
}

void problem_check_forward(problem *t) {
    references r = references_of(t, NULL);
    check_forward(t, &r);
    references_free(&r);
}

void problem_check_trace(problem *t, attn_trace_params *trace) {
    references r = references_of(t, trace);
    check_trace(t, trace, &r);
    references_free(&r);
}

void problem_check(problem *t) {
    references r = references_of(t, NULL);
    check_forward(t, &r);
    attn_trace_params trace = problem_stages(t);
    check_trace(t, &trace, &r);
    references_free(&r);
    float *const stages[] = {trace.scores,  trace.scaled,  trace.capped,  trace.masked,
                             trace.weights, trace.dropped, trace.row_max, trace.row_sum,
                             trace.lse,     trace.entropy};
    for (size_t n = 0; n < sizeof stages / sizeof *stages; n++) buffer_free(stages[n]);
}
