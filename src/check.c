/*
 * check.c - all validation, in one place, and the words for each status.
 *
 * Reads the fields and no memory behind any pointer, so that a caller may check before it
 * allocates. The order is that of the header: dimensions, strides, then options and their
 * combinations.
 */
#include "check.h"
#include "isa.h"

#include <math.h>
#include <string.h>

const char *attn_status_string(attn_status status) {
    switch (status) {
    case ATTN_OK: return "no error";
    case ATTN_NULL: return "a required pointer is NULL";
    case ATTN_VERSION_MISMATCH: return "the structure was not filled by this version's defaults";
    case ATTN_SIZE: return "a dimension is negative, zero where it may not be, or too large";
    case ATTN_HEADS: return "query_heads is not a multiple of kv_heads";
    case ATTN_STRIDE: return "a stride does not step over its row, or makes rows of out overlap";
    case ATTN_RANGE: return "a number is outside its range";
    case ATTN_CONFLICT: return "two options contradict each other or leave the meaning open";
    case ATTN_ISA: return "the instruction set is not in this build or not on this machine";
    case ATTN_FULL: return "the cache has no room for the keys";
    case ATTN_WORKSPACE: return "the workspace is NULL or too small";
    }
    return "unknown status";
}

void attn_defaults(attn_params *params, int batch, int heads, int length, int head_dim) {
    *params = (attn_params){
        .size = sizeof(attn_params),
        .batch = batch,
        .query_heads = heads,
        .kv_heads = heads,
        .query_length = length,
        .key_length = length,
        .head_dim = head_dim,
        .value_dim = head_dim,
        .scale = head_dim > 0 ? 1.0f / sqrtf((float)head_dim) : 1.0f,
        .window_left = -1,
        .window_right = -1,
    };
}

/* The bytes that one tensor may span, with a little left for rounding up. */
#define LARGEST ((uint64_t)(PTRDIFF_MAX - 4096))

/* *total += a * b; false when that passes LARGEST / sizeof(float). */
static bool add_product(uint64_t *total, uint64_t a, uint64_t b) {
    const uint64_t limit = LARGEST / sizeof(float);
    /* Two of 32 bits cannot overflow: no division for them. */
    if (((a | b) >> 32) != 0 && a != 0 && b > limit / a) return false;
    if (a * b > limit - *total) return false;
    *total += a * b;
    return true;
}

bool attn_product_fits(int a, int b, int c, int d) {
    uint64_t n = 0, m = 0, all = 0;
    return add_product(&n, (uint64_t)a, (uint64_t)b) && add_product(&m, n, (uint64_t)c) &&
           add_product(&all, m, (uint64_t)d);
}

static bool is_empty(const int extent[3]) {
    return extent[0] == 0 || extent[1] == 0 || extent[2] == 0;
}

bool attn_strides_fit(const ptrdiff_t stride[3], const int extent[3], int columns) {
    if (stride[0] == 0 && stride[1] == 0 && stride[2] == 0) return true;
    if (stride[0] < 0 || stride[1] < 0 || stride[2] < 0) return false;
    if (is_empty(extent)) return true;
    uint64_t last = (uint64_t)columns;
    for (int axis = 0; axis < 3; axis++) {
        if (extent[axis] <= 1) continue;
        if (stride[axis] < columns) return false;
        if (!add_product(&last, (uint64_t)stride[axis], (uint64_t)(extent[axis] - 1))) return false;
    }
    return true;
}

/* No two rows share an element: from the smallest stride up, each steps over all inside it. */
bool attn_rows_are_apart(const ptrdiff_t stride[3], const int extent[3], int columns) {
    if (!attn_strides_fit(stride, extent, columns)) return false;
    if (stride[0] == 0 && stride[1] == 0 && stride[2] == 0) return true;
    if (is_empty(extent)) return true;
    ptrdiff_t covered = columns, floor = 0;
    int axes = 0;
    for (int axis = 0; axis < 3; axis++) axes += extent[axis] > 1;
    for (int round = 0; round < axes; round++) {
        int smallest = -1;
        for (int axis = 0; axis < 3; axis++) {
            const bool left = extent[axis] > 1 && stride[axis] > floor;
            if (left && (smallest < 0 || stride[axis] < stride[smallest])) smallest = axis;
        }
        if (smallest < 0 || stride[smallest] < covered) return false;
        floor = stride[smallest];
        covered += floor * (extent[smallest] - 1);
    }
    return true;
}

