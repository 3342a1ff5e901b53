// rope.js: rotary position embedding: pairs of dimensions turned by angles that grow with position.
//
//     angle[p, k] = p · base^(-2k / dim)      out = (x1 cos - x2 sin, x1 sin + x2 cos)
//
// The tables of cosines and sines are made by the core, in double, or given.

/** @import { Instance } from './instance.js' */
/** @import { Attend } from './params.js' */
/** @import { RopeConfig, RopeOptions, TensorLike } from './types.js' */

import { numbers } from './arrays.js';
import { writeNumbers } from './elements.js';
import { fail } from './errors.js';
import { LAYOUTS, ROPE_OPTIONS, readChoice, readOptions } from './options.js';
import { Result } from './result.js';
import { extentsOf, layoutStride } from './shapes.js';
import { checkBase } from './tables.js';
import { placeOf, readNumbers } from './tensor.js';
import { INT32_MAX, INT32_MIN, readInteger } from './values.js';

/**
 * @typedef {{ base: number, dim: number, interleaved: boolean }} Rotation
 */

/**
 * @param {RopeConfig} options
 * @param {number} headDim
 * @returns {Rotation}
 */
export function readRotation(options, headDim) {
    const { base = 10000, dim = headDim, interleaved } = options;
    checkBase(base);
    if (!Number.isInteger(dim) || dim < 2 || dim > headDim || dim % 2 !== 0) {
        const expected = headDim < 2 ? `pairs to rotate, but the head size is ${headDim}`
            : `an even integer from 2 to the head size, which is ${headDim}`;
        throw fail('badNumber', { name: 'dim', got: dim, expected });
    }
    return { base, dim, interleaved: readChoice('interleaved', interleaved, [false, true]) };
}

/**
 * Strides [batch, row] of a table.
 *
 * @param {boolean} isShared by the whole batch
 * @param {number} length
 * @param {number} half of the dimensions that turn
 */
const tableStride = (isShared, length, half) => [isShared ? 0 : length * half, half];

/**
 * Positions offset + row: one list for the whole batch where all rows begin alike.
 *
 * @param {number[]} offsets of each batch row
 * @param {number} length
 * @param {Rotation} rotation
 */
export function positionsFrom(offsets, length, { dim }) {
    const isShared = offsets.every((n) => n === offsets[0]);
    const distinct = isShared ? offsets.slice(0, 1) : offsets;
    const positions = distinct.flatMap((n) => Array.from({ length }, (_, i) => n + i));
    return { positions, stride: tableStride(isShared, length, dim / 2) };
}

/**
 * Addresses for the cosines and sines of positions.
 *
 * @param {Instance} instance
 * @param {number[]} positions
 * @param {Rotation} rotation
 */
export function placeTable({ memory }, positions, { dim }) {
    const bytes = positions.length * dim * 2;
    const list = memory.take(positions.length * 4);
    return { list, cos: memory.take(bytes), sin: memory.take(bytes) };
}

/**
 * @param {Instance} instance
 * @param {number[]} positions
 * @param {Rotation} rotation
 * @param {ReturnType<typeof placeTable>} table
 */
export function makeTable({ core, memory }, positions, { dim, base }, { list, cos, sin }) {
    memory.i32.set(positions, list / 4);
    core.rope_table(cos, sin, list, positions.length, dim, base);
}

/**
 * Positions as they were given: (T), or (B, T).
 *
 * @param {any} given
 * @param {number} batch
 * @param {number} length
 * @param {Rotation} rotation
 */
function readPositions(given, batch, length, { dim }) {
    const input = readNumbers(given, 'positions'), { name, shape, size } = input;
    const isShared = String(shape) === String([length]);
    if (!isShared && String(shape) !== String([batch, length])) {
        throw fail('badShape', { name, shape, expected: `[${length}] or [${batch},${length}]` });
    }
    const positions = new Float64Array(size);
    writeNumbers(input, { f32: positions }, 0);
    positions.forEach((n, at) => {
        readInteger(placeOf(name, shape, at), n, INT32_MIN, INT32_MAX);
    });
    return { positions: Array.from(positions), stride: tableStride(isShared, length, dim / 2) };
}

/**
 * A table as it was given: (T, n), or (B, T, n).
 *
 * @param {string} name
 * @param {any} given
 * @param {number} batch
 * @param {number} length
 * @param {number} headDim
 */
