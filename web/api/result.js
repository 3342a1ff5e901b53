// result.js: what the calls return: numbers in row order with their shape.

/** @import { F32, NestedNumbers, Shape } from './types.js' */

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
