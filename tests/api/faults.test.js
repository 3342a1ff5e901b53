// Small calls out of public fault reports, with float64 answers (tests/vectors/fault_cases.json).
//
// |a - b| ≤ t + t |b|, t = 1e-5 or the case's own. What this version does not compute must say so,
// and is listed in one table at the end.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorOf, onEveryBuild } from './builds.js';

const FILE = new URL('../vectors/fault_cases.json', import.meta.url);
const CASES = JSON.parse(readFileSync(FILE, 'utf8'));
const GRADIENTS = ['dq', 'dk', 'dv', 'dbias'];

/** A list with its numbers in place of texts and { fill }. */
const numbersOf = (values, count) => (
    Array.isArray(values) ? values.map(Number) : new Array(count).fill(values.fill));

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
    if (call.drop) options.dropout = { p: call.drop.p, seed: 1 };
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

/** Why a case cannot be computed by this version, or null. */
function reasonFor({ call }) {
    if (call.softcap) return 'softcap';
    return call.drop ? 'dropout' : null;
}

onEveryBuild('fault cases', (engine) => {
    for (const one of CASES) {
        const { id, ref, call, expect, tol } = one, t = Math.max(1e-5, tol);
        const reason = reasonFor(one);
        test(`${id} (${ref})`, () => {
            if (reason) {
                const said = ['BAD_OPTION', `${reason}: this version does not compute it`];
                assert.deepEqual(errorOf(() => engine.attention(...argumentsFor(call))), said);
                return;
            }
            assertNear('attention', engine.attention(...argumentsFor(call)).data, expect.out, t);
            const trace = engine.inspect(...argumentsFor(call));
            assertNear('inspect', trace.output.data, expect.out, t);
            if (expect.weights) assertNear('weights', trace.weights.data, expect.weights, t);
            if (expect.lse) assertNear('lse', trace.logSumExp.data, expect.lse, t);
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

test('cases that are not computed in full', (t) => {
    const rows = CASES.flatMap((one) => {
        const gradients = GRADIENTS.filter((name) => one.expect[name]).join(', ');
        const missing = gradients && `${gradients}: this version has no backward`;
        const reason = reasonFor(one) ?? missing;
        return reason ? [`${one.id}  ${reason}`] : [];
    });
    rows.forEach((row) => t.diagnostic(row));
    const ids = rows.map((row) => row.slice(0, 3));
    assert.deepEqual(ids, ['C05', 'D03', 'H01', 'H03', 'H04', 'H06', 'H07']);
});
