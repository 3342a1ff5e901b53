// index.js: the public calls of attn.
//
//     const attn = await load();
//     const y = attn.attention(q, k, v, { causal: true });
//     const { scores, weights, output } = attn.inspect(q, k, v);
//
// load() and loadSync() without options share one engine; with any option they make a new one.

/** @import { LoadOptions, LoadSyncOptions } from './types.js' */

import { Engine } from './engine.js';
import * as errors from './errors.js';
import * as maskFunctions from './masks.js';
import { LOAD_OPTIONS, readChoice, readOptions } from './options.js';
import { findModule, findModuleSync } from './wasm.js';

export { AttnError } from './errors.js';
export { WASM_SHA256 } from './bytes.js';
export { isSupported } from './wasm.js';

/** The version of attn. */
export const VERSION = '0.1.0';

const MIB = 1048576;
const SIMD = /** @type {const} */ (['auto', 'simd128', 'relaxed']);

/** @type {Engine | null} */
let shared = null;
/** @type {Promise<Engine> | null} */
let loading = null;

/** @param {LoadOptions | undefined} given */
function readLoadOptions(given) {
    const { wasm, simd, maxMemory = 2048 * MIB } = readOptions(given, LOAD_OPTIONS);
    if (!(maxMemory >= MIB && maxMemory <= 4096 * MIB)) {
        throw errors.badNumber('maxMemory', maxMemory, 'a number of bytes from 1048576 (1 MiB) to 4294967296 (4 GiB)');
    }
    return { wasm, simd: readChoice('simd', simd, SIMD), maxMemory };
}

/** @param {LoadOptions} options */
const isDefault = (options) => Object.values(options).every((value) => value === undefined);

/** @param {ReturnType<typeof readLoadOptions>} options @param {WebAssembly.Module} module */
function start({ wasm, simd, maxMemory }, module) {
    const engine = new Engine(module, maxMemory);
    const { simd: built } = engine.features;
    if (wasm !== undefined && simd !== 'auto' && simd !== built) throw errors.simdDiffers(simd, built);
    return engine;
}

/** @param {Engine} engine */
function share(engine) {
    if (!shared || shared.disposed) shared = engine;
    return shared;
}

/**
 * The engine. Without options one is shared by all callers; a failed load is tried again by the next call.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Engine>}
 */
export async function load(options) {
    const read = readLoadOptions(options);
    const make = async () => start(read, await findModule(read.wasm, read.simd));
    if (options && !isDefault(options)) return make();
    if (shared && !shared.disposed) return shared;
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
    if (options && !isDefault(options)) return make();
    return shared && !shared.disposed ? shared : share(make());
}

const { causal, window, lengths, and, or, not, fromTorchModule } = maskFunctions;

/** Masks as data, to combine and to pass as `mask`: 1 = may attend. */
export const masks = Object.freeze({ causal, window, lengths, and, or, not, fromTorchModule });
