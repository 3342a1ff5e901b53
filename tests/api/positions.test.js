// Positions: rope(), sinusoidal() and alibiSlopes() against numbers of others, against float64, and
// against the core.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { alibiSlopes, sinusoidal } from '../../web/api/index.js';
import { onEveryBuild, wasmBytes } from './builds.js';
import { rotate } from './modules.js';
import { assertBound, numbersFrom, slopesOf } from './oracle.js';
import { vectors } from './vectors.js';

const SEED = Number(process.env.ATTN_SEED ?? 20240607);
const bits = (data) => new Uint32Array(Float32Array.from(data).buffer);

function near(ours, expected, name) {
    assert.equal(ours.length, expected.length, name);
    expected.forEach((b, n) => {
        assert.ok(Math.abs(ours[n] - b) <= 1e-6 + 1e-6 * Math.abs(b), `${name}[${n}]: ${ours[n]}`);
    });
}

const file = vectors('hand_values.json');
const HAND = file.reason ? [] : JSON.parse(readFileSync(file.path, 'utf8'));

onEveryBuild('positions', (engine, simd) => {
    test('rope: random tensors, every option, within the bound', (t) => {
        let worst = 0;
        const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
        const small = fc.integer({ min: 1, max: 5 });
        fc.assert(fc.property(fc.record({
            B: small, H: small, T: fc.integer({ min: 0, max: 9 }), half: small,
            rest: fc.integer({ min: 0, max: 3 }), layout: fc.constantFrom(undefined, 'BTHD'),
            base: fc.constantFrom(undefined, 10, 500000), interleaved: fc.boolean(),
            inverse: fc.boolean(), offset: maybe(fc.integer({ min: -9, max: 100000 })),
            given: fc.constantFrom('offset', 'positions', 'each', 'tables'), seed: fc.integer(),
        }), (c) => {
            const { B, H, T, layout, base, interleaved, inverse } = c, dim = 2 * c.half;
            const D = dim + c.rest, next = numbersFrom(c.seed), each = c.given === 'each';
            const x = Float32Array.from({ length: B * H * T * D }, next);
            const row = () => Array.from({ length: T }, () => Math.floor(next() * 3000));
            const shared = row(), offset = c.given === 'offset' ? c.offset : undefined;
            const positions = Array.from({ length: B }, (_, b) => {
                if (c.given === 'offset') return shared.map((__, i) => i + (offset ?? 0));
                return each && b > 0 ? row() : shared;
            });
            const options = { layout, interleaved, inverse };
            if (c.given !== 'tables') Object.assign(options, { base, dim });
            if (c.given === 'positions') options.positions = shared;
            if (each) options.positions = { data: positions.flat(), shape: [B, T] };
            if (c.given === 'offset') options.offset = offset;
            if (c.given === 'tables') {
                const angle = (k, p) => p * (base ?? 10000) ** (-2 * k / dim);
                const table = (wave) => ({
                    data: shared.flatMap((p) => (
                        Array.from({ length: c.half }, (_, k) => wave(angle(k, p))))),
                    shape: [T, c.half],
                });
                Object.assign(options, { cos: table(Math.cos), sin: table(Math.sin) });
            }
            const isTurned = layout === 'BTHD';
            const at = (n) => {
                const d = n % D, t = Math.floor(n / D) % T, h = Math.floor(n / D / T) % H;
                const b = Math.floor(n / D / T / H);
                return isTurned ? ((b * T + t) * H + h) * D + d : n;
            };
            const data = new Float32Array(x.length);
            x.forEach((value, n) => { data[at(n)] = value; });
            const shape = isTurned ? [B, T, H, D] : [B, H, T, D];
            const turned = engine.rope({ data, shape }, options);
            assert.deepEqual(turned.shape, shape);
            const [exact, plain] = [(n) => n, Math.fround].map((round) => (
                rotate(x, [B, H, T, D], positions, { base, dim, interleaved, inverse }, round)));
            const ours = x.map((_, n) => turned.data[at(n)]);
            worst = Math.max(worst, assertBound('rope', ours, exact, plain));
        }), { seed: SEED, numRuns: 300 });
        t.diagnostic(`seed ${SEED}, worst share of the bound: ${worst.toFixed(3)}`);
    });

    test('rope: a turn and its inverse, and the length of each pair', () => {
        const next = numbersFrom(8), T = 40, D = 6;
        const x = Array.from({ length: T }, () => Array.from({ length: D }, next));
        for (const interleaved of [false, true]) {
            const turned = engine.rope(x, { interleaved, offset: 1000 });
            const back = engine.rope(turned, { interleaved, offset: 1000, inverse: true });
            near(back.data, x.flat(), 'back');
            turned.toNested().forEach((row, i) => {
                for (let k = 0; k < D / 2; k++) {
                    const [a, b] = interleaved ? [2 * k, 2 * k + 1] : [k, k + D / 2];
                    near([Math.hypot(row[a], row[b])], [Math.hypot(x[i][a], x[i][b])], `pair ${k}`);
                }
            });
        }
    });

    test('rope: the two pairings differ by a permutation of the dimensions alone', () => {
        const next = numbersFrom(3), D = 8, half = D / 2;
        const rows = () => Array.from({ length: 5 }, () => Array.from({ length: D }, next));
        const q = rows(), k = rows();
        const permuted = (tensor) => tensor.map((row) => (
            Array.from(row, (_, d) => row[d < half ? 2 * d : 2 * (d - half) + 1])));
        const scores = (a, b, options) => engine.inspect(
            engine.rope(a, options), engine.rope(b, options), engine.rope(b, options)).scores.data;
        const interleaved = [...scores(q, k, { interleaved: true })];
        near(scores(permuted(q), permuted(k), {}), interleaved, 'scores');
    });

    for (const one of HAND.filter(({ op }) => op === 'rope')) {
        test(one.id, () => {
            const { x, pos: offset, base, interleaved, out } = one;
            near(engine.rope([x], { offset, base, interleaved }).data, out, one.id);
        });
    }

    for (const one of HAND.filter(({ mask }) => mask)) {
        test(one.id, () => {
            const { Tq, Tk, mask, window, offset } = one;
            const options = {
                causal: { bottomRight: true, topLeft: 'top-left' }[one.causal],
                window: one.totalWindow ? [one.totalWindow - 1, 0] : window, queryOffset: offset,
            };
            const zeros = (T) => ({ data: new Float32Array(T), shape: [T, 1] });
            const { masked } = engine.inspect(zeros(Tq), zeros(Tk), zeros(Tk), options);
            const allowed = masked.toNested().map((row) => row.map((x) => Number(x > -Infinity)));
            assert.deepEqual(allowed, mask);
        });
    }

    test('keras.Attention.dot and keras.MHA.identity', { skip: file.reason }, () => {
        const dot = HAND.find(({ id }) => id === 'keras.Attention.dot');
        const trace = engine.inspect(dot.q, dot.k, dot.v, { scale: dot.scale });
        const isNear = (x, b) => Math.abs(x - b) < dot.tol;
        assert.ok(dot.out.flat().every((b, n) => isNear(trace.output.data[n], b)));
        assert.ok(dot.weights.flat().every((b, n) => isNear(trace.weights.data[n], b)));

        const one = HAND.find(({ id }) => id === 'keras.MHA.identity'), { heads, keyDim } = one;
        const eye = Array.from({ length: heads * keyDim }, (_, o) => (
            Array.from({ length: keyDim }, (__, d) => Number(o % keyDim === d))));
        const sums = Array.from({ length: heads }, (_, o) => (
            Array.from({ length: heads * keyDim }, (__, d) => (
                Number(Math.floor(d / keyDim) === o)))));
        const module = engine.multiHeadAttention({
            embedDim: keyDim, heads, headDim: keyDim, bias: false, weights: {
                'q_proj.weight': eye, 'k_proj.weight': eye, 'v_proj.weight': eye,
                'o_proj.weight': sums,
            },
        });
        const rows = module.forward(one.q, one.k, one.v).toNested();
        rows.forEach((row, i) => near(row, new Array(heads).fill(one.exact[i]), `row ${i}`));
        module.dispose();
    });

    test('the tables of JavaScript have the bits of the core', () => {
        const module = new WebAssembly.Module(wasmBytes(simd));
        const { exports: core } = new WebAssembly.Instance(module);
        core._initialize?.();
        const pointer = core.heap_base() >>> 0;
        core.memory.grow(64);
        const read = (count) => new Float32Array(core.memory.buffer, pointer, count).slice();
        for (let heads = 1; heads <= 300; heads++) {
            assert.equal(core.alibi_slopes(pointer, heads), 0);
            assert.deepEqual(bits(alibiSlopes(heads)), bits(read(heads)), `${heads} heads`);
        }
        for (const [length, dim, base] of [[512, 64, 10000], [100, 29, 10000], [64, 6, 500000]]) {
            assert.equal(core.sinusoidal(pointer, length, dim, base), 0);
            const ours = bits(sinusoidal(length, dim, base).data);
            assert.deepEqual(ours, bits(read(length * dim)), `${[length, dim, base]}`);
        }
    });
});