function readTable(name, given, batch, length, headDim) {
    if (given === undefined) throw fail('missingOne', { argument: name });
    const input = readNumbers(given, name), { shape } = input, half = shape[shape.length - 1];
    const rows = String(shape.slice(0, -1));
    const isShared = rows === String([length]);
    if ((!isShared && rows !== String([batch, length])) || half < 1 || half * 2 > headDim) {
        const expected = `[${length},n] or [${batch},${length},n], n from 1 to `
            + `${Math.floor(headDim / 2)} pairs`;
        throw fail('badShape', { name, shape, expected });
    }
    return { input, dim: half * 2, stride: tableStride(isShared, length, half) };
}

/**
 * @param {Partial<RopeOptions>} options
 * @param {string} name of what is given
 * @param {readonly (keyof RopeOptions)[]} others that go without it
 */
function checkAlone(options, name, others) {
    const other = others.find((key) => options[key] !== undefined);
    if (other) throw fail('notTogether', { name: other, other: name });
}

/**
 * @param {TensorLike} x
 * @param {RopeOptions | undefined} given
 */
export function readRope(x, given) {
    const options = readOptions(given, ROPE_OPTIONS);
    const layout = readChoice('layout', options.layout, LAYOUTS);
    const input = readNumbers(x, 'x'), { shape } = input;
    const { batch, heads, length, dim: headDim } = extentsOf(input, layout);
    const stride = layoutStride(layout, heads, length, headDim);
    const inverse = readChoice('inverse', options.inverse, [false, true]);
    const sizes = {
        batch, queryHeads: heads, kvHeads: heads, queryLength: length, keyLength: length, headDim,
        valueDim: headDim,
    };
    const call = { name: 'rope', sizes, q: input, k: null, v: null, options: {}, outShape: shape };
    /** @type {(tableStride: number[], dim: number, isInterleaved: boolean) => Attend['fields']} */
    const fields = (table, dim, isInterleaved) => ({
        x_stride: stride,
        out_stride: stride,
        table_stride: table,
        rotary_dim: dim,
        interleaved: Number(isInterleaved),
        inverse: Number(inverse),
    });
    if (options.cos !== undefined || options.sin !== undefined) {
        checkAlone(options, 'cos and sin', ['base', 'dim', 'offset', 'positions']);
        const cos = readTable('cos', options.cos, batch, length, headDim);
        const sin = readTable('sin', options.sin, batch, length, headDim);
        if (String(sin.input.shape) !== String(cos.input.shape)) {
            const { name, shape: got } = sin.input;
            throw fail('shapeDiffers', { name, shape: got, expected: cos.input.shape });
        }
        const interleaved = readChoice('interleaved', options.interleaved, [false, true]);
        const arrays = [numbers('x', input), numbers('cos', cos.input), numbers('sin', sin.input)];
        return { ...call, arrays, table: null, fields: fields(cos.stride, cos.dim, interleaved) };
    }
    const rotation = readRotation(options, headDim);
    if (options.positions !== undefined) checkAlone(options, 'positions', ['offset']);
    const { offset: first = 0 } = options;
    const offset = readInteger('offset', first, INT32_MIN, INT32_MAX);
    const { positions, stride: table } = options.positions === undefined
        ? positionsFrom([offset], length, rotation)
        : readPositions(options.positions, batch, length, rotation);
    return {
        ...call, arrays: [numbers('x', input)], table: { positions, rotation },
        fields: fields(table, rotation.dim, rotation.interleaved),
    };
}

/**
 * The result of rope().
 *
 * @param {Instance} instance
 * @param {ReturnType<typeof readRope>} call
 */
export function runRope(instance, call) {
    const { core, memory, layouts } = instance, { q: { size, shape } } = call;
    const { batch, queryHeads, queryLength, headDim } = call.sizes;
    const structure = memory.take(layouts.rope.size), cell = memory.take(4);
    const pointers = instance.place(call.arrays), out = memory.take(size * 4);
    const { table } = call, placed = table && placeTable(instance, table.positions, table.rotation);
    memory.reserve();
    core.rope_defaults(structure, batch, queryHeads, queryLength, headDim);
    instance.fill('rope', structure, call.fields, pointers, { out });
    instance.write(call.arrays, pointers);
    if (placed) {
        instance.fill('rope', structure, { cos: placed.cos, sin: placed.sin });
        makeTable(instance, table.positions, table.rotation, placed);
    }
    instance.check(core.rope(structure, cell), call, cell);
    return new Result(memory.copyOut(out, size), shape);
}
