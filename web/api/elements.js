// elements.js: copies the elements of a tensor that was read, packed in row order, into memory.
//
// It is here that a wrong element is found and its place named.

/** @import { Input } from './tensor.js' */

import { fail } from './errors.js';
import { isBytes, isNumeric, typedKind } from './kinds.js';
import { FEW } from './memory.js';
import { packedStride, placeOf } from './tensor.js';

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
    const { name, shape, size, data, offset } = input;
    if (size === 0) return;
    if (acceptsList(data) && !input.stride && offset + size <= data.length) {
        const isWhole = size === data.length;
        memory[view].set(isWhole ? data : data.subarray(offset, offset + size), start);
        return;
    }
    const columns = shape[shape.length - 1];
    forRows(input, (list, first, step, at) => {
        const acceptsAll = acceptsList(list);
        for (let d = 0; d < columns; d++) {
            const index = first + d * step, x = list[index];
            /* A typed array that has shrunk since it was read has undefined where elements were. */
            if (acceptsAll ? x === undefined : !accepts(x)) {
                throw refuse(data ? `${name}.data[${index}]` : placeOf(name, shape, at + d), x);
            }
            memory[view][start + at + d] = x;
        }
    });
}

/** @param {unknown} x */
const isNumber = (x) => typeof x === 'number';

/** @type {(at: string, got: unknown) => Error} */
const refuseNumber = (at, got) => fail('notNumber', { at, got });

/**
 * Few numbers of the usual kind are copied one by one: no element runs foreign code.
 *
 * @param {Input} input
 * @param {{ f32: Float32Array | Float64Array }} memory
 * @param {number} pointer in bytes
 */
export function writeNumbers(input, memory, pointer) {
    const { data, size } = input, start = pointer / 4;
    if (size > FEW || input.stride || typedKind(data) !== 'Float32Array' || data.length !== size) {
        write(input, memory, 'f32', start, isNumeric, isNumber, refuseNumber);
        return;
    }
    const { f32 } = memory;
    for (let i = 0; i < size; i++) f32[start + i] = data[i];
}

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
