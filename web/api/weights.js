// weights.js: the weights of a module under the names and in the orientation of torch.
//
// torch keeps (out, in) and computes X·Wᵀ; the core keeps (in, out) and computes X·W. They are
// turned here and nowhere else. A name holds one part, or several stacked along the first axis.

/** @import { Memory } from './memory.js' */
/** @import { Module } from './module.js' */
/** @import { F32, Tensor, Weights } from './types.js' */

import { writeNumbers } from './elements.js';
import { fail } from './errors.js';
import { Result, newFloats } from './result.js';
import { readNumbers, sizeOf } from './tensor.js';

/**
 * A weight (out, in), or a bias (out), as attn_mha_params names them; offset counts floats.
 *
 * @typedef {{ field: string, rows: number, columns: number, offset: number }} Part
 * @typedef {{ name: string, shape: number[], parts: Part[] }} Source
 */

/**
 * The parts of a module and their places in its block.
 *
 * @param {Module} module
 * @returns {Part[]}
 */
export function partsOf(module) {
    const { heads, kvHeads, headDim, valueDim, hasBias, hasOutput } = module;
    /** @type {[letter: string, rows: number, columns: number][]} */
    const projections = [
        ['q', heads * headDim, module.queryWidth],
        ['k', kvHeads * headDim, module.keyWidth],
        ['v', kvHeads * valueDim, module.valueWidth],
    ];
    if (hasOutput) projections.push(['o', module.outputWidth, heads * valueDim]);
    /** @type {Part[]} */
    const parts = [];
    let offset = 0;
    for (const [letter, rows, columns] of projections) {
        parts.push({ field: `w${letter}`, rows, columns, offset });
        offset += rows * columns;
        if (!hasBias) continue;
        parts.push({ field: `b${letter}`, rows, columns: 1, offset });
        offset += rows;
    }
    return parts;
}

/**
 * Whether q, k and v share one weight under torch's names.
 *
 * @param {Module} module
 */
export const isStacked = ({ heads, kvHeads, queryWidth, keyWidth, valueWidth }) => (
    heads === kvHeads && queryWidth === keyWidth && keyWidth === valueWidth);

/** How many floats the parts take. @param {readonly Part[]} parts */
export const countOf = (parts) => parts.reduce((sum, { rows, columns }) => sum + rows * columns, 0);

/**
 * The part of each field, under a name.
 *
 * @param {readonly Part[]} all
 * @param {string} name
 * @param {string} fields for instance 'wq wk wv'
 * @returns {Source[]} none when the module has no such part, or the widths differ
 */
function source(all, name, fields) {
    const wanted = fields.split(' '), parts = all.filter(({ field }) => wanted.includes(field));
    if (parts.length !== wanted.length) return [];
    const [{ columns }] = parts, isBias = fields.startsWith('b');
    if (parts.some((part) => part.columns !== columns)) return [];
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    return [{ name, shape: isBias ? [rows] : [rows, columns], parts }];
}

/** torch's own names, then the plain ones. @param {readonly Part[]} parts */
function sourcesOf(parts) {
    const letters = ['q', 'k', 'v'];
    return [
        ...source(parts, 'in_proj_weight', 'wq wk wv'),
        ...letters.flatMap((x) => source(parts, `${x}_proj_weight`, `w${x}`)),
        ...source(parts, 'in_proj_bias', 'bq bk bv'),
        ...source(parts, 'out_proj.weight', 'wo'),
        ...source(parts, 'out_proj.bias', 'bo'),
        ...[...letters, 'o'].flatMap((x) => [
            ...source(parts, `${x}_proj.weight`, `w${x}`),
            ...source(parts, `${x}_proj.bias`, `b${x}`),
        ]),
    ];
}

/**
 * Each part with its numbers as (out, in), every one checked.
 *
 * @param {readonly Part[]} parts
 * @param {Weights} given
 * @returns {[Part, F32][]}
 */
