/*
 * varied.h - problems of any kind that attn_check() accepts, and one property held for many of them.
 *
 *     static void some_property(void) {
 *         problem t = varied_problem();
 *         ...
 *     }
 *     static void test(void **state) { varied_cases(150, some_property); }
 *
 * Case n of seed s is case 0 of seed s + n: a failure prints the seed that repeats it alone, and
 * ATTN_CASES runs more of them, or fewer.
 */
#ifndef VARIED_H
#define VARIED_H

#include "problem.h"

/* No problem has more keys. */
#define VARIED_KEYS 1300

/* Runs the property so many times, or ATTN_CASES; its buffers are judged and released each time. */
void varied_cases(int count, void (*property)(void));

/* Any sizes, none included, any combination of options, packed. */
problem varied_problem(void);

/* The same tensors, masks and bias at other strides: axes in any order, rows with gaps of poison. */
problem varied_strides(const problem *packed);

/* Rows at any strides: a copy of those at from_stride, in poison; an axis of stride 0 stays one. */
void *varied_place(const void *from, size_t element, const ptrdiff_t from_stride[3],
                   const int extent[3], int columns, ptrdiff_t to_stride[3]);

/* The rows (B, heads, rows, columns) of a tensor, packed; stride as in attn_params. */
float *varied_packed(const problem *t, const float *x, const ptrdiff_t stride[3], int heads,
                     int rows, int columns);

/* The same problem with its rules written out: one mask over all pairs, and positions. */
problem varied_written_out(const problem *t);

#endif
