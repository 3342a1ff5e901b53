// What the labs that train nothing measure, by calls of the engine: how far scores spread, what a
// saturated softmax passes on, and how much of each value a weight really brings.

import { normalFrom, randomFrom } from '../../train/random.js';

/** Queries and keys of the spread: their scores are the square of it. */
const SIDE = 64;

/** Components of mean 0 and variance 1. */
const DRAWS = {
    normal: (random) => normalFrom(random),
    uniform: (random) => () => Math.sqrt(12) * (random() - 0.5),
    coin: (random) => () => (random() < 0.5 ? -1 : 1),
};

const deviationOf = (list) => {
    const mean = list.reduce((sum, x) => sum + x, 0) / list.length;
    return Math.sqrt(list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / list.length);
};

/** Bars of a histogram: shares per unit of x, in steps of a fifth of the predicted deviation. */
function barsOf(list, predicted) {
    const width = predicted / 5;
    const counts = new Map();
    for (const x of list) {
        const n = Math.floor(x / width);
        counts.set(n, (counts.get(n) ?? 0) + 1);
    }
    const ends = [...counts.keys()];
    const [first, last] = [Math.min(...ends), Math.max(...ends)];
    return Array.from({ length: last - first + 1 }, (_, n) => ({
        from: (first + n) * width,
        to: (first + n + 1) * width,
        density: (counts.get(first + n) ?? 0) / (list.length * width),
    }));
}

/** Scores of independent queries and keys, as they are and divided by √d_k. */
export function spreadOf(engine, { dk, kind, seed }) {
    const draw = DRAWS[kind](randomFrom(seed));
    const rows = () => ({
        data: Float32Array.from({ length: SIDE * dk }, draw),
        shape: [SIDE, dk],
    });
    const none = { data: new Float32Array(SIDE), shape: [SIDE, 1] };
    const { scores, scaled } = engine.inspect(rows(), rows(), none);
    return [
        [scores.data, Math.sqrt(dk)],
        [scaled.data, 1],
    ].map(([data, predicted]) => {
        const list = Array.from(data);
        return {
            count: list.length,
            predicted,
            measured: deviationOf(list),
            bars: barsOf(list, predicted),
        };
    });
}

/**
 * Two keys whose scores are `gap` apart: the weights, what 1 − α is in float32, and how much α
 * moves with its score; a hard argmax steps from 0 to 1 and does not move in between.
 */
export function gapOf(engine, gap) {
    const { weights } = engine.inspect([[gap]], [[1], [0]], [[0], [0]], { scale: 1 });
    const [weight, other] = weights.data;
    const [slope] = engine.softmaxJacobian(weights.data).data;
    return { gap, weight, rest: Math.fround(1 - weight), other, slope, hard: 0 };
}

/** A document in which a query of 64 numbers finds one key by such a gap, and the other by 0. */
export function gapDocument(gap) {
    const filled = (x) => Array(64).fill(x);
    return {
        tokens: ['it', 'animal'],
        q: [filled(1), filled(0)],
        k: [filled(0), filled(gap / 64)],
        v: [
            [1, 0],
            [0, 1],
        ],
        query: 0,
        key: 1,
        focus: { grid: 'weights', row: 0, col: 1 },
    };
}

/** The same from 0 to an end, by halves. */
export const gapsTo = (engine, end) =>
    Array.from({ length: 2 * end + 1 }, (_, n) => gapOf(engine, n / 2));

/** ‖·‖ of every row: the engine's r·r, and its root. */
function normsOf(engine, rows) {
    const { scores } = engine.inspect(rows, rows, rows, { scale: 1 });
    return rows.map((_, n) => Math.sqrt(scores.data[n * (rows.length + 1)]));
}

/**
 * For every key of a query its weight, the length of its value, of what W_O makes of it, and the
 * products. `project` is rows times the rows of W_O that belong to the head, or null.
 */
export function contributionsOf(engine, weights, values, project) {
    const lengths = normsOf(engine, values);
    const projected = project && normsOf(engine, project(values));
    return weights.map((weight, n) => ({
        weight,
        length: lengths[n],
        moved: weight * lengths[n],
        ...(projected && { projected: projected[n], out: weight * projected[n] }),
    }));
}
