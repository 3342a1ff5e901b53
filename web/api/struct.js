// struct.js: writes C structures by field name, through the layout tables that wasm.c exports.
//
// A table is { u32 size, u32 count, rows* }, a row { name*, u32 offset, u32 kind, u32 count }: no
// offset is written down twice.

/** @import { Memory } from './memory.js' */

/** Of the kinds of wasm.c, the one that is not a 32-bit integer. */
const KIND_F32 = 2;

const ROW_WORDS = 4;

/**
 * @typedef {{ word: number, isFloat: boolean }} Field
 * @typedef {{ size: number, fields: Map<string, Field>, words: Record<string, number> }} Layout
 */

/**
 * @param {Memory} memory
 * @param {number} pointer to a table
 * @returns {Layout}
 */
export function readLayout(memory, pointer) {
    const { u32 } = memory;
    const [size, count, rows] = u32.subarray(pointer / 4, pointer / 4 + 3);
    /** @type {Layout['fields']} */
    const fields = new Map();
    for (let row = rows / 4; row < rows / 4 + count * ROW_WORDS; row += ROW_WORDS) {
        const [name, offset, kind] = u32.subarray(row, row + 3);
        fields.set(memory.text(name), { word: offset / 4, isFloat: kind === KIND_F32 });
    }
    const words = Object.fromEntries(Array.from(fields, ([name, { word }]) => [name, word]));
    return { size, fields, words };
}

/**
 * Writes each value, a number or several, into the field of its name.
 *
 * @param {Memory} memory
 * @param {Layout} layout
 * @param {number} pointer to the structure
 * @param {Record<string, number | readonly number[]>} values
 */
export function writeFields(memory, layout, pointer, values) {
    for (const name in values) {
        const { word, isFloat } = /** @type {Field} */ (layout.fields.get(name));
        const view = isFloat ? memory.f32 : memory.u32, at = pointer / 4 + word;
        const value = values[name];
        if (typeof value === 'number') view[at] = value;
        else view.set(value, at);
    }
}
