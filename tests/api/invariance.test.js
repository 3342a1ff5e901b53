// What must not matter, for any shapes and options: where numbers lie, what else is in the batch,
// the order of the keys, what a row may not see; and both paths agree on what is not finite.
// ATTN_SEED repeats a run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alibiSlopes } from '../../web/api/index.js';
import { onEveryBuild } from './builds.js';
import { assertBound, isAllowed, numbersFrom, oracle } from './oracle.js';
import { SEED, argumentsFor, calls, makeCall, optionNames, swapAxes } from './random.js';

const bits = (data) => new Uint32Array(data.buffer, data.byteOffset, data.length);
const plainCall = { rank: 4, layout: 'BHTD' };

/** Holds a property of many calls. */
const holds = (numRuns, property) => (
    fc.assert(fc.property(calls, (chosen) => property(makeCall(chosen), chosen)), {
        seed: SEED, numRuns,
    }));

/** The rows of a packed (B, H, T, D) within a larger array: other axes first, gaps between. */
function strided({ data, shape: [B, H, T, D] }, next) {
    const extent = [B, H, T, D], order = [0, 1, 2, 3].sort(() => next());
    const stride = [0, 0, 0, 0];
    let step = 1;
    for (const axis of order) {
        stride[axis] = step;
        step = step * Math.max(1, extent[axis]) + Math.floor((next() + 1) * 2);
    }
    const offset = Math.floor((next() + 1) * 5), larger = new Float32Array(step + offset).fill(NaN);
    for (let n = 0; n < data.length; n++) {
        const index = [Math.floor(n / D / T / H), Math.floor(n / D / T) % H, Math.floor(n / D) % T,
            n % D];
        larger[offset + index.reduce((at, i, axis) => at + i * stride[axis], 0)] = data[n];
    }
    return { data: larger, shape: extent, stride, offset };
}

/** The part of a mask or a bias that belongs to one batch row and some heads. */
function partOf(given, b, heads) {
    if (!given) return undefined;
    const shape = [...new Array(4 - given.shape.length).fill(1), ...given.shape];
    const [B, H, Tq, Tk] = shape, rows = [];
    for (const h of H === 1 ? [0] : heads) {
        const from = ((B === 1 ? 0 : b) * H + h) * Tq * Tk;
        rows.push(...given.data.slice(from, from + Tq * Tk));
    }
    return { data: rows, shape: [1, H === 1 ? 1 : heads.length, Tq, Tk] };
}

/** One batch row and one key head with its query heads, as a call of its own. */
function sliceOf(call, b, kv) {
    const { Hq, Hk, Tq, Tk, D, Dv, q, k, v } = call, group = Hq / Hk;
    const heads = Array.from({ length: group }, (_, n) => kv * group + n);
    const cut = (data, index, count, size) => (
        data.subarray(index * size, (index + count) * size));
    const slopes = call.alibi === true ? alibiSlopes(Hq) : call.alibi;
    const each = (list) => (Array.isArray(list) ? [list[b]] : list);
    return {
        ...call, B: 1, Hq: group, Hk: 1,
        q: cut(q, b * Hq + heads[0], group, Tq * D), k: cut(k, b * Hk + kv, 1, Tk * D),
        v: cut(v, b * Hk + kv, 1, Tk * Dv),
        mask: partOf(call.mask, b, heads), bias: partOf(call.bias, b, heads),
        keyMask: call.keyMask
            && { data: call.keyMask.data.slice(b * Tk, (b + 1) * Tk), shape: [1, Tk] },
        keyLengths: each(call.keyLengths), queryLengths: each(call.queryLengths),
        queryOffset: each(call.queryOffset),
        alibi: slopes ? heads.map((h) => slopes[h]) : slopes,
    };
}

/** The last axis in another order, where it is that of the keys. */
function columns(given, order) {
    if (!given || given.shape.at(-1) !== order.length) return given;
    const T = order.length;
    const data = given.data.map((_, n, all) => all[n - n % T + order[n % T]]);
    return { data, shape: given.shape };
}

const rowsInOrder = (data, T, D, order) => data.map((_, n) => {
    const row = Math.floor(n / D), from = row - row % T + order[row % T];
    return data[from * D + n % D];
});

const ANYTHING = [NaN, Infinity, -Infinity, 3e38, -3e38, 1e-40, 0];

