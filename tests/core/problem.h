/*
 * problem.h - attention problems for the tests: tensors of normal numbers in guarded buffers, masks of
 * every kind, and the comparison of both paths with the oracle.
 *
 *     problem t = problem_of((dims){.B = 1, .Hq = 2, .Hk = 1, .Tq = 5, .Tk = 7, .D = 3, .Dv = 4});
 *     t.p.causal = ATTN_CAUSAL;
 *     problem_check(&t);
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "attention.h"

typedef struct dims {
    int B, Hq, Hk, Tq, Tk, D, Dv;
} dims;

typedef struct problem {
    attn_params p;
    float *q, *k, *v, *out, *lse; /* the tensors of p, writable */
} problem;

/* Packed tensors; out and lse are poison until a run. isa is that of the suite, threads 1. */
problem problem_of(dims size);

size_t problem_rows(const problem *t);    /* B Hq Tq */
size_t problem_cells(const problem *t);   /* B Hq Tq Tk */
size_t problem_outputs(const problem *t); /* B Hq Tq Dv */
size_t problem_keys(const problem *t);    /* B Hk Tk */

/* Masks and bias over the axes whose flag is not 0; the others broadcast. Each value is allowed, or
 * finite, with the given probability; other values of a bias are -inf or -3.4e38. */
uint8_t *problem_mask(problem *t, const int axes[4], double allowed);
uint8_t *problem_key_mask(problem *t, const int axes[2], double allowed);
float *problem_bias(problem *t, const int axes[4], double finite);

/* One value for each batch, from low to high inclusive. */
int32_t *problem_batch_values(const problem *t, int low, int high);

/* Slopes of any size, some of them 0. */
float *problem_alibi(problem *t);

/* Softcap, ALiBi and dropout, each or none. */
void problem_options(problem *t);

/* Any combination of masks, corners, windows, lengths, offsets and options that attn_check() takes. */
void problem_combine(problem *t);

/* What it is, for the message of a failure. */
const char *problem_text(const problem *t);

/* Runs attn_forward() into out and lse, with a workspace of exactly the size asked for. Inputs must
 * stay as they are and guards intact. */
void problem_forward(problem *t);

/* Runs attn_trace() into out, with the arrays of trace; weights is found when it is NULL. */
void problem_trace(problem *t, attn_trace_params *trace);

/* Every array of a trace. */
attn_trace_params problem_stages(const problem *t);

/* Both paths, every stage, against the oracle and the stated bound. */
void problem_check(problem *t);
void problem_check_forward(problem *t);
void problem_check_trace(problem *t, attn_trace_params *trace);

#endif
