// wasm.js: from what load() was given to a compiled module, and from a module to its exports.
//
// Of our own two files the fastest that validates is taken: the real file is asked, since a probe that
// never passes would be a silent slow path. What kind of build a given file is, the file says itself.

/** @import { WasmCode, WasmSource, SimdChoice } from './types.js' */
/** @import { Simd } from './bytes.js' */

import { readBytes, readBytesSync } from './bytes.js';
import * as errors from './errors.js';

/** ATTN_ABI of attention.h. */
const ABI = 1;

// (func (drop (i8x16.popcnt (i8x16.splat (i32.const 0))))), and f32x4.relaxed_madd of three of those.
const HEAD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0];
const SPLAT = [65, 0, 253, 15];
const SIMD_PROBE = [...HEAD, 10, 11, 1, 9, 0, ...SPLAT, 253, 98, 26, 11];
const RELAXED_PROBE = [...HEAD, 10, 20, 1, 18, 0, ...SPLAT, ...SPLAT, ...SPLAT, 253, 133, 2, 26, 11];

const hasWasm = () => typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';

/** @param {number[]} probe */
const accepts = (probe) => hasWasm() && WebAssembly.validate(new Uint8Array(probe));

/** What this runtime can do. attn needs `wasm` and `simd`; `relaxedSimd` makes it faster. */
export function isSupported() {
    return { wasm: hasWasm(), simd: accepts(SIMD_PROBE), relaxedSimd: accepts(RELAXED_PROBE) };
}

/** @param {unknown} value */
const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** @param {unknown} value @returns {value is WebAssembly.Module} */
const isModule = (value) => tagOf(value) === 'WebAssembly.Module';

/** @param {unknown} value @returns {value is ArrayBuffer | ArrayBufferView<ArrayBuffer>} */
const isBytes = (value) => ArrayBuffer.isView(value) || /^(Shared)?ArrayBuffer$/.test(tagOf(value));

/** @param {ArrayBuffer | ArrayBufferView<ArrayBuffer>} code */
const bytesOf = (code) => (ArrayBuffer.isView(code)
    ? new Uint8Array(code.buffer, code.byteOffset, code.byteLength)
    : new Uint8Array(code));

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} from */
function checkBytes(bytes, from) {
    if (bytes[0] === 0x3c) throw errors.gotHtml(from);
    if (bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d) {
        const first = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
        throw errors.notWasm(from, first.join(' ') || 'nothing');
    }
    if (WebAssembly.validate(bytes)) return;
    const { simd, relaxedSimd } = isSupported();
    if (!simd) throw errors.noSimd();
    throw relaxedSimd ? errors.wasmDamaged(from, bytes.length) : errors.relaxedRejected(from);
}

/** Bytes that validate fail to compile only where that is not allowed. @param {unknown} cause */
const blocked = (cause) => (cause instanceof RangeError
    ? errors.compileTooLarge(cause)
    : errors.compileBlocked(cause));

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} from */
async function compile(bytes, from) {
    checkBytes(bytes, from);
    try {
        return await WebAssembly.compile(bytes);
    } catch (cause) {
        throw blocked(cause);
    }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} from */
function compileSync(bytes, from) {
    checkBytes(bytes, from);
    try {
        return new WebAssembly.Module(bytes);
    } catch (cause) {
        throw blocked(cause);
    }
}

/** The builds to try, best first. @param {SimdChoice} simd @returns {Simd[]} */
function candidates(simd) {
    if (!hasWasm()) throw errors.noWasm();
    return simd === 'auto' ? ['relaxed', 'simd128'] : [simd];
}

/** @param {SimdChoice} simd */
const noneValidates = (simd) => (simd === 'relaxed' && isSupported().simd
    ? errors.noRelaxedSimd()
    : errors.noSimd());

/** @param {WasmSource | PromiseLike<WasmSource> | undefined} source @param {SimdChoice} simd */
export async function findModule(source, simd) {
    if (source === undefined) {
        for (const candidate of candidates(simd)) {
            const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (await readBytes(candidate));
            if (WebAssembly.validate(bytes)) return compile(bytes, 'this package');
        }
        throw noneValidates(simd);
    }
    candidates(simd);
    const given = /** @type {any} */ (await source);
    if (isModule(given)) return given;
    if (isBytes(given)) return compile(bytesOf(given), 'load({ wasm })');
    const isUrl = typeof given === 'string' || tagOf(given) === 'URL';
    if (!isUrl && typeof given?.arrayBuffer !== 'function') {
        throw errors.badOption('wasm', given, 'bytes, a WebAssembly.Module, a Response or a URL');
    }
    const url = isUrl ? String(given) : given.url || 'a Response';
    let bytes;
    try {
        const response = isUrl ? await fetch(given) : given;
        if (response.ok === false) throw errors.fetchStatus(url, response.status);
        bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
        throw cause instanceof errors.AttnError ? cause : errors.fetchFailed(url, cause);
    }
    return compile(bytes, url);
}

/** @param {WasmCode | undefined} source @param {SimdChoice} simd */
export function findModuleSync(source, simd) {
    const builds = candidates(simd);
    if (source === undefined) {
        for (const build of builds) {
            const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (readBytesSync(build));
            if (WebAssembly.validate(bytes)) return compileSync(bytes, 'this package');
        }
        throw noneValidates(simd);
    }
    if (isModule(source)) return source;
    if (isBytes(source)) return compileSync(bytesOf(source), 'loadSync({ wasm })');
    throw errors.badOption('wasm', source, 'bytes or a WebAssembly.Module (load() can fetch, loadSync() cannot)');
}

/**
 * The functions of wasm.c. Pointers are numbers; they come as int32 and must pass through `>>> 0`.
 *
 * @typedef {object} Core
 * @property {WebAssembly.Memory} memory
 * @property {() => number} abi
 * @property {() => number} heap_base
 * @property {() => number} params_layout
 * @property {() => number} trace_layout
 * @property {(status: number) => number} status_string
 * @property {(params: number, batch: number, heads: number, length: number, headDim: number) => void} defaults
 * @property {(params: number, field: number) => number} check
 * @property {(params: number, op: number, bytes: number) => number} workspace_size
 * @property {(params: number, workspace: number, bytes: number) => number} forward
 * @property {(trace: number) => void} trace_defaults
 * @property {(params: number, trace: number) => number} trace
 */

/** A fresh instance. @param {WebAssembly.Module} module @returns {Core} */
export function instantiate(module) {
    /** @type {any} */
    let core;
    try {
        core = new WebAssembly.Instance(module).exports;
    } catch (cause) {
        throw blocked(cause);
    }
    if (typeof core.abi !== 'function') throw errors.foreignWasm('load({ wasm })');
    if (core.abi() !== ABI) throw errors.versionMismatch(core.abi(), ABI);
    core._initialize?.();
    return core;
}
