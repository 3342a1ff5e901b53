// values.js: reads the values of single options: integers, lengths, windows, slopes, dropout.
//
// Here are types and counts. What a number may be is judged by the core, unless only its kind as an
// integer can be judged here.

/** @import { AttentionOptions } from './types.js' */

import { fail } from './errors.js';
import { readOptions } from './options.js';
import { alibiSlopes } from './tables.js';
import { isArrayLike } from './tensor.js';

export const INT32_MIN = -2147483648, INT32_MAX = 2147483647;
export const UINT32_MAX = 4294967295;
export const EACH_BATCH_ROW = 'an array with one integer for each batch row';
/** What each side of a window may be, and what a dropout may be. */
export const SIDE = 'an integer from 0, or -1 for no bound';
export const SHARE = 'a number from 0 to 1';
const REACH = '[left, right], two integers';

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
export function readInteger(name, value, low, high) {
    if (isIntegerIn(value, low, high)) return value;
    throw fail('badNumber', { name, got: value, expected: `an integer from ${low} to ${high}` });
}

/**
 * A count of a config, or its default where it is not given; null is given.
 *
 * @param {Record<string, any>} config
 * @param {string} name
 * @param {number} low
 * @param {number | undefined} otherwise
 */
export function readCount(config, name, low, otherwise) {
    const { [name]: value = otherwise } = config;
    return readInteger(name, value, low, INT32_MAX);
}

/**
 * An array-like with one element for each of something.
 *
 * @param {string} name
 * @param {any} value
 * @param {number} count
 * @param {string} each
 * @param {string} expected when it is no array
 * @returns {any[]}
 */
function readEach(name, value, count, each, expected) {
    if (!isArrayLike(value)) {
        throw fail('badOption', { name, got: value, expected });
    }
    if (value.length !== count) {
        throw fail('badListCount', { name, count, each, got: value.length });
    }
    return Array.from(value);
}

/**
 * One integer for each batch row.
 *
 * @param {string} name
 * @param {any} value
 * @param {number} batch
 * @param {number} low
 * @param {number} high
 * @param {string} [expected] when it is no array
 * @returns {number[]}
 */
export function readIntegers(name, value, batch, low, high, expected = EACH_BATCH_ROW) {
    return readEach(name, value, batch, 'batch row', expected)
        .map((n, b) => readInteger(`${name}[${b}]`, n, low, high));
}

/**
 * Whether a window is a pair at all; of a number, what it would be as one.
 *
 * @param {string} name
 * @param {any} window
 */
export function checkReach(name, window) {
    if (isIntegerIn(window, 1, INT32_MAX)) throw fail('windowIsNumber', { name, got: window });
    if (isArrayLike(window) && window.length === 2) return;
    throw fail('badOption', { name, got: window, expected: REACH });
}

/**
 * [left, right] of a window, as integers; attn_check() judges what they are.
 *
 * @param {any} window
 * @returns {readonly [number, number]}
 */
export function readWindow(window) {
    checkReach('window', window);
    for (const i of [0, 1]) {
        if (isIntegerIn(window[i], INT32_MIN, INT32_MAX)) continue;
        throw fail('badNumber', { name: `window[${i}]`, got: window[i], expected: SIDE });
    }
    return [window[0], window[1]];
}

/** @param {AttentionOptions['dropout']} dropout */
export function readDropout(dropout) {
    if (dropout === undefined) return null;
    const { p, seed } = readOptions(dropout, ['p', 'seed'], 'dropout', '{ p, seed }');
    if (typeof p !== 'number') {
        throw fail('badOption', { name: 'dropout.p', got: p, expected: SHARE });
    }
    return { p, seed: readInteger('dropout.seed', seed, 0, UINT32_MAX) };
}

/**
 * One slope for each query head, or none.
 *
 * @param {any} alibi
 * @param {number} heads
 * @returns {ArrayLike<number> | null}
 */
export function readAlibi(alibi, heads) {
    if (alibi === undefined || alibi === false) return null;
    if (alibi === true) return alibiSlopes(heads);
    const each = 'true, false or an array with one slope for each query head';
    const slopes = readEach('alibi', alibi, heads, 'query head', each);
    const bad = slopes.findIndex((x) => typeof x !== 'number' || !Number.isFinite(Math.fround(x)));
    if (bad < 0) return slopes;
    const expected = 'a finite float32';
    throw fail('badNumber', { name: `alibi[${bad}]`, got: slopes[bad], expected });
}

/** @param {any} seed */
export const readSeed = (seed = 0) => readInteger('seed', seed, 0, UINT32_MAX);
