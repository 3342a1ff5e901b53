// The key-value cache: decoding equals the whole call, and nothing else is ever seen or written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { engineOf, onEveryBuild } from './builds.js';
import { assertBound, numbersFrom, oracle } from './oracle.js';

const SEED = Number(process.env.ATTN_SEED ?? 20240607);
const bits = (data) => new Uint32Array(Float32Array.from(data).buffer);
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** (B, H, T, D) with numbers, and rows from..to of it as a strided view. */
function tensorOf(next, B, H, T, D) {
    const data = Float32Array.from({ length: B * H * T * D }, next);
    const rows = (from, to) => ({
        data, shape: [B, H, to - from, D], stride: [H * T * D, T * D, D, 1],
        offset: from < T ? from * D : 0,
    });
    return { data, whole: { data, shape: [B, H, T, D] }, rows };
}

/** Rows from..to of a packed (B, H, T, D) result. */
function rowsOf({ data, shape: [B, H, T, D] }, from, to) {
    const rows = [];
    for (let start = 0; start < B * H * T; start += T) {
        rows.push(...data.slice((start + from) * D, (start + to) * D));
    }
    return rows;
}

const plans = fc.record({
    B: fc.integer({ min: 1, max: 3 }),
    Hk: fc.integer({ min: 1, max: 2 }),
    group: fc.integer({ min: 1, max: 4 }),
    D: fc.integer({ min: 1, max: 20 }),
    Dv: fc.integer({ min: 1, max: 20 }),
    steps: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
    options: fc.constantFrom({}, { alibi: true }, { softcap: 2, scale: 0.7 }),
    window: fc.constantFrom(undefined, [0, 0], [3, 0], [7, -1], [30, 0]),
    slack: fc.integer({ min: 0, max: 50 }),
    seed: fc.integer(),
});

