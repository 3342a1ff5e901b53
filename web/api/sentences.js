// sentences.js: every sentence that an AttnError can say, each described once, under its code.
//
// A sentence names the argument, says what was expected, with the arithmetic, and what came.

import { tagOf } from './kinds.js';

/** @type {(shape: readonly number[]) => string} */
const list = (shape) => `[${Array.from(shape, (n) => show(n)).join(',')}]`;

/** 2·4·8 = 64, or just 8 when there is one factor. @param {readonly number[]} factors */
function product(factors) {
    const value = factors.reduce((a, b) => a * b, 1);
    return factors.length > 1 ? `${factors.join('·')} = ${value}` : String(value);
}

/** 3221225472 bytes (3 GiB). @param {number} count */
function bytes(count) {
    const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let n = count, i = 0;
    for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
    return i === 0 ? `${count} bytes` : `${count} bytes (${Number(n.toFixed(2))} ${units[i]})`;
}

/**
 * How a sentence shows a value that came.
 *
 * @param {any} value
 * @returns {string}
 */
export function show(value) {
    if (typeof value === 'string') return `'${value}'`;
    if (typeof value === 'bigint') return 'a BigInt';
    if (typeof value === 'symbol') return 'a symbol';
    if (typeof value === 'function') return 'a function';
    if (typeof value !== 'object' || value === null) return String(value);
    const isShort = Array.isArray(value) && value.length < 5;
    if (isShort && value.every((x) => typeof x === 'number')) return list(value);
    const tag = tagOf(value);
    const kind = tag === 'Array' || tag === 'Object' ? tag.toLowerCase() : tag;
    return /^[aeio]/i.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** @typedef {Record<string, (values: any) => string>} Sentences */

export const SENTENCES = /** @satisfies {Record<string, Sentences>} */ ({
    NO_WASM: {
        noWasm: () => 'this runtime has no WebAssembly, which attn needs: '
            + 'some hardened browsers switch it off',
    },

    NO_SIMD: {
        noSimd: () => 'this runtime has no WebAssembly SIMD: attn needs Chrome or Edge 91, '
            + 'Firefox 90, Safari 16.4, Node 18, or newer',
        noRelaxedSimd: () => "simd is 'relaxed', but this runtime has no relaxed SIMD (Chrome and "
            + "Edge 114, Firefox 145, Node 21, or newer do): use 'auto' or 'simd128'",
        relaxedRejected: ({ from }) => 'this runtime has no relaxed SIMD and does not accept the '
            + `wasm from ${from}: give it attn.wasm, not attn.relaxed.wasm`,
    },

    COMPILE_BLOCKED: {
        compileBlocked: () => 'the Content-Security-Policy forbids WebAssembly: '
            + "add 'wasm-unsafe-eval' to its script-src",
        compileTooLarge: () => 'this thread does not compile wasm synchronously: '
            + 'use await load() instead of loadSync()',
    },

    FETCH_FAILED: {
        wasmDamaged: ({ from, length }) => `the wasm from ${from} is damaged or incomplete: `
            + `its ${length} bytes are no valid module`,
        gotHtml: ({ from }) => `the server returned HTML, not wasm, from ${from}`,
        notWasm: ({ from, first }) => `${from} is not wasm: expected it to begin with the bytes `
            + `00 61 73 6d, got ${first}`,
        fetchFailed: ({ url, reason }) => `could not fetch ${url}: ${reason}`,
        fetchStatus: ({ url, status }) => `could not fetch ${url}: the server answered ${status}`,
    },

    VERSION_MISMATCH: {
        foreignWasm: () => "the wasm given is not attn's: it does not export 'abi'",
        versionMismatch: ({ got, expected }) => `the wasm has interface ${got}, this JavaScript `
            + `expects ${expected}: take both from the same version of attn`,
    },

    DISPOSED: {
        disposed: ({ call, what }) => `${call}: this ${what} was disposed`,
    },

    OUT_OF_MEMORY: {
        outOfMemory: ({ needed, limit }) => `the call needs ${bytes(needed)} of memory, `
            + `maxMemory is ${bytes(limit)}`,
        memoryRefused: ({ needed }) => `the call needs ${bytes(needed)} of memory, which the `
            + 'runtime did not give',
        resultRefused: ({ needed }) => `a result needs an array of ${bytes(needed)}, which the `
            + 'runtime did not give',
    },

    TOO_LARGE: {
        tooLargeToInspect: ({ arrays, scores, needed, limit }) => `inspect: ${arrays} arrays of `
            + `${product(scores)} scores, and the rest, need ${bytes(needed)}, maxMemory is `
            + `${bytes(limit)}: use attention(), which never holds a whole score matrix`,
        tooLargeToAddress: ({ name, shape }) => `${name}: ${product(shape)} numbers are more than `
            + 'wasm can address',
    },

    CACHE_FULL: {
        cacheFull: ({ row, present, count, capacity }) => `the cache has no room: ${present} `
            + `present + ${count} new = ${present + count} keys in batch row ${row}, capacity is `
            + String(capacity),
        cacheTooMany: ({ row, count, capacity }) => `the cache has no room: ${count} new keys in `
            + `batch row ${row}, capacity is ${capacity}`,
        cacheTooSmall: ({ row, seen, count, capacity }) => 'the cache has no room for a call: '
            + `${seen} keys that the first query sees + ${count} new = ${seen + count} in batch `
            + `row ${row}, capacity is ${capacity}: give fewer tokens at once`,
    },

    BAD_SHAPE: {
        withoutShape: ({ name, got }) => `${name} is ${show(got)} without a shape: `
            + 'pass { data, shape }',
        badExtent: ({ name, shape, got }) => `${name}: shape ${list(shape)} holds ${show(got)}: `
            + 'expected integers from 0 to 2147483647',
        badStride: ({ name, shape }) => `${name}: expected one integer as stride for each `
            + `dimension of ${list(shape)}, and an integer as offset`,
        strideOutside: ({ name, shape, reached, length }) => `${name}: shape ${list(shape)} with `
            + `its strides reaches element ${reached}, data has ${length}`,
        badCount: ({ name, shape, got }) => `${name}: expected ${product(shape)} numbers, `
            + `got ${got}`,
        ragged: ({ at, got, first, expected }) => `${at} has length ${got}, ${first} has length `
            + `${expected}: rows must be equally long`,
        raggedDepth: ({ at, got, first, expected }) => `${at} is ${show(got)}, ${first} is an `
            + `array of length ${expected}: rows must be equally deep`,
        badShape: ({ name, shape, expected }) => `${name} is ${list(shape)}: expected ${expected}`,
        rankDiffers: ({ name, shape, other, expected }) => `${name} is ${list(shape)}, ${other} is `
            + `${list(expected)}: they must have the same number of dimensions`,
        sizesDiffer: ({ name, shape, other, expected, what, a, b }) => `${name} is ${list(shape)}, `
            + `${other} is ${list(expected)}: ${what} differ (${a} ≠ ${b})`,
        zeroExtent: ({ name, shape, what }) => `${name} is ${list(shape)}: ${what} must be at `
            + 'least 1',
        badHeads: ({ query, key }) => `q has ${query} heads, k has ${key}: query heads must be a `
            + `multiple of key heads (${query} = ${key}·${Math.floor(query / key)} + `
            + `${query % key})`,
        badBroadcastRank: ({ name, shape, full, axes, least }) => `${name} is ${list(shape)}: `
            + `expected ${least} to ${full.length} dimensions that broadcast to ${list(full)} `
            + `(${axes.join(', ')})`,
        badBroadcast: ({ name, shape, full, axis, got, expected }) => `${name} is ${list(shape)}, `
            + `which does not broadcast to ${list(full)}: ${axis} is ${got}, expected `
            + (expected === 1 ? '1' : `1 or ${expected}`),
        shapeDiffers: ({ name, shape, expected }) => `${name} is ${list(shape)}, expected `
            + list(expected),
        badListCount: ({ name, count, each, got }) => `${name}: expected ${count} `
            + `${count === 1 ? 'number' : 'numbers'}, one for each ${each}, got ${got}`,
        badWidth: ({ name, shape, what, expected }) => `${name} is ${list(shape)}: its last `
            + `dimension must be ${what} = ${expected}`,
        badDivision: ({ whole, part, a, b }) => `${whole} must be a multiple of ${part}: `
            + `${a} = ${b}·${Math.floor(a / b)} + ${a % b}`,
        cacheDiffers: ({ what, cache, name, got }) => `the cache has ${what} ${cache}, ${name} has `
            + String(got),
        masksDiffer: ({ name, shape, other }) => `${name} is ${list(shape)}, which does not `
            + `broadcast with ${list(other)}`,
    },

    BAD_OPTION: {
        unknownOption: ({ name, hint }) => `unknown option '${name}'${hint && `: ${hint}`}`,
        badOption: ({ name, got, expected }) => `${name} is ${show(got)}: expected ${expected}`,
        windowIsNumber: ({ name, got }) => `${name} is ${got}: expected [left, right]; a window `
            + `of ${got} ${got === 1 ? 'key' : 'keys'} that ends at the query is [${got - 1}, 0]`,
        openPadding: () => 'keyLengths with causal, window or alibi and as many queries as keys '
            + 'does not say where the queries stand: add queryLengths (the same lengths, when the '
            + 'queries are padded too), or queryOffset',
        offsetTwice: () => "causal 'top-left' puts the first query at position 0, so queryOffset "
            + 'cannot be given: use causal: true',
        notWithCache: ({ name }) => `${name} cannot be given with a cache, which knows its own `
            + 'lengths and positions',
        paddedApart: ({ queries, keys }) => 'queryLengths with a cache says how many tokens of '
            + 'each batch row are real, in q and in k alike, but q has length '
            + `${queries} and k ${keys}: append k and v first, by cache.append(k, v, { lengths })`,
        windowTooWide: ({ asked, window }) => `window is ${list(asked)}, but the cache lets keys `
            + `go that its own window ${list(window)} does not see: expected 0 to ${window[0]} on `
            + 'the left',
        badCacheWindow: ({ window }) => `window is ${list(window)}: a cache lets go of the keys `
            + 'on the left that no query sees any more: expected [left, right] with left from 0 '
            + 'and right from -1',
        windowOverCapacity: ({ left, capacity }) => `window sees ${left} keys back and the query's `
            + `own: ${left} + 1 = ${left + 1}, capacity is ${capacity}`,
        noBias: () => 'biasGrad is true, but the forward call was given no bias',
        notTogether: ({ name, other }) => `${name} cannot be given with ${other}`,
        cacheElsewhere: () => 'cache is of another engine: make it by kvCache() of this one',
        weightUnknown: ({ name, expected }) => `weights has no use for '${name}': expected `
            + expected.join(', '),
        weightMissing: ({ names }) => `weights lacks ${names.map(show).join(' or ')}`,
        weightTwice: ({ name, other }) => `weights gives '${name}' and '${other}', which are the `
            + 'same',
        refusedByCore: ({ field, words }) => `${field}: ${words}`,
        noWasmInside: () => 'attn/slim has no wasm inside: pass it, as in load({ wasm })',
        simdDiffers: ({ asked, given }) => `simd is '${asked}', but the wasm given is the `
            + `'${given}' build`,
        badTorchHeads: ({ shape, heads }) => `heads is ${show(heads)}: torch means batch·heads by `
            + `the first axis of ${list(shape)}: expected a divisor of ${shape[0]}`,
    },

    BAD_VALUE: {
        truncateTooFar: ({ length, left, row }) => `truncate(${length}) would keep fewer keys than `
            + `the ${left} that the window sees back, and in batch row ${row} the older ones have `
            + 'left: use reset()',
        weightsChanged: () => 'backward: the weights have changed since train(), by step() or '
            + 'loadStateDict(): call train() again',
        missing: ({ argument, call }) => `${argument} is missing: ${call} takes q, k and v `
            + '(for self-attention of one tensor, pass it three times)',
        missingOne: ({ argument }) => `${argument} is missing`,
        notWeights: ({ got }) => `weights is ${show(got)}: expected an object from names to `
            + 'tensors, as stateDict() returns',
        notTensor: ({ name, got }) => `${name} is ${show(got)}: expected nested arrays of numbers, `
            + 'or { data, shape }',
        notMask: ({ name, got }) => `${name} is ${show(got)}: expected nested arrays of true and `
            + 'false, or { data, shape }',
        notNumbers: ({ name, got }) => `${name} is ${show(got)}: expected an array of numbers`,
        notNumber: ({ at, got }) => `${at} is ${show(got)}: expected a number`,
        halfFloatBits: ({ name }) => `${name}.data holds the bits of float16 numbers in a `
            + 'Uint16Array: convert it to numbers first',
        numbersAsMask: ({ name }) => `${name}: numbers are ambiguous: use true / false (or a `
            + 'Uint8Array), or pass them as bias to add them',
        notBoolean: ({ at, got }) => `${at} is ${show(got)}: expected true or false`,
        badBias: ({ at, got }) => `${at} is ${got}: expected a finite number, or -Infinity to mask`,
        badNumber: ({ name, got, expected }) => `${name} is ${show(got)}: expected ${expected}`,
        noMasks: ({ call }) => `${call}: expected at least one mask, got none`,
    },
});
