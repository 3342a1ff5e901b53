// slopes.js: the gradients of attention written down a second time, one number at a time, and their
// bound: max|ours - f64| ≤ 2 max|plain - f64| + 1e-6 max(1, s), with s the largest sum of the sizes
// of the terms that one number is summed from. A call is one of the oracle's.

import assert from 'node:assert/strict';
import { isAllowed, isKept, oracle } from './oracle.js';

/** The flat index of [b, h, i, j] in a tensor that broadcasts. */
function indexIn(shape, index) {
    return shape.reduce((at, extent, axis) => (
        at * extent + (extent === 1 ? 0 : index[index.length - shape.length + axis])), 0);
}

/** Numbers, and the size of what each is the sum of. */
const sums = (count) => (
    { numbers: new Float64Array(count), sizes: new Float64Array(count) });

/**
 * @param c a call
 * @param {ArrayLike<number>} dOutput (B, Hq, Tq, Dv)
 * @returns { dq, dk, dv, dBias }, each { numbers, sizes }
 */
export function slopes(c, dOutput, round = (x) => x) {
    const { B, Hq, Hk, Tq, Tk, D, Dv, softcap = 0, dropout } = c;
    const { scale = 1 / Math.sqrt(D) } = c, stages = oracle(c, round);
    const result = {
        dq: sums(c.q.length), dk: sums(c.k.length), dv: sums(c.v.length),
        dBias: sums(c.bias ? c.bias.data.length : 0),
    };
    const add = (to, at, x, size = Math.abs(x)) => {
        to.numbers[at] = round(to.numbers[at] + x);
        to.sizes[at] += size;
    };
    const each = (count, visit) => { for (let n = 0; n < count; n++) visit(n); };
    each(B, (b) => each(Hq, (h) => each(Tq, (i) => {
        const row = (b * Hq + h) * Tq + i, kv = b * Hk + Math.floor(h / (Hq / Hk));
        if (stages.rowMax[row] === -Infinity) return;
        let delta = 0, deltaSize = 0;
        each(Dv, (d) => {
            const x = round(dOutput[row * Dv + d] * stages.output[row * Dv + d]);
            delta = round(delta + x);
            deltaSize += Math.abs(x);
        });
        each(Tk, (j) => {
            if (!isAllowed(c, b, h, i, j)) return;
            const at = row * Tk + j, key = kv * Tk + j;
            let dWeight = 0, weightSize = 0;
            each(Dv, (d) => {
                const x = round(dOutput[row * Dv + d] * c.v[key * Dv + d]);
                dWeight = round(dWeight + x);
                weightSize += Math.abs(x);
                add(result.dv, key * Dv + d, round(stages.dropped[at] * dOutput[row * Dv + d]));
            });
            if (dropout) {
                const share = dropout.p < 1 && isKept(dropout, b, h, i, j)
                    ? 1 / (1 - Math.fround(dropout.p)) : 0;
                dWeight = round(dWeight * share);
                weightSize *= share;
            }
            const weight = stages.weights[at], dMasked = round(weight * round(dWeight - delta));
            const size = weight * (weightSize + deltaSize);
            if (c.bias) add(result.dBias, indexIn(c.bias.shape, [b, h, i, j]), dMasked, size);
            const bend = softcap > 0 ? 1 - Math.tanh(stages.scaled[at] / softcap) ** 2 : 1;
            const factor = round(scale * round(bend)), dScore = round(factor * dMasked);
            each(D, (d) => {
                const q = c.q[row * D + d], k = c.k[key * D + d], reach = Math.abs(factor * size);
                add(result.dq, row * D + d, round(dScore * k), reach * Math.abs(k));
                add(result.dk, key * D + d, round(dScore * q), reach * Math.abs(q));
            });
        });
    })));
    return result;
}

const largest = (numbers) => numbers.reduce((m, x) => Math.max(m, Math.abs(x)), 0);

/** Asserts the bound for one tensor of numbers and returns the error as a share of it. */
export function assertSlope(name, ours, exact, plain) {
    assert.equal(ours.length, exact.numbers.length, `${name}: length`);
    const worst = largest(plain.numbers.map((x, n) => x - exact.numbers[n]));
    const bound = 2 * worst + 1e-6 * Math.max(1, largest(exact.sizes));
    const error = largest(exact.numbers.map((x, n) => ours[n] - x));
    assert.ok(error <= bound, `${name}: error ${error} exceeds the bound ${bound}`);
    return error / bound;
}

/**
 * Asserts that gradients are the central differences of a loss, at some places of some arrays.
 *
 * @param {() => number} loss in float64
 * @param {[name: string, array: Float64Array, ours: ArrayLike<number>][]} slopesOf
 * @param {(count: number) => number} below chooses a place
 * @param {number} tolerance per unit of the larger of 1 and the slope
 */
export function assertDifferences(loss, slopesOf, below, tolerance = 2e-5) {
    for (const [name, array, ours] of slopesOf) {
        assert.equal(ours.length, array.length, name);
        for (let n = 0; n < Math.min(3, array.length); n++) {
            const at = below(array.length), before = array[at], step = 1e-4;
            if (!Number.isFinite(before)) {
                assert.equal(ours[at], 0, `${name}[${at}]`);
                continue;
            }
            const [above, under] = [before + step, before - step].map((x) => {
                array[at] = x;
                return loss();
            });
            array[at] = before;
            const slope = (above - under) / (2 * step);
            const isNear = Math.abs(ours[at] - slope) <= tolerance * Math.max(1, Math.abs(slope));
            assert.ok(isNear, `${name}[${at}] is ${ours[at]}, the difference says ${slope}`);
        }
    }
}
