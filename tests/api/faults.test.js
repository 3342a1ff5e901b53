// Small calls out of public fault reports, with float64 answers (tests/vectors/fault_cases.json).
//
// |a - b| ≤ t + t |b|, t = 1e-5 or the case's own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { onEveryBuild } from './builds.js';
import { isKept } from './oracle.js';

const FILE = new URL('../vectors/fault_cases.json', import.meta.url);
const CASES = JSON.parse(readFileSync(FILE, 'utf8'));

/** A list with its numbers in place of texts and { fill }. */
const numbersOf = (values, count) => (
    Array.isArray(values) ? values.map(Number) : new Array(count).fill(values.fill));

/** The first seed that keeps and drops the weights of the first row as the case says. */
function seedFor({ p, keep }) {
    const fits = (seed) => (
        keep.every((kept, j) => isKept({ p, seed }, 0, 0, 0, j) === (kept === 1)));
    let seed = 0;
    while (!fits(seed)) seed++;
    return seed;
}

function argumentsFor(call) {
    const { B = 1, Hq = 1, Hkv = Hq, Tq, Tk, D } = call;
    const tensor = (values, ...shape) => (
        { data: numbersOf(values, shape.reduce((a, b) => a * b, 1)), shape });
    const options = {};
    for (const given of [call.mask, call.bias]) {
        if (!given) continue;
        const data = numbersOf(given.data), shape = given.dims;
        if (given.kind === 'bool') options.mask = { data: Uint8Array.from(data), shape };
        else options.bias = { data, shape };
    }
    if (call.causal) options.causal = call.causal === 'br' ? true : 'top-left';
    for (const name of ['window', 'scale', 'softcap']) {
        if (call[name] !== undefined) options[name] = call[name];
    }
    if (call.keyLen) options.keyLengths = call.keyLen;
    if (call.drop) options.dropout = { p: call.drop.p, seed: seedFor(call.drop) };
    const q = tensor(call.q, B, Hq, Tq, D), k = tensor(call.k, B, Hkv, Tk, D);
    return [q, k, tensor(call.v, B, Hkv, Tk, D), options];
}

function assertNear(name, ours, expected, t) {
    const wanted = numbersOf(expected, ours.length);
    assert.equal(ours.length, wanted.length, name);
    wanted.forEach((b, n) => {
        const isNear = Object.is(ours[n], b) || Math.abs(ours[n] - b) <= t + t * Math.abs(b);
        assert.ok(isNear, `${name}[${n}] is ${ours[n]}, expected ${b}`);
    });
}

/** The same keys and values out of a cache with room to spare, where the case can be put so. */
function assertDecoded(engine, { call, expect }, t) {
    const [q, k, v, { keyLengths, ...options }] = argumentsFor(call);
    const hasColumns = options.mask || options.bias;
    if (options.causal === 'top-left' || (keyLengths && hasColumns)) return;
    const [batch, kvHeads, length, headDim] = k.shape;
    const cache = engine.kvCache({ batch, kvHeads, headDim, capacity: length + 3 });
    try {
        cache.append(k, v, { lengths: keyLengths });
        const { data } = engine.attention(q, null, null, { ...options, cache });
        assertNear('decode', data, expect.out, t);
    } finally {
        cache.dispose();
    }
}

onEveryBuild('fault cases', (engine) => {
    for (const one of CASES) {
        const { id, ref, call, expect, tol } = one, t = Math.max(1e-5, tol);
        test(`${id} (${ref})`, () => {
            assertNear('attention', engine.attention(...argumentsFor(call)).data, expect.out, t);
            const trace = engine.inspect(...argumentsFor(call));
            assertNear('inspect', trace.output.data, expect.out, t);
            if (expect.weights) assertNear('weights', trace.weights.data, expect.weights, t);
            if (expect.lse) assertNear('lse', trace.logSumExp.data, expect.lse, t);
            assertDecoded(engine, one, t);
            if (!call.dout) return;
            const { output, backward } = engine.forward(...argumentsFor(call));
            const dOutput = { data: numbersOf(call.dout, output.data.length), shape: output.shape };
            const grads = backward(dOutput, { biasGrad: expect.dbias !== undefined });
            const asked = { dq: grads.dq, dk: grads.dk, dv: grads.dv, dbias: grads.dBias };
            for (const [name, tensor] of Object.entries(asked)) {
                if (expect[name]) assertNear(name, tensor.data, expect[name], t);
            }
        });
    }

    test('D07 at every length around a tile: each output is exactly 1', () => {
        for (const T of [1, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128, 129]) {
            const zero = { data: new Float32Array(T), shape: [T, 1] };
            const one = { data: new Float32Array(T).fill(1), shape: [T, 1] };
            const { data } = engine.attention(zero, zero, one);
            assert.deepEqual([...new Set(data)], [1], `T = ${T}`);
        }
    });
});
