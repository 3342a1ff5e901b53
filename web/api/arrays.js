// arrays.js: what the pointers of the C structures will point to.
//
// A Placed knows the field, the bytes it needs, and how to write itself once it has an address. Bad
// elements are found while they are written.

/** @import { Input } from './tensor.js' */
/** @import { Memory } from './memory.js' */

import { fail } from './errors.js';
import { placeOf, writeBooleans, writeNumbers } from './tensor.js';

/**
 * @typedef {object} Placed
 * @property {string} field
 * @property {number} bytes
 * @property {(memory: Memory, pointer: number) => void} write
 */

/**
 * @param {string} field
 * @param {Input} input
 * @returns {Placed}
 */
export const numbers = (field, input) => ({
    field,
    bytes: input.size * 4,
    write: (memory, pointer) => writeNumbers(input, memory, pointer),
});

/**
 * Room that the core writes.
 *
 * @param {string} field
 * @param {number} bytes
 * @returns {Placed}
 */
export const room = (field, bytes) => ({ field, bytes, write() {} });

/**
 * @param {string} field
 * @param {Input} input
 * @returns {Placed}
 */
export const booleans = (field, input) => ({
    field,
    bytes: input.size,
    write: (memory, pointer) => writeBooleans(input, memory, pointer),
});

/**
 * @param {Input} input
 * @returns {Placed}
 */
export const bias = (input) => ({
    field: 'bias',
    bytes: input.size * 4,
    write(memory, pointer) {
        writeNumbers(input, memory, pointer);
        const written = memory.f32.subarray(pointer / 4, pointer / 4 + input.size);
        // A loop: findIndex() with a function takes as long as the attention itself.
        for (let bad = 0; bad < written.length; bad++) {
            if (written[bad] < Infinity) continue;
            throw fail('badBias', { at: placeOf('bias', input.shape, bad), got: written[bad] });
        }
    },
});

/**
 * @param {string} field
 * @param {number[]} values
 * @returns {Placed}
 */
export const integers = (field, values) => ({
    field,
    bytes: values.length * 4,
    write: ({ i32 }, pointer) => i32.set(values, pointer / 4),
});

/**
 * @param {string} field
 * @param {ArrayLike<number>} values
 * @returns {Placed}
 */
export const floats = (field, values) => ({
    field,
    bytes: values.length * 4,
    write: ({ f32 }, pointer) => f32.set(values, pointer / 4),
});
