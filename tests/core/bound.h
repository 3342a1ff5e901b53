/*
 * bound.h - the stated bound: max|ours - exact| <= 2 max|plain float32 - exact| + 1e-6 max(1, magnitude),
 * maxima over the tensor.
 *
 * For an output the magnitude is max|v|; for the other stages, max|exact|; both larger where scores are
 * (oracle_unit()). NaN and infinities must
 * stand exactly where the oracle has them. Stages may hold numbers beyond 1e30, out of a bias of -3.4e38:
 * they are judged each for itself, to 1e-6 of its size, lest they hide what the others do.
 */
#ifndef BOUND_H
#define BOUND_H

#include <stddef.h>

/* Fails with name and context when the bound is broken. The worst of each name is kept for
 * bound_print(); name is a literal. magnitude < 0 stands for max|exact|, but at least -magnitude. */
void bound_check(const char *name, const char *context, const float *ours, const double *exact,
                 const double *plain, size_t count, double magnitude);

/* Prints the worst of each name since the last call. */
void bound_print(void);

#endif
