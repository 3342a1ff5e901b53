// loading.js: for each sentence that loading can say, loads that make it say it.
//
// id of the sentence: [code, [message, load], ...]. What no runtime at hand lacks is taken away by
// a stub.

import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { inlineWasm } from '../../../tools/inline.js';
import { load, loadSync } from '../../../web/api/index.js';
import { DIST, wasmBytes } from '../builds.js';
import { stub } from './stub.js';

const simd128 = wasmBytes('simd128');
const { validate } = WebAssembly;

const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** (func (export "abi") (result i32) (i32.const 99)) */
const OTHER_ABI = new Uint8Array([
    ...EMPTY, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 98, 105, 0, 0,
    10, 7, 1, 5, 0, 65, 227, 0, 11,
]);

const RELAXED_MADD = Buffer.from([253, 133, 2]);

const withoutRelaxed = (run) => stub(WebAssembly, 'validate', (bytes) => (
    !Buffer.from(bytes).includes(RELAXED_MADD) && validate(bytes)), run);

/** Accepts what is as small as the probes are, and nothing else. */
const withProbesOnly = (run) => (
    stub(WebAssembly, 'validate', ({ length }) => length < 100, run));

const throwing = (error) => function refuse() { throw error; };

const withFetch = (answer, run) => stub(globalThis, 'fetch', async () => answer(), run);

async function loadSlim() {
    const { outputFiles } = await build({
        entryPoints: [fileURLToPath(new URL('../../../web/api/index.js', import.meta.url))],
        bundle: true,
        format: 'esm',
        write: false,
        plugins: [inlineWasm(DIST, { inside: false })],
    });
    const code = Buffer.from(outputFiles[0].text).toString('base64');
    return import(`data:text/javascript;base64,${code}`);
}

const URL_OF_WASM = 'https://example.org/attn.wasm';

