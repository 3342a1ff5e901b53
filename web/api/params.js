// params.js: from the arguments of a call to what the C structures will hold.
//
// Here are types, shapes and names. Ranges of numbers, and what options say together, are judged
// by attn_check() on the filled structure, before any data is copied. Nothing here touches memory:
// what a pointer will point to becomes a Placed (arrays.js).

/** @import { AttentionOptions, Shape, TensorLike, WhatIf } from './types.js' */
/** @import { Input } from './tensor.js' */
/** @import { Placed } from './arrays.js' */
/** @import { Sizes } from './shapes.js' */

import { bias, booleans, integers, numbers } from './arrays.js';
import { fail } from './errors.js';
import {
    ATTENTION_OPTIONS, WHAT_IF_OPTIONS, readChoice, readNumber, readOptions,
} from './options.js';
import { broadcastStride, layoutStride, rowsOf, sizesOf } from './shapes.js';
import { isArrayLike, readBooleans, readNumbers, sizeOf } from './tensor.js';

/**
 * @typedef {object} Call
 * @property {string} name
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
const SOFTMAX_AXES = /** @type {const} */ (['keys', 'queries']);
const MASK_ORDERS = /** @type {const} */ (['before', 'after']);
const SCORE_AXES = ['batch', 'heads', 'queries', 'keys'];
const KEY_AXES = ['batch', 'keys'];
const INT32_MIN = -2147483648, INT32_MAX = 2147483647, UINT32_MAX = 4294967295;

/**
 * @param {unknown} n
 * @param {number} low
 * @param {number} high
 */
const isIntegerIn = (n, low, high) => Number.isInteger(n) && Number(n) >= low && Number(n) <= high;

/**
 * @param {string} name
 * @param {any} value
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
function readInteger(name, value, low, high) {
    if (isIntegerIn(value, low, high)) return value;
    throw fail('badNumber', { name, got: value, expected: `an integer from ${low} to ${high}` });
}

/**
 * One integer for each batch row.
 *
 * @param {string} name
 * @param {any} value
 * @param {number} batch
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
function readIntegers(name, value, batch, low, high) {
    if (!isArrayLike(value)) {
        const expected = 'an array with one integer for each batch row';
        throw fail('badOption', { name, got: value, expected });
    }
    if (value.length !== batch) throw fail('badLengthCount', { name, batch, got: value.length });
    return Array.from(value, (n, b) => readInteger(`${name}[${b}]`, n, low, high));
}

/**
 * [left, right] of a window, as integers; attn_check() judges what they are.
 *
 * @param {any} window
 * @returns {readonly [number, number]}
 */
export function readWindow(window) {
    if (window === undefined) return [-1, -1];
    if (typeof window === 'number') throw fail('windowIsNumber', { got: window });
    if (!isArrayLike(window) || window.length !== 2) {
        throw fail('badOption', { name: 'window', got: window, expected: '[left, right]' });
    }
    for (const i of [0, 1]) {
        if (isIntegerIn(window[i], INT32_MIN, INT32_MAX)) continue;
        const expected = 'an integer from 0, or -1 for no bound';
        throw fail('badNumber', { name: `window[${i}]`, got: window[i], expected });
    }
    return [window[0], window[1]];
}

/** @param {AttentionOptions['dropout']} dropout */
function readDropout(dropout) {
    if (dropout === undefined) return { p: 0, seed: 0 };
    const { p, seed } = readOptions(dropout, ['p', 'seed'], 'dropout');
    if (typeof p !== 'number') {
        throw fail('badOption', { name: 'dropout.p', got: p, expected: 'a number from 0 to 1' });
    }
    return { p, seed: readInteger('dropout.seed', seed, 0, UINT32_MAX) };
}

/**
 * Adds the masks and the bias, with their strides.
 *
 * @param {Partial<AttentionOptions>} options
 * @param {Sizes} sizes
 * @param {Call['fields']} fields
 * @param {Placed[]} arrays
 */