onEveryBuild('cache', (engine, simd) => {
    for (const name of ['attention', 'inspect']) {
        const outputOf = (...call) => {
            const result = engine[name](...call);
            return result.output ?? result;
        };

        test(`${name}: steps of any length equal one causal call`, () => {
            fc.assert(fc.property(plans, ({ B, Hk, group, D, Dv, steps, options, seed }) => {
                const T = sum(steps), Hq = Hk * group, next = numbersFrom(seed);
                const [q, k, v] = [[Hq, D], [Hk, D], [Hk, Dv]].map(([H, dim]) => (
                    tensorOf(next, B, H, T, dim)));
                const all = { ...options, causal: true };
                const whole = outputOf(q.whole, k.whole, v.whole, all);
                const cache = engine.kvCache({
                    batch: B, kvHeads: Hk, headDim: D, valueHeadDim: Dv, capacity: T + 3,
                });
                let from = 0;
                for (const count of steps) {
                    const to = from + count, step = [q, k, v].map(({ rows }) => rows(from, to));
                    const output = outputOf(...step, { ...all, cache });
                    const expected = rowsOf(whole, from, to);
                    output.data.forEach((x, n) => {
                        assert.ok(Math.abs(x - expected[n]) <= 1e-6, `${x}, not ${expected[n]}`);
                    });
                    from = to;
                }
                assert.deepEqual([cache.length, cache.position], [T, T]);
                assert.deepEqual(bits(cache.keys().data), bits(k.data));
                assert.deepEqual(bits(cache.values().data), bits(v.data));
                cache.dispose();
            }), { seed: SEED, numRuns: 30 });
            assert.equal(engine.memory().used, 0);
        });

        test(`${name}: with a window old keys leave, and the rest equals one windowed call`, () => {
            fc.assert(fc.property(plans, ({ B, Hk, D, Dv, steps, window, slack, seed }) => {
                if (!window) return;
                const T = sum(steps), next = numbersFrom(seed);
                const [q, k, v] = [D, D, Dv].map((dim) => tensorOf(next, B, Hk, T, dim));
                const whole = outputOf(q.whole, k.whole, v.whole, { causal: true, window });
                const capacity = window[0] + Math.max(...steps, 1) + slack;
                const cache = engine.kvCache({
                    batch: B, kvHeads: Hk, headDim: D, valueHeadDim: Dv, capacity, window,
                });
                let from = 0;
                for (const count of steps) {
                    const to = from + count, step = [q, k, v].map(({ rows }) => rows(from, to));
                    const output = outputOf(...step, { causal: true, cache });
                    const expected = rowsOf(whole, from, to);
                    output.data.forEach((x, n) => {
                        assert.ok(Math.abs(x - expected[n]) <= 1e-6, `${x}, not ${expected[n]}`);
                    });
                    from = to;
                }
                assert.deepEqual([cache.length, cache.position], [Math.min(T, capacity), T]);
                const held = rowsOf({ data: k.data, shape: [B, Hk, T, D] }, T - cache.length, T);
                assert.deepEqual(bits(cache.keys().data), bits(held));
                cache.dispose();
            }), { seed: SEED, numRuns: 30 });
        });
    }

    test('batch rows of different lengths: each as if alone, padding is not written', () => {
        const next = numbersFrom(9), B = 3, Hq = 4, Hk = 2, D = 5, T = 4, lengths = [2, 4, 0];
        const cache = engine.kvCache({ batch: B, kvHeads: Hk, headDim: D, capacity: 8 });
        const chunks = [0, 1].map(() => [Hq, Hk, Hk].map((H) => tensorOf(next, B, H, T, D)));
        const results = chunks.map((tensors) => {
            for (const [n, H] of [[1, Hk], [2, Hk]]) {
                for (let row = 0; row < B * H * T; row++) {
                    const isPadding = row % T >= lengths[Math.floor(row / T / H)];
                    if (isPadding) tensors[n].data.fill(NaN, row * D, (row + 1) * D);
                }
            }
            const [q, k, v] = tensors.map(({ whole }) => whole);
            return engine.attention(q, k, v, { causal: true, cache, queryLengths: lengths });
        });
        assert.deepEqual(cache.lengths, [4, 8, 0]);
        assert.deepEqual(cache.positions, [4, 8, 0]);
        assert.equal(cache.length, 8);
        for (let b = 0; b < B; b++) {
            const n = lengths[b];
            const own = (which, H) => {
                const data = [];
                for (let h = 0; h < H; h++) {
                    for (const tensors of chunks) {
                        const from = (b * H + h) * T * D;
                        data.push(...tensors[which].data.slice(from, from + n * D));
                    }
                }
                return { data, shape: [1, H, 2 * n, D] };
            };
            const whole = engine.attention(own(0, Hq), own(1, Hk), own(2, Hk), { causal: true });
            results.forEach(({ data }, chunk) => {
                for (let row = 0; row < Hq * T; row++) {
                    const h = Math.floor(row / T), i = row % T;
                    for (let d = 0; d < D; d++) {
                        const x = data[((b * Hq + h) * T + i) * D + d];
                        const expected = i < n
                            ? whole.data[(h * 2 * n + chunk * n + i) * D + d] : 0;
                        assert.ok(Math.abs(x - expected) <= 1e-6, `${[b, h, i, d]}: ${x}`);
                    }
                }
            });
        }
        cache.dispose();
    });

    test('append, then read only: all keys, and what a mask and a bias say of them', () => {
        const next = numbersFrom(4), T = 6, D = 3;
        const [q, k, v] = [2, T, T].map((rows) => tensorOf(next, 1, 1, rows, D));
        const cache = engine.kvCache({ kvHeads: 1, headDim: D, capacity: 9 });
        cache.append(k.rows(0, 4), v.rows(0, 4));
        cache.append(k.rows(4, 6), v.rows(4, 6));
        const mask = { data: Uint8Array.of(1, 0, 1, 1, 0, 1), shape: [1, T] };
        const bias = { data: Float32Array.from({ length: 2 * T }, next), shape: [2, T] };
        for (const options of [{}, { causal: true }, { mask, bias }, { window: [1, 0] }]) {
            const read = engine.attention(q.whole, null, null, { ...options, cache });
            const whole = engine.attention(q.whole, k.whole, v.whole, options);
            assert.deepEqual(bits(read.data), bits(whole.data));
            const sizes = { B: 1, Hq: 1, Hk: 1, Tq: 2, Tk: T, D, Dv: D };
            const call = { ...sizes, q: q.data, k: k.data, v: v.data, ...options };
            const [exact, plain] = [(x) => x, Math.fround].map((round) => (
                oracle(call, round).output));
            assertBound('output', read.data, exact, plain, v.data);
        }
        assert.equal(cache.length, T);
        cache.dispose();
    });

    test('rows can be of layout BTHD, and a trace shows the keys present in it', () => {
        const next = numbersFrom(12), [B, H, T, D] = [2, 3, 4, 5];
        const turn = ({ data }) => {
            const turned = Float32Array.from(data, (_, n) => {
                const d = n % D, h = Math.floor(n / D) % H, t = Math.floor(n / D / H) % T;
                return data[((Math.floor(n / D / H / T) * H + h) * T + t) * D + d];
            });
            return { data: turned, shape: [B, T, H, D] };
        };
        const tensors = [0, 1, 2].map(() => tensorOf(next, B, H, T, D));
        const [cache, other] = [0, 1].map(() => (
            engine.kvCache({ batch: B, kvHeads: H, headDim: D, capacity: T })));
        const trace = engine.inspect(...tensors.map(turn), { layout: 'BTHD', cache });
        assert.deepEqual(bits(cache.keys().data), bits(tensors[1].data));
        assert.deepEqual(trace.k, engine.inspect(...tensors.map(turn), { layout: 'BTHD' }).k);
        other.append(turn(tensors[1]), turn(tensors[2]), { layout: 'BTHD' });
        assert.deepEqual(other.values(), cache.values());
        cache.dispose();
        other.dispose();
    });

    test('truncate() goes back: the tokens after it may be others', () => {
        const next = numbersFrom(15), T = 5, D = 4;
        const [q, k, v] = [0, 1, 2].map(() => tensorOf(next, 1, 1, T, D));
        const cache = engine.kvCache({ kvHeads: 1, headDim: D, capacity: T });
        const step = (i, x = k) => engine.attention(
            q.rows(i, i + 1), x.rows(i, i + 1), v.rows(i, i + 1), { causal: true, cache });
        for (let i = 0; i < 3; i++) step(i);
        const fourth = step(3);
        cache.truncate(3);
        step(3, tensorOf(next, 1, 1, T, D));
        cache.truncate(3);
        assert.deepEqual([cache.length, cache.position], [3, 3]);
        assert.deepEqual(step(3), fourth);
        cache.truncate(9);
        assert.equal(cache.length, 4);
        cache.reset();
        assert.deepEqual([cache.length, cache.position, cache.keys().shape], [0, 0, [1, 1, 0, D]]);
        step(0);
        assert.equal(cache.length, 1);
        cache.dispose();
    });

    test('an empty cache gives 0; capacity 2 takes one real and one padded token', () => {
        const cache = engine.kvCache({ kvHeads: 1, headDim: 1, capacity: 2 });
        assert.deepEqual(engine.attention([[1]], null, null, { cache }).toNested(), [[0]]);
        const rows = { data: [1, NaN], shape: [2, 1] }, values = { data: [7, NaN], shape: [2, 1] };
        const options = { causal: true, cache, queryLengths: [1] };
        assert.deepEqual(engine.attention(rows, rows, values, options).toNested(), [[7], [0]]);
        assert.equal(cache.length, 1);
        assert.deepEqual(engine.attention([[1]], null, null, { cache }).toNested(), [[7]]);
        cache.dispose();
    });

    test('what lay in the memory before is never read', () => {
        const nan = { data: new Float32Array(4000).fill(NaN), shape: [1000, 4] };
        const fresh = engineOf(simd);
        const decode = () => {
            const cache = fresh.kvCache({ batch: 2, kvHeads: 2, headDim: 4, capacity: 64 });
            const next = numbersFrom(2), rows = () => tensorOf(next, 2, 2, 3, 4).whole;
            const { data } = fresh.attention(rows(), rows(), rows(), { cache, causal: true });
            cache.dispose();
            return data;
        };
        const before = decode();
        fresh.attention(nan, nan, nan);
        assert.deepEqual(decode(), before);
        assert.ok(before.every(Number.isFinite));
    });

    test('a call that fails leaves the cache as it was', () => {
        const cache = engine.kvCache({ kvHeads: 1, headDim: 2, capacity: 3 });
        const good = [[1, 2], [3, 4]], bad = [[1, 2], [3, '4']];
        cache.append(good, good);
        const keys = cache.keys();
        const failures = [
            () => engine.attention(bad, good, good, { cache }),
            () => engine.attention(good, good, good, { cache }),
            () => cache.append(good, bad),
            () => cache.append(good, good),
            () => engine.attention([[1, 2]], [[1, 2]], [[1, 2]], { cache, mask: [[true, true]] }),
            () => engine.attention([[1, 2]], [[1, 2]], [[1, 2]], { cache, scale: NaN }),
        ];
        for (const fail of failures) {
            assert.throws(fail, { name: 'AttnError' });
            assert.deepEqual([cache.length, cache.position], [2, 2]);
            assert.deepEqual(cache.keys(), keys);
        }
        cache.dispose();
    });

    test('a module with positions decodes through a cache that lets old keys go', () => {
        const T = 20, next = numbersFrom(71), window = [4, 0];
        const module = engine.multiHeadAttention({ embedDim: 8, heads: 2, rope: true, alibi: true });
        const x = Array.from({ length: T }, () => Array.from({ length: 8 }, next));
        const whole = module.forward(x, undefined, undefined, { causal: true, window }).toNested();
        const cache = engine.kvCache({ kvHeads: 2, headDim: 4, capacity: 7, window });
        for (let from = 0; from < T; from += 2) {
            const rows = x.slice(from, from + 2);
            const output = module.forward(rows, undefined, undefined, { causal: true, cache });
            output.toNested().forEach((row, i) => row.forEach((n, d) => {
                assert.ok(Math.abs(n - whole[from + i][d]) <= 1e-6, `${[from + i, d]}: ${n}`);
            }));
        }
        assert.deepEqual([cache.length, cache.position], [7, T]);
        module.dispose();
        cache.dispose();
    });

    test('a module decodes through a cache as in one call, rotated or not', () => {
        for (const rope of [undefined, true, { interleaved: true, base: 500 }]) {
            const T = 9, next = numbersFrom(31);
            const module = engine.multiHeadAttention({
                embedDim: 12, heads: 6, kvHeads: 2, rope, alibi: true, seed: 4,
            });
            const x = tensorOf(next, 2, 1, T, 12);
            const rows = (from, to) => {
                const { data, stride: [b, , t, d], offset } = x.rows(from, to);
                return { data, offset, shape: [2, to - from, 12], stride: [b, t, d] };
            };
            const whole = module.inspect(rows(0, T), undefined, undefined, { causal: true });
            const cache = engine.kvCache({ batch: 2, kvHeads: 2, headDim: 2, capacity: T });
            for (const [from, to] of [[0, 4], [4, 5], [5, 8], [8, 9]]) {
                const call = from === 5 ? 'forward' : 'inspect';
                const options = { causal: true, cache };
                const result = module[call](rows(from, to), undefined, undefined, options);
                const output = result.output ?? result;
                const expected = rowsOf({ ...whole.output, shape: [2, 1, T, 12] }, from, to);
                output.data.forEach((n, at) => assert.ok(Math.abs(n - expected[at]) <= 1e-6));
                if (!result.weights) continue;
                assert.deepEqual(result.weights.shape, [2, 6, to - from, to]);
                assert.deepEqual(result.k.shape, [2, 2, to, 2]);
            }
            assert.deepEqual(bits(cache.keys().data), bits(whole.k.data));
            const read = module.forward(rows(8, 9), null, null, { causal: true, cache });
            const last = rowsOf({ ...whole.output, shape: [2, 1, T, 12] }, 8, 9);
            read.data.forEach((n, at) => assert.ok(Math.abs(n - last[at]) <= 1e-6));
            module.dispose();
            cache.dispose();
        }
    });
});
