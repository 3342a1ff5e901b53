// params.js: from the arguments of a call to what the C structure will hold.
//
// Here are types, shapes and names. Ranges of numbers, and what options say together, are judged by
// attn_check() on the filled structure, before any data is copied. Nothing here touches wasm memory: what
// a pointer will point to becomes a Placed, which knows its bytes and how to write itself.

/** @import { AttentionOptions, Shape, TensorLike, WhatIf } from './types.js' */
/** @import { Input } from './tensor.js' */
/** @import { Memory } from './memory.js' */
/** @import { Sizes } from './shapes.js' */

import * as errors from './errors.js';
import { ATTENTION_OPTIONS, WHAT_IF_OPTIONS, readChoice, readNumber, readOptions } from './options.js';
import { broadcastStride, layoutStride, likeQuery, rowsOf, sizesOf } from './shapes.js';
import { placeOf, readBooleans, readNumbers, sizeOf, writeBooleans, writeNumbers } from './tensor.js';

/**
 * @typedef {object} Placed an array that a pointer field will point to
 * @property {string} field
 * @property {number} bytes
 * @property {(memory: Memory, pointer: number) => void} write
 *
 * @typedef {object} Call
 * @property {Sizes} sizes
 * @property {Input} q
 * @property {Input} k
 * @property {Input} v
 * @property {Record<string, number | readonly number[]>} fields of attn_params besides pointers
 * @property {Placed[]} arrays
 * @property {Partial<AttentionOptions>} options
 * @property {Shape} outShape
 * @property {number} outSize
 */

const CAUSAL = /** @type {const} */ ([false, true, 'top-left']);
const LAYOUTS = /** @type {const} */ (['BHTD', 'BTHD']);
const SCORE_AXES = ['batch', 'heads', 'queries', 'keys'];
const KEY_AXES = ['batch', 'keys'];
const INT32 = /** @type {const} */ ([-2147483648, 2147483647]);

/** @param {Memory} memory @param {number} pointer @param {number} count */
const floatsAt = (memory, pointer, count) => memory.f32.subarray(pointer / 4, pointer / 4 + count);

/** @param {string} field @param {Input} input @returns {Placed} */
const numbers = (field, input) => ({
    field,
    bytes: input.size * 4,
    write: (memory, pointer) => writeNumbers(input, floatsAt(memory, pointer, input.size)),
});

/** @param {string} field @param {Input} input @returns {Placed} */
const booleans = (field, input) => ({
    field,
    bytes: input.size,
    write: (memory, pointer) => writeBooleans(input, memory.u8.subarray(pointer, pointer + input.size)),
});

/** @param {Input} input @returns {Placed} */
const bias = (input) => ({
    field: 'bias',
    bytes: input.size * 4,
    write(memory, pointer) {
        const written = floatsAt(memory, pointer, input.size);
        writeNumbers(input, written);
        const bad = written.findIndex((x) => !(x < Infinity));
        if (bad >= 0) throw errors.badBias(placeOf(input.name, input.shape, bad), written[bad]);
    },
});

/** @param {string} field @param {number[]} values @returns {Placed} */
const integers = (field, values) => ({
    field,
    bytes: values.length * 4,
    write: (memory, pointer) => memory.i32.set(values, pointer / 4),
});

/** One integer for each batch row. @param {string} name @param {any} value @param {number} batch
 *  @param {number} low @param {number} high @returns {number[]} */
function readIntegers(name, value, batch, low, high) {
    if (typeof value !== 'object' || value === null || !Number.isInteger(value.length)) {
        throw errors.badOption(name, value, 'an array with one integer for each batch row');
    }
    if (value.length !== batch) throw errors.badLengthCount(name, batch, value.length);
    return Array.from(value, (n, b) => {
        if (!Number.isInteger(n) || n < low || n > high) {
            throw errors.badNumber(`${name}[${b}]`, n, `an integer from ${low} to ${high}`);
        }
        return n;
    });
}

/** @param {AttentionOptions['window']} window */
function readWindow(window) {
    if (window === undefined) return [-1, -1];
    if (typeof window === 'number') throw errors.windowIsNumber(window);
    if (!Array.isArray(window) || window.length !== 2) throw errors.badOption('window', window, '[left, right]');
    window.forEach((n, i) => {
        if (!Number.isInteger(n) || n < INT32[0] || n > INT32[1]) {
            throw errors.badNumber(`window[${i}]`, n, 'an integer, -1 for no bound');
        }
    });
    return window;
}

/** @param {AttentionOptions['dropout']} dropout */
function readDropout(dropout) {
    if (dropout === undefined) return { p: 0, seed: 0 };
    const { p, seed } = readOptions(dropout, ['p', 'seed'], 'dropout');
    if (typeof p !== 'number') throw errors.badOption('dropout.p', p, 'a number from 0 to 1');
    if (!Number.isInteger(seed) || !(Number(seed) >= 0 && Number(seed) <= 4294967295)) {
        throw errors.badOption('dropout.seed', seed, 'an integer from 0 to 4294967295');
    }
    return { p, seed: Number(seed) };
}

/** The masks and the bias, with their strides. @param {Partial<AttentionOptions>} options @param {Sizes} sizes
 *  @param {Call['fields']} fields @param {Placed[]} arrays */
