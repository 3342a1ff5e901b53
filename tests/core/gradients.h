/*
 * gradients.h - the gradients of attention for the tests: the formula of the manual over whole matrices,
 * in both precisions of oracle.h, and runs in which nothing but the results may change.
 */
#ifndef GRADIENTS_H
#define GRADIENTS_H

#include "oracle.h"
#include "problem.h"

/* A problem with everything that attn_backward() takes and gives, packed; results are poison. */
typedef struct backward {
    problem t;
    attn_gradients g;
    float *dout, *dq, *dk, *dv, *dbias; /* dbias NULL without a bias */
    size_t biases;                      /* numbers in bias and dbias, gaps included */
} backward;

/* Takes the problem as it is, its bias too, and adds normal numbers for dout. */
backward backward_of(problem t);

/* Forward, then backward with a workspace of exactly the size asked for, at any alignment. */
void backward_run(backward *w);

/* Backward alone. */
void backward_again(backward *w);

/* Both runs, and every gradient against the formula and the stated bound. */
void backward_check(backward *w);

size_t backward_count(const backward *w, int which); /* numbers in dq, dk, dv by 0, 1, 2 */

/* The formula in double or float; packed like the results. */
typedef struct gradient {
    double *numbers;
    double *sizes;  /* of each: the sum of the sizes of its terms */
    double largest; /* of the sizes */
    double unit;    /* oracle_unit() of 1 */
} gradient;

typedef struct gradients {
    gradient dq, dk, dv, dbias;
} gradients;

gradients gradients_of(const backward *w, oracle_precision precision);
void gradients_free(gradients *g);

#endif
