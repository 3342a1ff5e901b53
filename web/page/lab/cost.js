// What one layer of self-attention costs, counted: numbers and bytes of its scores, and operations,
// a multiplication and an addition being one each.
//
//     scores         T · T numbers for each sequence and head
//     projections    X·W_Q, X·W_K, X·W_V and the output's: 4 products of (T, d) by (d, d)
//     attention      Q·Kᵀ and weights·V: 2 products of (T, d) and (T, T)
//     feed-forward   2 products of (T, d) by (d, 4d), in most models beside it

export const BYTES = { float16: 2, float32: 4 };

/** Columns of the one head that races (race.js). */
export const RACE_HEAD = 64;

/** @param {{ batch: number, heads: number, tokens: number, width: number, type: string }} lab */
export function costOf({ batch, heads, tokens, width, type }) {
    const scores = tokens ** 2;
    return {
        scores,
        bytes: batch * heads * scores * BYTES[type],
        projections: 8 * tokens * width ** 2,
        attention: 4 * scores * width,
        feedForward: 16 * tokens * width ** 2,
        /** T from which attention is more than the projections; and than those and feed-forward. */
        equal: 2 * width,
        equalWithAll: 6 * width,
    };
}

/** T from an eighth of where both are equal to eight times that, doubling. */
export const lengthsAround = ({ equal }) =>
    Array.from({ length: 7 }, (_, n) => (equal / 8) * 2 ** n);
