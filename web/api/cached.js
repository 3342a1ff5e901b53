// cached.js: what a cache adds to a call: which keys it will see, where its queries stand, and what
// is appended before.
//
// The keys present are the columns, oldest first. A query stands at its distance from the newest
// key, so positions count from the oldest key present; masks and windows mean the same.

/** @import { Placed } from './arrays.js' */
/** @import { CacheState } from './cache.js' */
/** @import { Sizes } from './shapes.js' */
/** @import { Input } from './tensor.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { AttentionOptions } from './types.js' */

import { integers, numbers } from './arrays.js';
import { fail } from './errors.js';
import { extentsOf, layoutStride, sizesOf } from './shapes.js';
import { readIntegers, readWindow } from './values.js';

/** attn_status of attention.h. */
export const FULL = 9;

/**
 * Keys and values to append.
 *
 * @typedef {object} Append
 * @property {CacheState} cache
 * @property {number} length
 * @property {number[] | null} lengths that are real, for each batch row
 * @property {Placed[]} arrays
 */

/** @typedef {'batch' | 'kvHeads' | 'headDim' | 'valueDim'} CacheSize */

/**
 * A tensor or module must have the sizes of the cache.
 *
 * @param {CacheState} cache
 * @param {string} name
 * @param {Record<CacheSize, number>} sizes
 * @param {readonly CacheSize[]} checked
 */
export function checkCache(cache, name, sizes, checked) {
    for (const size of checked) {
        if (cache[size] === sizes[size]) continue;
        const what = size === 'valueDim' ? 'valueHeadDim' : size;
        throw fail('cacheDiffers', { what, cache: cache[size], name, got: sizes[size] });
    }
}

/**
 * @param {CacheState} cache
 * @param {Input} k
 * @param {Input} v
 * @param {number} length
 * @param {string} layout
 * @param {number[] | null} lengths
 * @returns {Append}
 */
export function appendOf(cache, k, v, length, layout, lengths) {
    const { kvHeads, headDim, valueDim } = cache;
    const arrays = [
        numbers('k', k),
        numbers('v', v),
        integers('k_stride', layoutStride(layout, kvHeads, length, headDim)),
        integers('v_stride', layoutStride(layout, kvHeads, length, valueDim)),
    ];
    if (lengths) arrays.push(integers('lengths', lengths));
    return { cache, length, lengths, arrays };
}

/**
 * Why an append is refused: the first batch row without room, with the arithmetic.
 *
 * @param {CacheState} cache
 * @param {number} length
 * @param {number[] | null} lengths
 */
export function cacheFull({ window, capacity, readLengths }, length, lengths) {
    const present = readLengths().map((n) => (window ? 0 : n));
    const row = present.findIndex((n, b) => n + (lengths ? lengths[b] : length) > capacity);
    const count = lengths ? lengths[row] : length;
    const values = { row, present: present[row], count, capacity };
    return fail(window ? 'cacheTooMany' : 'cacheFull', values);
}

/**
 * Appends what lies at the pointers.
 *
 * @param {Instance} instance
 * @param {Append} append
 * @param {Pointers} pointers
 */
export function appendNow({ core }, { cache, length, lengths }, pointers) {
    const { k, k_stride: kStride, v, v_stride: vStride } = pointers;
    const status = core.cache_append(
        cache.structure, length, k, kStride, v, vStride, lengths ? pointers.lengths : 0);
    if (status === FULL) throw cacheFull(cache, length, lengths);
}

/**
 * The window of a call, or null. A cache that lets old keys go limits it.
 *
 * @param {any} given
 * @param {CacheState['window']} window of the cache
 */
export function windowOf(given, window) {
    if (given === undefined) return window;
    const asked = readWindow(given);
    if (!window) return asked;
    if (asked[0] < 0 || asked[0] > window[0]) throw fail('windowTooWide', { asked, window });
    return asked;
}

/**
 * With a window, the first new query must still find the keys that it sees.
 *
 * @param {CacheState} cache
 * @param {readonly [number, number]} window
 * @param {number[]} present
 * @param {number[]} counts
 */
function checkReach({ capacity }, [left], present, counts) {
    counts.forEach((count, b) => {
        const seen = Math.min(present[b], left);
        if (seen + count <= capacity) return;
        throw fail('cacheTooSmall', { row: b, seen, count, capacity });
    });
}

/**
 * The sizes of a call: those of the cache, which q, and k and v where they are given, must have.
 *
 * @param {Input} q
 * @param {Input | null} k
 * @param {Input | null} v
 * @param {string} layout
 * @param {CacheState} cache
 * @returns {Sizes} keyLength is that of k, or 0
 */
export function cachedSizes(q, k, v, layout, cache) {
    const { batch, heads: queryHeads, length: queryLength, dim: headDim } = extentsOf(q, layout);
    const { kvHeads, valueDim } = cache;
    const own = k && v
        ? sizesOf(q, k, v, layout)
        : { batch, queryHeads, kvHeads, queryLength, keyLength: 0, headDim, valueDim };
    checkCache(cache, 'q', own, ['batch', 'headDim']);
    checkCache(cache, 'k', own, ['kvHeads']);
    checkCache(cache, 'v', own, ['valueDim']);
    return own;
}

/**
 * @param {Partial<AttentionOptions>} options
 * @param {CacheState} cache
 * @param {number} queryLength
 * @param {number} newLength of what is appended, or 0
 */
export function readCached(options, cache, queryLength, newLength) {
    const { batch, kvHeads, headDim, valueDim, capacity } = cache;
    const { keyLengths, queryOffset, queryLengths, causal } = options;
    if (keyLengths !== undefined) throw fail('notWithCache', { name: 'keyLengths' });
    if (queryOffset !== undefined) throw fail('notWithCache', { name: 'queryOffset' });
    if (causal === 'top-left') throw fail('notWithCache', { name: "causal 'top-left'" });
    const isPadded = queryLengths !== undefined, isAppended = newLength > 0;
    if (isPadded && isAppended && newLength !== queryLength) {
        throw fail('paddedApart', { queries: queryLength, keys: newLength });
    }
    const counts = isPadded ? readIntegers('queryLengths', queryLengths, batch, 0, queryLength)
        : new Array(batch).fill(queryLength);
    const added = isPadded && isAppended ? counts : new Array(batch).fill(newLength);
    const present = cache.readLengths(), window = windowOf(options.window, cache.window);
    if (cache.window && window && isAppended) checkReach(cache, window, present, added);
    const after = present.map((n, b) => Math.min(n + added[b], capacity));
    return {
        /** Rows of q that are real in each batch row; and the same where they were given. */
        counts,
        lengths: isPadded ? counts : null,
        window,
        /** Position of the first new key, and of the first query, in each batch row. */
        keyOffsets: cache.readPositions(),
        queryOffsets: cache.readPositions().map((n, b) => n + added[b] - counts[b]),
        keyLength: Math.max(0, ...after),
        fields: {
            k: cache.k,
            v: cache.v,
            key_lengths: cache.lengths,
            k_stride: [kvHeads * capacity * headDim, capacity * headDim, headDim],
            v_stride: [kvHeads * capacity * valueDim, capacity * valueDim, valueDim],
        },
    };
}
