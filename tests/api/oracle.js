// oracle.js: attention written down a second time, from the meaning of the options, one number at a
// time.
//
// In float64 it is the truth; with Math.fround after every operation it is plain float32, whose
// error is the measure for ours: max|ours - f64| ≤ 2 max|plain - f64| + max(1e-6, 2⁻²³ S) max(1,
// max|V|), S the size of the scores (unitOf).

import assert from 'node:assert/strict';
import { randomFrom } from '../../web/train/random.js';

/** Element of a tensor that broadcasts, aligned to the right. */
function elementAt({ data, shape }, index) {
    let at = 0;
    shape.forEach((extent, axis) => {
        const i = index[index.length - shape.length + axis];
        at = at * extent + (extent === 1 ? 0 : i);
    });
    return data[at];
}

const lengthsOf = (c, b) => [c.keyLengths?.[b] ?? c.Tk, c.queryLengths?.[b] ?? c.Tq];

/** Where query i of batch b stands. */
function positionOf(c, b, i) {
    const [keys, queries] = lengthsOf(c, b);
    if (c.queryOffset !== undefined) return i + (c.queryOffset[b] ?? c.queryOffset);
    return i + (c.causal === 'top-left' ? 0 : keys - queries);
}

/** Whether query i of batch b may see key j, by every rule at once. */
export function isAllowed(c, b, h, i, j) {
    const [keys, queries] = lengthsOf(c, b), p = positionOf(c, b, i);
    if (i >= queries || j >= keys) return false;
    if (c.causal && j > p) return false;
    if (c.window && c.window[0] >= 0 && j < p - c.window[0]) return false;
    if (c.window && c.window[1] >= 0 && j > p + c.window[1]) return false;
    if (c.mask && !elementAt(c.mask, [b, h, i, j])) return false;
    if (c.keyMask && !elementAt(c.keyMask, [b, j])) return false;
    return !(c.bias && elementAt(c.bias, [b, h, i, j]) === -Infinity);
}

/** What inspect() shows besides the output. */
export const STAGES = [
    'scores', 'scaled', 'capped', 'masked', 'weights', 'dropped', 'rowMax', 'rowSum', 'logSumExp',
    'entropy',
];

/** The slopes of ALiBi as Press et al. give them: by recursion. */
export function slopesOf(heads) {
    const ratio = 2 ** (-8 / heads), below = 2 ** Math.floor(Math.log2(heads));
    if (heads === below) return Array.from({ length: heads }, (_, h) => ratio ** (h + 1));
    const other = slopesOf(2 * below).filter((_, h) => h % 2 === 0);
    return [...slopesOf(below), ...other.slice(0, heads - below)];
}

const WORD = (1n << 64n) - 1n;

/** The finaliser of SplitMix64. */
function mix64(x) {
    x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
    x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & WORD;
    return x ^ (x >> 31n);
}

/** Whether dropout keeps a weight: the hash that is laid down, in integers of any size. */
export function isKept({ p, seed }, b, h, i, j) {
    let row = mix64((BigInt(seed) + 0x9e3779b97f4a7c15n) & WORD);
    row = mix64(row ^ (BigInt(b) << 32n | BigInt(h)));
    row = mix64(row ^ BigInt(i));
    let x = (row >> 32n) ^ ((BigInt(j) * 0x9e3779b9n) & 0xffffffffn);
    x = ((x ^ (x >> 16n)) * 0x85ebca6bn) & 0xffffffffn;
    x = ((x ^ (x >> 13n)) * 0xc2b2ae35n) & 0xffffffffn;
    x ^= x >> 16n;
    return Number(x >> 8n) >= Math.floor(Math.fround(p) * 2 ** 24 + 0.5);
}

/**
 * @param c sizes B, Hq, Hk, Tq, Tk, D, Dv; q, k, v flat in the order (B, H, T, D); options as in
 *     attention(), with mask, keyMask and bias as { data, shape }
 * @param {(x: number) => number} round after every operation
 * @returns the stages of inspect(), flat
 */
