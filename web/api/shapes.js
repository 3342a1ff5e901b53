// shapes.js: what each axis of q, k, v means, that they agree, and how masks broadcast.
//
//     q (B, Hq, Tq, D)   k (B, Hk, Tk, D)   v (B, Hk, Tk, Dv)   scores (B, Hq, Tq, Tk)
//
// Rank 3 is without the batch, rank 2 without heads too; layout 'BTHD' swaps heads and lengths.

/** @import { Shape } from './types.js' */
/** @import { Input } from './tensor.js' */

import * as errors from './errors.js';
import { packedStride } from './tensor.js';

/**
 * @typedef {object} Sizes
 * @property {number} batch
 * @property {number} queryHeads
 * @property {number} kvHeads
 * @property {number} queryLength
 * @property {number} keyLength
 * @property {number} headDim
 * @property {number} valueDim
 */

/** @param {Input} input @param {string} layout */
function extentsOf({ name, shape }, layout) {
    if (shape.length < 2 || shape.length > 4) throw errors.badRank(name, shape, layout);
    const [dim, inner, outer = 1, batch = 1] = [...shape].reverse();
    return shape.length > 2 && layout === 'BTHD'
        ? { batch, length: outer, heads: inner, dim }
        : { batch, heads: outer, length: inner, dim };
}

/** @param {Input} a @param {Input} b @param {string} what @param {number} inA @param {number} inB */
function checkSame(a, b, what, inA, inB) {
    if (inA !== inB) throw errors.differ(a.name, a.shape, b.name, b.shape, what, inA, inB);
}

/** @param {Input} q @param {Input} k @param {Input} v @param {string} layout @returns {Sizes} */
export function sizesOf(q, k, v, layout) {
    const query = extentsOf(q, layout);
    for (const other of [k, v]) {
        if (other.shape.length !== q.shape.length) {
            throw errors.rankDiffers(other.name, other.shape, q.name, q.shape);
        }
    }
    const key = extentsOf(k, layout), value = extentsOf(v, layout);
    checkSame(k, q, 'last dimensions', key.dim, query.dim);
    checkSame(k, q, 'batches', key.batch, query.batch);
    checkSame(v, k, 'batches', value.batch, key.batch);
    checkSame(v, k, 'heads', value.heads, key.heads);
    checkSame(v, k, 'lengths', value.length, key.length);
    return {
        batch: query.batch,
        queryHeads: query.heads,
        kvHeads: key.heads,
        queryLength: query.length,
        keyLength: key.length,
        headDim: query.dim,
        valueDim: value.dim,
    };
}

/** The shape that q has with another last dimension. @param {Input} q @param {number} columns */
export const likeQuery = (q, columns) => [...q.shape.slice(0, -1), columns];

/** The shape (B, Hq, Tq, ...rest) with the leading axes that q has. @param {Input} q @param {Sizes} sizes
 *  @param {number[]} rest */
export const rowsOf = (q, { batch, queryHeads, queryLength }, ...rest) => (
    [...[batch, queryHeads, queryLength].slice(4 - q.shape.length), ...rest]);

/** Strides [batch, head, row]; 0 = packed in the order (B, H, T, D). @param {string} layout
 *  @param {number} heads @param {number} length @param {number} dim */
export const layoutStride = (layout, heads, length, dim) => (
    layout === 'BTHD' && length > 0 ? [length * heads * dim, dim, heads * dim] : [0, 0, 0]);

/**
 * Strides that repeat a mask over the full shape: 0 along every axis on which it has 1.
 *
 * @param {Input} input aligned to the right of full
 * @param {Shape} full
 * @param {readonly string[]} axes names of the axes of full
 * @param {number} minRank
 */
export function broadcastStride({ name, shape }, full, axes, minRank) {
    if (shape.length < minRank || shape.length > full.length) {
        throw errors.badBroadcastRank(name, shape, full, axes, minRank);
    }
    const missing = full.length - shape.length;
    const packed = packedStride(shape);
    return full.map((extent, axis) => {
        const own = axis < missing ? 1 : shape[axis - missing];
        if (own !== 1 && own !== extent) throw errors.badBroadcast(name, shape, full, axes[axis], own, extent);
        return own === 1 ? 0 : packed[axis - missing];
    });
}
