/*
 * backward.c - the gradients of attention, from out and log-sum-exp, without any Tq x Tk array.
 *
 *     delta[i] = sum over d of dout[i, d] out[i, d]
 *
 * and, where log-sum-exp is so large that its rounding would show in exp(masked - lse), the sum of
 * those; then for each (batch, kv head, chunk of keys): tiles of keys outside, tiles of query rows
 * inside. dk and dv of a tile stay in its scratch until they are whole; dq is added to in that fixed
 * order. Chunks beyond the first have a dq of their own, added in order at the end. The cuts follow
 * from the shape alone, so that the bits do not depend on the number of threads. (FlashAttention
 * 2022, algorithm 4.)
 */
#include "backward_bias.h"
#include "backward_tile.h"
#include "check.h"
#include "threads.h"
#include "workspace.h"

#include <math.h>
#include <string.h>

#define CHUNK_KEYS 4096 /* a multiple of every key tile */

/* Up to this |lse| half a unit in its last place moves a weight by less than 2^-21 of itself. */
#define LSE_EXACT 16.0f

static int chunks_of(const attn_params *p) {
    return p->key_length == 0 ? 1 : (p->key_length - 1) / CHUNK_KEYS + 1;
}

/* Bytes for one thread: the tile's scratch, then its dk and dv. */
static uint64_t thread_bytes(const attn_params *p, const attn_kernels *kernels) {
    const uint64_t tile = (uint64_t)kernels->key_tile;
    const uint64_t floats = kernels->backward_scratch(p->head_dim, p->value_dim) +
                            tile * ((uint64_t)p->head_dim + (uint64_t)p->value_dim);
    return workspace_round_up(floats * sizeof(float));
}

/* Bytes of one number for each row, and of one part of dq; attn_check() has seen that q fits. */
static uint64_t row_bytes(const attn_params *p) {
    return workspace_round_up(sizeof(float) * (uint64_t)p->batch * (uint64_t)p->query_heads *
                              (uint64_t)p->query_length);
}

static uint64_t part_bytes(const attn_params *p) {
    return sizeof(float) * (uint64_t)p->batch * (uint64_t)p->query_heads *
           (uint64_t)p->query_length * (uint64_t)p->head_dim;
}

attn_status attn_backward_workspace(const attn_params *p, size_t *bytes) {
    const uint64_t threads = (uint64_t)threads_resolve(p->threads);
    const uint64_t scratch = thread_bytes(p, attn_isa_kernels(p->isa));
    const uint64_t extra = (uint64_t)(chunks_of(p) - 1), part = part_bytes(p);
    if (extra > 0 && part > (SIZE_MAX / 2) / extra) return ATTN_SIZE;
    const uint64_t fixed =
        WORKSPACE_ALIGNMENT + 2 * row_bytes(p) + workspace_round_up(part * extra);
    if (fixed > SIZE_MAX || scratch > (SIZE_MAX - fixed) / threads) return ATTN_SIZE;
    *bytes = (size_t)(fixed + scratch * threads);
    return ATTN_OK;
}

static int is_large(float lse) { return fabsf(lse) > LSE_EXACT && isfinite(lse); }

/* inverse of the rows from i0 on that have a large lse, and 1 for the others. */
static void inverse_sums(const backward_job *job, int b, int h, int i0, int thread) {
    const attn_params *p = job->p;
    const mask_view mask = mask_view_of(p, b, h);
    const int tile = job->kernels->key_tile;
    const ptrdiff_t row = ((ptrdiff_t)b * p->query_heads + h) * p->query_length + i0;
    const int rows_left = p->query_length - i0;
    const int rows = rows_left < job->kernels->query_tile ? rows_left : job->kernels->query_tile;
    float *inverse = job->inverse + row;
    int large = 0;
    for (int i = 0; i < rows; i++) {
        inverse[i] = 1.0f;
        large += is_large(p->lse[row + i]);
    }
    if (large == 0) return;

    float *sum = job->delta + row; /* which is written afterwards */
    for (int i = 0; i < rows; i++) sum[i] = 0.0f;
    for (int j0 = 0; j0 < p->key_length; j0 += tile) {
        const int j1 = p->key_length - j0 > tile ? j0 + tile : p->key_length;
        backward_tile_args args = tile_of(job, b, h, i0, j0, j1, &mask, thread);
        args.sum_bhi = sum;
        if (meets(&mask, &args)) job->kernels->backward_tile(&args);
    }
    for (int i = 0; i < rows; i++) {
        if (is_large(p->lse[row + i]) && sum[i] > 0) inverse[i] = 1.0f / sum[i];
    }
}