export const LOADING_CASES = {
    noWasm: ['NO_WASM', ['this runtime has no WebAssembly, which attn needs: some hardened '
        + 'browsers switch it off',
    () => stub(globalThis, 'WebAssembly', undefined, () => load({ simd: 'auto' }))]],
    noSimd: ['NO_SIMD',
        ['this runtime has no WebAssembly SIMD: attn needs Chrome or Edge 91, Firefox 90, '
            + 'Safari 16.4, Node 18, or newer',
        () => stub(WebAssembly, 'validate', () => false, () => load({ simd: 'auto' }))],
        ['this runtime has no WebAssembly SIMD: attn needs Chrome or Edge 91, Firefox 90, '
            + 'Safari 16.4, Node 18, or newer',
        () => stub(WebAssembly, 'validate', () => false, () => loadSync({ wasm: simd128 }))],
    ],
    noRelaxedSimd: ['NO_SIMD', ["simd is 'relaxed', but this runtime has no relaxed SIMD (Chrome "
        + "and Edge 114, Firefox 145, Node 21, or newer do): use 'auto' or 'simd128'",
    () => withoutRelaxed(() => loadSync({ simd: 'relaxed' }))]],
    relaxedRejected: ['NO_SIMD', ['this runtime has no relaxed SIMD and does not accept the wasm '
        + 'from load({ wasm }): give it attn.wasm, not attn.relaxed.wasm',
    () => withoutRelaxed(() => load({ wasm: wasmBytes('relaxed') }))]],
    wasmDamaged: ['FETCH_FAILED', ['the wasm from loadSync({ wasm }) is damaged or incomplete: its '
        + '1000 bytes are no valid module',
    () => withProbesOnly(() => loadSync({ wasm: simd128.subarray(0, 1000) }))]],
    compileBlocked: ['COMPILE_BLOCKED',
        ["the Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' "
            + 'to its script-src', () => stub(WebAssembly, 'compile',
            throwing(new WebAssembly.CompileError('blocked by CSP')),
            () => load({ wasm: simd128 }))],
        ["the Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' "
            + 'to its script-src', () => stub(WebAssembly, 'Module',
            throwing(new WebAssembly.CompileError('blocked by CSP')),
            () => loadSync({ wasm: simd128 }))],
    ],
    compileTooLarge: ['COMPILE_BLOCKED', ['this thread does not compile wasm synchronously: use '
        + 'await load() instead of loadSync()', () => stub(WebAssembly, 'Module',
        throwing(new RangeError('disallowed on the main thread')),
        () => loadSync({ wasm: simd128 }))]],
    gotHtml: ['FETCH_FAILED',
        [`the server returned HTML, not wasm, from ${URL_OF_WASM}`,
            () => withFetch(() => new Response('<!doctype html>'), () => (
                load({ wasm: URL_OF_WASM })))],
        ['the server returned HTML, not wasm, from a Response',
            () => load({ wasm: Promise.resolve(new Response('<!doctype html>')) })],
    ],
    notWasm: ['FETCH_FAILED',
        ['loadSync({ wasm }) is not wasm: expected it to begin with the bytes '
            + '00 61 73 6d, got 01 02 ff 04',
        () => loadSync({ wasm: new Uint8Array([1, 2, 255, 4, 5]) })],
        ['load({ wasm }) is not wasm: expected it to begin with the bytes 00 61 73 6d, '
            + 'got none', () => load({ wasm: new ArrayBuffer(0) })],
    ],
    fetchFailed: ['FETCH_FAILED', [`could not fetch ${URL_OF_WASM}: offline`,
        () => withFetch(throwing(new TypeError('offline')), () => (
            load({ wasm: new URL(URL_OF_WASM) })))]],
    fetchStatus: ['FETCH_FAILED', [`could not fetch ${URL_OF_WASM}: the server answered 404`,
        () => withFetch(() => new Response('no', { status: 404 }), () => (
            load({ wasm: URL_OF_WASM })))]],
    foreignWasm: ['VERSION_MISMATCH', ["the wasm given is not attn's: it does not export 'abi'",
        () => loadSync({ wasm: EMPTY })]],
    versionMismatch: ['VERSION_MISMATCH', ['the wasm has interface 99, this JavaScript expects 3: '
        + 'take both from the same version of attn', () => load({ wasm: OTHER_ABI })]],
    noWasmInside: ['BAD_OPTION', ['attn/slim has no wasm inside: pass it, as in load({ wasm })',
        async () => (await loadSlim()).load()]],
    simdDiffers: ['BAD_OPTION', ["simd is 'relaxed', but the wasm given is the 'simd128' build",
        () => loadSync({ wasm: simd128, simd: 'relaxed' })]],
    badNumber: ['BAD_VALUE',
        ['maxMemory is 1000: expected bytes from 1048576 (1 MiB) to 4294967296 (4 GiB)',
            () => load({ maxMemory: 1000 })],
        ["maxMemory is '2097152': expected bytes from 1048576 (1 MiB) to 4294967296 "
            + '(4 GiB)', () => loadSync({ maxMemory: '2097152' })],
    ],
    badOption: ['BAD_OPTION',
        ['options is a Response: expected an object with any of wasm, simd, maxMemory',
            () => load(new Response(simd128))],
        ["simd is 'avx2': expected 'auto', 'simd128' or 'relaxed'",
            () => loadSync({ simd: 'avx2' })],
        ['wasm is 3: expected bytes, a WebAssembly.Module, a Response or a URL',
            () => load({ wasm: 3 })],
        ['wasm is a URL: expected bytes or a WebAssembly.Module (load() can fetch, '
            + 'loadSync() cannot)', () => loadSync({ wasm: new URL(URL_OF_WASM) })],
    ],
    unknownOption: ['BAD_OPTION',
        ["unknown option 'max_memory': did you mean 'maxMemory'?", () => load({ max_memory: 1 })],
        ["unknown option 'threads': expected any of wasm, simd, maxMemory",
            () => load({ threads: 2 })],
    ],
};
