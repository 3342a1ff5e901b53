/*
 * heads.h - what the two directions of multi-head attention share.
 *
 * Projected tensors lie as (B, T, H, D): a head is a run of columns.
 */
#ifndef ATTN_HEADS_H
#define ATTN_HEADS_H

#include "attention.h"

/* The attention that runs inside: options from mha, keys from the cache where there is one. */
attn_params attn_mha_inner(const attn_mha_params *m, const attn_cache *cache);

/* Rotates x (B, T, heads, D) in place, or back; without rotary_dim nothing. */
attn_status attn_mha_rotate(const attn_mha_params *m, float *x, int heads, int length,
                            const float *cos, const float *sin, const ptrdiff_t table_stride[2],
                            int inverse);

#endif