/* inverse and delta of one (batch, head). */
static void rows_item(void *context, ptrdiff_t item, int thread) {
    const backward_job *job = context;
    const attn_params *p = job->p;
    const int h = (int)(item % p->query_heads), b = (int)(item / p->query_heads);
    for (int i0 = 0; p->key_length > 0 && i0 < p->query_length; i0 += job->kernels->query_tile) {
        inverse_sums(job, b, h, i0, thread);
    }
    for (int i = 0; i < p->query_length; i++) {
        const float *dout_i = job->g->dout + shape_offset(job->dout, b, h, i);
        const float *out_i = p->out + shape_offset(job->out, b, h, i);
        float delta = 0.0f;
        for (int d = 0; d < p->value_dim; d++) delta += dout_i[d] * out_i[d];
        job->delta[item * p->query_length + i] = delta;
    }
}

/* Where chunk c of head (b, h) adds its dq, and the distance between rows. */
static float *dq_of(const backward_job *job, int chunk, int b, int h, ptrdiff_t *row) {
    const attn_params *p = job->p;
    *row = chunk == 0 ? job->dq.row : p->head_dim;
    if (!job->g->dq) return NULL; /* there are no rows */
    if (chunk == 0) return job->g->dq + shape_offset(job->dq, b, h, 0);
    const ptrdiff_t heads = ((ptrdiff_t)(chunk - 1) * p->batch + b) * p->query_heads + h;
    return job->parts + heads * p->query_length * p->head_dim;
}

static void store_rows(float *to, ptrdiff_t to_row, const float *from, int rows, int width) {
    for (int j = 0; j < rows; j++) {
        memcpy(to + j * to_row, from + (ptrdiff_t)j * width, sizeof(float) * (size_t)width);
    }
}

/* One (batch, kv head, chunk of keys), with all the query heads that read it. */
static void keys_item(void *context, ptrdiff_t item, int thread) {
    const backward_job *job = context;
    const attn_params *p = job->p;
    const int chunk = (int)(item % job->chunks);
    const int kv_h = (int)(item / job->chunks % p->kv_heads);
    const int b = (int)(item / job->chunks / p->kv_heads);
    const int group = p->query_heads / p->kv_heads, first_head = kv_h * group;
    const int tile = job->kernels->key_tile, first_key = chunk * CHUNK_KEYS;
    const int last_key =
        p->key_length - first_key > CHUNK_KEYS ? first_key + CHUNK_KEYS : p->key_length;
    float *scratch = (float *)(void *)(job->scratch + (size_t)thread * job->scratch_bytes);
    float *dk = scratch + job->kernels->backward_scratch(p->head_dim, p->value_dim);
    float *dv = dk + (ptrdiff_t)tile * p->head_dim;

    for (int h = first_head; h < first_head + group; h++) {
        ptrdiff_t row;
        float *dq_bh = dq_of(job, chunk, b, h, &row);
        for (int i = 0; i < p->query_length; i++) {
            memset(dq_bh + i * row, 0, sizeof(float) * (size_t)p->head_dim);
        }
    }
    for (int j0 = first_key; j0 < last_key; j0 += tile) {
        const int j1 = last_key - j0 > tile ? j0 + tile : last_key;
        memset(dk, 0, sizeof(float) * (size_t)tile * (size_t)(p->head_dim + p->value_dim));
        for (int h = first_head; h < first_head + group; h++) {
            const mask_view mask = mask_view_of(p, b, h);
            ptrdiff_t row;
            float *dq_bh = dq_of(job, chunk, b, h, &row);
            for (int i0 = 0; i0 < p->query_length; i0 += job->kernels->query_tile) {
                backward_tile_args args = tile_of(job, b, h, i0, j0, j1, &mask, thread);
                args.dq_bhi = dq_bh + i0 * row;
                args.dq_row = row;
                args.dk = dk;
                args.dv = dv;
                if (meets(&mask, &args)) job->kernels->backward_tile(&args);
            }
        }
        store_rows(job->g->dk + shape_offset(job->dk, b, kv_h, j0), job->dk.row, dk, j1 - j0,
                   p->head_dim);
        store_rows(job->g->dv + shape_offset(job->dv, b, kv_h, j0), job->dv.row, dv, j1 - j0,
                   p->value_dim);
    }
}

