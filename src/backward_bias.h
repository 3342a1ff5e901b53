/*
 * backward_bias.h - the gradient of the bias, summed over the axes that it broadcasts. For backward.c alone.
 *
 * A pass of its own, over tiles of query rows, each for all batches and heads in their order; where rows
 * share their bias one item does all of them. So the bits do not depend on the number of threads.
 */
#ifndef ATTN_BACKWARD_BIAS_H
#define ATTN_BACKWARD_BIAS_H

#include "backward_tile.h"
#include "check.h"
#include "threads.h"

#include <string.h>

/* Whether every number of bias belongs to one row of queries alone. */
static int rows_have_own_bias(const attn_params *p) {
    const int extent[3] = {
        p->bias_stride[0] == 0 ? 1 : p->batch,
        p->bias_stride[1] == 0 ? 1 : p->query_heads,
        p->query_length,
    };
    return p->bias_stride[2] != 0 &&
           attn_rows_are_apart(p->bias_stride, extent, p->bias_stride[3] == 0 ? 1 : p->key_length);
}

/* dbias of the rows of one query tile, or of all where rows share their bias. */
static void bias_item(void *context, ptrdiff_t item, int thread) {
    const backward_job *job = context;
    const attn_params *p = job->p;
    const int tile = job->kernels->query_tile, key_tile = job->kernels->key_tile;
    const int shared = !rows_have_own_bias(p);
    const int first = shared ? 0 : (int)item * tile;
    const int last = shared || p->query_length - first <= tile ? p->query_length : first + tile;
    for (int b = 0; b < p->batch; b++) {
        for (int h = 0; h < p->query_heads; h++) {
            const mask_view mask = mask_view_of(p, b, h);
            for (int i0 = first; i0 < last; i0 += tile) {
                for (int j0 = 0; j0 < p->key_length; j0 += key_tile) {
                    const int j1 = p->key_length - j0 > key_tile ? j0 + key_tile : p->key_length;
                    backward_tile_args args = tile_of(job, b, h, i0, j0, j1, &mask, thread);
                    args.dbias_bhij = job->g->dbias + b * p->bias_stride[0] +
                                      h * p->bias_stride[1] + i0 * p->bias_stride[2] +
                                      j0 * p->bias_stride[3];
                    args.dbias_row = p->bias_stride[2];
                    args.dbias_column = p->bias_stride[3];
                    if (meets(&mask, &args)) job->kernels->backward_tile(&args);
                }
            }
        }
    }
}

static void zero_bias_gradient(const attn_params *p, float *dbias) {
    const int extent[4] = {p->batch, p->query_heads, p->query_length, p->key_length};
    int n[4];
    for (int axis = 0; axis < 4; axis++) {
        n[axis] = p->bias_stride[axis] == 0 ? 1 : extent[axis];
    }
    for (int b = 0; b < n[0]; b++) {
        for (int h = 0; h < n[1]; h++) {
            for (int i = 0; i < n[2]; i++) {
                float *row =
                    dbias + b * p->bias_stride[0] + h * p->bias_stride[1] + i * p->bias_stride[2];
                memset(row, 0, sizeof(float) * (size_t)n[3]);
            }
        }
    }
}

/* dbias of the whole call, with delta and inverse known. */
static void bias_gradient(backward_job *job, int threads) {
    const attn_params *p = job->p;
    const int tile = job->kernels->query_tile;
    const int tiles = p->query_length == 0 ? 0 : (p->query_length - 1) / tile + 1;
    zero_bias_gradient(p, job->g->dbias);
    threads_for(rows_have_own_bias(p) ? tiles : tiles > 0, threads, bias_item, job);
}

#endif