test('every hand value is of a kind that is run above', { skip: file.reason }, () => {
    const isRun = ({ id, op, mask, slopes }) => (
        mask || slopes || op === 'rope' || op === 'pe' || /^keras\.(Attention|MHA)\./.test(id));
    assert.equal(HAND.filter(isRun).length, HAND.length);
    assert.ok(HAND.length >= 21);
});

for (const { id, d, rows } of HAND.filter(({ op }) => op === 'pe')) {
    test(id, () => near(sinusoidal(rows.length, d).data, rows.flat(), id));
}

for (const { id, n, slopes } of HAND.filter((one) => one.slopes)) {
    test(id, () => near(alibiSlopes(n), slopes, id));
}

test('slopes for any number of heads are those of the published recursion', () => {
    for (let n = 1; n <= 100; n++) near(alibiSlopes(n), slopesOf(n), `${n} heads`);
});

test('sinusoidal: an odd dimension ends with a sine, products depend on the distance', () => {
    assert.deepEqual(sinusoidal(0, 3).shape, [0, 3]);
    assert.equal(sinusoidal(2, 1).data[1], Math.fround(Math.sin(1)));
    const rows = sinusoidal(50, 16).toNested();
    const product = (a, b) => rows[a].reduce((sum, x, d) => sum + x * rows[b][d], 0);
    for (const p of [1, 7, 30]) near([product(p, p + 9)], [product(0, 9)], `position ${p}`);
});
