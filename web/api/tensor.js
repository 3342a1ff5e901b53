// tensor.js: reads tensors by their structure, never by instanceof, and makes the result tensors.
//
// Reading has two steps. read*() looks at the shape only; write*() copies the elements, packed in row
// order, into wasm memory, and it is there that a wrong element is found. Elements are found by index,
// so the sentence can name the place.

/** @import { F32, Shape, NestedNumbers } from './types.js' */

import * as errors from './errors.js';

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
export const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** Strides of a packed tensor. @param {Shape} shape @returns {number[]} */
export function packedStride(shape) {
    const stride = shape.map(() => 1);
    for (let axis = shape.length - 2; axis >= 0; axis--) stride[axis] = stride[axis + 1] * shape[axis + 1];
    return stride;
}

/** @param {unknown} value */
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @param {any} value */
const isTyped = (value) => ArrayBuffer.isView(value) && tagOf(value) !== 'DataView';

/** @param {any} value */
const isList = (value) => Array.isArray(value) || isTyped(value);

/** @param {any} value */
const isArrayLike = (value) => isList(value)
    || (typeof value === 'object' && value !== null && Number.isInteger(value.length) && value.length >= 0);

/** @param {unknown} value */
const isBytes = (value) => tagOf(value) === 'Uint8Array' || tagOf(value) === 'Uint8ClampedArray';

/** q[1][0], for the element at a flat index. @param {string} name @param {Shape} shape @param {number} index */
export function placeOf(name, shape, index) {
    let place = '';
    for (let axis = shape.length - 1; axis >= 0; axis--) {
        place = `[${index % shape[axis]}]${place}`;
        index = Math.floor(index / shape[axis]);
    }
    return name + place;
}

/** The lengths along the first path down. @param {any} value @returns {number[]} */
function nestedShape(value) {
    const shape = [];
    for (let list = value; isList(list); list = list[0]) {
        shape.push(list.length);
        if (list.length === 0) break;
    }
    return shape;
}

/** Every list at a depth has the length that the first one has. @param {any} list @param {string} at
 *  @param {Shape} shape @param {string} name @param {number} axis */
function checkEven(list, at, shape, name, axis) {
    if (!isList(list) || list.length !== shape[axis]) {
        throw errors.ragged(at, isList(list) ? list.length : null, name + '[0]'.repeat(axis), shape[axis]);
    }
    if (axis === shape.length - 1) return;
    for (let i = 0; i < list.length; i++) checkEven(list[i], `${at}[${i}]`, shape, name, axis + 1);
}

/** @param {string} name @param {any} shape @returns {number[]} */
function readShape(name, shape) {
    for (const extent of Array.from(shape)) {
        if (!Number.isInteger(extent) || extent < 0 || extent > MAX_EXTENT) {
            throw errors.badExtent(name, shape, extent);
        }
    }
    return Array.from(shape);
}

/** Strides are kept only where they differ from those of a packed tensor.
 *  @param {string} name @param {any} value @param {number[]} shape */
function readStride(name, value, shape) {
    const given = value.stride ?? value.strides;
    const offset = value.offset ?? value.storage?.offset ?? 0;
    if (given === undefined) return { stride: null, offset: 0 };
    const stride = isArrayLike(given) ? /** @type {number[]} */ (Array.from(given)) : [];
    if (stride.length !== shape.length || !stride.every(Number.isInteger) || !Number.isInteger(offset)) {
        throw errors.badStride(name, shape);
    }
    let first = offset, last = offset;
    if (sizeOf(shape) > 0) {
        stride.forEach((step, axis) => {
            if (step < 0) first += step * (shape[axis] - 1);
            else last += step * (shape[axis] - 1);
        });
        if (first < 0 || last >= value.data.length) {
            throw errors.strideOutside(name, shape, first < 0 ? first : last, value.data.length);
        }
    }
    const packed = packedStride(shape);
    const isPacked = stride.every((step, axis) => step === packed[axis] || shape[axis] <= 1);
    return { stride: isPacked ? null : stride, offset };
}

/** The shape of any tensor. @param {any} value @param {string} name
 *  @param {(name: string, got: unknown) => Error} unreadable @returns {Input} */
