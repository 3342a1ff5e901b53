// errors.js: the one class of error, and every sentence it can say, each described once.
//
// A sentence names the argument, says what was expected, with the arithmetic, and what came instead.
// What attn_check() refuses gets its sentence in refusals.js, from these same pieces.

/**
 * @typedef {'NO_WASM' | 'NO_SIMD' | 'COMPILE_BLOCKED' | 'FETCH_FAILED' | 'VERSION_MISMATCH'
 *     | 'OUT_OF_MEMORY' | 'TOO_LARGE' | 'BAD_SHAPE' | 'BAD_OPTION' | 'BAD_VALUE' | 'CACHE_FULL'
 *     | 'ABORTED' | 'DISPOSED'} ErrorCode
 */

/** What attn throws, and nothing else. `code` is for programs, `message` for people. */
export class AttnError extends Error {
    /**
     * @param {ErrorCode} code
     * @param {string} message
     * @param {unknown} [cause]
     */
    constructor(code, message, cause) {
        super(message);
        this.name = 'AttnError';
        /** @type {ErrorCode} */
        this.code = code;
        if (cause !== undefined) this.cause = cause;
    }
}

/** @typedef {readonly number[]} Shape */

/** @param {Shape} shape */
export const shapeText = (shape) => `[${shape.join(',')}]`;

/** 2·4·8 = 64, or just 8 when there is one factor. @param {Shape} factors */
export function productText(factors) {
    const product = factors.reduce((a, b) => a * b, 1);
    return factors.length > 1 ? `${factors.join('·')} = ${product}` : String(product);
}

/** 3221225472 bytes (3 GiB). @param {number} bytes */
export function bytesText(bytes) {
    const unit = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let n = bytes, i = 0;
    for (; n >= 1024 && i < unit.length - 1; i++) n /= 1024;
    return i === 0 ? `${bytes} bytes` : `${bytes} bytes (${+n.toFixed(2)} ${unit[i]})`;
}