/* dq of one (batch, head): the parts of the chunks, in their order. */
static void merge_item(void *context, ptrdiff_t item, int thread) {
    const backward_job *job = context;
    const attn_params *p = job->p;
    const int h = (int)(item % p->query_heads), b = (int)(item / p->query_heads);
    (void)thread;
    for (int chunk = 1; chunk < job->chunks; chunk++) {
        ptrdiff_t part_row, row;
        const float *part = dq_of(job, chunk, b, h, &part_row);
        float *dq_bh = dq_of(job, 0, b, h, &row);
        for (int i = 0; i < p->query_length; i++) {
            for (int d = 0; d < p->head_dim; d++) dq_bh[i * row + d] += part[i * part_row + d];
        }
    }
}

attn_status attn_backward(const attn_params *p, const attn_gradients *g, void *workspace,
                          size_t workspace_bytes, const char **field) {
    const char *ignored;
    if (!field) field = &ignored;
    attn_status status = attn_check(p, field);
    if (status == ATTN_OK) status = attn_gradients_check(p, g, field);
    size_t needed = 0;
    if (status == ATTN_OK) status = attn_workspace_size(p, ATTN_OP_BACKWARD, &needed);
    if (status != ATTN_OK) return status;
    FAIL_IF(!workspace || workspace_bytes < needed, ATTN_WORKSPACE, "workspace");

    const attn_kernels *kernels = attn_isa_kernels(p->isa);
    const int threads = threads_resolve(p->threads), chunks = chunks_of(p);
    char *aligned = workspace_start(workspace);
    const size_t row_arrays = (size_t)row_bytes(p);
    const size_t parts = (size_t)workspace_round_up(part_bytes(p) * (uint64_t)(chunks - 1));
    backward_job job = {
        .p = p,
        .g = g,
        .kernels = kernels,
        .q = shape_of(p->q_stride, p->query_heads, p->query_length, p->head_dim),
        .k = shape_of(p->k_stride, p->kv_heads, p->key_length, p->head_dim),
        .v = shape_of(p->v_stride, p->kv_heads, p->key_length, p->value_dim),
        .out = shape_of(p->out_stride, p->query_heads, p->query_length, p->value_dim),
        .dout = shape_of(g->dout_stride, p->query_heads, p->query_length, p->value_dim),
        .dq = shape_of(g->dq_stride, p->query_heads, p->query_length, p->head_dim),
        .dk = shape_of(g->dk_stride, p->kv_heads, p->key_length, p->head_dim),
        .dv = shape_of(g->dv_stride, p->kv_heads, p->key_length, p->value_dim),
        .chunks = chunks,
        .delta = (float *)(void *)aligned,
        .inverse = (float *)(void *)(aligned + row_arrays),
        .parts = (float *)(void *)(aligned + 2 * row_arrays),
        .scratch = aligned + 2 * row_arrays + parts,
        .scratch_bytes = (size_t)thread_bytes(p, kernels),
    };
    const ptrdiff_t heads = (ptrdiff_t)p->batch * p->query_heads;
    threads_for(heads, threads, rows_item, &job);
    if (g->dq || g->dk || g->dv) {
        threads_for((ptrdiff_t)p->batch * p->kv_heads * chunks, threads, keys_item, &job);
        threads_for(heads, threads, merge_item, &job);
    }
    if (g->dbias) bias_gradient(&job, threads);
    return ATTN_OK;
}
