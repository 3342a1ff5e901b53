// What users of other libraries reported: the smallest input of each report that no other test has.
//
// tests/fault_reports.json names for every report the test that would show the fault here, or why
// none can. A title begins with the numbers of its reports.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorOf, onEveryBuild } from './builds.js';
import { stub } from './cases/stub.js';
import { numbersFrom } from './oracle.js';
import { vectors } from './vectors.js';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const tensor = (data, ...shape) => ({ data, shape });
const filled = (x, ...shape) => (
    tensor(new Array(shape.reduce((a, b) => a * b, 1)).fill(x), ...shape));
const count = (n) => Array.from({ length: n }, (_, j) => j);
const numbersList = (length, seed = 1) => Array.from({ length }, numbersFrom(seed));
const column = (...values) => values.map((x) => [x]);

function near(ours, expected, t = 1e-5) {
    assert.equal(ours.length, expected.length);
    expected.forEach((b, n) => {
        const isNear = Object.is(ours[n], b) || Math.abs(ours[n] - b) <= t + t * Math.abs(b);
        assert.ok(isNear, `[${n}] is ${ours[n]}, expected ${b}`);
    });
}

test('every report is in the table', { skip: vectors('fault_reports.md').reason }, () => {
    const text = readFileSync(vectors('fault_reports.md').path, 'utf8');
    const ids = [...text.matchAll(/^\| (\d+\.\d+) \|/gm)].map(([, id]) => id);
    const table = Object.keys(JSON.parse(read('tests/fault_reports.json')));
    assert.ok(ids.length > 100);
    assert.deepEqual(table, ids);
});

test('every test that the table names exists, and every other row says why not', () => {
    for (const [id, row] of Object.entries(JSON.parse(read('tests/fault_reports.json')))) {
        if (row.not) {
            assert.ok(row.not.length > 20, id);
            continue;
        }
        const [path, title] = row.test.split(' › ');
        assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), `${id}: ${path}`);
        const text = read(path);
        const isThere = path.endsWith('.c') ? text.includes(`static void ${title}(`)
            : path.endsWith('.json') ? text.includes(`"id": "${title}"`) : text.includes(title);
        assert.ok(isThere, `${id}: ${path} has no ${title}`);
    }
});