bool attn_broadcast_fits(const ptrdiff_t *stride, const int *extent, int axes) {
    uint64_t last = 1;
    for (int axis = 0; axis < axes; axis++) {
        if (stride[axis] < 0 || (axis == axes - 1 && stride[axis] > 1)) return false;
        const uint64_t steps = extent[axis] > 0 ? (uint64_t)(extent[axis] - 1) : 0;
        if (!add_product(&last, (uint64_t)stride[axis], steps)) return false;
    }
    return true;
}

static attn_status check_dimensions(const attn_params *p, const char **field) {
    FAIL_IF(p->batch < 0, ATTN_SIZE, "batch");
    FAIL_IF(p->query_heads < 1, ATTN_SIZE, "query_heads");
    FAIL_IF(p->kv_heads < 1, ATTN_SIZE, "kv_heads");
    FAIL_IF(p->query_length < 0, ATTN_SIZE, "query_length");
    FAIL_IF(p->key_length < 0, ATTN_SIZE, "key_length");
    FAIL_IF(p->head_dim < 1, ATTN_SIZE, "head_dim");
    FAIL_IF(p->value_dim < 1, ATTN_SIZE, "value_dim");
    FAIL_IF(p->query_heads % p->kv_heads != 0, ATTN_HEADS, "query_heads");

    /* The tensors and, for what is said row by row, the rows. The score matrix need not fit. */
    FAIL_IF(!attn_product_fits(p->batch, p->query_heads, p->query_length, p->head_dim), ATTN_SIZE,
            "q");
    FAIL_IF(!attn_product_fits(p->batch, p->kv_heads, p->key_length, p->head_dim), ATTN_SIZE, "k");
    if (p->value_dim <= p->head_dim) return ATTN_OK; /* no larger than those */
    FAIL_IF(!attn_product_fits(p->batch, p->kv_heads, p->key_length, p->value_dim), ATTN_SIZE, "v");
    FAIL_IF(!attn_product_fits(p->batch, p->query_heads, p->query_length, p->value_dim), ATTN_SIZE,
            "out");
    return ATTN_OK;
}

static attn_status check_strides(const attn_params *p, const char **field) {
    const int q_extent[3] = {p->batch, p->query_heads, p->query_length};
    const int k_extent[3] = {p->batch, p->kv_heads, p->key_length};
    FAIL_IF(!attn_strides_fit(p->q_stride, q_extent, p->head_dim), ATTN_STRIDE, "q_stride");
    FAIL_IF(!attn_strides_fit(p->k_stride, k_extent, p->head_dim), ATTN_STRIDE, "k_stride");
    FAIL_IF(!attn_strides_fit(p->v_stride, k_extent, p->value_dim), ATTN_STRIDE, "v_stride");
    FAIL_IF(!attn_rows_are_apart(p->out_stride, q_extent, p->value_dim), ATTN_STRIDE, "out_stride");

    const int score_extent[4] = {p->batch, p->query_heads, p->query_length, p->key_length};
    const int key_extent[2] = {p->batch, p->key_length};
    FAIL_IF(p->mask && !attn_broadcast_fits(p->mask_stride, score_extent, 4), ATTN_STRIDE,
            "mask_stride");
    FAIL_IF(p->key_mask && !attn_broadcast_fits(p->key_mask_stride, key_extent, 2), ATTN_STRIDE,
            "key_mask_stride");
    FAIL_IF(p->bias && !attn_broadcast_fits(p->bias_stride, score_extent, 4), ATTN_STRIDE,
            "bias_stride");
    return ATTN_OK;
}

