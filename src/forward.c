/*
 * forward.c - cuts attention into tiles of query rows and hands each to the kernel.
 *
 * An item of work is one (batch, head, query tile). The workspace holds one scratch for each
 * thread.
 */
#include "attention.h"
#include "check.h"
#include "isa.h"
#include "mask.h"
#include "shape.h"
#include "threads.h"
#include "workspace.h"

typedef struct forward_job {
    const attn_params *params;
    const attn_kernels *kernels;
    shape q, k, v, out;
    int tiles; /* of query rows in one head */
    char *scratch;
    size_t scratch_bytes; /* for each thread */
} forward_job;

static uint64_t scratch_bytes_of(const attn_params *p, const attn_kernels *kernels) {
    return workspace_round_up(sizeof(float) * kernels->forward_scratch(p->head_dim, p->value_dim));
}

attn_status attn_workspace_size(const attn_params *params, attn_op op, size_t *bytes) {
    const attn_status status = attn_check(params, NULL);
    if (status != ATTN_OK) return status;
    if (!bytes) return ATTN_NULL;
    if (op == ATTN_OP_BACKWARD) return attn_backward_workspace(params, bytes);
    if (op != ATTN_OP_FORWARD) return ATTN_RANGE;

    const uint64_t scratch = scratch_bytes_of(params, attn_isa_kernels(params->isa));
    const uint64_t threads = (uint64_t)threads_resolve(params->threads);
    if (scratch > (SIZE_MAX - WORKSPACE_ALIGNMENT) / threads) return ATTN_SIZE;
    *bytes = (size_t)(scratch * threads + WORKSPACE_ALIGNMENT);
    return ATTN_OK;
}

static void forward_item(void *context, ptrdiff_t item, int thread) {
    const forward_job *job = context;
    const attn_params *p = job->params;
    const int tile = (int)(item % job->tiles);
    const int h = (int)(item / job->tiles % p->query_heads);
    const int b = (int)(item / job->tiles / p->query_heads);
    const int i = tile * job->kernels->query_tile;
    const int rows_left = p->query_length - i;
    const int kv_h = kv_head_of(p, h);
    const mask_view mask = mask_view_of(p, b, h);

    const forward_tile_args args = {
        .q_bhi = shape_row(p->q, job->q, b, h, i),
        .k_bh = shape_row(p->k, job->k, b, kv_h, 0),
        .v_bh = shape_row(p->v, job->v, b, kv_h, 0),
        .out_bhi = p->out + shape_offset(job->out, b, h, i),
        .lse_bhi =
            p->lse ? p->lse + ((ptrdiff_t)b * p->query_heads + h) * p->query_length + i : NULL,
        .q_row = job->q.row,
        .k_row = job->k.row,
        .v_row = job->v.row,
        .out_row = job->out.row,
        .first_row = i,
        .rows = rows_left < job->kernels->query_tile ? rows_left : job->kernels->query_tile,
        .head_dim = p->head_dim,
        .value_dim = p->value_dim,
        .scale = p->scale,
        .softcap = p->softcap,
        .dropout = p->dropout,
        .seed = p->seed,
        .batch_index = b,
        .head_index = h,
        .mask = &mask,
        .scratch = (float *)(void *)(job->scratch + (size_t)thread * job->scratch_bytes),
    };
    job->kernels->forward_tile(&args);
}

attn_status attn_forward(const attn_params *params, void *workspace, size_t workspace_bytes) {
    size_t needed;
    const attn_status status = attn_workspace_size(params, ATTN_OP_FORWARD, &needed);
    if (status != ATTN_OK) return status;
    const attn_params *p = params;
    if (p->batch == 0 || p->query_length == 0) return ATTN_OK;
    if (!p->q || !p->out || (p->key_length > 0 && (!p->k || !p->v))) return ATTN_NULL;
    if (!workspace || workspace_bytes < needed) return ATTN_WORKSPACE;

    const attn_kernels *kernels = attn_isa_kernels(p->isa);
    forward_job job = {
        .params = p,
        .kernels = kernels,
        .q = shape_of(p->q_stride, p->query_heads, p->query_length, p->head_dim),
        .k = shape_of(p->k_stride, p->kv_heads, p->key_length, p->head_dim),
        .v = shape_of(p->v_stride, p->kv_heads, p->key_length, p->value_dim),
        .out = shape_of(p->out_stride, p->query_heads, p->query_length, p->value_dim),
        .tiles = (p->query_length - 1) / kernels->query_tile + 1,
        .scratch = workspace_start(workspace),
        .scratch_bytes = (size_t)scratch_bytes_of(p, kernels),
    };
    const ptrdiff_t items = (ptrdiff_t)p->batch * p->query_heads * job.tiles;
    threads_for(items, threads_resolve(p->threads), forward_item, &job);
    return ATTN_OK;
}
