// index.js: the public calls of attn.
//
//     const attn = await load();
//     const y = attn.attention(q, k, v, { causal: true });
//     const { scores, weights, output } = attn.inspect(q, k, v);
//
// load() and loadSync() without options share one engine; with any option they make a new one.

/** @import { LoadOptions, LoadSyncOptions } from './types.js' */

import { Engine } from './engine.js';
import { fail } from './errors.js';
import { and, causal, fromTorchModule, lengths, not, or, window } from './masks.js';
import { LOAD_OPTIONS, readChoice, readOptions } from './options.js';
import { findModule, findModuleSync } from './wasm.js';

export { WASM_SHA256 } from './bytes.js';
export { AttnError } from './errors.js';
export { alibiSlopes, sinusoidal } from './tables.js';
export { isSupported } from './wasm.js';

/**
 * The version of attn.
 * @type {string}
 */
export const VERSION = '0.1.0';

/** Masks as data, to combine and to pass as `mask`: 1 = may attend. */
export const masks = Object.freeze({ causal, window, lengths, and, or, not, fromTorchModule });

const MIN_MEMORY = 1048576, DEFAULT_MEMORY = 2147483648, MAX_MEMORY = 4294967296;
const SIMD = /** @type {const} */ (['auto', 'simd128', 'relaxed']);

/** @type {Engine | null} */
let shared = null;
/** @type {Promise<Engine> | null} */
let loading = null;

/**
 * @template {LoadOptions} T
 * @param {T | undefined} given
 */
function readLoadOptions(given) {
    const options = readOptions(given, LOAD_OPTIONS);
    const { wasm, maxMemory = DEFAULT_MEMORY } = options;
    if (typeof maxMemory !== 'number' || !(maxMemory >= MIN_MEMORY && maxMemory <= MAX_MEMORY)) {
        const expected = 'bytes from 1048576 (1 MiB) to 4294967296 (4 GiB)';
        throw fail('badNumber', { name: 'maxMemory', got: maxMemory, expected });
    }
    const isShared = Object.values(options).every((value) => value === undefined);
    return { wasm, simd: readChoice('simd', options.simd, SIMD), maxMemory, isShared };
}

/**
 * @param {ReturnType<typeof readLoadOptions>} options
 * @param {WebAssembly.Module} module
 */
function start({ wasm, simd, maxMemory }, module) {
    const engine = new Engine(module, maxMemory), given = engine.features.simd;
    if (wasm !== undefined && simd !== 'auto' && simd !== given) {
        throw fail('simdDiffers', { asked: simd, given });
    }
    return engine;
}

const sharedEngine = () => (shared && !shared.disposed ? shared : null);

/** @param {Engine} engine */
function share(engine) {
    shared = sharedEngine() ?? engine;
    return shared;
}

/**
 * The engine. Without options all callers share one; a failed load is tried again by the next call.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Engine>}
 */
export async function load(options) {
    const read = readLoadOptions(options);
    const make = async () => start(read, await findModule(read.wasm, read.simd));
    if (!read.isShared) return make();
    const engine = sharedEngine();
    if (engine) return engine;
    loading ??= make().then(share).finally(() => { loading = null; });
    return loading;
}

/**
 * The engine at once: in Node and in workers. Browsers may refuse it on a page's main thread.
 *
 * @param {LoadSyncOptions} [options]
 * @returns {Engine}
 */
export function loadSync(options) {
    const read = readLoadOptions(options);
    const make = () => start(read, findModuleSync(read.wasm, read.simd));
    return read.isShared ? sharedEngine() ?? share(make()) : make();
}
