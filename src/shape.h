/*
 * shape.h - where the rows of a tensor lie: packed or given strides, resolved once for each call.
 *
 * A tensor is a pointer and three strides [batch, head, row] in elements; its last dimension is
 * contiguous. Every offset is a ptrdiff_t: attn_check() has made sure that the largest one fits.
 */
#ifndef ATTN_SHAPE_H
#define ATTN_SHAPE_H

#include "attention.h"

typedef struct shape {
    ptrdiff_t batch, head, row;
} shape;

/* The strides given, or where all three are 0 those of a packed (B, heads, rows, columns). */
static inline shape shape_of(const ptrdiff_t stride[3], int heads, int rows, int columns) {
    if (stride[0] == 0 && stride[1] == 0 && stride[2] == 0) {
        const ptrdiff_t row = columns, head = row * rows;
        return (shape){head * heads, head, row};
    }
    return (shape){stride[0], stride[1], stride[2]};
}

static inline ptrdiff_t shape_offset(shape s, int b, int h, int i) {
    return b * s.batch + h * s.head + i * s.row;
}

/* Row i of head h in batch b. NULL stays NULL: a tensor without elements needs no memory. */
static inline const float *shape_row(const float *x, shape s, int b, int h, int i) {
    return x ? x + shape_offset(s, b, h, i) : NULL;
}

/* Query head h reads key/value head floor(h / (Hq / Hk)). */
static inline int kv_head_of(const attn_params *p, int h) {
    return h / (p->query_heads / p->kv_heads);
}

#endif
