// shapes.js: what each axis of q, k, v means, that they agree, and how masks broadcast.
//
//     q (B, Hq, Tq, D)   k (B, Hk, Tk, D)   v (B, Hk, Tk, Dv)   scores (B, Hq, Tq, Tk)
//
// Rank 3 is without the batch, rank 2 without heads too; layout 'BTHD' swaps heads and lengths.

/** @import { Shape } from './types.js' */
/** @import { Input } from './tensor.js' */

import { fail } from './errors.js';
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

/** @type {Record<string, string>} */
const RANKS = {
    BHTD: '[T,D], [H,T,D] or [B,H,T,D]',
    BTHD: '[T,D], [T,H,D] or [B,T,H,D]',
};

/**
 * @param {Input} input
 * @param {string} layout
 */
export function extentsOf({ name, shape }, layout) {
    if (shape.length < 2 || shape.length > 4) {
        throw fail('badShape', { name, shape, expected: RANKS[layout] });
    }
    const last = shape.length - 1, dim = shape[last], inner = shape[last - 1];
    const outer = last > 1 ? shape[last - 2] : 1, batch = last > 2 ? shape[0] : 1;
    return last > 1 && layout === 'BTHD'
        ? { batch, length: outer, heads: inner, dim }
        : { batch, heads: outer, length: inner, dim };
}

/**
 * @param {Input} input
 * @param {Input} other
 * @param {string} what
 * @param {number} a in input
 * @param {number} b in other
 */
export function checkSame(input, other, what, a, b) {
    if (a === b) return;
    const { name, shape } = input, { name: otherName, shape: expected } = other;
    throw fail('sizesDiffer', { name, shape, other: otherName, expected, what, a, b });
}

/**
 * @param {Input} input
 * @param {Input} other
 */
export function checkRank({ name, shape }, { name: other, shape: expected }) {
    if (shape.length === expected.length) return;
    throw fail('rankDiffers', { name, shape, other, expected });
}

/**
 * The sizes of keys and values that belong together.
 *
 * @param {Input} k
 * @param {Input} v
 * @param {string} layout
 */
export function keySizes(k, v, layout) {
    const key = extentsOf(k, layout);
    checkRank(v, k);
    const value = extentsOf(v, layout);
    checkSame(v, k, 'batches', value.batch, key.batch);
    checkSame(v, k, 'heads', value.heads, key.heads);
    checkSame(v, k, 'lengths', value.length, key.length);
    const { batch, heads: kvHeads, length: keyLength, dim: headDim } = key;
    return { batch, kvHeads, keyLength, headDim, valueDim: value.dim };
}

/**
 * @param {Input} q
 * @param {Input} k
 * @param {Input} v
 * @param {string} layout
 * @returns {Sizes}
 */
export function sizesOf(q, k, v, layout) {
    const query = extentsOf(q, layout);
    checkRank(k, q);
    checkRank(v, q);
    const key = extentsOf(k, layout);
    checkSame(k, q, 'last dimensions', key.dim, query.dim);
    checkSame(k, q, 'batches', key.batch, query.batch);
    const { batch, kvHeads, keyLength, headDim, valueDim } = keySizes(k, v, layout);
    return {
        batch, queryHeads: query.heads, kvHeads, queryLength: query.length, keyLength, headDim,
        valueDim,
    };
}

/**
 * The shape (B, Hq, Tq, ...rest) with as many leading axes as q has.
 *
 * @param {number} rank of q as (B, Hq, Tq, D)
 * @param {Sizes} sizes
 * @param {number[]} rest
 */
export const rowsOf = (rank, { batch, queryHeads, queryLength }, ...rest) => (
    [...[batch, queryHeads, queryLength].slice(4 - rank), ...rest]);

/**
 * Strides [batch, head, row]; three zeros = packed in the order (B, H, T, D).
 *
 * @param {string} layout
 * @param {number} heads
 * @param {number} length
 * @param {number} dim
 */
export const layoutStride = (layout, heads, length, dim) => (
    layout === 'BTHD' && length > 0 ? [length * heads * dim, dim, heads * dim] : [0, 0, 0]);

/**
 * Strides that repeat a mask over the full shape: 0 along every axis on which it has 1.
 *
 * @param {Input} input aligned to the right of full
 * @param {Shape} full
 * @param {readonly string[]} axes names of the axes of full
 * @param {number} least rank
 */
export function broadcastStride({ name, shape }, full, axes, least) {
    if (shape.length < least || shape.length > full.length) {
        throw fail('badBroadcastRank', { name, shape, full, axes, least });
    }
    const missing = full.length - shape.length;
    const packed = packedStride(shape);
    return full.map((expected, axis) => {
        const got = axis < missing ? 1 : shape[axis - missing];
        if (got !== 1 && got !== expected) {
            throw fail('badBroadcast', { name, shape, full, axis: axes[axis], got, expected });
        }
        return got === 1 ? 0 : packed[axis - missing];
    });
}