onEveryBuild('reports', (engine) => {
    /**
     * The output of attention(), of inspect(), of the call that can go back, and out of a cache where
     * the call can be put so: each must be as expected, and the gradients finite.
     */
    function both(expected, q, k, v, options = {}) {
        const { data } = engine.attention(q, k, v, options);
        near(data, expected);
        near(engine.inspect(q, k, v, options).output.data, expected);
        const { output, backward } = engine.forward(q, k, v, options);
        near(output.data, expected);
        const ones = { data: new Float32Array(data.length).fill(1), shape: output.shape };
        const { dq, dk, dv } = backward(ones);
        const isFinite = [dq, dk, dv].every((own) => own.data.every(Number.isFinite));
        if (expected.every(Number.isFinite)) assert.ok(isFinite, 'a gradient is not finite');

        const { keyLengths, queryLengths, queryOffset, ...others } = options;
        const hasColumns = others.mask || others.bias || others.keyMask;
        const isPlaced = queryLengths || queryOffset !== undefined || others.causal === 'top-left';
        if (isPlaced || (keyLengths && hasColumns)) return data;
        const traced = engine.inspect(q, k, v);
        const four = ({ shape }) => [...new Array(4 - shape.length).fill(1), ...shape];
        const [batch, kvHeads, capacity, headDim] = four(traced.k);
        const [valueHeadDim] = traced.v.shape.slice(-1);
        const cache = engine.kvCache({ batch, kvHeads, headDim, valueHeadDim,
            capacity: capacity + 1 });
        cache.append(k, v, { lengths: keyLengths });
        near(engine.attention(q, null, null, { ...others, cache }).data, expected);
        cache.dispose();
        return data;
    }

    test('1.7 a finite bias of -FLT_MAX over whole tiles', () => {
        const bias = [count(130).map((j) => (j < 128 ? -3.4028235e38 : 0))];
        both([128.5], [[0]], filled(0, 130, 1), column(...count(130)), { bias });
    });

    test('1.15 causal with a padded and an empty sequence', () => {
        const x = tensor(numbersList(24), 2, 1, 4, 3), lengths = [3, 0];
        const options = { causal: true, keyLengths: lengths, queryLengths: lengths };
        const { data } = engine.attention(x, x, x, options);
        assert.deepEqual([...data.subarray(12)], new Array(12).fill(0));
        assert.deepEqual([...data.subarray(9, 12)], [0, 0, 0]);
        assert.ok(data.subarray(0, 9).every((n) => Number.isFinite(n) && n !== 0));
    });

    test('2.2 2.3 one key allowed, wherever it stands', () => {
        for (const T of [64, 130, 257]) {
            for (const j of [0, 1, 15, 16, 31, 47, 48, 63, T - 1]) {
                const keyMask = count(T).map((n) => n === j);
                both([j], [[1]], filled(1, T, 1), column(...count(T)), { keyMask });
            }
        }
    });

    test('2.4 3.14 keys beyond the length are not there', () => {
        const [q, k, v] = [1, 2, 3].map((seed) => tensor(numbersList(64 * 4, seed), 64, 4));
        const head = ({ data }) => tensor(data.slice(0, 20), 5, 4);
        const short = engine.attention(q, head(k), head(v)).data;
        const options = { keyLengths: [5] };
        near(engine.attention(q, k, v, options).data, [...short]);
        both([1, 5], filled(0, 2, 1, 1, 1), filled(0, 2, 1, 3, 1),
            tensor([1, 5, 9, 1, 5, 9], 2, 1, 3, 1), { keyLengths: [1, 3] });
    });

    test('2.7 every element of the output is written', () => {
        for (const T of [1, 7, 15, 47, 63]) {
            const out = new Float32Array(T * 3).fill(12345), x = tensor(numbersList(T * 3), T, 3);
            engine.attention(x, x, x, { out });
            assert.ok(out.every((n) => Math.abs(n) <= 1));
        }
    });

    test('2.8 a bias of zeros says nothing', () => {
        for (const [Tq, Tk] of [[63, 64], [64, 50], [100, 77]]) {
            const q = tensor(numbersList(Tq * 5), Tq, 5), k = tensor(numbersList(Tk * 5, 2), Tk, 5);
            const bias = filled(0, Tq, Tk);
            const plain = [...engine.attention(q, k, k).data];
            near(engine.attention(q, k, k, { bias }).data, plain, 1e-6);
        }
    });

    test('2.10 2.11 a maximum that grows or shrinks from key to key', () => {
        for (const step of [0.4, -0.4, 8, -8]) {
            const k = column(...count(200).map((j) => j * step));
            const v = column(...count(200).map((j) => j % 7));
            const best = Math.max(0, 199 * step);
            const powers = count(200).map((j) => Math.exp(j * step - best));
            const sum = powers.reduce((a, b) => a + b, 0);
            both([powers.reduce((a, w, j) => a + w * (j % 7), 0) / sum], [[1]], k, v, { scale: 1 });
        }
    });

    test('3.5 the last row of a whole call is the call of the last row', () => {
        const x = tensor(numbersList(16 * 4), 16, 4), last = tensor(x.data.slice(60), 1, 4);
        const whole = engine.attention(x, x, x, { causal: true }).data.subarray(60);
        both([...whole], last, x, x, { causal: true });
    });

    test('3.11 a past of no keys is no past', () => {
        const x = tensor(numbersList(6), 1, 2, 1, 3);
        const cache = engine.kvCache({ kvHeads: 2, headDim: 3, capacity: 2 });
        cache.append(tensor([], 1, 2, 0, 3), tensor([], 1, 2, 0, 3));
        assert.deepEqual(engine.attention(x, x, x, { cache }), engine.attention(x, x, x));
        cache.dispose();
    });

    test('4.4 numbers add, booleans forbid', () => {
        const zeros = [[0], [0]];
        const call = (options) => engine.inspect([[0]], zeros, zeros, options).weights.data;
        near(call({ bias: tensor(Float32Array.of(0, -1), 1, 2) }), [0.7310586, 0.2689414]);
        near(call({ mask: tensor(Uint8Array.of(1, 0), 1, 2) }), [1, 0]);
    });

    test('4.8 4.9 4.11 6.13 each batch row has its own mask, and sees no other', () => {
        const v = tensor([...new Array(12).fill(1), ...new Array(12).fill(100)], 2, 3, 4, 1);
        const zero = filled(0, 2, 3, 1, 1), keys = filled(0, 2, 3, 4, 1);
        const expected = [1, 1, 1, 100, 100, 100];
        both(expected, zero, keys, v);
        const mask = tensor(Uint8Array.of(1, 0, 0, 1, 0, 1, 1, 0), 2, 1, 1, 4);
        both(expected, zero, keys, v, { mask });
        const keyMask = [[true, true, false, false], [false, true, true, true]];
        both(expected, zero, keys, v, { keyMask });
    });

    test('5.2 5.3 large scores of every size', () => {
        for (const score of [89, 200, 1e4, -1e4]) {
            both([3], [[1]], filled(score, 5, 1), column(1, 2, 3, 4, 5), { scale: 1 });
        }
        const scores = [-249.87, -424.1, -460.3, 378.1, -292.6];
        const { weights } = engine.inspect([[1]], column(...scores), filled(1, 5, 1), { scale: 1 });
        assert.deepEqual([...weights.data], [0, 0, 0, 1, 0]);
    });

    test('5.10 5.11 an infinite key spoils the rows that see it, on both paths alike', () => {
        const mask = [[true, true], [false, true]];
        const call = [[[1], [1]], [[Infinity], [1]], [[3], [5]], { mask }];
        const results = [engine.attention(...call), engine.inspect(...call).output];
        for (const { data } of results) assert.deepEqual([...data], [NaN, 5]);
    });

    test('5.13 the scale is 1 over the root of the head size', () => {
        const k = [[1, 1, 1, 1], [0, 0, 0, 0]];
        const { scaled, weights } = engine.inspect([[1, 1, 1, 1]], k, k);
        assert.deepEqual([...scaled.data], [2, 0]);
        near(weights.data, [0.8807971, 0.1192029]);
    });

    test('5.15 a mask and a slice say the same at length', () => {
        const T = 4096, next = numbersFrom(515);
        const k = tensor(Array.from({ length: T * 2 }, () => next() * 10), T, 2);
        const v = tensor(numbersList(T * 2, 3), T, 2), q = tensor(numbersList(8, 4), 4, 2);
        const half = ({ data }) => tensor(data.slice(0, T), T / 2, 2);
        const keyMask = count(T).map((j) => j < T / 2);
        near(engine.attention(q, k, v, { keyMask }).data,
            [...engine.attention(q, half(k), half(v)).data], 1e-6);
    });

    test('5.17 the cap is cap · tanh(s / cap)', () => {
        const { capped } = engine.inspect([[2]], [[1]], [[1]], { softcap: 0.5, scale: 1 });
        near(capped.data, [0.4996646]);
    });

    test('6.3 6.5 a query head reads the key head of its group', () => {
        for (const [Hq, Hk, T] of [[4, 2, 5], [48, 2, 3], [9, 3, 4]]) {
            const v = tensor(count(Hk * T).map((n) => Math.floor(n / T)), Hk, T, 1);
            const expected = count(Hq * 2).map((n) => Math.floor(Math.floor(n / 2) / (Hq / Hk)));
            both(expected, filled(0, Hq, 2, 1), filled(0, Hk, T, 1), v);
        }
    });

    test('6.15 6.16 a head size with a tail is one padded by zeros', () => {
        for (const D of [40, 63]) {
            const next = numbersFrom(D), scale = 1 / 8, padded = 64;
            const rows = () => count(9).map(() => count(D).map(next));
            const pad = (row) => [...row, ...new Array(padded - D).fill(0)];
            const [q, k, v] = [rows(), rows(), rows()];
            const wide = engine.attention(q.map(pad), k.map(pad), v, { scale }).data;
            near(engine.attention(q, k, v, { scale }).data, [...wide], 1e-6);
        }
    });

    test('7.7 an array on a buffer of Node, at an offset', () => {
        const bytes = Buffer.alloc(24);
        [10, 20, 30, 40].forEach((x, n) => bytes.writeFloatLE(x, 8 + 4 * n));
        const data = new Float32Array(bytes.buffer, bytes.byteOffset + 8, 4);
        both([25], [[0]], filled(0, 4, 1), tensor(data, 4, 1));
    });

    test('7.9 7.10 7.11 empty sequences and an empty batch', () => {
        const v = tensor(count(9), 3, 1, 3, 1), zero = filled(0, 3, 1, 1, 1);
        both([1, 0, 6.5], zero, filled(0, 3, 1, 3, 1), v, { keyLengths: [3, 0, 2] });
        const none = tensor([], 0, 1, 2, 4), mask = tensor(new Uint8Array(4).fill(1), 1, 1, 2, 2);
        assert.equal(engine.attention(none, none, none, { mask }).data.length, 0);
    });

    test('7.17 7.18 indices and masks of 65536 · 65536 are never written out', () => {
        const T = 65536, one = tensor(new Float32Array(T).fill(1), T, 1);
        const before = engine.memory().reserved;
        const mask = tensor(new Uint8Array(T).fill(1), 1, T);
        const bias = tensor(new Float32Array(T), T, 1);
        const options = { causal: true, window: [5, 0], mask, bias };
        const { data } = engine.attention(one, one, one, options);
        assert.deepEqual([...new Set(data)], [1]);
        assert.ok(engine.memory().reserved - before < 4 * 1024 * 1024);
    });

    test('8.12 8.13 a call has no memory of other calls', () => {
        const x = tensor(numbersList(60), 20, 3), dropout = { p: 0.5, seed: 4 };
        const calls = [undefined, { dropout }].map((options) => (
            () => engine.attention(x, x, x, options)));
        const first = calls.map((call) => call());
        for (let n = 0; n < 5; n++) engine.attention(x, x, x, { dropout: { p: 0.5, seed: n } });
        assert.deepEqual(calls.map((call) => call()), first);
    });

    test('8.15 dropout that is asked for acts', () => {
        const x = tensor(numbersList(3000), 1000, 3), dropout = { p: 0.999, seed: 1 };
        const { dropped } = engine.inspect(x, x, x, { dropout });
        const kept = dropped.data.filter((w) => w !== 0).length / dropped.data.length;
        assert.ok(kept > 0.0005 && kept < 0.002, `${kept}`);
        const plain = engine.attention(x, x, x).data;
        assert.ok(engine.attention(x, x, x, { dropout }).data.some((n, at) => n !== plain[at]));
    });

    test('9.5 a slope of 0 leaves its head alone', () => {
        const x = tensor(numbersList(2 * 6 * 3), 2, 6, 3);
        const sloped = engine.attention(x, x, x, { alibi: [0.5, 0] }).data;
        const plain = engine.attention(x, x, x).data;
        near(sloped.slice(18), [...plain.slice(18)], 1e-6);
        assert.ok(plain.slice(0, 18).some((n, at) => Math.abs(n - sloped[at]) > 1e-3));
    });

    test('9.11 a window over a cache sees as many keys as without', () => {
        const cache = engine.kvCache({ kvHeads: 1, headDim: 1, capacity: 4, window: [3, 0] });
        const outputs = count(9).map((j) => (
            engine.attention([[0]], [[0]], [[j]], { causal: true, cache }).data[0]));
        cache.dispose();
        const whole = engine.attention(filled(0, 9, 1), filled(0, 9, 1), column(...count(9)), {
            causal: true, window: [3, 0],
        });
        near(outputs, [...whole.data], 1e-6);
    });

    test('10.9 calls of changing lengths end in a memory of one size', () => {
        const next = numbersFrom(109), of = () => 1 + Math.floor((next() + 1) / 2 * 300);
        const call = (T) => {
            const x = tensor(new Float32Array(T * 8), T, 8);
            engine.attention(x, x, x, { causal: true });
        };
        call(300);
        const { reserved } = engine.memory();
        for (let n = 0; n < 1000; n++) call(of());
        assert.equal(engine.memory().reserved, reserved);
    });

    test('11.23 a runtime without BigInt64Array', () => {
        stub(globalThis, 'BigInt64Array', undefined, () => both([7], [[1]], [[1]], [[7]]));
    });

    test('11.24 Float16Array, where there is one', (t) => {
        if (typeof Float16Array === 'undefined') {
            t.skip(`Node ${process.versions.node} has no Float16Array`);
            return;
        }
        both([7], [[1]], [[1]], tensor(Float16Array.of(7), 1, 1));
    });

    test('12.3 an option that is not known is refused', () => {
        const [code] = errorOf(() => engine.attention([[1]], [[1]], [[1]], { labels: [] }));
        assert.equal(code, 'BAD_OPTION');
    });
});
