// options.js: the names of the options, and for any other name the one that was meant.
//
// undefined means "not given", and nothing else does.

import { fail } from './errors.js';
import { isObject, typedKind } from './kinds.js';
import { show } from './sentences.js';

export const ATTENTION_OPTIONS = [
    'mask', 'keyMask', 'bias', 'causal', 'window', 'keyLengths', 'queryLengths', 'queryOffset',
    'scale', 'softcap', 'alibi', 'dropout', 'layout', 'cache', 'out',
];
/** Of a call that gradients will pass through. */
export const FORWARD_OPTIONS = ATTENTION_OPTIONS.filter((name) => name !== 'cache');
export const BACKWARD_OPTIONS = ['biasGrad'];
export const MODULE_OPTIONS = [
    'mask', 'keyMask', 'bias', 'causal', 'window', 'keyLengths', 'queryLengths', 'queryOffset',
    'cache', 'out',
];
/** Of train(): no gradient passes through a cache. */
export const TRAINING_OPTIONS = [...MODULE_OPTIONS.filter((name) => name !== 'cache'), 'seed'];
export const MODULE_CONFIG = [
    'embedDim', 'heads', 'kvHeads', 'headDim', 'valueHeadDim', 'keyInputDim', 'valueInputDim',
    'outputDim', 'bias', 'outputProjection', 'rope', 'alibi', 'scale', 'softcap', 'dropout',
    'weights', 'seed',
];
export const CACHE_CONFIG = [
    'batch', 'kvHeads', 'headDim', 'valueHeadDim', 'capacity', 'window',
];
export const APPEND_OPTIONS = ['lengths', 'layout'];
export const ROPE_CONFIG = ['base', 'dim', 'interleaved'];
export const ROPE_OPTIONS = [
    ...ROPE_CONFIG, 'offset', 'positions', 'cos', 'sin', 'inverse', 'layout',
];
export const WHAT_IF_OPTIONS = ['scores', 'softmaxAxis', 'maskOrder'];
export const LAYOUTS = /** @type {const} */ (['BHTD', 'BTHD']);
export const LOAD_OPTIONS = ['wasm', 'simd', 'maxMemory'];

/** @param {string} name */
const normal = (name) => name.replace(/[^a-z]/gi, '').toLowerCase();

/**
 * Letters to insert, remove or replace to get from a to b.
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
            next[j] = Math.min(next[j - 1] + 1, row[j] + 1, replaced);
        }
        row = next;
    }
    return row[b.length];
}

/**
 * The known name that is written alike, is part of it, or is a slip away.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string | undefined}
 */
function nearest(name, known) {
    const wanted = normal(name);
    const longestFirst = [...known].sort((a, b) => b.length - a.length);
    const inside = longestFirst.find((candidate) => wanted.includes(normal(candidate)));
    const slips = wanted.length > 3 ? 2 : 1;
    return inside ?? known.find((candidate) => distance(normal(candidate), wanted) <= slips);
}

/** @param {any} value */
function holdsNumbers(value) {
    for (let depth = 0; Array.isArray(value) && depth < 4; depth++) value = value[0];
    return typeof value === 'number' || /^(Float|Int|Big)/.test(typedKind(value?.data) ?? '');
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {readonly string[]} known
 */
function hintFor(name, value, known) {
    if (known.includes('keyMask') && normal(name) === 'keypaddingmask') {
        return "did you mean 'keyMask'? There true = may be attended, the opposite of torch: "
            + 'masks.fromTorchModule() turns one into the other';
    }
    if ((known === FORWARD_OPTIONS || known === TRAINING_OPTIONS) && name === 'cache') {
        return 'no gradient passes through a cache: give keys and values';
    }
    if (known === MODULE_OPTIONS && (name === 'dropout' || name === 'seed')) {
        return 'forward() and inspect() of a module drop no weights, train() does';
    }
    const isOfModule = known === MODULE_OPTIONS || known === TRAINING_OPTIONS;
    if (isOfModule && MODULE_CONFIG.includes(name)) {
        return 'it belongs to the module: give it to multiHeadAttention()';
    }
    const guess = nearest(name, known);
    if (guess === 'mask' && holdsNumbers(value)) {
        return "did you mean 'bias'? Numbers are added to the scores";
    }
    return guess ? `did you mean '${guess}'?` : `expected ${anyOf(known)}`;
}

/** @param {readonly string[]} known */
const anyOf = (known) => (known.length > 1 ? `any of ${known.join(', ')}` : known[0]);

/**
 * The options as an object, every name known.
 *
 * @template {object} T
 * @param {T | undefined} options
 * @param {readonly string[]} known
 * @param {string} name of the argument
 * @param {string} [expected] when it is no object: all the names if not said
 * @returns {Partial<T>}
 */
export function readOptions(options, known, name = 'options', expected) {
    if (options === undefined) return {};
    /* A Map, a Promise or a Response has no options that this loop would find. */
    if (!isObject(options)) {
        const names = `an object with ${anyOf(known)}`;
        throw fail('badOption', { name, got: options, expected: expected ?? names });
    }
    for (const key in options) {
        if (known.includes(key)) continue;
        const place = name === 'options' ? key : `${name}.${key}`;
        throw fail('unknownOption', { name: place, hint: hintFor(key, options[key], known) });
    }
    return options;
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {number | undefined}
 */
export function readNumber(name, value) {
    if (value === undefined || typeof value === 'number') return value;
    throw fail('badOption', { name, got: value, expected: 'a number' });
}

/**
 * @template T
 * @param {string} name
 * @param {unknown} value
 * @param {readonly T[]} choices the first is the default
 * @returns {T}
 */
export function readChoice(name, value, choices) {
    if (value === undefined) return choices[0];
    const index = choices.indexOf(/** @type {T} */ (value));
    if (index >= 0) return choices[index];
    const shown = choices.map(show), last = shown.pop();
    throw fail('badOption', { name, got: value, expected: `${shown.join(', ')} or ${last}` });
}
