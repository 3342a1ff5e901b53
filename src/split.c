/*
 * split.c - attention of few queries over many keys: decoding.
 *
 * An item of work is one (batch, kv head, tile of its query heads, chunk of SPLIT_KEYS keys): the query
 * heads that read a kv head share a tile, so that K and V are read once for all of them. Each chunk
 * leaves maximum, sum and weighted sum of its rows, which are then merged in the order of the chunks.
 * (Dao et al., "Flash-Decoding for long-context inference", 2023.) The shape alone decides what is cut
 * and where, never the number of threads.
 */
#include "forward_tile.h"
#include "threads.h"
#include "workspace.h"

/* Query heads in one tile. */
static int heads_in_tile(const attn_params *p) {
    const int group = p->query_heads / p->kv_heads, most = FEW_ROWS / p->query_length;
    return group < most ? group : most;
}

static int tiles_of(const attn_params *p) {
    return (p->query_heads / p->kv_heads - 1) / heads_in_tile(p) + 1;
}

static int chunks_of(const attn_params *p) {
    return p->key_length == 0 ? 1 : (p->key_length - 1) / SPLIT_KEYS + 1;
}

/* Floats of the parts of one tile that is full. */
static uint64_t tile_floats(const attn_params *p, const attn_kernels *kernels) {
    const uint64_t part = kernels->part_floats(heads_in_tile(p) * p->query_length, p->value_dim);
    return workspace_product((uint64_t)chunks_of(p), part);
}

uint64_t attn_split_bytes(const attn_params *p, const attn_kernels *kernels) {
    if (p->query_length == 0 || chunks_of(p) == 1) return 0;
    const uint64_t kv_heads = workspace_product((uint64_t)p->batch, (uint64_t)p->kv_heads);
    const uint64_t tiles = workspace_product(kv_heads, (uint64_t)tiles_of(p));
    const uint64_t floats = workspace_product(tiles, tile_floats(p, kernels));
    return workspace_product(floats, sizeof(float));
}

/* Calls the kernel for a chunk of tile `index`, or for their merge. */
static void run_tile(const forward_job *job, ptrdiff_t index, int chunk, int thread) {
    const attn_params *p = job->p;
    const int group = p->query_heads / p->kv_heads, most = heads_in_tile(p);
    const int first = (int)(index % job->tiles) * most;
    const ptrdiff_t kv_head = index / job->tiles;
    const int kv_h = (int)(kv_head % p->kv_heads), b = (int)(kv_head / p->kv_heads);
    const int heads = group - first < most ? group - first : most, h = kv_h * group + first;
    mask_view masks[FEW_ROWS];
    for (int n = 0; n < heads; n++) masks[n] = mask_view_of(p, b, h + n);
    const forward_tile_args args =
        forward_tile_of(job, b, h, heads, 0, p->query_length, masks, thread);

    if (job->chunks == 1) {
        job->kernels->forward_tile(&args);
        return;
    }
    float *parts = job->parts + (uint64_t)index * tile_floats(p, job->kernels);
    if (chunk == job->chunks) {
        job->kernels->forward_merge(&args, job->chunks, parts);
    } else {
        const int rows = heads * p->query_length;
        const uint64_t part = job->kernels->part_floats(rows, p->value_dim);
        job->kernels->forward_part(&args, chunk, parts + (uint64_t)chunk * part);
    }
}

static void chunk_item(void *context, ptrdiff_t item, int thread) {
    const forward_job *job = context;
    run_tile(job, item / job->chunks, (int)(item % job->chunks), thread);
}

static void merge_item(void *context, ptrdiff_t item, int thread) {
    const forward_job *job = context;
    run_tile(job, item, job->chunks, thread);
}

void attn_split_forward(forward_job *job, int threads) {
    const attn_params *p = job->p;
    job->tiles = tiles_of(p);
    job->chunks = chunks_of(p);
    const ptrdiff_t tiles = (ptrdiff_t)p->batch * p->kv_heads * job->tiles;
    threads_for(tiles * job->chunks, threads, chunk_item, job);
    if (job->chunks > 1) threads_for(tiles, threads, merge_item, job);
}