function read(value, name, unreadable) {
    if (isTyped(value)) throw errors.withoutShape(name, value);
    if (Array.isArray(value)) {
        const shape = nestedShape(value);
        checkEven(value, name, shape, name, 0);
        return { name, shape, size: sizeOf(shape), data: null, nested: value, stride: null, offset: 0 };
    }
    const given = value?.shape ?? value?.dims;
    if (!isArrayLike(given) || value.data === undefined) throw unreadable(name, value);
    if (!isArrayLike(value.data)) throw errors.notNumbers(`${name}.data`, value.data);
    const shape = readShape(name, given);
    const { stride, offset } = readStride(name, value, shape);
    const size = sizeOf(shape);
    if (value.stride === undefined && value.strides === undefined && value.data.length !== size) {
        throw errors.badCount(name, shape, value.data.length);
    }
    return { name, shape, size, data: value.data, nested: null, stride, offset };
}

/** @param {any} value @param {string} name */
export function readNumbers(value, name) {
    const input = read(value, name, errors.notTensor);
    if (/^Big/.test(tagOf(input.data))) throw errors.notNumbers(`${name}.data`, input.data);
    if (tagOf(input.data) === 'Uint16Array' && (value.type ?? value.dtype) === 'float16') {
        throw errors.halfFloatBits(name);
    }
    return input;
}

/** @param {any} value @param {string} name */
export function readBooleans(value, name) {
    const input = read(value, name, errors.notMask);
    let first = input.nested ?? input.data;
    while (Array.isArray(first)) first = first[0];
    if (typeof first === 'number' || (isTyped(first) && !isBytes(first))) throw errors.numbersAsMask(name);
    return input;
}

/** @param {unknown} x */
const isNumber = (x) => typeof x === 'number';
/** @param {unknown} x */
const isBoolean = (x) => typeof x === 'boolean';

/** Calls visit(list, start, step, at) for each innermost row; at counts elements in row order.
 *  @param {Input} input @param {(list: any, start: number, step: number, at: number) => void} visit */
function forRows(input, visit) {
    const { shape, data, nested, offset } = input;
    const last = shape.length - 1, columns = shape[last];
    const stride = input.stride ?? packedStride(shape);
    let at = 0;
    /** @type {(list: any, start: number, axis: number) => void} */
    const walk = (list, start, axis) => {
        if (axis === last) {
            visit(list, start, stride[last], at);
            at += columns;
            return;
        }
        for (let i = 0; i < shape[axis]; i++) {
            if (nested) walk(list[i], 0, axis + 1);
            else walk(list, start + i * stride[axis], axis + 1);
        }
    };
    walk(nested ?? data, offset, 0);
}

/** Copies the elements into target, which begins with them. @param {Input} input
 *  @param {Float32Array | Uint8Array} target @param {(x: unknown) => boolean} accepts
 *  @param {(at: string, got: unknown) => Error} refuse */
function write(input, target, accepts, refuse) {
    const { name, shape, size, data } = input;
    if (size === 0) return;
    if (isTyped(data) && !input.stride) {
        target.set(data.subarray(input.offset, input.offset + size));
        return;
    }
    const columns = shape[shape.length - 1];
    forRows(input, (list, start, step, at) => {
        const unchecked = isTyped(list) && !/^Big/.test(tagOf(list));
        for (let d = 0; d < columns; d++) {
            const x = list[start + d * step];
            if (!unchecked && !accepts(x)) {
                throw refuse(data ? `${name}.data[${start + d * step}]` : placeOf(name, shape, at + d), x);
            }
            target[at + d] = x;
        }
    });
}

/** @param {Input} input @param {Float32Array} target */
export const writeNumbers = (input, target) => write(input, target, isNumber, errors.notNumber);

/** @param {Input} input @param {Uint8Array} target */
export const writeBooleans = (input, target) => write(input, target, isBoolean, (at, got) => (
    typeof got === 'number' ? errors.numbersAsMask(input.name) : errors.notBoolean(at, got)));

/** @param {ArrayLike<number>} data @param {Shape} shape @param {number} axis @param {number} start @returns {any} */
function nest(data, shape, axis, start) {
    const step = sizeOf(shape.slice(axis + 1));
    return Array.from({ length: shape[axis] }, (_, i) => (
        axis === shape.length - 1 ? data[start + i] : nest(data, shape, axis + 1, start + i * step)));
}

/** A Tensor: a result that belongs to the caller. */
export class Result {
    /** @param {F32} data @param {Shape} shape */
    constructor(data, shape) {
        this.data = data;
        this.shape = shape;
        this.dtype = /** @type {const} */ ('float32');
    }

    /** The numbers as nested arrays. @returns {NestedNumbers} */
    toNested() {
        return nest(this.data, this.shape, 0, 0);
    }
}
