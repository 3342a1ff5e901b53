// wasm memory: nothing stays behind, whatever happens in a call; much is given back; a limit holds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineOf, onEveryBuild } from './builds.js';
import { stub } from './cases/stub.js';
import { numbersFrom } from './oracle.js';

const MIB = 1048576;
const ROWS = [[2, -1], [-1, 1], [1, 2]];
const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });

/** An array-like of numbers that does something when its third number is read. */
const trapped = (act) => ({
    shape: [3, 2],
    data: { 0: 2, 1: -1, get 2() { act(); return -1; }, 3: 1, 4: 1, 5: 2, length: 6 },
});

onEveryBuild('memory', (engine, simd) => {
    const once = engine.attention(ROWS, ROWS, ROWS).toNested();

    test('10,000 calls and errors without growth', () => {
        const calls = [
            () => engine.attention(ROWS, ROWS, ROWS, { causal: true }),
            () => engine.inspect(ROWS, ROWS, ROWS, { keyMask: [true, true, false] }),
            () => assert.throws(() => engine.attention(ROWS, ROWS, ROWS, { bias: [[NaN]] })),
        ];
        calls.forEach((call) => call());
        const before = engine.memory();
        for (let n = 0; n < 10000; n++) calls[n % 3]();
        assert.deepEqual(engine.memory(), before);
        assert.deepEqual([before.used, before.handles], [0, 0]);
    });

    test('a call that fails half-way releases everything', () => {
        const before = engine.memory();
        const failures = [
            () => engine.attention(trapped(() => { throw new Error('half-way'); }), ROWS, ROWS),
            () => engine.attention(ROWS, ROWS, trapped(() => { throw new Error('half-way'); })),
            () => engine.inspect(ROWS, trapped(() => { throw new Error('half-way'); }), ROWS),
            () => engine.inspect(ROWS, ROWS, ROWS, {}, {
                scores: { shape: [3, 3], get data() { throw new Error('half-way'); } },
            }),
        ];
        for (const fail of failures) {
            assert.throws(fail, { name: 'Error', message: 'half-way' });
            assert.deepEqual(engine.memory(), { ...before, peak: engine.memory().peak });
            assert.deepEqual(engine.attention(ROWS, ROWS, ROWS).toNested(), once);
        }
    });

    test('a refusal to grow half-way releases everything', () => {
        const fresh = engineOf(simd), { reserved } = fresh.memory();
        const refuse = () => { throw new RangeError('no'); };
        const call = () => fresh.attention(zeros(1000, 100), zeros(1000, 100), zeros(1000, 100));
        stub(WebAssembly.Memory.prototype, 'grow', refuse, () => {
            assert.throws(call, { code: 'OUT_OF_MEMORY' });
        });
        assert.deepEqual([fresh.memory().used, fresh.memory().reserved], [0, reserved]);
        assert.equal(call().data.length, 100000);
    });

    test('a refused result releases everything', () => {
        const prototype = Object.getPrototypeOf(Float32Array.prototype);
        stub(prototype, 'slice', () => { throw new RangeError('no'); }, () => {
            assert.throws(() => engine.inspect(ROWS, ROWS, ROWS), { code: 'OUT_OF_MEMORY' });
        });
        assert.equal(engine.memory().used, 0);
        assert.deepEqual(engine.attention(ROWS, ROWS, ROWS).toNested(), once);
    });

    test('calls may nest: a getter of an input may call the engine and make it grow', () => {
        const fresh = engineOf(simd);
        const inner = () => fresh.attention(zeros(2000, 64), zeros(2000, 64), zeros(2000, 64));
        const before = fresh.memory().reserved;
        assert.deepEqual(fresh.attention(ROWS, trapped(inner), ROWS).toNested(), once);
        assert.ok(fresh.memory().reserved > before);
        assert.equal(fresh.memory().used, 0);
    });

    test('an engine that is disposed of during a call finishes the call and stays so', () => {
        const fresh = engineOf(simd);
        const output = fresh.attention(ROWS, trapped(() => fresh.dispose()), ROWS);
        assert.deepEqual(output.toNested(), once);
        assert.throws(() => fresh.attention(ROWS, ROWS, ROWS), { code: 'DISPOSED' });

        const large = engineOf(simd), keys = zeros(4500000, 2);
        large.attention(trapped(() => large.dispose()), keys, keys);
        assert.throws(() => large.attention(ROWS, ROWS, ROWS), { code: 'DISPOSED' });
    });

    test('memory() counts: peak is the most that was in use', () => {
        const fresh = engineOf(simd);
        assert.deepEqual(fresh.memory(), { ...fresh.memory(), used: 0, reserved: MIB, handles: 0 });
        fresh.attention(zeros(1000, 100), zeros(1000, 100), zeros(1000, 100));
        const { peak, reserved } = fresh.memory();
        assert.ok(peak >= 4 * 400000 && peak < 4 * 400000 + MIB / 4, `${peak}`);
        assert.ok(reserved >= peak && reserved < peak + MIB, `${reserved}`);
        fresh.attention(ROWS, ROWS, ROWS);
        assert.equal(fresh.memory().peak, peak);
    });

    test('a memory of more than 64 MiB is given back after the call, a smaller one is kept', () => {
        const fresh = engineOf(simd);
        const query = zeros(1, 1), keys = (length) => zeros(length, 1000);
        const call = (length) => fresh.attention(zeros(1, 1000), keys(length), keys(length));
        call(4000);
        const kept = fresh.memory().reserved;
        assert.ok(kept > 32e6 && kept < 64 * MIB, `${kept}`);
        call(9000);
        const { used, peak, reserved } = fresh.memory();
        assert.deepEqual([used, reserved], [0, MIB]);
        assert.ok(peak > 72e6, `${peak}`);
        assert.deepEqual(fresh.attention(query, query, query).toNested(), [[0]]);
    });

    test('trim() gives back what is reserved, but not during a call', () => {
        const fresh = engineOf(simd);
        fresh.attention(zeros(1000, 100), zeros(1000, 100), zeros(1000, 100));
        const { peak, reserved } = fresh.memory();
        assert.ok(reserved > MIB);
        assert.deepEqual(fresh.attention(ROWS, trapped(() => fresh.trim()), ROWS).toNested(), once);
        assert.equal(fresh.memory().reserved, reserved);
        fresh.trim();
        assert.deepEqual(fresh.memory(), { used: 0, peak, reserved: MIB, handles: 0 });
        assert.deepEqual(fresh.attention(ROWS, ROWS, ROWS).toNested(), once);
    });

    test('a thread that refuses a fresh instance keeps the old one', () => {
        const fresh = engineOf(simd);
        fresh.attention(zeros(1000, 100), zeros(1000, 100), zeros(1000, 100));
        const before = fresh.memory();
        const refuse = function refuse() { throw new RangeError('no'); };
        stub(WebAssembly, 'Instance', refuse, () => fresh.trim());
        assert.deepEqual(fresh.memory(), before);
        assert.deepEqual(fresh.attention(ROWS, ROWS, ROWS).toNested(), once);
    });

    test('maxMemory is kept to the byte', () => {
        const limited = engineOf(simd, { maxMemory: 3 * MIB });
        const fits = zeros(1500, 100), tooMuch = zeros(2000, 100);
        assert.equal(limited.attention(fits, fits, fits).data.length, 150000);
        const call = () => limited.attention(tooMuch, tooMuch, tooMuch);
        assert.throws(call, { code: 'OUT_OF_MEMORY' });
        assert.ok(limited.memory().reserved <= 3 * MIB);
        assert.throws(() => limited.inspect(zeros(500, 1), zeros(500, 1), zeros(500, 1)), {
            code: 'TOO_LARGE',
        });
        assert.equal(limited.attention(fits, fits, fits).data.length, 150000);
    });

    test('dispose() frees, once and for all', () => {
        const fresh = engineOf(simd);
        fresh.attention(ROWS, ROWS, ROWS);
        const { peak } = fresh.memory();
        fresh.dispose();
        fresh.dispose();
        assert.deepEqual(fresh.memory(), { used: 0, peak, reserved: 0, handles: 0 });
        const other = engineOf(simd);
        other[Symbol.dispose]();
        assert.throws(() => other.inspect(ROWS, ROWS, ROWS), { code: 'DISPOSED' });
    });

    test('1000 handles, made and disposed of in any order, end at the starting size', () => {
        const fresh = engineOf(simd), next = numbersFrom(1000);
        const below = (n) => Math.floor((next() + 1) / 2 * n);
        const make = [
            () => fresh.kvCache({
                kvHeads: 1 + below(3), headDim: 1 + below(64), capacity: 1 + below(99),
            }),
            () => fresh.multiHeadAttention({
                embedDim: 4 * (1 + below(16)), heads: 4, seed: below(9),
            }),
        ];
        const checks = new Map(), living = [];
        const round = () => {
            for (let made = 0; made < 500 || living.length > 0;) {
                if (made < 500 && (living.length === 0 || (living.length < 40 && next() > -0.2))) {
                    const handle = make[made % 2]();
                    const size = handle.capacity ? null : Object.values(handle.stateDict());
                    checks.set(handle, size);
                    living.push(handle);
                    made++;
                    fresh.attention(ROWS, ROWS, ROWS);
                } else {
                    const [handle] = living.splice(below(living.length), 1);
                    const before = checks.get(handle);
                    if (before) assert.deepEqual(Object.values(handle.stateDict()), before);
                    handle.dispose();
                    handle.dispose();
                }
                assert.equal(fresh.memory().handles, living.length);
            }
            return fresh.memory();
        };
        const start = fresh.memory();
        assert.deepEqual([start.used, start.handles], [0, 0]);
        const first = round();
        assert.deepEqual([first.used, first.handles], [0, 0]);
        const second = round();
        assert.deepEqual([second.used, second.handles], [0, 0]);
        fresh.trim();
        assert.equal(fresh.memory().reserved, start.reserved);
    });

    test('freed room is used again: first fit, merged with the room beside it', () => {
        const fresh = engineOf(simd);
        const cache = (capacity) => fresh.kvCache({ kvHeads: 1, headDim: 64, capacity });
        const [a, b, c, d] = [100, 100, 100, 100].map(cache);
        const { used } = fresh.memory();
        b.dispose();
        c.dispose();
        assert.ok(fresh.memory().used < used);
        const both = cache(200), { peak } = fresh.memory();
        for (let n = 0; n < 50; n++) cache(200 - n).dispose();
        both.dispose();
        const again = cache(200);
        assert.ok(fresh.memory().peak - peak <= 200 * 64 * 8 + 64);
        for (const handle of [a, d, again]) handle.dispose();
        assert.equal(fresh.memory().used, 0);
    });

    test('a handle that is made or disposed of inside a call disturbs nothing', () => {
        const fresh = engineOf(simd), expected = fresh.attention(ROWS, ROWS, ROWS);
        const config = { embedDim: 2, heads: 1, seed: 3 };
        const module = fresh.multiHeadAttention(config), output = module.forward(ROWS);
        let made;
        const making = trapped(() => { made = fresh.multiHeadAttention(config); });
        assert.deepEqual(fresh.attention(ROWS, making, ROWS), expected);
        assert.deepEqual(made.forward(ROWS), output);
        const replacing = trapped(() => {
            made.dispose();
            const cache = { kvHeads: 1, headDim: 64, capacity: 64 };
            for (let n = 0; n < 3; n++) fresh.kvCache(cache).dispose();
        });
        assert.deepEqual(fresh.attention(replacing, ROWS, ROWS), expected);
        assert.deepEqual(module.forward(ROWS), output);
        assert.deepEqual(module.forward(trapped(() => module.dispose())), output);
        assert.throws(() => module.forward(ROWS), { code: 'DISPOSED' });
        assert.deepEqual([fresh.memory().used, fresh.memory().handles], [0, 0]);
    });

    test('a large memory is kept while a handle lives in it, and given back after', () => {
        const fresh = engineOf(simd), big = zeros(4500000, 2);
        const module = fresh.multiHeadAttention({ embedDim: 2, heads: 1, seed: 3 });
        const output = module.forward(ROWS);
        fresh.attention(ROWS, big, big);
        assert.ok(fresh.memory().reserved > 64 * MIB);
        fresh.trim();
        assert.deepEqual(module.forward(ROWS), output);
        module.dispose();
        fresh.trim();
        assert.equal(fresh.memory().reserved, MIB);
    });

    test('a refusal to grow for a handle leaves nothing behind', () => {
        const fresh = engineOf(simd), refuse = () => { throw new RangeError('no'); };
        const make = () => fresh.kvCache({ kvHeads: 8, headDim: 64, capacity: 4096 });
        stub(WebAssembly.Memory.prototype, 'grow', refuse, () => {
            assert.throws(make, { code: 'OUT_OF_MEMORY' });
        });
        assert.deepEqual([fresh.memory().used, fresh.memory().handles], [0, 0]);
        make()[Symbol.dispose]();
        assert.equal(fresh.memory().used, 0);
    });
});
