/*
 * oracle.h - attention written once more, from the text of the manual and not from src/.
 *
 * Whole matrices: first the table of who may see whom, each rule as its sentence says it; then scores,
 * softmax and weighted sum over that table. In float64 it is the answer (ORACLE_EXACT), in float32 the
 * "plain float32" of the stated bound (ORACLE_PLAIN). Stages that leave the range of float32 become
 * infinite in both, as they must in any float32 implementation.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "attention.h"

typedef enum oracle_precision { ORACLE_EXACT, ORACLE_PLAIN } oracle_precision;

typedef struct oracle {
    size_t rows, cells, outputs;               /* B Hq Tq, times Tk, times Dv */
    unsigned char *allowed;                    /* (B, Hq, Tq, Tk) */
    double *scores, *scaled, *capped, *masked; /* (B, Hq, Tq, Tk) */
    double *weights, *dropped;                 /* (B, Hq, Tq, Tk) */
    double *row_max, *row_sum, *lse, *entropy; /* (B, Hq, Tq) */
    double *out;                               /* (B, Hq, Tq, Dv) */
    double largest_v;    /* max|v| over the finite values that some row may see */
    double largest_size; /* of the scores, as the bound counts it: see oracle_unit() */
} oracle;

/* what_if may be NULL. The result is freed with oracle_free(). */
oracle oracle_of(const attn_params *p, const attn_trace_params *what_if,
                 oracle_precision precision);
void oracle_free(oracle *o);

/* What the stated bound counts numbers of this size in: max(1, size) 1e-6, or, where scores are large,
 * max(1, size) 2^-23 S, one unit in the last place of a score; S is the largest mean over a row of
 * |scale| sum|q k| + |bias| + |ALiBi|, by its weights. Given as what 1e-6 is multiplied by. Rows with
 * S beyond 1e6 do not count: there the tests are stricter than the promise. */
double oracle_unit(const oracle *o, double size);

/* 1 when query i of head h in batch b may attend to key j. */
int oracle_allows(const attn_params *p, int b, int h, int i, int j);

/* Where query i of batch b stands. */
int64_t oracle_position(const attn_params *p, int b, int i);

/* What is added to the capped score of a pair: bias and ALiBi; a bias of -inf, which masks, not. */
double oracle_term(const attn_params *p, int b, int h, int i, int j);

/* 1 when dropout keeps the weight of a pair. */
int oracle_keeps(const attn_params *p, int b, int h, int i, int j);

/* Element d of row i of a tensor with the given strides, of which all 0 means packed. */
float oracle_element(const float *x, const ptrdiff_t stride[3], int heads, int rows, int columns,
                     int b, int h, int i, int d);

#endif
