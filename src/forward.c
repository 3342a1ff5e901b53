/*
 * forward.c - cuts attention into tiles of query rows and hands each to the kernel.
 *
 * An item of work is one (batch, head, query tile); split.c cuts what has few queries. The workspace
 * holds one scratch for each thread, and before it the parts of split.c.
 */
#include "attention.h"
#include "check.h"
#include "forward_tile.h"
#include "threads.h"
#include "workspace.h"

static uint64_t scratch_bytes_of(const attn_params *p, const attn_kernels *kernels) {
    return workspace_round_up(sizeof(float) * kernels->forward_scratch(p->head_dim, p->value_dim));
}

attn_status attn_workspace_size(const attn_params *params, attn_op op, size_t *bytes) {
    const attn_status status = attn_check(params, NULL);
    if (status != ATTN_OK) return status;
    if (!bytes) return ATTN_NULL;
    if (op == ATTN_OP_BACKWARD) return attn_backward_workspace(params, bytes);
    if (op != ATTN_OP_FORWARD) return ATTN_RANGE;

    const attn_kernels *kernels = attn_isa_kernels(params->isa);
    const uint64_t scratch = scratch_bytes_of(params, kernels);
    const uint64_t threads = (uint64_t)threads_resolve(params->threads);
    const uint64_t parts = split_takes(params) ? attn_split_bytes(params, kernels) : 0;
    if (parts > SIZE_MAX / 2) return ATTN_SIZE;
    const uint64_t fixed = WORKSPACE_ALIGNMENT + workspace_round_up(parts);
    if (fixed > SIZE_MAX || scratch > (SIZE_MAX - fixed) / threads) return ATTN_SIZE;
    *bytes = (size_t)(fixed + scratch * threads);
    return ATTN_OK;
}

static void forward_item(void *context, ptrdiff_t item, int thread) {
    const forward_job *job = context;
    const attn_params *p = job->p;
    const int tile = (int)(item % job->tiles);
    const int h = (int)(item / job->tiles % p->query_heads);
    const int b = (int)(item / job->tiles / p->query_heads);
    const int most = job->kernels->query_tile, i0 = tile * most;
    const int rows = p->query_length - i0 < most ? p->query_length - i0 : most;
    const mask_view mask = mask_view_of(p, b, h);
    const forward_tile_args args = forward_tile_of(job, b, h, 1, i0, rows, &mask, thread);
    job->kernels->forward_tile(&args);
}

void attn_forward_run(const attn_params *p, void *workspace) {
    if (p->batch == 0 || p->query_length == 0) return;
    const attn_kernels *kernels = attn_isa_kernels(p->isa);
    const int split = split_takes(p), threads = threads_resolve(p->threads);
    const uint64_t parts = split ? workspace_round_up(attn_split_bytes(p, kernels)) : 0;
    char *start = workspace_start(workspace);
    forward_job job = {
        .p = p,
        .kernels = kernels,
        .q = shape_of(p->q_stride, p->query_heads, p->query_length, p->head_dim),
        .k = shape_of(p->k_stride, p->kv_heads, p->key_length, p->head_dim),
        .v = shape_of(p->v_stride, p->kv_heads, p->key_length, p->value_dim),
        .out = shape_of(p->out_stride, p->query_heads, p->query_length, p->value_dim),
        .tiles = (p->query_length - 1) / kernels->query_tile + 1,
        .chunks = 1,
        .parts = (float *)(void *)start,
        .scratch = start + (size_t)parts,
        .scratch_bytes = (size_t)scratch_bytes_of(p, kernels),
    };
    if (split) {
        attn_split_forward(&job, threads);
    } else {
        const ptrdiff_t items = (ptrdiff_t)p->batch * p->query_heads * job.tiles;
        threads_for(items, threads, forward_item, &job);
    }
}

attn_status attn_forward(const attn_params *params, void *workspace, size_t workspace_bytes) {
    size_t needed;
    const attn_status status = attn_workspace_size(params, ATTN_OP_FORWARD, &needed);
    if (status != ATTN_OK) return status;
    const attn_params *p = params;
    if (p->batch == 0 || p->query_length == 0) return ATTN_OK;
    if (!p->q || !p->out || (p->key_length > 0 && (!p->k || !p->v))) return ATTN_NULL;
    if (!workspace || workspace_bytes < needed) return ATTN_WORKSPACE;
    attn_forward_run(p, workspace);
    return ATTN_OK;
}
