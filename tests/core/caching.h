/*
 * caching.h - the keys and values of a problem in a cache, and its queries against it, step by step.
 */
#ifndef CACHING_H
#define CACHING_H

#include "problem.h"

/* An empty cache of so many keys, its storage poison. */
attn_cache caching_of(dims size, int capacity);

/* Packed strides of rows within a tensor of T rows a head: a slice is a pointer and these. */
void slice_strides(int heads, int T, int columns, ptrdiff_t *stride);

/* Appends keys [from, from + count) of a problem, of which each batch row brings lengths[b]. */
attn_status caching_append(const attn_cache *c, const problem *t, int from, int count,
                           const int32_t *lengths);

/* Queries [from, from + count) against the cache, into rows of out. */
void caching_attend(const attn_cache *c, const problem *t, int from, int count,
                    const int32_t *lengths, float *out);

#endif
