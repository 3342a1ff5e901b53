// Loading: what is chosen, what is shared, what may be given; and what the package says of itself.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as attn from '../../web/api/index.js';
import { BUILDS, wasmBytes } from './builds.js';
import { stub } from './cases/stub.js';

const { load, loadSync, isSupported } = attn;
const one = (engine) => engine.attention([[1]], [[1]], [[7]]).toNested();
const simd128 = wasmBytes('simd128');
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the public names', () => {
    assert.deepEqual(Object.keys(attn).sort(), [
        'AttnError', 'VERSION', 'WASM_SHA256', 'alibiSlopes', 'isSupported', 'load', 'loadSync',
        'masks', 'sinusoidal',
    ]);
    assert.deepEqual(Object.keys(attn.masks), [
        'causal', 'window', 'lengths', 'and', 'or', 'not', 'fromTorchModule',
    ]);
});

test('one version: here, in package.json and in attention.h', () => {
    assert.equal(attn.VERSION, JSON.parse(read('package.json')).version);
    assert.equal(attn.VERSION, read('src/attention.h').match(/#define ATTN_VERSION "(.*)"/)[1]);
});

test('the probes of isSupported() agree with the real files', () => {
    assert.deepEqual(isSupported(), {
        wasm: true,
        simd: WebAssembly.validate(simd128),
        relaxedSimd: WebAssembly.validate(wasmBytes('relaxed')),
    });
    stub(globalThis, 'WebAssembly', undefined, () => {
        assert.deepEqual(isSupported(), { wasm: false, simd: false, relaxedSimd: false });
    });
});

test('auto takes the fastest build that validates, and the build says which it is', async () => {
    assert.equal(loadSync({ simd: 'auto' }).features.simd, BUILDS.at(-1));
    assert.equal((await load({ simd: 'auto' })).features.simd, BUILDS.at(-1));
    for (const simd of BUILDS) {
        assert.equal(loadSync({ simd }).features.simd, simd);
        assert.equal((await load({ wasm: wasmBytes(simd), simd })).features.simd, simd);
    }
});

test('without options one engine is shared; with any option a new one is made', async () => {
    const [a, b] = await Promise.all([load(), load({})]);
    assert.equal(a, b);
    assert.equal(loadSync(), a);
    assert.equal(loadSync({ wasm: undefined }), a);
    assert.equal(await load(), a);
    assert.notEqual(await load({ simd: 'simd128' }), a);
    assert.notEqual(loadSync({ maxMemory: 2 ** 30 }), a);
    a.dispose();
    const next = await load();
    assert.notEqual(next, a);
    assert.deepEqual(one(next), [[7]]);
});

test('an engine that loadSync() made while load() was waiting is the shared one', async () => {
    loadSync().dispose();
    const waiting = load(), engine = loadSync();
    assert.equal(await waiting, engine);
});

test('a failed load is tried again by the next call', async () => {
    loadSync().dispose();
    await stub(WebAssembly, 'validate', () => false, () => (
        assert.rejects(load(), { code: 'NO_SIMD' })));
    assert.deepEqual(one(await load()), [[7]]);
});

test('wasm may be bytes, a module, a Response, a URL, or a promise of one', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(simd128.length));
    shared.set(simd128);
    const longer = new Uint8Array([1, 2, 3, ...simd128, 4]);
    const { buffer } = Uint8Array.from(simd128);
    const bytes = [simd128, buffer, new DataView(buffer), longer.subarray(3, -1)];
    const compiled = new WebAssembly.Module(simd128);
    const response = () => new Response(simd128);
    const later = [response(), Promise.resolve(compiled), Promise.resolve(response())];
    for (const wasm of [...bytes, compiled]) assert.deepEqual(one(loadSync({ wasm })), [[7]]);
    for (const wasm of [...bytes, compiled, ...later]) {
        assert.deepEqual(one(await load({ wasm })), [[7]]);
    }
    const asked = [];
    const fetched = async (url) => {
        asked.push(String(url));
        return response();
    };
    await stub(globalThis, 'fetch', fetched, async () => {
        assert.deepEqual(one(await load({ wasm: './attn.wasm' })), [[7]]);
        assert.deepEqual(one(await load({ wasm: new URL('https://example.org/a.wasm') })), [[7]]);
    });
    assert.deepEqual(asked, ['./attn.wasm', 'https://example.org/a.wasm']);
});

test('a module imports nothing and runs without being told of the host', () => {
    for (const simd of BUILDS) {
        const compiled = new WebAssembly.Module(wasmBytes(simd));
        assert.deepEqual(WebAssembly.Module.imports(compiled), []);
    }
});
