// module.js: what multiHeadAttention() was given, and the arguments of a module's calls.
//
//     q = query·W_Q + b_Q    k = key·W_K + b_K    v = value·W_V + b_V
//     out = concat(attention(q, k, v))·W_O + b_O

/** @import { Placed } from './arrays.js' */
/** @import { CacheState } from './cache.js' */
/** @import { Host } from './host.js' */
/** @import { Attend } from './params.js' */
/** @import { Refused } from './refusals.js' */
/** @import { Rotation } from './rope.js' */
/** @import { Sizes } from './shapes.js' */
/** @import { Input } from './tensor.js' */
/** @import {
 *     AttentionOptions, ModuleOptions, MultiHeadConfig, Shape, TensorLike, TrainingOptions,
 * } from './types.js' */

import { numbers } from './arrays.js';
import { KVCache } from './cache.js';
import { checkCache, readCached } from './cached.js';
import { fail } from './errors.js';
import {
    MODULE_CONFIG, MODULE_OPTIONS, ROPE_CONFIG, TRAINING_OPTIONS, readChoice, readNumber,
    readOptions,
} from './options.js';
import { checkOut, readAttend } from './params.js';
import { positionsFrom, readRotation } from './rope.js';
import { checkRank, checkSame } from './shapes.js';
import { readNumbers, sizeOf } from './tensor.js';
import { UINT32_MAX, readCount, readInteger, readSeed } from './values.js';

/**
 * @typedef {object} Module
 * @property {number} heads
 * @property {number} kvHeads
 * @property {number} headDim
 * @property {number} valueDim
 * @property {number} queryWidth
 * @property {number} keyWidth
 * @property {number} valueWidth
 * @property {number} outputWidth
 * @property {boolean} hasBias
 * @property {boolean} hasOutput
 * @property {Rotation | null} rotation
 * @property {number} dropout in training
 * @property {Partial<MultiHeadConfig>} config
 */

/**
 * @param {MultiHeadConfig} given
 * @returns {Module}
 */
export function readModule(given) {
    const config = readOptions(given, MODULE_CONFIG, 'config');
    /** @type {(name: keyof MultiHeadConfig, otherwise?: number) => number} */
    const count = (name, otherwise) => readCount(config, name, 1, otherwise);
    const queryWidth = count('embedDim'), heads = count('heads');
    if (config.headDim === undefined && queryWidth % heads !== 0) {
        throw fail('badDivision', { whole: 'embedDim', part: 'heads', a: queryWidth, b: heads });
    }
    const kvHeads = count('kvHeads', heads);
    if (heads % kvHeads !== 0) {
        throw fail('badDivision', { whole: 'heads', part: 'kvHeads', a: heads, b: kvHeads });
    }
    const headDim = count('headDim', queryWidth / heads);
    const keyWidth = count('keyInputDim', queryWidth);
    const valueDim = count('valueHeadDim', headDim);
    if (config.weights !== undefined && config.seed !== undefined) {
        throw fail('notTogether', { name: 'seed', other: 'weights' });
    }
    const hasOutput = readChoice('outputProjection', config.outputProjection, [true, false]);
    if (!hasOutput && config.outputDim !== undefined) {
        throw fail('notTogether', { name: 'outputDim', other: 'outputProjection: false' });
    }
    return {
        heads, kvHeads, headDim, valueDim, queryWidth, keyWidth, hasOutput, config,
        valueWidth: count('valueInputDim', keyWidth),
        outputWidth: hasOutput ? count('outputDim', queryWidth) : heads * valueDim,
        hasBias: readChoice('bias', config.bias, [true, false]),
        rotation: readModuleRotation(config.rope, headDim),
        dropout: readNumber('dropout', config.dropout) ?? 0,
    };
}

/**
 * @param {MultiHeadConfig['rope']} rope
 * @param {number} headDim
 */
function readModuleRotation(rope, headDim) {
    if (rope === undefined || rope === false) return null;
    const expected = `true, false or an object with any of ${ROPE_CONFIG.join(', ')}`;
    const options = rope === true ? {} : readOptions(rope, ROPE_CONFIG, 'rope', expected);
    return readRotation(options, headDim);
}

/**
 * @typedef {object} ModuleCall
 * @property {string} name
 * @property {Sizes} sizes of the attention inside
 * @property {number} rank of q as (B, Hq, Tq, D)
 * @property {number} newLength of key and value
 * @property {Input} q the query
 * @property {Input | null} k the key, unless the cache is only read
 * @property {Input | null} v the value
 * @property {CacheState | null} cache
 * @property {number[] | null} lengths of the tokens that the cache takes
 * @property {Attend} attend
 * @property {Placed[]} arrays query; key and value where they are others
 * @property {ReturnType<typeof readTables>} tables
 * @property {Refused['options'] & { out?: AttentionOptions['out'] }} options with those of the
 *     module
 * @property {Shape} outShape
 * @property {number} outSize
 */

/**
 * @param {TensorLike | null | undefined} tensor
 * @param {string} name
 * @param {string} what the width is called
 * @param {number} width
 */
function readRows(tensor, name, what, width) {
    if (tensor === undefined || tensor === null) throw fail('missingOne', { argument: name });
    const input = readNumbers(tensor, name), { shape } = input;
    if (shape.length < 2 || shape.length > 3) {
        throw fail('badShape', { name, shape, expected: `[T,${what}] or [B,T,${what}]` });
    }
    if (shape[shape.length - 1] !== width) {
        throw fail('badWidth', { name, shape, what, expected: width });
    }
    return input;
}