onEveryBuild('invariance', (engine) => {
    const both = (call, chosen = plainCall) => {
        const args = argumentsFor(call, chosen);
        return [engine.attention(...args), engine.inspect(...args)];
    };

    test('layouts and strides: the same bits', () => holds(120, (call, chosen) => {
        const next = numbersFrom(chosen.seed + 1), { Hq, Dv, Tq, B } = call;
        const [output, trace] = both(call);
        const [turned, turnedTrace] = both(call, { rank: 4, layout: 'BTHD' });
        assert.deepEqual(bits(swapAxes(turned.data, B, Tq, Hq, Dv)), bits(output.data));
        assert.deepEqual(bits(turnedTrace.weights.data), bits(trace.weights.data));
        const [q, k, v, options] = argumentsFor(call, plainCall);
        const views = [q, k, v].map((tensor) => strided(tensor, next));
        assert.deepEqual(bits(engine.attention(...views, options).data), bits(output.data));
        const viewed = engine.inspect(...views, options);
        assert.deepEqual(bits(viewed.dropped.data), bits(trace.dropped.data));
        assert.deepEqual(bits(viewed.output.data), bits(trace.output.data));
    }));

    test('a batch row, or a head with its group, alone: the same bits', () => (
        holds(120, (whole) => {
            const call = { ...whole, dropout: undefined }, { B, Hq, Hk, Tq, Dv } = call;
            const [output, trace] = both(call), group = Hq / Hk;
            for (let b = 0; b < B; b++) {
                for (let kv = 0; kv < Hk; kv++) {
                    const [part, partTrace] = both(sliceOf(call, b, kv));
                    const head = b * Hq + kv * group;
                    const own = (data, size) => bits(
                        data.slice(head * size, (head + group) * size));
                    assert.deepEqual(bits(part.data), own(output.data, Tq * Dv));
                    assert.deepEqual(bits(partTrace.output.data), own(trace.output.data, Tq * Dv));
                    assert.deepEqual(bits(partTrace.logSumExp.data), own(trace.logSumExp.data, Tq));
                }
            }
        })));

    test('keys in another order: within the bound', () => holds(120, (whole, chosen) => {
        const placed = ['causal', 'window', 'alibi', 'dropout', 'keyLengths', 'queryOffset'];
        const call = { ...whole, ...Object.fromEntries(placed.map((name) => [name, undefined])) };
        const next = numbersFrom(chosen.seed + 2), { Tk, D, Dv } = call;
        const order = Array.from({ length: Tk }, (_, j) => [next(), j]).sort(([a], [b]) => a - b)
            .map(([, j]) => j);
        const moved = {
            ...call, k: rowsInOrder(call.k, Tk, D, order), v: rowsInOrder(call.v, Tk, Dv, order),
            mask: columns(call.mask, order), bias: columns(call.bias, order),
            keyMask: columns(call.keyMask, order),
        };
        const exact = oracle(call).output, plain = oracle(call, Math.fround).output;
        const [output, trace] = both(moved);
        assertBound('attention', output.data, exact, plain, call.v);
        assertBound('inspect', trace.output.data, exact, plain, call.v);
    }));

    test('what a row may not see changes no bit of it, whatever it is', () => (
        holds(120, (call, chosen) => {
            const next = numbersFrom(chosen.seed + 3), { B, Hq, Tq, Tk, D, Dv } = call;
            const pick = (n) => Math.floor((next() + 1) / 2 * n);
            const first = pick(Tk + 1), isTail = next() > 0;
            const spoiled = Array.from({ length: Tk }, (_, j) => (isTail ? j >= first : next() > 0.4));
            const spoil = (data, size) => data.map((x, n) => (
                spoiled[Math.floor(n / size) % Tk] ? ANYTHING[pick(ANYTHING.length)] : x));
            const dirty = { ...call, k: spoil(call.k, D), v: spoil(call.v, Dv) };
            const [clean, cleanTrace] = both(call), [seen, seenTrace] = both(dirty);
            for (let row = 0; row < B * Hq * Tq; row++) {
                const i = row % Tq, h = Math.floor(row / Tq) % Hq, b = Math.floor(row / Tq / Hq);
                if (spoiled.some((is, j) => is && isAllowed(call, b, h, i, j))) continue;
                const own = (data, size) => bits(data.slice(row * size, (row + 1) * size));
                assert.deepEqual(own(seen.data, Dv), own(clean.data, Dv));
                assert.deepEqual(own(seenTrace.output.data, Dv), own(cleanTrace.output.data, Dv));
                assert.deepEqual(own(seenTrace.weights.data, Tk), own(cleanTrace.weights.data, Tk));
            }
        })));

    test('padding by lengths changes no bit of what is real', () => holds(100, (whole, chosen) => {
        const call = { ...whole, mask: undefined, bias: undefined, keyMask: undefined };
        const { B, Hq, Hk, Tq, Tk, D, Dv } = call, extra = Math.abs(chosen.seed) % 37;
        const pad = (data, heads, T, size) => {
            const padded = new Float32Array(B * heads * (T + extra) * size).fill(NaN);
            for (let bh = 0; bh < B * heads; bh++) {
                padded.set(data.subarray(bh * T * size, (bh + 1) * T * size),
                    bh * (T + extra) * size);
            }
            return padded;
        };
        const padded = {
            ...call, Tq: Tq + extra, Tk: Tk + extra, q: pad(call.q, Hq, Tq, D),
            k: pad(call.k, Hk, Tk, D), v: pad(call.v, Hk, Tk, Dv),
            keyLengths: call.keyLengths ?? new Array(B).fill(Tk),
            queryLengths: call.queryLengths ?? new Array(B).fill(Tq),
        };
        const [output, trace] = both(call), [longer, longerTrace] = both(padded);
        const pairs = [[longer, output], [longerTrace.output, trace.output]];
        for (const [{ data: long }, { data: short }] of pairs) {
            for (let bh = 0; bh < B * Hq; bh++) {
                const at = bh * (Tq + extra) * Dv, end = at + Tq * Dv;
                const own = short.slice(bh * Tq * Dv, (bh + 1) * Tq * Dv);
                assert.deepEqual(bits(long.slice(at, end)), bits(own));
                assert.ok(long.subarray(end, end + extra * Dv).every((x) => x === 0));
            }
        }
    }));

    test('weights of a row sum to 1, or 0; values of 1 give 1, or 0', () => holds(100, (whole) => {
        const call = { ...whole, dropout: undefined, v: whole.v.fill(1) }, { Tk, Dv } = call;
        const [output, { weights, logSumExp, output: traced }] = both(call);
        logSumExp.data.forEach((lse, row) => {
            const expected = lse === -Infinity ? 0 : 1;
            const sum = weights.data.subarray(row * Tk, (row + 1) * Tk).reduce((a, w) => a + w, 0);
            assert.ok(Math.abs(sum - expected) <= 1e-6, `row ${row}: ${sum}`);
            for (const { data } of [output, traced]) {
                const own = data.subarray(row * Dv, (row + 1) * Dv);
                assert.ok(own.every((x) => Math.abs(x - expected) <= 2e-6), `row ${row}: ${own}`);
            }
        });
    }));

    test('what is not finite gives NaN in the same places of both paths', () => (
        holds(150, (whole, chosen) => {
            const call = { ...whole, alibi: undefined, softcap: 0.7 };
            const next = numbersFrom(chosen.seed + 4);
            for (const data of [call.q, call.k, call.v]) {
                const at = Math.floor((next() + 1) / 2 * data.length);
                if (next() > -0.3 && data.length > 0) {
                    data[at] = [NaN, Infinity, -Infinity][Math.floor((next() + 1) * 1.5)];
                }
            }
            const [{ data }, { output }] = both(call);
            data.forEach((x, n) => assert.equal(Number.isNaN(x), Number.isNaN(output.data[n]),
                `${n}: ${x} by tiles, ${output.data[n]} by the trace`));
        })));

    test('a cache is what was appended, less what was taken back', () => {
        const operations = fc.array(fc.oneof(
            fc.record({ append: fc.integer({ min: 0, max: 5 }), seed: fc.integer() }),
            fc.record({ truncate: fc.integer({ min: 0, max: 12 }) }),
            fc.constant({ reset: true }),
        ), { maxLength: 12 });
        fc.assert(fc.property(operations, fc.integer({ min: 1, max: 9 }), (list, capacity) => {
            const cache = engine.kvCache({ kvHeads: 1, headDim: 3, valueHeadDim: 2, capacity });
            let keys = [], values = [];
            for (const { append, truncate, reset, seed } of list) {
                if (reset) cache.reset();
                if (truncate !== undefined) cache.truncate(truncate);
                keys = reset ? [] : keys.slice(0, truncate);
                values = reset ? [] : values.slice(0, truncate);
                if (append !== undefined) {
                    const next = numbersFrom(seed);
                    const rows = (D) => Array.from({ length: append }, () => (
                        Array.from({ length: D }, next)));
                    const [k, v] = [rows(3), rows(2)];
                    const tensor = (own, D) => ({ data: own.flat(), shape: [append, D] });
                    const call = () => cache.append(tensor(k, 3), tensor(v, 2));
                    if (keys.length + append > capacity) {
                        assert.throws(call, { name: 'AttnError', code: 'CACHE_FULL' });
                    } else {
                        call();
                        keys = [...keys, ...k];
                        values = [...values, ...v];
                    }
                }
                assert.equal(cache.length, keys.length);
                assert.deepEqual([...cache.keys().data], keys.flat());
                assert.deepEqual([...cache.values().data], values.flat());
            }
            cache.dispose();
        }), { seed: SEED, numRuns: 60 });
        assert.equal(engine.memory().used, 0);
    });

    test('a module: batch rows alone, later tokens, and steps through a cache', () => {
        const plans = fc.record({
            heads: fc.integer({ min: 1, max: 4 }), share: fc.boolean(),
            headDim: fc.constantFrom(2, 3, 4, 6), B: fc.integer({ min: 1, max: 3 }),
            T: fc.integer({ min: 1, max: 30 }), rope: fc.boolean(), alibi: fc.boolean(),
            softcap: fc.constantFrom(0, 2), left: fc.constantFrom(-1, 0, 4), seed: fc.nat(),
        });
        fc.assert(fc.property(plans, (chosen) => {
            const { heads, headDim, B, T, left, softcap, alibi, seed } = chosen;
            const rope = chosen.rope && headDim % 2 === 0, embedDim = heads * headDim;
            const kvHeads = chosen.share ? 1 : heads, next = numbersFrom(seed);
            const module = engine.multiHeadAttention({
                embedDim, heads, kvHeads, rope, alibi, softcap, seed,
            });
            const data = Float32Array.from({ length: B * T * embedDim }, next);
            const rows = (b, from, to) => ({
                data: data.subarray((b * T + from) * embedDim, (b * T + to) * embedDim),
                shape: [to - from, embedDim],
            });
            const options = { causal: true, window: [left, -1] };
            const run = (x, more) => module.forward(x, undefined, undefined, { ...options, ...more });
            const whole = run({ data, shape: [B, T, embedDim] }).data;
            for (let b = 0; b < B; b++) {
                const own = whole.slice(b * T * embedDim, (b + 1) * T * embedDim);
                assert.deepEqual(bits(run(rows(b, 0, T)).data), bits(own));
                const kept = Math.floor((next() + 1) / 2 * T);
                const changed = { ...rows(b, 0, T), data: rows(b, 0, T).data.slice() };
                changed.data.fill(NaN, kept * embedDim);
                assert.deepEqual(bits(run(changed).data.slice(0, kept * embedDim)),
                    bits(own.slice(0, kept * embedDim)));
                const cache = engine.kvCache({ kvHeads, headDim, capacity: T });
                for (let from = 0; from < T;) {
                    const to = Math.min(T, from + 1 + Math.floor((next() + 1) * 4));
                    const step = run(rows(b, from, to), { cache }).data;
                    step.forEach((x, n) => assert.ok(
                        Math.abs(x - own[from * embedDim + n]) <= 1e-6, `token ${from}: ${x}`));
                    from = to;
                }
                cache.dispose();
            }
            module.dispose();
        }), { seed: SEED, numRuns: 50 });
        assert.equal(engine.memory().used, 0);
    });

    test('no option is left out of these calls', () => {
        assert.deepEqual([...optionNames].sort(), ['alibi', 'bias', 'causal', 'dropout', 'keyLengths',
            'keyMask', 'mask', 'queryLengths', 'queryOffset', 'scale', 'softcap', 'window']);
    });
});
