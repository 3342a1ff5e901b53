// tables.js: the two tables of positions that need no engine, in double precision.
//
// The core has the same functions (position.c), with the same formulas; no C runs here, so that the
// tables are there before anything is loaded.

/** @import { F32, Tensor } from './types.js' */

import { fail } from './errors.js';
import { Result, newFloats } from './result.js';

const MAX_EXTENT = 2147483647;

/**
 * @param {string} name
 * @param {any} n
 * @param {number} low
 */
function checkCount(name, n, low) {
    if (Number.isInteger(n) && n >= low && n <= MAX_EXTENT) return;
    const expected = `an integer from ${low} to ${MAX_EXTENT}`;
    throw fail('badNumber', { name, got: n, expected });
}

/** @param {any} base of angles */
export function checkBase(base) {
    if (typeof base === 'number' && base >= 1e-270 && base < Infinity) return;
    const expected = 'a finite number from 1e-270 up';
    throw fail('badNumber', { name: 'base', got: base, expected });
}

/**
 * Sinusoidal position encodings: row p holds sin(p / base^(2k/dim)) and the cosine of the same, for
 * k = 0, 1, ...; an odd dim ends with a sine.
 *
 * @param {number} length positions 0 to length - 1
 * @param {number} dim
 * @param {number} [base] default 10000
 * @returns {Tensor} (length, dim)
 */
export function sinusoidal(length, dim, base = 10000) {
    checkCount('length', length, 0);
    checkCount('dim', dim, 1);
    checkBase(base);
    const data = newFloats('sinusoidal', [length, dim]);
    for (let column = 0; column < dim; column++) {
        const frequency = Math.exp(-(column - column % 2) / dim * Math.log(base));
        const wave = column % 2 ? Math.cos : Math.sin;
        for (let p = 0; p < length; p++) data[p * dim + column] = wave(p * frequency);
    }
    return new Result(data, [length, dim]);
}

/**
 * The slopes of ALiBi for any number n of heads: 2^(-8(h + 1)/n) where n is a power of two;
 * otherwise those of the power of two below, then every other one of the power above.
 *
 * @param {number} heads
 * @returns {F32}
 */
export function alibiSlopes(heads) {
    checkCount('heads', heads, 1);
    let below = 1;
    while (below <= heads / 2) below *= 2;
    return newFloats('alibiSlopes', [heads]).map((_, h) => (
        2 ** -(h < below ? 8 * (h + 1) / below : 4 * (2 * (h - below) + 1) / below)));
}
