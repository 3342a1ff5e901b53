// struct.js: writes C structures by field name, through the layout tables that wasm.c exports.
//
// A table is { u32 size, u32 count, fields* } with rows { name*, u32 offset, u32 kind, u32 count }: no
// offset is written down twice.

/** @import { Memory } from './memory.js' */

/** kind numbers of wasm.c */
const KIND_F32 = 2;

const ROW_WORDS = 4;

/**
 * @typedef {{ word: number, isFloat: boolean }} Field
 * @typedef {{ size: number, fields: Map<string, Field> }} Layout
 */

/** @param {Memory} memory @param {number} pointer @returns {Layout} */
export function readLayout(memory, pointer) {
    const { u32 } = memory;
    const [size, count, rows] = u32.subarray(pointer / 4, pointer / 4 + 3);
    const fields = new Map();
    for (let row = rows / 4; row < rows / 4 + count * ROW_WORDS; row += ROW_WORDS) {
        fields.set(memory.text(u32[row]), { word: u32[row + 1] / 4, isFloat: u32[row + 2] === KIND_F32 });
    }
    return { size, fields };
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
        const value = values[name];
        const view = /** @type {Float32Array | Uint32Array} */ (isFloat ? memory.f32 : memory.u32);
        if (typeof value === 'number') view[pointer / 4 + word] = value;
        else view.set(value, pointer / 4 + word);
    }
}