/** How a sentence shows what came. @param {any} value */
export function show(value) {
    if (typeof value === 'string') return `'${value}'`;
    if (typeof value === 'bigint') return 'a BigInt';
    if (typeof value === 'symbol') return 'a symbol';
    if (typeof value === 'function') return 'a function';
    if (typeof value !== 'object' || value === null) return String(value);
    const kind = Array.isArray(value) ? 'array' : Object.prototype.toString.call(value).slice(8, -1);
    return /^[aeioAEIO]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** @type {(code: ErrorCode, message: string, cause?: unknown) => AttnError} */
const error = (code, message, cause) => new AttnError(code, message, cause);

// Loading

export const noWasm = () => error('NO_WASM',
    'this runtime has no WebAssembly, which attn needs: some hardened browsers switch it off');

export const noSimd = () => error('NO_SIMD', 'this runtime has no WebAssembly SIMD: attn needs Chrome '
    + 'or Edge 91, Firefox 89, Safari 16.4, Node 16.4, or newer');

export const noRelaxedSimd = () => error('NO_SIMD', "simd is 'relaxed', but this runtime has no relaxed "
    + 'SIMD (Chrome and Edge 114, Firefox 145, Node 21, or newer do): use \'auto\' or \'simd128\'');

export const relaxedRejected = (/** @type {string} */ from) => error('NO_SIMD', `this runtime has no `
    + `relaxed SIMD and does not accept the wasm from ${from}: give it attn.wasm, not attn.relaxed.wasm`);

export const simdDiffers = (/** @type {string} */ asked, /** @type {string} */ given) => error('BAD_OPTION',
    `simd is '${asked}', but the wasm given is the '${given}' build`);

export const wasmDamaged = (/** @type {string} */ from, /** @type {number} */ bytes) => error('FETCH_FAILED',
    `the wasm from ${from} is damaged or incomplete: its ${bytes} bytes are no valid module`);

export const gotHtml = (/** @type {string} */ from) => error('FETCH_FAILED',
    `the server returned HTML, not wasm, from ${from}`);

export const notWasm = (/** @type {string} */ from, /** @type {string} */ first) => error('FETCH_FAILED',
    `${from} is not wasm: expected it to begin with the bytes 00 61 73 6d, got ${first}`);

export const fetchFailed = (/** @type {string} */ url, /** @type {unknown} */ cause) => error('FETCH_FAILED',
    `could not fetch ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);

export const fetchStatus = (/** @type {string} */ url, /** @type {number} */ status) => error('FETCH_FAILED',
    `could not fetch ${url}: the server answered ${status}`);

export const compileBlocked = (/** @type {unknown} */ cause) => error('COMPILE_BLOCKED', 'the '
    + "Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src", cause);

export const compileTooLarge = (/** @type {unknown} */ cause) => error('COMPILE_BLOCKED',
    'this thread does not compile wasm synchronously: use await load() instead of loadSync()', cause);

export const foreignWasm = (/** @type {string} */ from) => error('VERSION_MISMATCH',
    `the wasm from ${from} is not attn's: it does not export 'abi'`);

export const versionMismatch = (/** @type {number} */ got, /** @type {number} */ expected) => error(
    'VERSION_MISMATCH', `the wasm has interface ${got}, this JavaScript expects ${expected}: take both `
    + 'from the same version of attn');

export const noWasmInside = () => error('BAD_OPTION',
    'attn/slim has no wasm inside: pass it, as in load({ wasm })');

export const disposed = (/** @type {string} */ call) => error('DISPOSED',
    `${call}: this engine was disposed`);

// Memory

export const outOfMemory = (/** @type {number} */ needed, /** @type {number} */ limit) => error('OUT_OF_MEMORY',
    `the call needs ${bytesText(needed)} of memory, maxMemory is ${bytesText(limit)}`);

export const memoryRefused = (/** @type {number} */ needed, /** @type {unknown} */ cause) => error('OUT_OF_MEMORY',
    `the call needs ${bytesText(needed)} of memory, which the runtime did not give`, cause);

export const resultRefused = (/** @type {number} */ bytes, /** @type {unknown} */ cause) => error('OUT_OF_MEMORY',
    `a result needs an array of ${bytesText(bytes)}, which the runtime did not give`, cause);

export const tooLargeToInspect = (/** @type {Shape} */ scores, /** @type {number} */ arrays,
    /** @type {number} */ needed, /** @type {number} */ limit) => error('TOO_LARGE',
    `inspect: ${arrays} arrays of ${productText(scores)} scores and the rest need ${bytesText(needed)}, `
    + `maxMemory is ${bytesText(limit)}: use attention(), which never holds a whole score matrix`);

export const tooLargeToAddress = (/** @type {string} */ name, /** @type {Shape} */ shape) => error('TOO_LARGE',
    `${name}: ${productText(shape)} numbers are more than wasm can address`);

// Tensors

export const missing = (/** @type {string} */ name, /** @type {string} */ call) => error('BAD_VALUE',
    `${name} is missing: ${call} takes q, k and v (for self-attention of one tensor, pass it three times)`);

export const notTensor = (/** @type {string} */ name, /** @type {unknown} */ got) => error('BAD_VALUE',
    `${name} is ${show(got)}: expected nested arrays of numbers, or { data, shape }`);

export const notMask = (/** @type {string} */ name, /** @type {unknown} */ got) => error('BAD_VALUE',
    `${name} is ${show(got)}: expected nested arrays of true and false, or { data, shape }`);

export const withoutShape = (/** @type {string} */ name, /** @type {unknown} */ got) => error('BAD_SHAPE',
    `${name} is ${show(got)} without a shape: pass { data, shape }`);

export const notNumbers = (/** @type {string} */ name, /** @type {unknown} */ got) => error('BAD_VALUE',
    `${name} is ${show(got)}: expected an array of numbers`);

export const notNumber = (/** @type {string} */ at, /** @type {unknown} */ got) => error('BAD_VALUE',
    `${at} is ${show(got)}: expected a number`);

export const halfFloatBits = (/** @type {string} */ name) => error('BAD_VALUE',
    `${name}.data holds the bits of float16 numbers in a Uint16Array: convert it to numbers first`);

export const numbersAsMask = (/** @type {string} */ name) => error('BAD_VALUE',
    `${name}: numbers are ambiguous: use true / false (or a Uint8Array), or pass them as bias to add them`);

export const notBoolean = (/** @type {string} */ at, /** @type {unknown} */ got) => error('BAD_VALUE',
    `${at} is ${show(got)}: expected true or false`);

export const badBias = (/** @type {string} */ at, /** @type {number} */ got) => error('BAD_VALUE',
    `${at} is ${got}: expected a finite number, or -Infinity to mask`);

export const badExtent = (/** @type {string} */ name, /** @type {unknown} */ shape, /** @type {unknown} */ got) =>
    error('BAD_SHAPE', `${name}: shape ${shapeText(Array.from(/** @type {any} */ (shape)))} holds `
    + `${show(got)}: expected integers from 0 to 2147483647`);

export const badStride = (/** @type {string} */ name, /** @type {Shape} */ shape) => error('BAD_SHAPE',
    `${name}: expected one integer as stride for each dimension of ${shapeText(shape)}, and an integer offset`);

export const strideOutside = (/** @type {string} */ name, /** @type {Shape} */ shape,
    /** @type {number} */ reached, /** @type {number} */ length) => error('BAD_SHAPE',
    `${name}: shape ${shapeText(shape)} with its strides reaches element ${reached}, data has ${length}`);

export const badCount = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {number} */ got) =>
    error('BAD_SHAPE', `${name}: expected ${productText(shape)} numbers, got ${got}`);

export const ragged = (/** @type {string} */ at, /** @type {unknown} */ got, /** @type {string} */ first,
    /** @type {number} */ expected) => error('BAD_SHAPE',
    `${at} ${got === null ? 'is no array' : `has length ${got}`}, ${first} has length ${expected}: `
    + 'rows must be equally long');

export const badRank = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {string} */ layout) =>
    error('BAD_SHAPE', `${name} is ${shapeText(shape)}: expected `
    + (layout === 'BTHD' ? '[T,D], [T,H,D] or [B,T,H,D]' : '[T,D], [H,T,D] or [B,H,T,D]'));