/**
 * Rows of key and value belong together, and to the batch of the query.
 *
 * @param {Input} query
 * @param {Input} key
 * @param {Input} value
 */
function checkRows(query, key, value) {
    for (const input of [key, value]) {
        checkRank(input, query);
        if (query.shape.length < 3) continue;
        checkSame(input, query, 'batches', input.shape[0], query.shape[0]);
    }
    checkSame(value, key, 'lengths', value.shape.at(-2) ?? 0, key.shape.at(-2) ?? 0);
}

/** @type {<T>(value: T | undefined, otherwise: T) => T} */
const orElse = (value, otherwise) => (value === undefined ? otherwise : value);

/**
 * Where queries and keys stand, for rotation; null without it.
 *
 * @param {Rotation | null} rotation
 * @param {Sizes} own
 * @param {Partial<ModuleOptions>} options
 * @param {ReturnType<typeof readCached> | null} cached
 */
function readTables(rotation, { batch, queryLength, keyLength }, options, cached) {
    if (!rotation) return null;
    const { queryOffset, keyLengths, queryLengths, causal } = options;
    const offsets = Array.from({ length: batch }, (_, b) => {
        if (typeof queryOffset === 'number') return queryOffset;
        if (queryOffset) return queryOffset[b];
        if (causal === 'top-left') return 0;
        return (keyLengths?.[b] ?? keyLength) - (queryLengths?.[b] ?? queryLength);
    });
    return {
        rotation,
        q: positionsFrom(cached?.queryOffsets ?? offsets, queryLength, rotation),
        k: positionsFrom(cached?.keyOffsets ?? new Array(batch).fill(0), keyLength, rotation),
    };
}

/**
 * The dropout of a call of train(), which must say its seed where any weight may be dropped.
 *
 * @param {Module} module
 * @param {number | undefined} seed
 */
const readTrainingDropout = ({ dropout: p }, seed) => (
    { p, seed: p > 0 ? readInteger('seed', seed, 0, UINT32_MAX) : readSeed(seed) });

/**
 * @param {Module} module
 * @param {Host} host
 * @param {string} name of the call
 * @param {TensorLike} query
 * @param {TensorLike | null | undefined} key
 * @param {TensorLike | null | undefined} value
 * @param {ModuleOptions & TrainingOptions | undefined} given
 * @param {boolean} [isTraining]
 * @returns {ModuleCall}
 */
export function readModuleCall(module, host, name, query, key, value, given, isTraining = false) {
    const { heads, kvHeads, headDim, valueDim, queryWidth, keyWidth, valueWidth } = module;
    const options = readOptions(given, isTraining ? TRAINING_OPTIONS : MODULE_OPTIONS);
    const dropout = isTraining ? readTrainingDropout(module, options.seed) : undefined;
    const cache = KVCache.stateOf(options.cache, host, name);
    const isRead = cache !== null && key === null && (value ?? null) === null;
    const q = readRows(query, 'query', 'embedDim', queryWidth), rank = q.shape.length;
    const keyGiven = orElse(key, query), valueGiven = orElse(value, keyGiven);
    const k = isRead ? null : readRows(keyGiven, 'key', 'keyInputDim', keyWidth);
    const v = isRead ? null : readRows(valueGiven, 'value', 'valueInputDim', valueWidth);
    const copied = [q, keyGiven === query ? null : k, valueGiven === keyGiven ? null : v];
    const [queryLength, batch = 1] = [...q.shape].reverse().slice(1);
    const newLength = k ? k.shape[rank - 2] : 0;
    if (k && v) checkRows(q, k, v);

    const own = {
        batch, queryHeads: heads, kvHeads, queryLength, keyLength: newLength, headDim, valueDim,
    };
    if (cache) {
        checkCache(cache, 'query', own, ['batch']);
        checkCache(cache, 'the module', own, ['kvHeads', 'headDim', 'valueDim']);
    }
    const cached = cache && readCached(options, cache, queryLength, newLength);
    const sizes = cached ? { ...own, keyLength: cached.keyLength } : own;
    const { scale, softcap, alibi } = module.config, asked = { ...options, scale, softcap, alibi };
    const attend = readAttend({ ...asked, dropout }, sizes, 'BHTD', cached);
    const outShape = [...q.shape.slice(0, -1), module.outputWidth];
    checkOut(options.out, outShape);
    return {
        name, sizes, rank: rank + 1, newLength, q, k, v, cache, lengths: cached?.lengths ?? null,
        attend, tables: readTables(module.rotation, own, options, cached), options: asked,
        arrays: copied.flatMap((input) => (input ? [numbers(input.name, input)] : [])),
        outShape, outSize: sizeOf(outShape),
    };
}

/**
 * A call of nothing, by which the core judges a configuration.
 *
 * @param {Module} module
 * @param {string} name
 * @returns {ModuleCall}
 */
export function emptyCall(module, name) {
    const { heads, kvHeads, headDim, valueDim, queryWidth, config, dropout } = module;
    const sizes = {
        batch: 0, queryHeads: heads, kvHeads, queryLength: 0, keyLength: 0, headDim, valueDim,
    };
    const { scale, softcap, alibi } = config, options = { scale, softcap, alibi };
    const attended = { ...options, dropout: { p: dropout, seed: 0 } };
    const q = readNumbers({ data: [], shape: [0, queryWidth] }, 'query');
    return {
        name, sizes, rank: 3, newLength: 0, q, k: null, v: null, cache: null, lengths: null,
        attend: readAttend(attended, sizes, 'BHTD', null), tables: null,
        options: { ...options, dropout },
        arrays: [], outShape: [], outSize: 0,
    };
}