function readMasks(options, { batch, queryHeads, queryLength, keyLength }, fields, arrays) {
    const full = [batch, queryHeads, queryLength, keyLength];
    if (options.mask !== undefined) {
        const input = readBooleans(options.mask, 'mask');
        fields.mask_stride = broadcastStride(input, full, SCORE_AXES, 2);
        arrays.push(booleans('mask', input));
    }
    if (options.keyMask !== undefined) {
        const input = readBooleans(options.keyMask, 'keyMask');
        fields.key_mask_stride = broadcastStride(input, [batch, keyLength], KEY_AXES, 1);
        arrays.push(booleans('key_mask', input));
    }
    if (options.bias !== undefined) {
        const input = readNumbers(options.bias, 'bias');
        fields.bias_stride = broadcastStride(input, full, SCORE_AXES, 2);
        arrays.push(bias(input));
    }
}

/** Lengths and positions. @param {Partial<AttentionOptions>} options @param {Sizes} sizes @param {Placed[]} arrays */
function readPositions(options, { batch, queryLength, keyLength }, arrays) {
    const { keyLengths, queryLengths, queryOffset } = options;
    if (keyLengths !== undefined) {
        const values = readIntegers('keyLengths', keyLengths, batch, 0, keyLength);
        const sayNothing = values.every((n) => n === keyLength);
        if (!sayNothing) arrays.push(integers('key_lengths', values));
    }
    if (queryLengths !== undefined) {
        arrays.push(integers('query_lengths', readIntegers('queryLengths', queryLengths, batch, 0, queryLength)));
    }
    if (queryOffset !== undefined) {
        const each = typeof queryOffset === 'number' ? new Array(batch).fill(queryOffset) : queryOffset;
        arrays.push(integers('query_offset', readIntegers('queryOffset', each, batch, ...INT32)));
    }
}

/** attn_check() refuses slopes for now: that they are given is all that is passed on.
 *  @param {AttentionOptions['alibi']} alibi @param {Placed[]} arrays */
function readAlibi(alibi, arrays) {
    if (alibi === undefined || alibi === false) return;
    if (alibi !== true && !Number.isInteger(alibi?.length)) {
        throw errors.badOption('alibi', alibi, 'true, false or an array with one slope for each query head');
    }
    arrays.push({ field: 'alibi_slopes', bytes: 0, write() {} });
}

/** The array for the output, when one is given. @param {any} out @param {Shape} shape */
function checkOut(out, shape) {
    if (out === undefined) return;
    if (Object.prototype.toString.call(out) !== '[object Float32Array]') {
        throw errors.badOption('out', out, `a Float32Array of ${sizeOf(shape)} numbers`);
    }
    if (out.length !== sizeOf(shape)) throw errors.badCount('out', shape, out.length);
}

/**
 * @param {string} name of the call
 * @param {TensorLike} q
 * @param {TensorLike | undefined} k
 * @param {TensorLike | undefined} v
 * @param {AttentionOptions | undefined} given
 * @returns {Call}
 */
export function readCall(name, q, k, v, given) {
    const options = readOptions(given, ATTENTION_OPTIONS);
    const layout = readChoice('layout', options.layout, LAYOUTS);
    const inputs = Object.entries({ q, k, v }).map(([argument, value]) => {
        if (value === undefined || value === null) throw errors.missing(argument, name);
        return readNumbers(value, argument);
    });
    const sizes = sizesOf(inputs[0], inputs[1], inputs[2], layout);
    const { queryHeads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    const outShape = likeQuery(inputs[0], valueDim);
    checkOut(options.out, outShape);

    const [left, right] = readWindow(options.window);
    const dropout = readDropout(options.dropout);
    /** @type {Call['fields']} */
    const fields = {
        kv_heads: kvHeads,
        key_length: keyLength,
        value_dim: valueDim,
        q_stride: layoutStride(layout, queryHeads, queryLength, headDim),
        k_stride: layoutStride(layout, kvHeads, keyLength, headDim),
        v_stride: layoutStride(layout, kvHeads, keyLength, valueDim),
        out_stride: layoutStride(layout, queryHeads, queryLength, valueDim),
        causal: CAUSAL.indexOf(readChoice('causal', options.causal, CAUSAL)),
        window_left: left,
        window_right: right,
        softcap: readNumber('softcap', options.softcap) ?? 0,
        dropout: dropout.p,
        seed: dropout.seed,
    };
    const scale = readNumber('scale', options.scale);
    if (scale !== undefined) fields.scale = scale;

    const arrays = inputs.map((input) => numbers(input.name, input));
    readMasks(options, sizes, fields, arrays);
    readPositions(options, sizes, arrays);
    readAlibi(options.alibi, arrays);
    return {
        sizes, q: inputs[0], k: inputs[1], v: inputs[2], fields, arrays, options, outShape, outSize: sizeOf(outShape),
    };
}

/**
 * What attn_trace_params will hold for a what-if.
 *
 * @param {WhatIf | undefined} given
 * @param {Call} call
 */
export function readWhatIf(given, { q, sizes }) {
    const whatIf = readOptions(given, WHAT_IF_OPTIONS, 'what_if');
    const fields = {
        softmax_axis: readChoice('softmaxAxis', whatIf.softmaxAxis, ['keys', 'queries']) === 'keys' ? 0 : 1,
        mask_order: readChoice('maskOrder', whatIf.maskOrder, ['before', 'after']) === 'before' ? 0 : 1,
    };
    /** @type {Placed[]} */
    const arrays = [];
    if (whatIf.scores !== undefined) {
        const input = readNumbers(whatIf.scores, 'scores');
        const expected = rowsOf(q, sizes, sizes.keyLength);
        if (String(input.shape) !== String(expected)) throw errors.shapeDiffers('scores', input.shape, expected);
        arrays.push(numbers('given_scores', input));
    }
    return { fields, arrays };
}
