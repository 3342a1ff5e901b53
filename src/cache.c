/*
 * cache.c - keys and values of the tokens so far, in storage that the caller gives.
 *
 * The keys present lie oldest first from the start of each (batch, head), so that attention reads
 * them like any other tensor. Eviction moves the rest down: as many bytes as the next query reads.
 */
#include "check.h"
#include "shape.h"

#include <string.h>

/* How many of `length` rows batch row b brings. */
static int rows_of(const int32_t *lengths, int b, int length) {
    if (!lengths) return length;
    return lengths[b] < 0 ? 0 : lengths[b] > length ? length : lengths[b];
}

attn_status attn_cache_check(const attn_cache *c, int length, const int32_t *lengths) {
    if (!c) return ATTN_NULL;
    if (c->size != sizeof(attn_cache)) return ATTN_VERSION_MISMATCH;
    if (c->batch < 0 || c->kv_heads < 1 || c->head_dim < 1 || c->value_dim < 1 || c->capacity < 1 ||
        length < 0) {
        return ATTN_SIZE;
    }
    if (!attn_product_fits(c->batch, c->kv_heads, c->capacity, c->head_dim) ||
        !attn_product_fits(c->batch, c->kv_heads, c->capacity, c->value_dim)) {
        return ATTN_SIZE;
    }
    if (c->batch > 0 && (!c->k || !c->v || !c->lengths || !c->positions)) return ATTN_NULL;
    for (int b = 0; b < c->batch; b++) {
        if (c->lengths[b] < 0 || c->lengths[b] > c->capacity) return ATTN_RANGE;
        if (c->positions[b] < c->lengths[b]) return ATTN_RANGE;
    }
    for (int b = 0; b < c->batch; b++) {
        const int count = rows_of(lengths, b, length);
        if (count > (c->evict ? c->capacity : c->capacity - c->lengths[b])) return ATTN_FULL;
        if (c->positions[b] > INT32_MAX - count) return ATTN_FULL;
    }
    return ATTN_OK;
}

/* One (batch, head): drops the oldest rows and writes the new ones behind those that stay. */
static void append_rows(float *rows, int width, int present, int dropped, const float *source,
                        ptrdiff_t source_row, int count) {
    const size_t bytes = sizeof(float) * (size_t)width;
    const int stay = present - dropped;
    if (dropped > 0) memmove(rows, rows + (ptrdiff_t)dropped * width, bytes * (size_t)stay);
    for (int i = 0; i < count; i++) {
        memcpy(rows + (ptrdiff_t)(stay + i) * width, source + i * source_row, bytes);
    }
}

attn_status attn_cache_append(const attn_cache *c, int length, const float *k,
                              const ptrdiff_t k_stride[3], const float *v,
                              const ptrdiff_t v_stride[3], const int32_t *lengths) {
    const attn_status status = attn_cache_check(c, length, lengths);
    if (status != ATTN_OK) return status;
    if (c->batch == 0 || length == 0) return ATTN_OK;
    if (!k || !v || !k_stride || !v_stride) return ATTN_NULL;
    const int extent[3] = {c->batch, c->kv_heads, length};
    if (!attn_strides_fit(k_stride, extent, c->head_dim)) return ATTN_STRIDE;
    if (!attn_strides_fit(v_stride, extent, c->value_dim)) return ATTN_STRIDE;

    const shape ks = shape_of(k_stride, c->kv_heads, length, c->head_dim);
    const shape vs = shape_of(v_stride, c->kv_heads, length, c->value_dim);
    for (int b = 0; b < c->batch; b++) {
        const int count = rows_of(lengths, b, length), present = c->lengths[b];
        const int over = count - (c->capacity - present), dropped = over > 0 ? over : 0;
        for (int h = 0; h < c->kv_heads; h++) {
            const ptrdiff_t first = ((ptrdiff_t)b * c->kv_heads + h) * c->capacity;
            append_rows(c->k + first * c->head_dim, c->head_dim, present, dropped,
                        k + shape_offset(ks, b, h, 0), ks.row, count);
            append_rows(c->v + first * c->value_dim, c->value_dim, present, dropped,
                        v + shape_offset(vs, b, h, 0), vs.row, count);
        }
        c->lengths[b] = present - dropped + count;
        c->positions[b] += count;
    }
    return ATTN_OK;
}

attn_status attn_cache_truncate(const attn_cache *c, int length) {
    const attn_status status = attn_cache_check(c, 0, NULL);
    if (status != ATTN_OK) return status;
    if (length < 0) return ATTN_SIZE;
    for (int b = 0; b < c->batch; b++) {
        const int removed = c->lengths[b] > length ? c->lengths[b] - length : 0;
        c->lengths[b] -= removed;
        c->positions[b] = length == 0 ? 0 : c->positions[b] - removed;
    }
    return ATTN_OK;
}
