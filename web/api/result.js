// result.js: what the calls return: numbers in row order with their shape.

/** @import { F32, NestedNumbers, Shape } from './types.js' */

import { fail } from './errors.js';
import { sizeOf } from './tensor.js';

/**
 * @param {ArrayLike<number>} data
 * @param {Shape} shape
 * @param {number} axis
 * @param {number} start
 * @returns {any}
 */
function nest(data, shape, axis, start) {
    const step = sizeOf(shape.slice(axis + 1)), isLast = axis === shape.length - 1;
    return Array.from({ length: shape[axis] }, (_, i) => (
        isLast ? data[start + i] : nest(data, shape, axis + 1, start + i * step)));
}

/**
 * (B, X, Y, D) to (B, Y, X, D): heads and rows change places.
 *
 * @param {F32} data
 * @param {number} x
 * @param {number} y
 * @param {number} dim
 * @returns {F32}
 */
export function swapAxes(data, x, y, dim) {
    const swapped = new Float32Array(data.length), step = x * y * dim;
    for (let at = 0; at < data.length; at += dim) {
        const within = (at % step) / dim, i = Math.floor(within / y), j = within % y;
        const to = at - at % step + (j * x + i) * dim;
        swapped.set(data.subarray(at, at + dim), to);
    }
    return swapped;
}

/** A Tensor: a result that belongs to the caller. */
export class Result {
    /**
     * @param {F32} data
     * @param {Shape} shape
     */
    constructor(data, shape) {
        this.data = data;
        this.shape = shape;
        this.dtype = /** @type {const} */ ('float32');
    }

    /**
     * The numbers as nested arrays.
     *
     * @returns {NestedNumbers}
     */
    toNested() {
        return nest(this.data, this.shape, 0, 0);
    }
}

/** Numbers that a buffer of wasm's 4 GiB can hold. */
const MOST_FLOATS = 2 ** 30;

/**
 * Zeros for a tensor that is made here, of a size that an array can have.
 *
 * @param {string} name
 * @param {readonly number[]} shape
 */
export function newFloats(name, shape) {
    const size = sizeOf(shape);
    if (size > MOST_FLOATS) throw fail('tooLargeToAddress', { name, shape });
    try {
        return new Float32Array(size);
    } catch (cause) {
        throw fail('resultRefused', { needed: size * 4 }, cause);
    }
}
