/* check.h - what the checks of all structures share. */
#ifndef ATTN_CHECK_H
#define ATTN_CHECK_H

#include <stdbool.h>

#include "attention.h"

/* Returns the status and names the field, where a check has `const char **field`. */
#define FAIL_IF(condition, status, name)                                                           \
    do {                                                                                           \
        if (condition) {                                                                           \
            *field = name;                                                                         \
            return status;                                                                         \
        }                                                                                          \
    } while (0)

/* Whether a tensor of so many floats can be addressed. */
bool attn_product_fits(int a, int b, int c, int d);

/* Strides [batch, head, row] of a tensor: all 0, or each steps over a whole row and the last
 * element can be addressed. An axis of length 1 is never stepped along: its stride is free, as are
 * those of a tensor without elements. */
bool attn_strides_fit(const ptrdiff_t stride[3], const int extent[3], int columns);

/* The same, and no two rows share an element: what may be written to. */
bool attn_rows_are_apart(const ptrdiff_t stride[3], const int extent[3], int columns);

/* Strides that broadcast: the last is 0 or 1, the others are not negative and stay addressable. */
bool attn_broadcast_fits(const ptrdiff_t *stride, const int *extent, int axes);

/* Whether the cache is well formed, and `length` rows, of which lengths[b] count, have room. */
attn_status attn_cache_check(const attn_cache *cache, int length, const int32_t *lengths);

/* attn_forward() for params that attn_workspace_size() has judged, with all that it needs. */
void attn_forward_run(const attn_params *params, void *workspace);

/* The gradients asked for, and what attn_backward() needs of params, which have been checked. */
attn_status attn_gradients_check(const attn_params *params, const attn_gradients *gradients,
                                 const char **field);

/* The workspace of attn_backward(), for params that have been checked. */
attn_status attn_backward_workspace(const attn_params *params, size_t *bytes);

#endif
