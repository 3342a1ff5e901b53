// wasm.js: from what load() was given to a compiled module, and from a module to its exports.
//
// Of our own two files the fastest that validates is taken: the real file is asked, since a probe
// that never passes would be a silent slow path. A file that was given says itself which it is.

/** @import { WasmCode, WasmSource, SimdChoice } from './types.js' */
/** @import { Simd } from './bytes.js' */

import { readBytes, readBytesSync } from './bytes.js';
import { AttnError, fail } from './errors.js';
import { tagOf } from './kinds.js';

/** ATTN_ABI of attention.h. */
const ABI = 3;

// Functions without arguments: f32x4.add, then f32x4.relaxed_madd, of vectors of zeros.
const TYPES = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0];
const ONE = [65, 0, 253, 17], TWO = [...ONE, ...ONE], THREE = [...TWO, ...ONE];
const SIMD_PROBE = [...TYPES, 10, 16, 1, 14, 0, ...TWO, 253, 228, 1, 26, 11];
const RELAXED_PROBE = [...TYPES, 10, 20, 1, 18, 0, ...THREE, 253, 133, 2, 26, 11];

const hasWasm = () => typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';

/** @param {number[]} probe */
const accepts = (probe) => hasWasm() && WebAssembly.validate(new Uint8Array(probe));

/** What this runtime can do. attn needs `wasm` and `simd`; `relaxedSimd` makes it faster. */
export function isSupported() {
    return { wasm: hasWasm(), simd: accepts(SIMD_PROBE), relaxedSimd: accepts(RELAXED_PROBE) };
}

/**
 * @param {unknown} value
 * @returns {value is WebAssembly.Module}
 */
const isModule = (value) => tagOf(value) === 'WebAssembly.Module';

/**
 * @param {any} value
 * @returns {Uint8Array<ArrayBuffer> | null}
 */
function bytesOf(value) {
    if (ArrayBuffer.isView(value)) {
        const buffer = /** @type {ArrayBuffer} */ (value.buffer);
        return new Uint8Array(buffer, value.byteOffset, value.byteLength);
    }
    return /^(Shared)?ArrayBuffer$/.test(tagOf(value)) ? new Uint8Array(value) : null;
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} from
 */
function checkBytes(bytes, from) {
    if (bytes[0] === 0x3c) throw fail('gotHtml', { from });
    const first = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
    if (first.join(' ') !== '00 61 73 6d') {
        throw fail('notWasm', { from, first: first.join(' ') || 'none' });
    }
    if (WebAssembly.validate(bytes)) return;
    const { simd, relaxedSimd } = isSupported();
    if (!simd) throw fail('noSimd');
    if (!relaxedSimd) throw fail('relaxedRejected', { from });
    throw fail('wasmDamaged', { from, length: bytes.length });
}

/**
 * Bytes that validate fail to compile only where that is not allowed.
 *
 * @param {unknown} cause
 */
const blocked = (cause) => (
    fail(cause instanceof RangeError ? 'compileTooLarge' : 'compileBlocked', {}, cause));

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} from
 */
async function compile(bytes, from) {
    checkBytes(bytes, from);
    try {
        return await WebAssembly.compile(bytes);
    } catch (cause) {
        throw blocked(cause);
    }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} from
 */
function compileSync(bytes, from) {
    checkBytes(bytes, from);
    try {
        return new WebAssembly.Module(bytes);
    } catch (cause) {
        throw blocked(cause);
    }
}

/**
 * The builds to try, best first.
 *
 * @param {SimdChoice} simd
 * @returns {Simd[]}
 */
function buildsFor(simd) {
    if (!hasWasm()) throw fail('noWasm');
    return simd === 'auto' ? ['relaxed', 'simd128'] : [simd];
}

/** @param {SimdChoice} simd */
const noneValidates = (simd) => (
    fail(simd === 'relaxed' && isSupported().simd ? 'noRelaxedSimd' : 'noSimd'));

/**
 * @param {any} given a Response, or what fetch() takes
 * @returns {Promise<WebAssembly.Module>}
 */
async function fetchModule(given) {
    const isResponse = typeof given.arrayBuffer === 'function';
    const url = isResponse ? given.url || 'a Response' : String(given);
    try {
        const response = isResponse ? given : await fetch(given);
        if (response.ok === false) throw fail('fetchStatus', { url, status: response.status });
        return await compile(new Uint8Array(await response.arrayBuffer()), url);
    } catch (cause) {
        if (cause instanceof AttnError) throw cause;
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw fail('fetchFailed', { url, reason }, cause);
    }
}