function addMasks(options, { batch, queryHeads, queryLength, keyLength }, fields, arrays) {
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

/**
 * Adds lengths and positions. Key lengths that say nothing are left out.
 *
 * @param {Partial<AttentionOptions>} options
 * @param {Sizes} sizes
 * @param {Placed[]} arrays
 */
function addPositions(options, { batch, queryLength, keyLength }, arrays) {
    const { keyLengths, queryLengths, queryOffset } = options;
    if (keyLengths !== undefined) {
        const values = readIntegers('keyLengths', keyLengths, batch, 0, keyLength);
        if (values.some((n) => n < keyLength)) arrays.push(integers('key_lengths', values));
    }
    if (queryLengths !== undefined) {
        const values = readIntegers('queryLengths', queryLengths, batch, 0, queryLength);
        arrays.push(integers('query_lengths', values));
    }
    if (queryOffset !== undefined) {
        const values = typeof queryOffset === 'number'
            ? new Array(batch).fill(readInteger('queryOffset', queryOffset, INT32_MIN, INT32_MAX))
            : readIntegers('queryOffset', queryOffset, batch, INT32_MIN, INT32_MAX);
        arrays.push(integers('query_offset', values));
    }
}

/**
 * attn_check() refuses slopes in this version: that they are given is all that it needs to see.
 *
 * @param {AttentionOptions['alibi']} alibi
 * @param {Placed[]} arrays
 */
function addAlibi(alibi, arrays) {
    if (alibi === undefined || alibi === false) return;
    if (alibi !== true && !isArrayLike(alibi)) {
        const expected = 'true, false or an array with one slope for each query head';
        throw fail('badOption', { name: 'alibi', got: alibi, expected });
    }
    arrays.push({ field: 'alibi_slopes', bytes: 0, write() {} });
}

/**
 * @param {any} out the caller's array for the output
 * @param {Shape} shape
 */
function checkOut(out, shape) {
    if (out === undefined) return;
    if (Object.prototype.toString.call(out) !== '[object Float32Array]') {
        const expected = `a Float32Array of ${sizeOf(shape)} numbers`;
        throw fail('badOption', { name: 'out', got: out, expected });
    }
    if (out.length !== sizeOf(shape)) {
        throw fail('badCount', { name: 'out', shape, got: out.length });
    }
}

/**
 * @param {Partial<AttentionOptions>} options
 * @param {Sizes} sizes
 * @param {typeof LAYOUTS[number]} layout
 */
function fieldsOf(options, sizes, layout) {
    const { queryHeads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    const [left, right] = readWindow(options.window);
    const dropout = readDropout(options.dropout);
    const scale = readNumber('scale', options.scale);
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
    if (scale !== undefined) fields.scale = scale;
    return fields;
}

/**
 * @param {string} name of the call
 * @param {TensorLike | undefined} q
 * @param {TensorLike | undefined} k
 * @param {TensorLike | undefined} v
 * @param {AttentionOptions | undefined} given
 * @returns {Call}
 */
export function readCall(name, q, k, v, given) {
    const options = readOptions(given, ATTENTION_OPTIONS);
    const layout = readChoice('layout', options.layout, LAYOUTS);
    const [query, key, value] = Object.entries({ q, k, v }).map(([argument, tensor]) => {
        const isMissing = tensor === undefined || tensor === null;
        if (isMissing) throw fail('missing', { argument, call: name });
        return readNumbers(tensor, argument);
    });
    const sizes = sizesOf(query, key, value, layout);
    const outShape = [...query.shape.slice(0, -1), sizes.valueDim];
    checkOut(options.out, outShape);

    const fields = fieldsOf(options, sizes, layout);
    const arrays = [query, key, value].map((input) => numbers(input.name, input));
    addMasks(options, sizes, fields, arrays);
    addPositions(options, sizes, arrays);
    addAlibi(options.alibi, arrays);
    const outSize = sizeOf(outShape);
    return { name, sizes, q: query, k: key, v: value, fields, arrays, options, outShape, outSize };
}

/**
 * What attn_trace_params will hold.
 *
 * @param {WhatIf | undefined} given
 * @param {Call} call
 */
export function readWhatIf(given, { q, sizes }) {
    const whatIf = readOptions(given, WHAT_IF_OPTIONS, 'whatIf');
    const axis = readChoice('softmaxAxis', whatIf.softmaxAxis, SOFTMAX_AXES);
    const order = readChoice('maskOrder', whatIf.maskOrder, MASK_ORDERS);
    const fields = {
        softmax_axis: SOFTMAX_AXES.indexOf(axis),
        mask_order: MASK_ORDERS.indexOf(order),
    };
    /** @type {Placed[]} */
    const arrays = [];
    if (whatIf.scores !== undefined) {
        const input = readNumbers(whatIf.scores, 'scores'), { name, shape } = input;
        const expected = rowsOf(q, sizes, sizes.keyLength);
        if (String(shape) !== String(expected)) {
            throw fail('shapeDiffers', { name, shape, expected });
        }
        arrays.push(numbers('given_scores', input));
    }
    return { fields, arrays };
}
