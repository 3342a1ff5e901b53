/*
 * layer.h - layers of multi-head attention for the tests: random weights in guarded buffers, the formula
 * in double, and runs in which nothing but the results may change.
 */
#ifndef LAYER_H
#define LAYER_H

#include "attention.h"

typedef struct layer {
    attn_mha_params m;
    size_t outputs; /* B Tq output_width */
} layer;

/* Widths of any size; out is poison until a run. isa is that of the suite, threads 1. */
layer layer_of(int B, int Hq, int Hk, int Tq, int Tk, int D, int Dv, int biased);

/* Asks for every intermediate. */
void layer_intermediates(attn_mha_params *m);

/* Tables for positions from a start on, the same for the batch, or one row after the other for each. */
void layer_rotation(attn_mha_params *m, int rotary_dim, int interleaved, int per_batch);

/* Runs with a workspace of exactly the size asked for, at any alignment; inputs keep their contents. */
void layer_run(attn_mha_params *m, const attn_cache *cache, const int32_t *lengths);

/* What each stage is in double: (B, T, H, D) as in attn_mha_params; out is NULL without wo. */
typedef struct answer {
    double *q, *k, *v, *concat, *out;
} answer;

answer layer_answer(const attn_mha_params *m);
void answer_free(answer *a);

/* Normal numbers of a size, in a guarded buffer. */
float *layer_normals(size_t count, double size);

/* |got - expected| <= t + t |expected| */
void layer_compare(const char *what, const float *got, const double *expected, size_t count,
                   double t);

#endif
