// forward() and backward(): against a float64 oracle and central differences, over every option.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEveryBuild } from './builds.js';
import { numbersFrom, oracle } from './oracle.js';
import { SEED, argumentsFor, calls, makeCall, swapAxes } from './random.js';
import { assertDifferences, assertSlope, slopes } from './slopes.js';

const chosenCalls = fc.record({ chosen: calls, p: fc.constantFrom(undefined, 0.25, 0.5) });

/** A call and a gradient of its output, with dropout of the rates that matter half of the time. */
function makeProblem({ chosen, p }) {
    const call = makeCall(chosen), next = numbersFrom(chosen.seed + 1);
    if (p !== undefined) call.dropout = { p, seed: chosen.seed >>> 0 };
    const dOutput = Float32Array.from({ length: call.B * call.Hq * call.Tq * call.Dv }, next);
    return { call, dOutput, below: (n) => Math.floor((next() + 1) / 2 * n) };
}

/** What backward() gives for a call, every tensor as (B, H, T, D), and what forward() gave. */
function gradientsBy(engine, call, chosen, dOutput) {
    const { B, Hq, Hk, Tq, Tk, D, Dv } = call;
    const isSwapped = chosen.layout === 'BTHD' && chosen.rank > 2;
    const result = engine.forward(...argumentsFor(call, chosen)), { shape } = result.output;
    const data = isSwapped ? swapAxes(dOutput, B, Hq, Tq, Dv) : dOutput;
    const grads = result.backward({ data, shape }, { biasGrad: call.bias !== undefined });
    const upright = (x, H, T, width) => (isSwapped ? swapAxes(x.data, B, T, H, width) : x.data);
    return {
        result, dBias: grads.dBias?.data,
        dq: upright(grads.dq, Hq, Tq, D), dk: upright(grads.dk, Hk, Tk, D),
        dv: upright(grads.dv, Hk, Tk, Dv),
    };
}

/** The same call with copies in float64, and the loss sum(dOutput * output) of it. */
function lossOf(call, dOutput) {
    const [q, k, v] = [call.q, call.k, call.v].map((x) => Float64Array.from(x));
    const bias = call.bias && { ...call.bias, data: Float64Array.from(call.bias.data) };
    const copy = { ...call, q, k, v, bias };
    return {
        copy, loss: () => oracle(copy).output.reduce((sum, x, n) => sum + x * dOutput[n], 0),
    };
}

const names = ['dq', 'dk', 'dv', 'dBias'];

