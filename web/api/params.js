// params.js: from the arguments of a call to what the C structures will hold.
//
// Here are types, shapes and names. Ranges of numbers, and what options say together, are judged
// by attn_check() on the filled structure, before any data is copied. Nothing here touches memory:
// what a pointer will point to becomes a Placed (arrays.js).

/** @import { AttentionOptions, Shape, TensorLike, WhatIf } from './types.js' */
/** @import { CacheState } from './cache.js' */
/** @import { Append } from './cached.js' */
/** @import { Input } from './tensor.js' */
/** @import { Placed } from './arrays.js' */
/** @import { Sizes } from './shapes.js' */
/** @import { Host } from './host.js' */

import { bias, booleans, floats, integers, numbers } from './arrays.js';
import { KVCache } from './cache.js';
import { appendOf, cachedSizes, readCached, windowOf } from './cached.js';
import { fail } from './errors.js';
import { typedKind } from './kinds.js';
import {
    ATTENTION_OPTIONS, LAYOUTS, WHAT_IF_OPTIONS, readChoice, readNumber, readOptions,
} from './options.js';
import { broadcastStride, layoutStride, rowsOf, sizesOf } from './shapes.js';
import { readBooleans, readNumbers, sizeOf } from './tensor.js';
import {
    EACH_BATCH_ROW, INT32_MAX, INT32_MIN, readAlibi, readDropout, readInteger, readIntegers,
} from './values.js';

/**
 * What attn_params holds besides the tensors.
 *
 * @typedef {object} Attend
 * @property {Record<string, number | readonly number[]>} fields besides sizes and pointers
 * @property {Placed[]} arrays
 * @property {Shape | null} biasShape as it was given
 */

/**
 * @typedef {object} Call
 * @property {string} name
 * @property {Sizes} sizes
 * @property {number} rank of q as (B, Hq, Tq, D)
 * @property {string} layout
 * @property {Input} q
 * @property {Input | null} k as given
 * @property {Input | null} v
 * @property {CacheState | null} cache
 * @property {Append | null} append
 * @property {Attend['fields']} fields
 * @property {Placed[]} arrays those of q, k and v first; of q alone with a cache
 * @property {Shape | null} biasShape
 * @property {Partial<AttentionOptions>} options
 * @property {Shape} outShape
 * @property {number} outSize
 */

const CAUSAL = /** @type {const} */ ([false, true, 'top-left']);
const SOFTMAX_AXES = /** @type {const} */ (['keys', 'queries']);
const MASK_ORDERS = /** @type {const} */ (['before', 'after']);
const SCORE_AXES = ['batch', 'heads', 'queries', 'keys'];
const KEY_AXES = ['batch', 'keys'];

/**
 * Adds the masks and the bias, with their strides, and returns the shape of the bias.
 *
 * @param {Partial<AttentionOptions>} options
 * @param {Sizes} sizes
 * @param {Attend['fields']} fields
 * @param {Placed[]} arrays
 * @returns {Shape | null}
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
    if (options.bias === undefined) return null;
    const input = readNumbers(options.bias, 'bias');
    fields.bias_stride = broadcastStride(input, full, SCORE_AXES, 2);
    arrays.push(bias(input));
    return input.shape;
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
            : readIntegers('queryOffset', queryOffset, batch, INT32_MIN, INT32_MAX,
                `an integer, or ${EACH_BATCH_ROW}`);
        arrays.push(integers('query_offset', values));
    }
}

/**
 * @param {any} out the caller's array for the output
 * @param {Shape} shape
 */
export function checkOut(out, shape) {
    if (out === undefined) return;
    if (typedKind(out) !== 'Float32Array') {
        const expected = `a Float32Array of ${sizeOf(shape)} numbers`;
        throw fail('badOption', { name: 'out', got: out, expected });
    }
    if (out.length !== sizeOf(shape)) {
        throw fail('badCount', { name: 'out', shape, got: out.length });
    }
}

/**
 * Strides of packed tensors in a layout.
 *
 * @param {string} layout
 * @param {Sizes} sizes
 */
const stridesOf = (layout, { queryHeads, kvHeads, queryLength, keyLength, headDim, valueDim }) => ({
    q_stride: layoutStride(layout, queryHeads, queryLength, headDim),
    k_stride: layoutStride(layout, kvHeads, keyLength, headDim),
    v_stride: layoutStride(layout, kvHeads, keyLength, valueDim),
    out_stride: layoutStride(layout, queryHeads, queryLength, valueDim),
});

