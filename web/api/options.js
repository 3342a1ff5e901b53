// options.js: the names of the options, and for a name that is none of them, the one that was meant.
//
// undefined means "not given", and nothing else does.

import * as errors from './errors.js';

export const ATTENTION_OPTIONS = ['mask', 'keyMask', 'bias', 'causal', 'window', 'keyLengths', 'queryLengths',
    'queryOffset', 'scale', 'softcap', 'alibi', 'dropout', 'layout', 'out'];
export const WHAT_IF_OPTIONS = ['scores', 'softmaxAxis', 'maskOrder'];
export const LOAD_OPTIONS = ['wasm', 'simd', 'maxMemory'];

/** @param {string} name */
const normal = (name) => name.replace(/[^a-z]/gi, '').toLowerCase();

/** Letters to insert, remove or replace to get from a to b. @param {string} a @param {string} b */
function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        }
        row = next;
    }
    return row[b.length];
}

/** The known name that is written the same, is part of it, or is a slip away. @param {string} name
 *  @param {readonly string[]} known */
function nearest(name, known) {
    const wanted = normal(name);
    const same = known.find((candidate) => normal(candidate) === wanted);
    if (same) return same;
    const inside = known.filter((candidate) => wanted.includes(normal(candidate)))
        .sort((a, b) => b.length - a.length)[0];
    if (inside) return inside;
    const [close] = known.map((candidate) => /** @type {const} */ ([distance(normal(candidate), wanted), candidate]))
        .sort((a, b) => a[0] - b[0]);
    return close[0] <= Math.min(2, wanted.length - 2) ? close[1] : undefined;
}

/** @param {any} value */
function holdsNumbers(value) {
    while (Array.isArray(value)) value = value[0];
    return typeof value === 'number' || /^(Float|Int|Big)/.test(Object.prototype.toString.call(value?.data).slice(8));
}

/** @param {string} name @param {unknown} value @param {readonly string[]} known */
function hintFor(name, value, known) {
    if (normal(name) === 'keypaddingmask') {
        return "did you mean 'keyMask'? There true = may be attended, the opposite of torch: "
            + 'masks.fromTorchModule() turns one into the other';
    }
    const guess = nearest(name, known);
    if (guess === 'mask' && holdsNumbers(value)) return "did you mean 'bias'? Numbers are added to the scores";
    return guess ? `did you mean '${guess}'?` : '';
}

/**
 * The options as an object, every name known.
 *
 * @template {object} T
 * @param {T | undefined} options
 * @param {readonly string[]} known
 * @param {string} name of the argument
 * @returns {Partial<T>}
 */
export function readOptions(options, known, name = 'options') {
    if (options === undefined) return {};
    if (typeof options !== 'object' || options === null || Array.isArray(options) || ArrayBuffer.isView(options)) {
        throw errors.badOption(name, options, `an object with any of ${known.join(', ')}`);
    }
    for (const key in options) {
        if (!known.includes(key)) throw errors.unknownOption(key, hintFor(key, options[key], known));
    }
    return options;
}

/** @param {string} name @param {unknown} value @returns {number | undefined} */
export function readNumber(name, value) {
    if (value !== undefined && typeof value !== 'number') throw errors.badOption(name, value, 'a number');
    return value;
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
    const list = choices.map((choice) => errors.show(choice));
    throw errors.badOption(name, value, `${list.slice(0, -1).join(', ')} or ${list[list.length - 1]}`);
}