export function readWeights(parts, given) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        throw fail('notWeights', { got: given });
    }
    const sources = sourcesOf(parts);
    /** @type {Map<Part, string>} */
    const names = new Map();
    const inputs = Object.keys(given).map((name) => {
        const found = sources.find((one) => one.name === name);
        if (!found) {
            throw fail('weightUnknown', { name, expected: sources.map((one) => one.name) });
        }
        const input = readNumbers(given[name], name), { shape } = input;
        if (String(shape) !== String(found.shape)) {
            throw fail('shapeDiffers', { name, shape, expected: found.shape });
        }
        for (const part of found.parts) {
            const other = names.get(part);
            if (other !== undefined) throw fail('weightTwice', { name, other });
            names.set(part, name);
        }
        return { input, parts: found.parts };
    });
    const missing = parts.find((part) => !names.has(part));
    if (missing) {
        const holding = sources.filter((one) => one.parts.includes(missing));
        throw fail('weightMissing', { names: holding.map(({ name }) => name) });
    }
    return inputs.flatMap(({ input, parts: own }) => {
        const all = new Float32Array(input.size);
        writeNumbers(input, { f32: all }, 0);
        let at = 0;
        return own.map((part) => {
            const count = part.rows * part.columns;
            at += count;
            return /** @type {[Part, F32]} */ ([part, all.subarray(at - count, at)]);
        });
    });
}

/**
 * Uniform in ±√(6 / (in + out)), biases 0. Glorot and Bengio (2010). The generator is a counter
 * through the finaliser of MurmurHash3.
 *
 * @param {readonly Part[]} parts
 * @param {number} seed
 * @returns {[Part, F32][]}
 */
export function initialWeights(parts, seed) {
    let counter = Math.imul(seed, 0x9e3779b1);
    const next = () => {
        counter = (counter + 0x6a09e667) | 0;
        let x = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
        x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
        return ((x ^ (x >>> 16)) >>> 0) / 2147483648 - 1;
    };
    return parts.map((part) => {
        const { field, rows, columns } = part, limit = Math.sqrt(6 / (rows + columns));
        const numbers = newFloats('the weights', [rows, columns]);
        return [part, field.startsWith('w') ? numbers.map(() => limit * next()) : numbers];
    });
}

/**
 * Writes parts, turned to (in, out).
 *
 * @param {Memory} memory
 * @param {number} pointer of the block
 * @param {[Part, F32][]} weights
 */
export function storeWeights({ f32 }, pointer, weights) {
    for (const [{ rows, columns, offset }, numbers] of weights) {
        const at = pointer / 4 + offset;
        for (let i = 0; i < rows; i++) {
            for (let j = 0; j < columns; j++) f32[at + j * rows + i] = numbers[i * columns + j];
        }
    }
}

/**
 * Copies of all parts, (out, in), under torch's names.
 *
 * @param {Pick<Memory, 'f32'>} memory
 * @param {number} pointer of the block
 * @param {readonly Part[]} parts
 * @param {boolean} stacked whether q, k and v share a weight
 * @returns {Record<string, Tensor>}
 */
export function weightsUnderNames({ f32 }, pointer, parts, stacked) {
    /** @type {Record<string, Tensor>} */
    const named = {};
    const apart = /^[qkv]_proj_weight$/;
    for (const { name, shape, parts: own } of sourcesOf(parts)) {
        const isOther = stacked ? apart.test(name) : name === 'in_proj_weight';
        if (isOther || /^[qkvo]_proj\./.test(name)) continue;
        const data = new Float32Array(sizeOf(shape));
        let start = 0;
        for (const { rows, columns, offset } of own) {
            const at = pointer / 4 + offset;
            for (let i = 0; i < rows; i++) {
                for (let j = 0; j < columns; j++) {
                    data[start + i * columns + j] = f32[at + j * rows + i];
                }
            }
            start += rows * columns;
        }
        named[name] = new Result(data, shape);
    }
    return named;
}
