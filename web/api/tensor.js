// tensor.js: reads tensors by their structure, never by instanceof.
//
// Reading has two steps. read*() looks at the shape only; write*() copies the elements, packed in
// row order, into wasm memory, and it is there that a wrong element is found and its place named.

/** @import { Shape } from './types.js' */

import { fail } from './errors.js';
import { typedKind } from './kinds.js';

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

/** @param {unknown} value */
const isTyped = (value) => typedKind(value) !== undefined;

/** @param {unknown} value */
function isNumeric(value) {
    const kind = typedKind(value);
    return kind !== undefined && !kind.startsWith('Big');
}

/** @param {unknown} value */
const isBytes = (value) => /^Uint8(Clamped)?Array$/.test(typedKind(value) ?? '');

/** @param {any} value */
const isList = (value) => Array.isArray(value) || isTyped(value);

/** @param {any} value */
export function isArrayLike(value) {
    return typeof value === 'object' && value !== null
        && Number.isInteger(value.length) && value.length >= 0;
}

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
 * @returns {number[]}
 */
function readShape(name, given) {
    const shape = [];
    for (let axis = 0; axis < given.length && axis <= MAX_RANK; axis++) shape.push(given[axis]);
    checkRank(name, shape);
    for (const n of shape) {
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
    const given = value?.shape ?? value?.dims;
    if (!isArrayLike(given)) throw fail(sentence, { name, got: value });
    const { data } = value;
    if (!isArrayLike(data)) throw fail('notNumbers', { name: `${name}.data`, got: data });
    const shape = readShape(name, given), size = sizeOf(shape);
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
    if (isTyped(input.data) && !isNumeric(input.data)) {
        throw fail('notNumbers', { name: `${name}.data`, got: input.data });
    }
    if (typedKind(input.data) === 'Uint16Array' && (value.type ?? value.dtype) === 'float16') {
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

/**
 * Calls visit(list, first, step, at) for each innermost row: its elements are
 * list[first + d·step], and the first of them is number `at` in row order.
 *
 * @param {Input} input
 * @param {(list: any, first: number, step: number, at: number) => void} visit
 */
function forRows({ shape, data, nested, offset, stride }, visit) {
    const last = shape.length - 1;
    const steps = stride ?? packedStride(shape);
    let at = 0;
    /** @type {(list: any, first: number, axis: number) => void} */
    const walk = (list, first, axis) => {
        if (axis === last) {
            visit(list, first, steps[last], at);
            at += shape[last];
            return;
        }
        for (let i = 0; i < shape[axis]; i++) {
            if (nested) walk(list[i], 0, axis + 1);
            else walk(list, first + i * steps[axis], axis + 1);
        }
    };
    walk(nested ?? data, offset, 0);
}

/**
 * Copies the elements into a view. The view is asked for anew each time, after the element was
 * read: reading may run a getter that makes the memory grow, which detaches older views.
 *
 * @template {'f32' | 'u8'} View
 * @param {Input} input
 * @param {Record<View, Float32Array | Float64Array | Uint8Array>} memory
 * @param {View} view
 * @param {number} start of the first element in the view
 * @param {(list: any) => boolean} acceptsList whether any element of a list will do
 * @param {(x: unknown) => boolean} accepts
 * @param {(at: string, got: unknown) => Error} refuse
 */
function write(input, memory, view, start, acceptsList, accepts, refuse) {
    const { name, shape, size, data } = input;
    if (size === 0) return;
    if (acceptsList(data) && !input.stride) {
        const isWhole = size === data.length;
        memory[view].set(isWhole ? data : data.subarray(input.offset, input.offset + size), start);
        return;
    }
    const columns = shape[shape.length - 1];
    forRows(input, (list, first, step, at) => {
        const acceptsAll = acceptsList(list);
        for (let d = 0; d < columns; d++) {
            const index = first + d * step, x = list[index];
            if (!acceptsAll && !accepts(x)) {
                throw refuse(data ? `${name}.data[${index}]` : placeOf(name, shape, at + d), x);
            }
            memory[view][start + at + d] = x;
        }
    });
}

/**
 * @param {Input} input
 * @param {{ f32: Float32Array | Float64Array }} memory
 * @param {number} pointer in bytes
 */
export const writeNumbers = (input, memory, pointer) => (
    write(input, memory, 'f32', pointer / 4, isNumeric,
        (x) => typeof x === 'number',
        (at, got) => fail('notNumber', { at, got })));

/**
 * @param {Input} input
 * @param {{ u8: Uint8Array }} memory
 * @param {number} pointer in bytes
 */
export const writeBooleans = (input, memory, pointer) => (
    write(input, memory, 'u8', pointer, isBytes,
        (x) => typeof x === 'boolean',
        (at, got) => (typeof got === 'number'
            ? fail('numbersAsMask', { name: input.name })
            : fail('notBoolean', { at, got }))));