/**
 * @param {WasmSource | PromiseLike<WasmSource> | undefined} source
 * @param {SimdChoice} simd
 */
export async function findModule(source, simd) {
    const builds = buildsFor(simd);
    if (source === undefined) {
        for (const build of builds) {
            const bytes = await readBytes(build);
            if (WebAssembly.validate(bytes)) return compile(bytes, 'this package');
        }
        throw noneValidates(simd);
    }
    const given = /** @type {any} */ (await source);
    if (isModule(given)) return given;
    const bytes = bytesOf(given);
    if (bytes) return compile(bytes, 'load({ wasm })');
    const isUrl = typeof given === 'string' || tagOf(given) === 'URL';
    if (isUrl || typeof given?.arrayBuffer === 'function') return fetchModule(given);
    const expected = 'bytes, a WebAssembly.Module, a Response or a URL';
    throw fail('badOption', { name: 'wasm', got: given, expected });
}

/**
 * @param {WasmCode | undefined} source
 * @param {SimdChoice} simd
 */
export function findModuleSync(source, simd) {
    const builds = buildsFor(simd);
    if (source === undefined) {
        for (const build of builds) {
            const bytes = readBytesSync(build);
            if (WebAssembly.validate(bytes)) return compileSync(bytes, 'this package');
        }
        throw noneValidates(simd);
    }
    if (isModule(source)) return source;
    const bytes = bytesOf(source);
    if (bytes) return compileSync(bytes, 'loadSync({ wasm })');
    const expected = 'bytes or a WebAssembly.Module (load() can fetch, loadSync() cannot)';
    throw fail('badOption', { name: 'wasm', got: source, expected });
}

/**
 * The functions of wasm.c. Pointers come as int32 and must pass through `>>> 0`.
 *
 * @typedef {object} Core
 * @property {WebAssembly.Memory} memory
 * @property {() => number} abi
 * @property {() => number} heap_base
 * @property {() => number} params_layout
 * @property {() => number} trace_layout
 * @property {() => number} rope_layout
 * @property {() => number} cache_layout
 * @property {() => number} mha_layout
 * @property {() => number} gradients_layout
 * @property {() => number} mha_gradients_layout
 * @property {(status: number) => number} status_string
 * @property {(params: number, b: number, h: number, t: number, d: number) => void} defaults
 * @property {(params: number, field: number) => number} check
 * @property {(bias: number, count: number) => number} bias_prefix
 * @property {(params: number, op: number, bytes: number) => number} workspace_size
 * @property {(params: number, workspace: number) => void} forward
 * @property {(trace: number) => void} trace_defaults
 * @property {(params: number, trace: number) => number} trace
 * @property {(cos: number, sin: number, positions: number, rows: number, dim: number,
 *     base: number) => number} rope_table
 * @property {(rope: number, b: number, h: number, t: number, d: number) => void} rope_defaults
 * @property {(rope: number, field: number) => number} rope
 * @property {(cache: number, length: number, k: number, kStride: number, v: number,
 *     vStride: number, lengths: number) => number} cache_append
 * @property {(cache: number, length: number) => number} cache_truncate
 * @property {(mha: number, b: number, h: number, t: number, d: number) => void} mha_defaults
 * @property {(mha: number, field: number) => number} mha_check
 * @property {(mha: number, cache: number, bytes: number) => number} mha_workspace_size
 * @property {(mha: number, cache: number, lengths: number, workspace: number,
 *     bytes: number) => number} mha_forward
 * @property {(params: number, gradients: number, workspace: number, bytes: number,
 *     field: number) => number} backward
 * @property {(mha: number, bytes: number) => number} mha_backward_workspace_size
 * @property {(mha: number, gradients: number, workspace: number, bytes: number,
 *     field: number) => number} mha_backward
 * @property {(count: number, params: number, grads: number, velocity: number, lr: number,
 *     momentum: number, decay: number) => number} sgd
 * @property {(count: number, params: number, grads: number, m: number, v: number, step: number,
 *     lr: number, beta1: number, beta2: number, epsilon: number, decay: number) => number} adamw
 */

/**
 * A fresh instance.
 *
 * @param {WebAssembly.Module} module
 * @returns {Core}
 */
export function instantiate(module) {
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    if (!names.includes('abi')) throw fail('foreignWasm');
    /** @type {any} */
    let core;
    try {
        core = new WebAssembly.Instance(module).exports;
    } catch (cause) {
        throw blocked(cause);
    }
    if (core.abi() !== ABI) throw fail('versionMismatch', { got: core.abi(), expected: ABI });
    core._initialize?.();
    return core;
}
