/*
 * backward_tile.h - one call of the backward pass, and a tile of it as the kernels take it. For backward.c
 * alone.
 */
#ifndef ATTN_BACKWARD_TILE_H
#define ATTN_BACKWARD_TILE_H

#include "isa.h"
#include "shape.h"

typedef struct backward_job {
    const attn_params *p;
    const attn_gradients *g;
    const attn_kernels *kernels;
    shape q, k, v, out, dout, dq, dk, dv;
    int chunks;
    float *delta;   /* (B, Hq, Tq) */
    float *inverse; /* (B, Hq, Tq) 1 / sum of exp(masked - lse) */
    float *parts;   /* (chunks - 1, B, Hq, Tq, D) */
    char *scratch;
    size_t scratch_bytes; /* for each thread */
} backward_job;

/* Everything of a tile that its head and rows decide. */
static backward_tile_args tile_of(const backward_job *job, int b, int h, int i0, int j0, int j1,
                                  const mask_view *mask, int thread) {
    const attn_params *p = job->p;
    const int kv_h = kv_head_of(p, h), tile = job->kernels->query_tile;
    const int rows_left = p->query_length - i0;
    const ptrdiff_t row = ((ptrdiff_t)b * p->query_heads + h) * p->query_length + i0;
    return (backward_tile_args){
        .q_bhi = p->q + shape_offset(job->q, b, h, i0),
        .dout_bhi = job->g->dout + shape_offset(job->dout, b, h, i0),
        .k_bhj = p->k + shape_offset(job->k, b, kv_h, j0),
        .v_bhj = p->v + shape_offset(job->v, b, kv_h, j0),
        .lse_bhi = p->lse + row,
        .delta_bhi = job->delta + row,
        .inverse_bhi = job->inverse + row,
        .q_row = job->q.row,
        .dout_row = job->dout.row,
        .k_row = job->k.row,
        .v_row = job->v.row,
        .first_row = i0,
        .rows = rows_left < tile ? rows_left : tile,
        .first_key = j0,
        .keys = j1 - j0,
        .head_dim = p->head_dim,
        .value_dim = p->value_dim,
        .scale = p->scale,
        .softcap = p->softcap,
        .dropout = p->dropout,
        .seed = p->seed,
        .batch_index = b,
        .head_index = h,
        .mask = mask,
        .scratch = (float *)(void *)(job->scratch + (size_t)thread * job->scratch_bytes),
    };
}

/* Whether some row of a tile may see some of its keys, by the spans. */
static int meets(const mask_view *mask, const backward_tile_args *tile) {
    const mask_span span = mask_tile_span(mask, tile->first_row, tile->first_row + tile->rows);
    return tile->first_key < span.end && span.begin < tile->first_key + tile->keys;
}

#endif
