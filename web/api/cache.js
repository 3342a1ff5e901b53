// cache.js: a key-value cache: the keys and values of the tokens so far, in wasm memory.
//
// One block holds the attn_cache structure, the lengths and positions of each batch row, the keys
// and the values.

/** @import { Host } from './host.js' */
/** @import { Instance } from './instance.js' */
/** @import { AppendOptions, CacheConfig, Tensor, TensorLike } from './types.js' */

import { appendNow, appendOf, checkCache } from './cached.js';
import { fail } from './errors.js';
import { Handle, bindMethods } from './handle.js';
import { APPEND_OPTIONS, CACHE_CONFIG, LAYOUTS, readChoice, readOptions } from './options.js';
import { Result } from './result.js';
import { keySizes } from './shapes.js';
import { readNumbers } from './tensor.js';
import { INT32_MAX, readCount, readInteger, readIntegers, readWindow } from './values.js';

/**
 * What calls need to know of a cache. k, v, lengths and structure are addresses.
 *
 * @typedef {object} CacheState
 * @property {number} batch
 * @property {number} kvHeads
 * @property {number} headDim
 * @property {number} valueDim
 * @property {number} capacity
 * @property {readonly [number, number] | null} window
 * @property {number} structure
 * @property {number} lengths
 * @property {number} k
 * @property {number} v
 * @property {() => number[]} readLengths
 * @property {() => number[]} readPositions
 */

/** Bytes of a number, float or integer. */
const WORD = 4;

/** @param {CacheConfig} given */
function readConfig(given) {
    const config = readOptions(given, CACHE_CONFIG, 'config');
    /** @type {(name: keyof CacheConfig, low: number, otherwise?: number) => number} */
    const count = (name, low, otherwise) => readCount(config, name, low, otherwise);
    const headDim = count('headDim', 1);
    const sizes = {
        batch: count('batch', 0, 1),
        kvHeads: count('kvHeads', 1),
        headDim,
        valueDim: count('valueHeadDim', 1, headDim),
        capacity: count('capacity', 1),
    };
    if (config.window === undefined) return { ...sizes, window: null };
    const window = readWindow(config.window), [left, right] = window, { capacity } = sizes;
    if (left < 0 || right < -1) throw fail('badCacheWindow', { window });
    if (left >= capacity) throw fail('windowOverCapacity', { left, capacity });
    return { ...sizes, window };
}

/**
 * Copies the keys or the values present, row by row.
 *
 * @param {Instance} instance
 * @param {CacheState} state
 * @param {'k' | 'v'} which
 * @returns {Result} (B, Hk, length, D); rows that a batch row lacks are 0
 */
export function readRows({ memory }, state, which) {
    const { batch, kvHeads, capacity } = state, lengths = state.readLengths();
    const dim = which === 'k' ? state.headDim : state.valueDim, length = Math.max(0, ...lengths);
    const data = new Float32Array(batch * kvHeads * length * dim);
    for (let bh = 0; bh < batch * kvHeads; bh++) {
        const from = state[which] / WORD + bh * capacity * dim;
        const count = lengths[Math.floor(bh / kvHeads)] * dim;
        data.set(memory.f32.subarray(from, from + count), bh * length * dim);
    }
    return new Result(data, [batch, kvHeads, length, dim]);
}

/**
 * Keys that have left do not come back: as many must stay as the window sees.
 *
 * @param {CacheState} state
 * @param {number} length
 * @param {number} left
 */
function checkKept({ readLengths, readPositions }, length, left) {
    const positions = readPositions();
    const row = readLengths().findIndex((n, b) => n < positions[b] && Math.min(n, length) < left);
    if (row >= 0) throw fail('truncateTooFar', { length, left, row });
}

/**
 * @param {CacheState} state
 * @param {TensorLike} k
 * @param {TensorLike} v
 * @param {AppendOptions | undefined} given
 */
function readAppend(state, k, v, given) {
    const options = readOptions(given, APPEND_OPTIONS);
    const layout = readChoice('layout', options.layout, LAYOUTS);
    const key = readNumbers(k, 'k'), value = readNumbers(v, 'v');
    const sizes = keySizes(key, value, layout), { batch, keyLength } = sizes;
    checkCache(state, 'k', sizes, ['batch', 'kvHeads', 'headDim']);
    checkCache(state, 'v', sizes, ['valueDim']);
    const lengths = options.lengths === undefined ? null
        : readIntegers('lengths', options.lengths, batch, 0, keyLength);
    return appendOf(state, key, value, keyLength, layout, lengths);
}

/** The keys and values of the tokens so far. */
export class KVCache {
    #handle;
    #state;

