// tensor.js: reads tensors by their structure, never by instanceof.
//
// Reading has two steps. read*() looks at the shape only; the elements are read when they are
// written (elements.js).

/** @import { Shape } from './types.js' */

import { fail } from './errors.js';
import { isBytes, isTyped, typedKind } from './kinds.js';

const MAX_EXTENT = 2147483647;

/**
 * A tensor as it came: nested lists, or a flat list with strides where it is not packed.
 *
 * @typedef {object} Input
 * @property {string} name
 * @property {Shape} shape
 * @property {number} size product of shape
 * @property {any} data flat list, or null
 * @property {any} nested nested lists, or null
 * @property {Shape | null} stride in elements; null = packed
 * @property {number} offset of the first element
 */

/** @param {Shape} shape */
export function sizeOf(shape) {
    let size = 1;
    for (let axis = 0; axis < shape.length; axis++) size *= shape[axis];
    return size;
}

/**
 * Strides of a packed tensor.
 *
 * @param {Shape} shape
 */
export function packedStride(shape) {
    const stride = shape.map(() => 1);
    for (let axis = shape.length - 2; axis >= 0; axis--) {
        stride[axis] = stride[axis + 1] * shape[axis + 1];
    }
    return stride;
}

/** @param {any} value */
const isList = (value) => Array.isArray(value) || isTyped(value);

/**
 * The length of what has one like an array, or -1. It is read once.
 *
 * @param {any} value
 * @returns {number}
 */
function lengthOf(value) {
    if (typeof value !== 'object' || value === null) return -1;
    const { length } = value;
    return Number.isInteger(length) && length >= 0 ? length : -1;
}

/** @param {any} value */
export const isArrayLike = (value) => lengthOf(value) >= 0;

/**
 * q[1][0], for the element at a flat index.
 *
 * @param {string} name
 * @param {Shape} shape
 * @param {number} index
 */
export function placeOf(name, shape, index) {
    let place = '';
    for (let axis = shape.length - 1; axis >= 0; axis--) {
        place = `[${index % shape[axis]}]${place}`;
        index = Math.floor(index / shape[axis]);
    }
    return name + place;
}

/** More dimensions than any tensor has here; an array that holds itself has no end of them. */
const MAX_RANK = 8;

/**
 * @param {string} name
 * @param {any[]} shape
 */
function checkRank(name, shape) {
    if (shape.length <= MAX_RANK) return;
    throw fail('badShape', { name, shape, expected: 'at most 4 dimensions' });
}

/**
 * The lengths along the first path down.
 *
 * @param {string} name
 * @param {any} value
 */
function nestedShape(name, value) {
    const shape = [];
    for (let list = value; isList(list); list = list[0]) {
        shape.push(list.length);
        checkRank(name, shape);
    }
    return shape;
}

/**
 * Every list of a depth must be as long as the first one there.
 *
 * @param {string} name
 * @param {Shape} shape
 * @param {any} list at a place and a depth
 * @param {string} at
 * @param {number} depth
 */
function checkEven(name, shape, list, at = name, depth = 0) {
    const first = name + '[0]'.repeat(depth), expected = shape[depth];
    if (!isList(list)) throw fail('raggedDepth', { at, got: list, first, expected });
    if (list.length !== expected) throw fail('ragged', { at, got: list.length, first, expected });
    if (depth === shape.length - 1) return;
    for (let i = 0; i < list.length; i++) checkEven(name, shape, list[i], `${at}[${i}]`, depth + 1);
}

/**
 * @param {string} name
 * @param {any} given
 * @param {number} rank
 * @returns {number[]}
 */
function readShape(name, given, rank) {
    const shape = new Array(Math.min(rank, MAX_RANK + 1));
    for (let axis = 0; axis < shape.length; axis++) shape[axis] = given[axis];
    checkRank(name, shape);
    for (let axis = 0; axis < shape.length; axis++) {
        const n = shape[axis];
        if (Number.isInteger(n) && n >= 0 && n <= MAX_EXTENT) continue;
        throw fail('badExtent', { name, shape, got: n });
    }
    return shape;
}

/**
 * Strides, kept only where they differ from those of a packed tensor.
 *
 * @param {string} name
 * @param {any} value
 * @param {Shape} shape
 */
function readStride(name, value, shape) {
    const given = value.stride ?? value.strides;
    const offset = value.offset ?? value.storage?.offset ?? 0;
    /** @type {number[]} */
    const stride = isArrayLike(given) ? Array.from(given) : [];
    if (stride.length !== shape.length || ![...stride, offset].every(Number.isInteger)) {
        throw fail('badStride', { name, shape });
    }
    if (sizeOf(shape) > 0) {
        const reach = stride.map((step, axis) => step * (shape[axis] - 1));
        const lowest = reach.reduce((at, n) => at + Math.min(n, 0), offset);
        const highest = reach.reduce((at, n) => at + Math.max(n, 0), offset);
        if (lowest < 0 || highest >= value.data.length) {
            const reached = lowest < 0 ? lowest : highest;
            throw fail('strideOutside', { name, shape, reached, length: value.data.length });
        }
    }
    const packed = packedStride(shape);
    const isPacked = stride.every((step, axis) => step === packed[axis] || shape[axis] <= 1);
    return { stride: isPacked ? null : stride, offset };
}

/**
 * @param {any} value
 * @param {string} name
 * @param {'notTensor' | 'notMask'} sentence for what is neither
 * @returns {Input}
 */
function read(value, name, sentence) {
    if (isTyped(value)) throw fail('withoutShape', { name, got: value });
    if (Array.isArray(value)) {
        const shape = nestedShape(name, value), size = sizeOf(shape);
        checkEven(name, shape, value);
        return { name, shape, size, data: null, nested: value, stride: null, offset: 0 };
    }
    const given = value?.shape ?? value?.dims, rank = lengthOf(given);
    if (rank < 0) throw fail(sentence, { name, got: value });
    const { data } = value;
    if (!isArrayLike(data)) throw fail('notNumbers', { name: `${name}.data`, got: data });
    const shape = readShape(name, given, rank), size = sizeOf(shape);
    if (value.stride !== undefined || value.strides !== undefined) {
        return { name, shape, size, data, nested: null, ...readStride(name, value, shape) };
    }
    if (data.length !== size) throw fail('badCount', { name, shape, got: data.length });
    return { name, shape, size, data, nested: null, stride: null, offset: 0 };
}

/**
 * @param {any} value
 * @param {string} name
 */
export function readNumbers(value, name) {
    const input = read(value, name, 'notTensor');
    const kind = typedKind(input.data);
    if (kind?.startsWith('Big')) throw fail('notNumbers', { name: `${name}.data`, got: input.data });
    if (kind === 'Uint16Array' && (value.type ?? value.dtype) === 'float16') {
        throw fail('halfFloatBits', { name });
    }
    return input;
}

/**
 * @param {any} value
 * @param {string} name
 */
export function readBooleans(value, name) {
    const input = read(value, name, 'notMask');
    let first = input.nested ?? input.data;
    while (Array.isArray(first)) first = first[0];
    const isOther = isTyped(first) && !isBytes(first);
    if (typeof first === 'number' || isOther) throw fail('numbersAsMask', { name });
    return input;
}