export function oracle(c, round = (x) => x) {
    const { B, Hq, Hk, Tq, Tk, D, Dv } = c;
    const scale = c.scale === undefined ? round(1 / round(Math.sqrt(D))) : round(c.scale);
    const { softcap = 0, dropout } = c;
    const slopes = c.alibi === true ? slopesOf(Hq).map(round) : c.alibi || new Array(Hq).fill(0);
    const keepScale = dropout && round(1 / round(1 - Math.fround(dropout.p)));
    const drop = (w, ...at) => {
        if (!dropout) return w;
        return isKept(dropout, ...at) && dropout.p < 1 ? round(w * keepScale) : 0;
    };
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
                    const capped = softcap > 0
                        ? round(softcap * round(Math.tanh(round(scaled / softcap)))) : scaled;
                    const bias = c.bias ? elementAt(c.bias, [b, h, i, j]) : 0;
                    const distance = round(slopes[h] * Math.abs(positionOf(c, b, i) - j));
                    stages.scores.push(score);
                    stages.scaled.push(scaled);
                    stages.capped.push(capped);
                    const open = round(round(capped + bias) - distance);
                    row.push(isAllowed(c, b, h, i, j) ? open : -Infinity);
                }
                stages.masked.push(...row);
                const max = Math.max(-Infinity, ...row);
                const power = (x) => (x === -Infinity ? 0 : round(Math.exp(round(x - max))));
                const powers = row.map(power);
                const sum = powers.reduce((a, x) => round(a + x), 0);
                const weights = powers.map((x) => (sum === 0 ? 0 : round(x / sum)));
                const dropped = weights.map((w, j) => drop(w, b, h, i, j));
                stages.weights.push(...weights);
                stages.dropped.push(...dropped);
                stages.rowMax.push(max);
                stages.rowSum.push(sum);
                stages.logSumExp.push(sum === 0 ? -Infinity : round(max + round(Math.log(sum))));
                const terms = weights.map((w) => (w === 0 ? 0 : round(w * round(Math.log(w)))));
                stages.entropy.push(terms.reduce((a, x) => round(a - x), 0));
                for (let d = 0; d < Dv; d++) {
                    let x = 0;
                    dropped.forEach((w, j) => {
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

/**
 * What 1e-6 of the bound is multiplied by where scores are large: one unit in the last place of
 * the mean, by the weights of a row, of |scale|·Σ|q·k| + |bias| + |ALiBi|.
 */
export function unitOf(c, { weights, capped, masked }) {
    const { Hq, Hk, Tq, Tk, D, scale = 1 / Math.sqrt(D) } = c;
    const means = new Float64Array(weights.length / Math.max(1, Tk));
    weights.forEach((weight, n) => {
        if (weight === 0) return;
        const row = Math.floor(n / Tk), head = Math.floor(row / Tq);
        const kvHead = Math.floor(head / Hq) * Hk + Math.floor(head % Hq / (Hq / Hk));
        let size = Math.abs(masked[n] - capped[n]);
        for (let d = 0; d < D; d++) {
            size += Math.abs(scale * c.q[row * D + d] * c.k[(kvHead * Tk + n % Tk) * D + d]);
        }
        means[row] += weight * size;
    });
    return Math.max(1, 2 ** -23 * Math.max(0, ...means) / 1e-6);
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
 * @param {number} unit of unitOf()
 */
export function assertBound(name, ours, exact, plain, scale = exact, unit = 1) {
    const bound = 2 * largestError(plain, exact, `plain ${name}`) + 1e-6 * unit * largest(scale);
    const error = largestError(ours, exact, name);
    assert.ok(error <= bound, `${name}: error ${error} exceeds the bound ${bound}`);
    return error / bound;
}

/** Numbers in [-1, 1) from a seed, rounded to float32. */
export function numbersFrom(seed) {
    const random = randomFrom(seed);
    return () => Math.fround(2 * random() - 1);
}