export const rankDiffers = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {string} */ other,
    /** @type {Shape} */ expected) => error('BAD_SHAPE', `${name} is ${shapeText(shape)}, ${other} is `
    + `${shapeText(expected)}: they must have the same number of dimensions`);

export const differ = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {string} */ other,
    /** @type {Shape} */ expected, /** @type {string} */ what, /** @type {number} */ a, /** @type {number} */ b) =>
    error('BAD_SHAPE', `${name} is ${shapeText(shape)}, ${other} is ${shapeText(expected)}: ${what} differ `
    + `(${b} ≠ ${a})`);

export const zeroExtent = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {string} */ what) =>
    error('BAD_SHAPE', `${name} is ${shapeText(shape)}: ${what} must be at least 1`);

export const badHeads = (/** @type {number} */ query, /** @type {number} */ key) => error('BAD_SHAPE',
    `q has ${query} heads, k has ${key}: query heads must be a multiple of key heads `
    + `(${query} = ${key}·${Math.floor(query / key)} + ${query % key})`);

export const badBroadcastRank = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {Shape} */ full,
    /** @type {readonly string[]} */ axes, /** @type {number} */ least) => error('BAD_SHAPE',
    `${name} is ${shapeText(shape)}: expected ${least} to ${full.length} dimensions that broadcast to `
    + `${shapeText(full)} (${axes.join(', ')})`);

export const badBroadcast = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {Shape} */ full,
    /** @type {string} */ axis, /** @type {number} */ got, /** @type {number} */ expected) => error('BAD_SHAPE',
    `${name} is ${shapeText(shape)}, which does not broadcast to ${shapeText(full)}: ${axis} is ${got}, `
    + `expected ${expected === 1 ? '1' : `1 or ${expected}`}`);

export const shapeDiffers = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {Shape} */ expected) =>
    error('BAD_SHAPE', `${name} is ${shapeText(shape)}, expected ${shapeText(expected)}`);

// Options

export const unknownOption = (/** @type {string} */ name, /** @type {string} */ hint) => error('BAD_OPTION',
    `unknown option '${name}'${hint && `: ${hint}`}`);

export const badOption = (/** @type {string} */ name, /** @type {unknown} */ got, /** @type {string} */ expected) =>
    error('BAD_OPTION', `${name} is ${show(got)}: expected ${expected}`);

export const badNumber = (/** @type {string} */ name, /** @type {unknown} */ got, /** @type {string} */ expected) =>
    error('BAD_VALUE', `${name} is ${show(got)}: expected ${expected}`);

export const windowIsNumber = (/** @type {number} */ got) => error('BAD_OPTION', `window is ${got}: expected `
    + `[left, right]; a window of ${got} keys that ends at the query is [${got - 1}, 0]`);

export const badLengthCount = (/** @type {string} */ name, /** @type {number} */ batch, /** @type {number} */ got) =>
    error('BAD_SHAPE', `${name}: expected ${batch} ${batch === 1 ? 'number' : 'numbers'}, one for each batch row, `
    + `got ${got}`);

export const openPadding = () => error('BAD_OPTION', 'keyLengths with causal or window and as many queries as '
    + 'keys does not say where the queries stand: add queryLengths (the same lengths, when queries are padded '
    + 'too), or queryOffset');

export const offsetTwice = () => error('BAD_OPTION',
    "causal 'top-left' puts the first query at position 0: queryOffset cannot be given besides; use causal: true");

export const notComputed = (/** @type {string} */ name) => error('BAD_OPTION',
    `${name}: this version does not compute it`);

export const refusedByCore = (/** @type {string} */ field, /** @type {string} */ words) => error('BAD_OPTION',
    `${field}: ${words}`);

export const noMasks = () => error('BAD_VALUE', 'expected at least one mask, got none');

export const masksDiffer = (/** @type {string} */ name, /** @type {Shape} */ shape, /** @type {Shape} */ other) =>
    error('BAD_SHAPE', `${name} is ${shapeText(shape)}, which does not broadcast with ${shapeText(other)}`);

export const badTorchHeads = (/** @type {Shape} */ shape, /** @type {unknown} */ heads) => error('BAD_OPTION',
    `heads is ${show(heads)}: the mask is ${shapeText(shape)}, and torch means batch·heads by its first `
    + `axis: expected a divisor of ${shape[0]}`);