onEveryBuild('gradients', (engine) => {
    test('random calls: within the bound of the oracle', (t) => {
        let worst = 0;
        fc.assert(fc.property(chosenCalls, (problem) => {
            const { call, dOutput } = makeProblem(problem);
            const exact = slopes(call, dOutput), plain = slopes(call, dOutput, Math.fround);
            const ours = gradientsBy(engine, call, problem.chosen, dOutput);
            for (const name of names) {
                if (!ours[name]) continue;
                const share = assertSlope(name, ours[name], exact[name], plain[name]);
                worst = Math.max(worst, share);
            }
            const { output, logSumExp } = ours.result;
            const trace = engine.attention(...argumentsFor(call, problem.chosen));
            assert.deepEqual(output, trace);
            oracle(call).logSumExp.forEach((x, n) => {
                const isNear = Object.is(logSumExp.data[n], x)
                    || Math.abs(logSumExp.data[n] - x) <= 2e-5 * Math.max(1, Math.abs(x));
                assert.ok(isNear, `logSumExp[${n}] is ${logSumExp.data[n]}, expected ${x}`);
            });
        }), { seed: SEED, numRuns: 120 });
        t.diagnostic(`seed ${SEED}, worst share of the bound: ${worst.toFixed(3)}`);
    });

    test('random calls: the central differences of a loss', () => {
        fc.assert(fc.property(chosenCalls, (problem) => {
            const small = { ...problem.chosen, Tq: problem.chosen.Tq % 10 };
            const { call, dOutput, below } = makeProblem({ ...problem, chosen: small });
            const { copy, loss } = lossOf(call, dOutput);
            const { dq, dk, dv, dBias } = gradientsBy(engine, call, small, dOutput);
            const all = [['dq', copy.q, dq], ['dk', copy.k, dk], ['dv', copy.v, dv]];
            if (dBias) all.push(['dBias', copy.bias.data, dBias]);
            assertDifferences(loss, all, below);
        }), { seed: SEED, numRuns: 60 });
    });

    test('what nobody may see gives and receives exact zeros, NaN included', () => {
        const next = numbersFrom(5), floats = (n) => Float32Array.from({ length: n }, next);
        const mask = { data: Uint8Array.from({ length: 70 * 90 }, () => Number(next() > -0.4)),
            shape: [70, 90] };
        const rows = [3, 40, 69], keys = [0, 33, 64, 89];
        for (const i of rows) mask.data.fill(0, i * 90, i * 90 + 90);
        for (const j of keys) for (let i = 0; i < 70; i++) mask.data[i * 90 + j] = 0;
        const clean = { q: floats(70 * 8), k: floats(90 * 8), v: floats(90 * 5) };
        const copies = Object.entries(clean).map(([name, data]) => [name, data.slice()]);
        const dirty = Object.fromEntries(copies);
        for (const j of keys) {
            dirty.k.fill(NaN, j * 8, j * 8 + 8);
            dirty.v.fill(Infinity, j * 5, j * 5 + 5);
        }
        for (const i of rows) dirty.q.fill(NaN, i * 8, i * 8 + 8);
        const dOutput = { data: floats(70 * 5), shape: [70, 5] };
        const run = ({ q, k, v }) => engine.forward({ data: q, shape: [70, 8] },
            { data: k, shape: [90, 8] }, { data: v, shape: [90, 5] },
            { mask, dropout: { p: 0.25, seed: 9 } }).backward(dOutput);
        const expected = run(clean), ours = run(dirty);
        assert.deepEqual(ours, expected);
        const zero = (tensor, row, width) => (
            assert.deepEqual([...tensor.data.subarray(row * width, (row + 1) * width)]
                .map(Math.abs), new Array(width).fill(0)));
        for (const i of rows) zero(ours.dq, i, 8);
        for (const j of keys) {
            zero(ours.dk, j, 8);
            zero(ours.dv, j, 5);
        }
        assert.ok(ours.dq.data.some((x) => x !== 0));
    });

    test('NaN in a key reaches the gradients of the rows that see it, no others', () => {
        const ones = (rows) => ({ data: new Float32Array(rows * 4).fill(1), shape: [rows, 4] });
        const k = ones(6);
        k.data.fill(NaN, 3 * 4, 4 * 4);
        const { dq } = engine.forward(ones(6), k, ones(6), { causal: true }).backward(ones(6));
        const rows = dq.toNested().map((row) => row.some(Number.isNaN));
        assert.deepEqual(rows, [false, false, false, true, true, true]);
    });

    test('everything masked, no keys, no queries: zeros of the right shapes', () => {
        const x = (...shape) => (
            { data: new Float32Array(shape.reduce((a, b) => a * b)).fill(3), shape });
        const all = [
            [x(4, 2), x(3, 2), x(3, 5), { mask: [[false]] }, x(4, 5)],
            [x(4, 2), x(0, 2), x(0, 5), {}, x(4, 5)],
            [x(0, 2), x(3, 2), x(3, 5), {}, x(0, 5)],
            [x(0, 2, 4, 2), x(0, 1, 3, 2), x(0, 1, 3, 5), {}, x(0, 2, 4, 5)],
            [x(4, 2), x(3, 2), x(3, 5), { dropout: { p: 1, seed: 0 } }, x(4, 5)],
        ];
        for (const [q, k, v, options, dOutput] of all) {
            const { dq, dk, dv } = engine.forward(q, k, v, options).backward(dOutput);
            assert.deepEqual([dq.shape, dk.shape, dv.shape], [q.shape, k.shape, v.shape]);
            for (const { data } of [dq, dk, dv]) assert.ok(data.every((n) => n === 0));
        }
    });

    test('a bias of every rank gets a gradient of its own shape', () => {
        const next = numbersFrom(8);
        const x = (...shape) => (
            { data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, next), shape });
        const q = x(2, 4, 5, 3), k = x(2, 2, 7, 3), v = x(2, 2, 7, 3), dOutput = x(2, 4, 5, 3);
        const whole = engine.forward(q, k, v, { bias: x(1, 1) }).backward(dOutput);
        assert.equal(whole.dBias, undefined);
        const full = (bias) => {
            const { dBias } = engine.forward(q, k, v, { bias })
                .backward(dOutput, { biasGrad: true });
            assert.deepEqual(dBias.shape, bias.shape);
            return dBias.data;
        };
        const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });
        const every = full(zeros(2, 4, 5, 7));
        for (const shape of [[5, 7], [1, 7], [4, 1, 7], [4, 5, 7], [2, 1, 5, 7], [2, 4, 1, 7]]) {
            const own = full(zeros(...shape)), sum = new Float64Array(own.length);
            every.forEach((slope, n) => {
                const index = [Math.floor(n / 140), Math.floor(n / 35) % 4, Math.floor(n / 7) % 5,
                    n % 7];
                const at = shape.reduce((place, extent, axis) => (
                    place * extent + (extent === 1 ? 0 : index[4 - shape.length + axis])), 0);
                sum[at] += slope;
            });
            own.forEach((slope, n) => assert.ok(Math.abs(slope - sum[n]) < 2e-6, `${shape}: ${n}`));
        }
    });

    test('later edits, other calls and trim() change nothing; backward() may be called again', () => {
        const next = numbersFrom(6), floats = (n) => Float32Array.from({ length: n }, next);
        const make = () => {
            const mask = { data: Uint8Array.from({ length: 15 }, (_, n) => Number(n % 4 > 0)),
                shape: [3, 5] };
            return {
                q: { data: floats(6), shape: [3, 2] }, k: { data: floats(10), shape: [5, 2] },
                v: { data: floats(10), shape: [5, 2] }, mask,
                bias: { data: floats(5), shape: [1, 5] }, alibi: [0.5], queryLengths: [3],
                dropout: { p: 0.25, seed: 3 },
            };
        };
        const { q, k, v, ...options } = make(), out = q.data;
        const before = engine.memory();
        const result = engine.forward(q, k, v, { ...options, out });
        assert.equal(result.output.data, out);
        const d = { data: floats(6), shape: [3, 2] };
        const first = result.backward(d, { biasGrad: true });
        for (const { data } of [q, k, v, options.mask, options.bias]) data.fill(0);
        options.alibi[0] = 9;
        options.dropout.p = 0.9;
        engine.attention(k, k, v);
        engine.trim();
        assert.deepEqual(result.backward(d, { biasGrad: true }), first);
        first.dq.data.fill(7);
        assert.notDeepEqual(result.backward(d, { biasGrad: true }), first);
        assert.deepEqual([engine.memory().used, engine.memory().handles], [0, before.handles]);
    });

    test('10,000 calls without growth', () => {
        const rows = [[2, -1], [-1, 1], [1, 2]], numbers = [1, 2, 3];
        const optimizer = engine.optimizer({ kind: 'adamw', lr: 0.1 });
        const kept = engine.forward(rows, rows, rows, { bias: [[1, 2, 3]] });
        const calls4 = [
            () => engine.forward(rows, rows, rows, { causal: true }).backward(rows),
            () => kept.backward(rows, { biasGrad: true }),
            () => assert.throws(() => kept.backward([[NaN]]), { code: 'BAD_SHAPE' }),
            () => optimizer.step(numbers, numbers),
        ];
        calls4.forEach((call) => call());
        const before = engine.memory();
        for (let n = 0; n < 10000; n++) calls4[n % 4]();
        assert.deepEqual(engine.memory(), before);
        assert.deepEqual([before.used, before.handles], [0, 0]);
    });
});
