// arrays.js: what the pointers of the C structures will point to.
//
// A Placed knows the field, the bytes it needs, and how to write itself once it has an address. Bad
// elements are found while they are written.

/** @import { Input } from './tensor.js' */
/** @import { Memory } from './memory.js' */
/** @import { Core } from './wasm.js' */

import { writeBooleans, writeNumbers } from './elements.js';
import { fail } from './errors.js';
import { placeOf } from './tensor.js';

/**
 * @typedef {object} Placed
 * @property {string} field
 * @property {number} bytes
 * @property {(memory: Memory, pointer: number, core: Core) => void} write
 */

/** Numbers of a tensor; a class, since nearly every call makes some and a closure costs more. */
class Numbers {
    /**
     * @param {string} field
     * @param {Input} input
     */
    constructor(field, input) {
        this.field = field;
        this.bytes = input.size * 4;
        this.input = input;
    }

    /**
     * @param {Memory} memory
     * @param {number} pointer
     */
    write(memory, pointer) {
        writeNumbers(this.input, memory, pointer);
    }
}

/**
 * @param {string} field
 * @param {Input} input
 * @returns {Placed}
 */
export const numbers = (field, input) => new Numbers(field, input);

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
    write(memory, pointer, core) {
        writeNumbers(input, memory, pointer);
        const { shape, size } = input, bad = core.bias_prefix(pointer, size) >>> 0;
        if (bad === size) return;
        const got = memory.f32[pointer / 4 + bad];
        throw fail('badBias', { at: placeOf('bias', shape, bad), got });
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
