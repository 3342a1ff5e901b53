// random.js: numbers from a seed, the same everywhere (mulberry32, by Tommy Ettinger).

import { log } from './exact.js';

/**
 * @param {number} seed
 * @returns {() => number} the next number in [0, 1)
 */
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/**
 * The same items in an order by chance (Fisher and Yates).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random
 */
export function shuffled(items, random) {
    const result = [...items];
    for (let n = result.length - 1; n > 0; n--) {
        const at = Math.floor(random() * (n + 1));
        [result[n], result[at]] = [result[at], result[n]];
    }
    return result;
}

/**
 * Normal numbers by the polar method of Marsaglia, from sums, products and roots alone.
 *
 * @param {() => number} random
 * @returns {() => number}
 */
export function normalFrom(random) {
    let spare = null;
    return () => {
        if (spare !== null) {
            const last = spare;
            spare = null;
            return last;
        }
        for (;;) {
            const x = 2 * random() - 1, y = 2 * random() - 1, square = x * x + y * y;
            if (square >= 1 || square === 0) continue;
            const factor = Math.sqrt(-2 * log(square) / square);
            spare = y * factor;
            return x * factor;
        }
    };
}
