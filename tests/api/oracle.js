// oracle.js: attention written down a second time, from the meaning of the options, one number at a
// time.
//
// In float64 it is the truth; with Math.fround after every operation it is plain float32, whose
// error is the measure for ours: max|ours - f64| ≤ 2 max|plain - f64| + 1e-6 max(1, max|V|).

import assert from 'node:assert/strict';

/** Element of a tensor that broadcasts, aligned to the right. */
function elementAt({ data, shape }, index) {
    let at = 0;
    shape.forEach((extent, axis) => {
        const i = index[index.length - shape.length + axis];
        at = at * extent + (extent === 1 ? 0 : i);
    });
    return data[at];
}

/** Whether query i of batch b may see key j, by every rule at once. */
function isAllowed(c, b, h, i, j) {
    const keys = c.keyLengths?.[b] ?? c.Tk, queries = c.queryLengths?.[b] ?? c.Tq;
    if (i >= queries || j >= keys) return false;
    let offset = keys - queries;
    if (c.causal === 'top-left') offset = 0;
    if (c.queryOffset !== undefined) offset = c.queryOffset[b] ?? c.queryOffset;
    const p = i + offset;
    if (c.causal && j > p) return false;
    if (c.window && c.window[0] >= 0 && j < p - c.window[0]) return false;
    if (c.window && c.window[1] >= 0 && j > p + c.window[1]) return false;
    if (c.mask && !elementAt(c.mask, [b, h, i, j])) return false;
    if (c.keyMask && !elementAt(c.keyMask, [b, j])) return false;
    return !(c.bias && elementAt(c.bias, [b, h, i, j]) === -Infinity);
}

/** What inspect() shows before the output, as far as it depends on the options of this version. */
export const STAGES = [
    'scores', 'scaled', 'masked', 'weights', 'rowMax', 'rowSum', 'logSumExp', 'entropy',
];

/**
 * @param c sizes B, Hq, Hk, Tq, Tk, D, Dv; q, k, v flat in the order (B, H, T, D); options as in
 *     attention(), with mask, keyMask and bias as { data, shape }
 * @param {(x: number) => number} round after every operation
 * @returns the stages of inspect(), flat
 */
export function oracle(c, round = (x) => x) {
    const { B, Hq, Hk, Tq, Tk, D, Dv } = c;
    const scale = c.scale === undefined ? round(1 / round(Math.sqrt(D))) : round(c.scale);
    const stages = Object.fromEntries([...STAGES, 'output'].map((name) => [name, []]));
    for (let b = 0; b < B; b++) {
        for (let h = 0; h < Hq; h++) {
            const kvHead = b * Hk + Math.floor(h / (Hq / Hk));
            for (let i = 0; i < Tq; i++) {
                const row = [];
                for (let j = 0; j < Tk; j++) {
                    let score = 0;
                    for (let d = 0; d < D; d++) {
                        const q = c.q[((b * Hq + h) * Tq + i) * D + d];
                        score = round(score + round(q * c.k[(kvHead * Tk + j) * D + d]));
                    }
                    const scaled = round(scale * score);
                    const bias = c.bias ? elementAt(c.bias, [b, h, i, j]) : 0;
                    stages.scores.push(score);
                    stages.scaled.push(scaled);
                    row.push(isAllowed(c, b, h, i, j) ? round(scaled + bias) : -Infinity);
                }
                stages.masked.push(...row);
                const max = Math.max(-Infinity, ...row);
                const power = (x) => (x === -Infinity ? 0 : round(Math.exp(round(x - max))));
                const powers = row.map(power);
                const sum = powers.reduce((a, x) => round(a + x), 0);
                const weights = powers.map((x) => (sum === 0 ? 0 : round(x / sum)));
                stages.weights.push(...weights);
                stages.rowMax.push(max);
                stages.rowSum.push(sum);
                stages.logSumExp.push(sum === 0 ? -Infinity : round(max + round(Math.log(sum))));
                const terms = weights.map((w) => (w === 0 ? 0 : round(w * round(Math.log(w)))));
                stages.entropy.push(terms.reduce((a, x) => round(a - x), 0));
                for (let d = 0; d < Dv; d++) {
                    let x = 0;
                    weights.forEach((w, j) => {
                        if (w !== 0) x = round(x + round(w * c.v[(kvHead * Tk + j) * Dv + d]));
                    });
                    stages.output.push(x);
                }
            }
        }
    }
    return stages;
}

/** Largest |a - b|; infinities and NaN must be the same on both sides. */
function largestError(a, b, name) {
    assert.equal(a.length, b.length, `${name}: length`);
    let largest = 0;
    for (let n = 0; n < a.length; n++) {
        const isFinite = Number.isFinite(a[n]) && Number.isFinite(b[n]);
        if (isFinite) largest = Math.max(largest, Math.abs(a[n] - b[n]));
        else assert.ok(Object.is(a[n], b[n]), `${name}[${n}]: ${a[n]}, the oracle has ${b[n]}`);
    }
    return largest;
}

/** Largest |x| that is finite, at least 1. */
const largest = (data) => (
    data.reduce((m, x) => (Number.isFinite(x) ? Math.max(m, Math.abs(x)) : m), 1));

/**
 * Asserts the bound for one tensor and returns the error as a share of it.
 *
 * @param {string} name
 * @param {ArrayLike<number>} ours
 * @param {number[]} exact
 * @param {number[]} plain
 * @param {ArrayLike<number>} scale the tensor whose largest number counts; V for the output
 */
export function assertBound(name, ours, exact, plain, scale = exact) {
    const bound = 2 * largestError(plain, exact, `plain ${name}`) + 1e-6 * largest(scale);
    const error = largestError(ours, exact, name);
    assert.ok(error <= bound, `${name}: error ${error} exceeds the bound ${bound}`);
    return error / bound;
}

/** Numbers in [-1, 1) from a seed (mulberry32), rounded to float32. */
export function numbersFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return Math.fround(((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1);
    };
}