/**
 * What a call says besides its tensors. Where it says nothing the default of the core stands:
 * fields are of options that are given, and of strides unless tensors are packed (B, H, T, D).
 *
 * @param {Partial<AttentionOptions>} options
 * @param {Sizes} sizes
 * @param {string} layout
 * @param {ReturnType<typeof readCached> | null} cached
 * @returns {Attend}
 */
export function readAttend(options, sizes, layout, cached) {
    const window = cached ? cached.window : windowOf(options.window, null);
    const dropout = readDropout(options.dropout);
    const scale = readNumber('scale', options.scale);
    const causal = readChoice('causal', options.causal, CAUSAL);
    const softcap = readNumber('softcap', options.softcap);
    /** @type {Attend['fields']} */
    const fields = {};
    if (window) [fields.window_left, fields.window_right] = window;
    if (dropout) {
        fields.dropout = dropout.p;
        fields.seed = dropout.seed;
    }
    if (scale !== undefined) fields.scale = scale;
    if (causal !== false) fields.causal = CAUSAL.indexOf(causal);
    if (softcap !== undefined) fields.softcap = softcap;
    if (layout !== 'BHTD') Object.assign(fields, stridesOf(layout, sizes));
    if (cached) Object.assign(fields, cached.fields);
    /** @type {Placed[]} */
    const arrays = [];
    const biasShape = addMasks(options, sizes, fields, arrays);
    if (cached) arrays.push(integers('query_lengths', cached.counts));
    else addPositions(options, sizes, arrays);
    const slopes = readAlibi(options.alibi, sizes.queryHeads);
    if (slopes) arrays.push(floats('alibi_slopes', slopes));
    return { fields, arrays, biasShape };
}

/**
 * A tensor that must be there.
 *
 * @param {string} call
 * @param {string} argument
 * @param {TensorLike | null | undefined} tensor
 */
function readTensor(call, argument, tensor) {
    if (tensor === undefined || tensor === null) throw fail('missing', { argument, call });
    return readNumbers(tensor, argument);
}

/**
 * @param {Host} host
 * @param {string} name of the call
 * @param {TensorLike | undefined} q
 * @param {TensorLike | null | undefined} k
 * @param {TensorLike | null | undefined} v
 * @param {AttentionOptions | undefined} given
 * @param {readonly string[]} [known] names of options
 * @returns {Call}
 */
export function readCall(host, name, q, k, v, given, known = ATTENTION_OPTIONS) {
    const options = readOptions(given, known);
    const layout = readChoice('layout', options.layout, LAYOUTS);
    const cache = KVCache.stateOf(options.cache, host, name);
    /* Of a cache that holds some, keys and values may both be left out. */
    const isRead = cache !== null && (k ?? v ?? null) === null;
    const query = readTensor(name, 'q', q);
    const key = isRead ? null : readTensor(name, 'k', k);
    const value = isRead ? null : readTensor(name, 'v', v);
    const own = cache ? cachedSizes(query, key, value, layout, cache)
        : sizesOf(query, /** @type {Input} */ (key), /** @type {Input} */ (value), layout);
    const cached = cache && readCached(options, cache, own.queryLength, key ? own.keyLength : 0);
    const sizes = cached ? { ...own, keyLength: cached.keyLength } : own;
    const rank = query.shape.length, outShape = query.shape.slice();
    outShape[rank - 1] = sizes.valueDim;
    const outSize = sizeOf(outShape);
    checkOut(options.out, outShape);

    const { fields, arrays: masks, biasShape } = readAttend(options, sizes, layout, cached);
    const placed = numbers('q', query);
    const arrays = cache || !key || !value ? [placed, ...masks]
        : [placed, numbers('k', key), numbers('v', value), ...masks];
    const append = cache && key && value
        ? appendOf(cache, key, value, own.keyLength, layout, cached?.lengths ?? null) : null;
    return {
        name, sizes, rank, layout, q: query, k: key, v: value, cache, append,
        fields, arrays, biasShape, options, outShape, outSize,
    };
}

/**
 * What attn_trace_params will hold.
 *
 * @param {WhatIf | undefined} given
 * @param {Call} call
 */
export function readWhatIf(given, { rank, sizes }) {
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
        const expected = rowsOf(rank, sizes, sizes.keyLength);
        if (String(shape) !== String(expected)) {
            throw fail('shapeDiffers', { name, shape, expected });
        }
        arrays.push(numbers('given_scores', input));
    }
    return { fields, arrays };
}