    /**
     * @internal
     * @param {Host} host
     * @param {CacheConfig} given
     */
    constructor(host, given) {
        const config = readConfig(given), { batch, kvHeads, capacity, headDim, valueDim } = config;
        const { size } = host.living('kvCache').layouts.cache;
        const rows = batch * kvHeads * capacity;
        const bytes = size + WORD * (2 * batch + rows * (headDim + valueDim));
        this.#handle = new Handle(host, 'kvCache', 'cache', bytes);
        const { instance, pointer } = this.#handle.living('kvCache'), { memory } = instance;
        const lengths = pointer + size, positions = lengths + WORD * batch;
        const k = positions + WORD * batch, v = k + WORD * rows * headDim;
        /** @type {(at: number) => number[]} */
        const read = (at) => Array.from(memory.i32.subarray(at / WORD, at / WORD + batch));
        /** @type {CacheState} */
        this.#state = {
            ...config, structure: pointer, lengths, k, v,
            readLengths: () => read(lengths),
            readPositions: () => read(positions),
        };
        instance.fill('cache', pointer, {
            size, batch, kv_heads: kvHeads, head_dim: headDim, value_dim: valueDim, capacity,
            evict: Number(config.window !== null), k, v, lengths, positions,
        });
        memory.i32.fill(0, lengths / WORD, k / WORD);
        bindMethods(this);
    }

    /**
     * What a call needs to know of a cache that it was given.
     *
     * @internal
     * @param {any} cache
     * @param {Host} host
     * @param {string} call
     * @returns {CacheState | null}
     */
    static stateOf(cache, host, call) {
        if (cache === undefined) return null;
        if (typeof cache !== 'object' || cache === null || !(#state in cache)) {
            const expected = 'what kvCache() returned';
            throw fail('badOption', { name: 'cache', got: cache, expected });
        }
        cache.#handle.living(call);
        if (!cache.#handle.isOf(host)) throw fail('cacheElsewhere');
        return cache.#state;
    }

    /** @param {string} call */
    #open(call) {
        return { ...this.#handle.living(call), state: this.#state };
    }

    /**
     * How many keys are present: the columns that a call would see. Batch rows may hold fewer.
     *
     * @returns {number}
     */
    get length() {
        return Math.max(0, ...this.lengths);
    }

    /**
     * Where the next token stands: all tokens so far, those that left included.
     *
     * @returns {number}
     */
    get position() {
        return Math.max(0, ...this.positions);
    }

    /**
     * The length of each batch row.
     *
     * @returns {number[]}
     */
    get lengths() {
        return this.#open('lengths').state.readLengths();
    }

    /**
     * The position of each batch row.
     *
     * @returns {number[]}
     */
    get positions() {
        return this.#open('positions').state.readPositions();
    }

    /**
     * How many keys each batch row has room for.
     *
     * @returns {number}
     */
    get capacity() {
        return this.#open('capacity').state.capacity;
    }

    /**
     * Appends keys and values.
     *
     * @param {TensorLike} k (B, Hk, T, D), (Hk, T, D) or (T, D)
     * @param {TensorLike} v (B, Hk, T, Dv)
     * @param {AppendOptions} [options]
     */
    append(k, v, options) {
        const read = () => readAppend(this.#state, k, v, options);
        this.#handle.run('append', read, (instance, append) => {
            const pointers = instance.place(append.arrays);
            instance.memory.reserve();
            instance.write(append.arrays, pointers);
            appendNow(instance, append, pointers);
        });
    }

    /**
     * Forgets the newest keys of each batch row until at most so many stay.
     *
     * @param {number} length
     */
    truncate(length) {
        const { instance, state } = this.#open('truncate');
        readInteger('length', length, 0, INT32_MAX);
        if (length > 0 && state.window) checkKept(state, length, state.window[0]);
        instance.core.cache_truncate(state.structure, length);
    }

    /** Forgets everything. */
    reset() {
        this.truncate(0);
    }

    /**
     * The keys present, oldest first.
     *
     * @returns {Tensor} (B, Hk, length, D)
     */
    keys() {
        const { instance, state } = this.#open('keys');
        return readRows(instance, state, 'k');
    }

    /**
     * The values present, oldest first.
     *
     * @returns {Tensor} (B, Hk, length, Dv)
     */
    values() {
        const { instance, state } = this.#open('values');
        return readRows(instance, state, 'v');
    }

    /** Frees its memory; later calls throw DISPOSED. May be called again. */
    dispose() {
        this.#handle.dispose();
    }

    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose]() {
        this.dispose();
    }
}
