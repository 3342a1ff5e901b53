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
const UINT32_MAX = 4294967295;

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
 * An array-like with one element for each of something.
 *
 * @param {string} name
 * @param {any} value
 * @param {number} count
 * @param {string} each
 * @param {string} kind
 * @returns {any[]}
 */
function readEach(name, value, count, each, kind) {
    if (!isArrayLike(value)) {
        const expected = `an array with one ${kind} for each ${each}`;
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
 * @returns {number[]}
 */
export function readIntegers(name, value, batch, low, high) {
    return readEach(name, value, batch, 'batch row', 'integer')
        .map((n, b) => readInteger(`${name}[${b}]`, n, low, high));
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
export function readDropout(dropout) {
    if (dropout === undefined) return { p: 0, seed: 0 };
    const { p, seed } = readOptions(dropout, ['p', 'seed'], 'dropout');
    if (typeof p !== 'number') {
        throw fail('badOption', { name: 'dropout.p', got: p, expected: 'a number from 0 to 1' });
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
    if (!isArrayLike(alibi)) {
        const expected = 'true, false or an array with one slope for each query head';
        throw fail('badOption', { name: 'alibi', got: alibi, expected });
    }
    const slopes = readEach('alibi', alibi, heads, 'query head', 'slope');
    const bad = slopes.findIndex((x) => typeof x !== 'number' || !Number.isFinite(Math.fround(x)));
    if (bad < 0) return slopes;
    const expected = 'a finite float32';
    throw fail('badNumber', { name: `alibi[${bad}]`, got: slopes[bad], expected });
}

/** @param {any} seed */
export const readSeed = (seed) => readInteger('seed', seed ?? 0, 0, UINT32_MAX);
