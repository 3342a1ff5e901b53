/*
 * kernel.h - what one instruction set offers: a table of kernels, and the shapes it works in.
 *
 * forward.c and its like know only this table; only kernel/ knows vectors. Dispatch happens once
 * for each tile.
 */
#ifndef ATTN_KERNEL_H
#define ATTN_KERNEL_H

#include "../attention.h"
#include "../mask.h"

/* Keys are summed in chunks of so many, cut from key 0 on, which are merged in order: a constant, so
 * that sums have one order however the work is shared out. A multiple of every key tile. */
#define SPLIT_KEYS 512

/* Up to so many rows are few: their scores have keys as lanes, and heads share a tile. */
#define FEW_ROWS 16

/*
 * One tile of query rows of one batch: the same rows of `heads` heads that read one kv head, in all at
 * most query_tile rows, or FEW_ROWS where heads > 1. Pointers to the first, strides between rows and
 * heads.
 */
typedef struct forward_tile_args {
    const float *q_bhi; /* heads x rows x D */
    const float *k_bh;  /* Tk x D, rows k_row apart */
    const float *v_bh;  /* Tk x Dv, rows v_row apart */
    float *out_bhi;     /* heads x rows x Dv */
    float *lse_bhi;     /* heads x rows packed, or NULL */
    ptrdiff_t q_head, q_row, k_row, v_row, out_head, out_row;
    int heads;
    int is_alone;        /* the call has one row for each kv head */
    int first_row, rows; /* i of the first row */
    int head_dim, value_dim;
    float scale, softcap;
    float dropout;
    uint32_t seed;
    int batch_index, head_index; /* b and the first h, for dropout */
    const mask_view *mask;       /* of each head */
    float *scratch;              /* forward_scratch(head_dim, value_dim) floats, 64-byte aligned */
} forward_tile_args;

/* One tile of keys of one (batch, kv head) against one tile of rows of one of its query heads. */
typedef struct backward_tile_args {
    const float *q_bhi, *dout_bhi;    /* rows x D, rows x Dv */
    const float *k_bhj, *v_bhj;       /* keys x D, keys x Dv */
    const float *lse_bhi, *delta_bhi; /* rows */
    const float *inverse_bhi;         /* rows: what weights are multiplied by */
    ptrdiff_t q_row, dout_row, k_row, v_row;
    float *dq_bhi;  /* rows x D, dq_row apart: added to */
    float *dk, *dv; /* keys x D, keys x Dv, packed: added to */
    ptrdiff_t dq_row;
    float *dbias_bhij; /* instead of the three above, or NULL: added to */
    ptrdiff_t dbias_row, dbias_column;
    float *sum_bhi; /* instead of all of them, or NULL: sums of exp(masked - lse), added to */
    int first_row, rows, first_key, keys;
    int head_dim, value_dim;
    float scale, softcap;
    float dropout;
    uint32_t seed;
    int batch_index, head_index;
    const mask_view *mask;
    float *scratch; /* backward_scratch(head_dim, value_dim) floats, 64-byte aligned */
} backward_tile_args;

typedef struct attn_kernels {
    int query_tile; /* query rows in one tile */
    int key_tile;   /* keys in one backward tile */

    /* floats of scratch for forward_tile, in 64 bits: it may pass a size_t of 32 */
    uint64_t (*forward_scratch)(int head_dim, int value_dim);
    void (*forward_tile)(const forward_tile_args *args);

    /* The same in two steps: chunks of SPLIT_KEYS keys each by itself, in part_floats of the caller's
     * for all rows of the tile, and then their merge, in order. The bits are those of the one step. */
    uint64_t (*part_floats)(int rows, int value_dim);
    void (*forward_part)(const forward_tile_args *args, int chunk, float *part);
    void (*forward_merge)(const forward_tile_args *args, int chunks, float *parts);

    uint64_t (*backward_scratch)(int head_dim, int value_dim);
    void (*backward_tile)(const backward_tile_args *args);

    /*
     * C[r, c] = carry[r] * C[r, c] + sum over t of A[r, t] * B[t, c]; without carry C is only
     * written. Sums run over t in ascending order onto the carried value, whatever the shape: a
     * row's bits do not depend on the rows beside it.
     *
     * a  (m, n_inner) at a[r * a_row + t * a_inner], broadcast
     * b  (n_inner, n) at b[t * b_row + c]
     * c  (m, n) at c[r * c_row + c]
     */
    void (*gemm)(int m, int n, int inner, const float *a, ptrdiff_t a_row, ptrdiff_t a_inner,
                 const float *b, ptrdiff_t b_row, float *c, ptrdiff_t c_row, const float *carry);
} attn_kernels;

#endif
