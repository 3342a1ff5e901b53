/*
 * forward_tile.h - one call of the forward pass, and a tile of it as the kernels take it. For forward.c
 * and split.c alone.
 */
#ifndef ATTN_FORWARD_TILE_H
#define ATTN_FORWARD_TILE_H

#include "isa.h"
#include "shape.h"

typedef struct forward_job {
    const attn_params *p;
    const attn_kernels *kernels;
    shape q, k, v, out;
    int tiles;    /* of query rows in one head, or of heads in one group */
    int chunks;   /* of keys, each a work item of its own; 1 where a tile takes them all */
    float *parts; /* of the chunks, where there are several */
    char *scratch;
    size_t scratch_bytes; /* for each thread */
} forward_job;

/* Rows [i0, i0 + rows) of heads [h, h + heads); `mask` is that of each head. */
static inline forward_tile_args forward_tile_of(const forward_job *job, int b, int h, int heads,
                                                int i0, int rows, const mask_view *mask,
                                                int thread) {
    const attn_params *p = job->p;
    const int kv_h = kv_head_of(p, h);
    return (forward_tile_args){
        .q_bhi = shape_row(p->q, job->q, b, h, i0),
        .k_bh = shape_row(p->k, job->k, b, kv_h, 0),
        .v_bh = shape_row(p->v, job->v, b, kv_h, 0),
        .out_bhi = p->out + shape_offset(job->out, b, h, i0),
        .lse_bhi =
            p->lse ? p->lse + ((ptrdiff_t)b * p->query_heads + h) * p->query_length + i0 : NULL,
        .q_head = job->q.head,
        .q_row = job->q.row,
        .k_row = job->k.row,
        .v_row = job->v.row,
        .out_head = job->out.head,
        .out_row = job->out.row,
        .heads = heads,
        .is_alone = p->query_length == 1 && p->query_heads == p->kv_heads,
        .first_row = i0,
        .rows = rows,
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

/* Whether a call has so few rows that the keys are what is shared out: split.c. */
static inline int split_takes(const attn_params *p) { return p->query_length <= FEW_ROWS; }

/* Bytes for the parts of all chunks, saturated. */
uint64_t attn_split_bytes(const attn_params *p, const attn_kernels *kernels);

/* All of a call that split_takes(); parts are attn_split_bytes(). */
void attn_split_forward(forward_job *job, int threads);

#endif