static attn_status check_options(const attn_params *p, const char **field) {
    FAIL_IF(!isfinite(p->scale), ATTN_RANGE, "scale");
    FAIL_IF(!isfinite(p->softcap) || p->softcap < 0, ATTN_RANGE, "softcap");
    FAIL_IF(p->causal < ATTN_NOT_CAUSAL || p->causal > ATTN_CAUSAL_TOP_LEFT, ATTN_RANGE, "causal");
    FAIL_IF(p->window_left < -1, ATTN_RANGE, "window_left");
    FAIL_IF(p->window_right < -1, ATTN_RANGE, "window_right");
    FAIL_IF(!(p->dropout >= 0 && p->dropout <= 1), ATTN_RANGE, "dropout");
    FAIL_IF(p->threads < 0, ATTN_RANGE, "threads");
    FAIL_IF(!attn_isa_available(p->isa), ATTN_ISA, "isa");

    FAIL_IF(p->causal == ATTN_CAUSAL_TOP_LEFT && p->query_offset, ATTN_CONFLICT, "query_offset");
    const bool counts_from_end = p->causal == ATTN_CAUSAL ||
                                 (p->causal == ATTN_NOT_CAUSAL &&
                                  (p->window_left >= 0 || p->window_right >= 0 || p->alibi_slopes));
    FAIL_IF(counts_from_end && p->query_length == p->key_length && p->key_lengths &&
                !p->query_lengths && !p->query_offset,
            ATTN_CONFLICT, "key_lengths");

    return ATTN_OK;
}

attn_status attn_check(const attn_params *p, const char **field) {
    const char *ignored;
    if (!field) field = &ignored;
    *field = "params";
    if (!p) return ATTN_NULL;
    FAIL_IF(p->size != sizeof(attn_params), ATTN_VERSION_MISMATCH, "size");

    *field = NULL;
    attn_status status = check_dimensions(p, field);
    if (status == ATTN_OK) status = check_strides(p, field);
    if (status == ATTN_OK) status = check_options(p, field);
    return status;
}

void attn_gradients_defaults(attn_gradients *gradients) {
    *gradients = (attn_gradients){.size = sizeof(attn_gradients)};
}

attn_status attn_gradients_check(const attn_params *p, const attn_gradients *g,
                                 const char **field) {
    const int q_extent[3] = {p->batch, p->query_heads, p->query_length};
    const int k_extent[3] = {p->batch, p->kv_heads, p->key_length};
    *field = "gradients";
    if (!g) return ATTN_NULL;
    FAIL_IF(g->size != sizeof(attn_gradients), ATTN_VERSION_MISMATCH, "size");
    FAIL_IF(!attn_strides_fit(g->dout_stride, q_extent, p->value_dim), ATTN_STRIDE, "dout_stride");
    FAIL_IF(!attn_rows_are_apart(g->dq_stride, q_extent, p->head_dim), ATTN_STRIDE, "dq_stride");
    FAIL_IF(!attn_rows_are_apart(g->dk_stride, k_extent, p->head_dim), ATTN_STRIDE, "dk_stride");
    FAIL_IF(!attn_rows_are_apart(g->dv_stride, k_extent, p->value_dim), ATTN_STRIDE, "dv_stride");
    FAIL_IF(g->dbias && !p->bias, ATTN_CONFLICT, "dbias");
    const int some = g->dq || g->dk || g->dv;
    const int rows = p->batch > 0 && p->query_length > 0, keys = p->batch > 0 && p->key_length > 0;
    FAIL_IF(some && rows && !g->dq, ATTN_NULL, "dq");
    FAIL_IF(some && keys && !g->dk, ATTN_NULL, "dk");
    FAIL_IF(some && keys && !g->dv, ATTN_NULL, "dv");
    FAIL_IF(!some && !g->dbias && (rows || keys), ATTN_NULL, "dq");
    FAIL_IF(rows && !g->dout, ATTN_NULL, "dout");
    FAIL_IF(rows && !p->out, ATTN_NULL, "out");
    FAIL_IF(rows && !p->lse, ATTN_NULL, "lse");
    FAIL_IF(rows && !p->q, ATTN_NULL, "q");
    FAIL_IF(keys && !p->k, ATTN_NULL, "k");
    FAIL_IF(keys && !p->v, ATTN_NULL, "v");
    *field = NULL;
    return ATTN_OK;
}

const char *attn_version(void) { return ATTN_VERSION; }
