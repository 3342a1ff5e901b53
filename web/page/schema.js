// What a document of the page is: one row per field, with its type, bounds and default. check.js
// judges by this table whatever comes from outside, and codec.js writes and reads links by it; a
// later field is one more row.
//
// Sizes are letters of the formula, not numbers: q is query × feature·heads, k is key ×
// feature·kvHeads. The first field that has an axis sets its size, and the later ones must agree.

import { examples } from './examples.js';
import { LABS } from './lab/labs.js';
import { MASK, PRESET_NAMES } from './mask.js';
import { isProjected, keysOf } from './shape.js';

export const LIMITS = { tokens: 128, dims: 256, letters: 256 };

/** What scores may be divided by: two of these in a row still leave a finite float32. */
export const DIVISOR = { min: 1e-6, max: 1e6 };

const { tokens, q, k, v } = examples.sentence;
const isDirect = (doc) => doc.mode === 'direct';
const isCross = (doc) => isProjected(doc) && doc.keyTokens !== null;

const matrix = (when, rows, columns, more) => ({ type: 'matrix', when, rows, columns, ...more });

/**
 * Every field, those first that others depend on. A default is a value or a function of the fields
 * above; a field without one must be given. Where `when` does not hold the field is null and no
 * part of a link. `rows` and `columns` are an axis and, if any, the field that multiplies it
 * and the axis that this makes.
 */
export const FIELDS = {
    mode: { type: 'choice', of: ['direct', 'projected'], default: 'direct' },
    tokens: { type: 'words', axes: ['query', 'key'], default: tokens },
    keyTokens: { type: 'words', axes: ['key'], orNull: true, default: null },
    heads: { type: 'integer', axis: 'head', min: 1, max: LIMITS.dims, default: 1 },
    kvHeads: {
        type: 'integer',
        min: 1,
        max: LIMITS.dims,
        divides: 'heads',
        default: (doc) => doc.heads,
    },
    q: matrix(isDirect, ['query'], ['feature', 'heads'], { default: q }),
    k: matrix(isDirect, ['key'], ['feature', 'kvHeads'], { default: k }),
    v: matrix(isDirect, ['key'], ['channel', 'kvHeads'], { default: v }),
    x: matrix(isProjected, ['query'], ['model']),
    keyX: matrix(isCross, ['key'], ['model']),
    wq: matrix(isProjected, ['model'], ['feature', 'heads']),
    wk: matrix(isProjected, ['model'], ['feature', 'kvHeads']),
    wv: matrix(isProjected, ['model'], ['channel', 'kvHeads']),
    wo: matrix(isProjected, ['channel', 'heads', 'joined'], ['out'], {
        orNull: true,
        default: null,
    }),
    positions: {
        type: 'choice',
        of: ['none', 'sinusoidal', 'rope', 'alibi'],
        default: 'none',
    },
    scale: { type: 'number', words: ['sqrt', 'off'], ...DIVISOR, default: 'sqrt' },
    temperature: { type: 'number', ...DIVISOR, default: 1 },
    softcap: { type: 'number', min: 1e-3, max: 1e6, orNull: true, default: null },
    softmaxAxis: { type: 'choice', of: ['keys', 'queries'], default: 'keys' },
    maskOrder: { type: 'choice', of: ['before', 'after', 'bias'], default: 'before' },
    mask: {
        type: 'mask',
        of: PRESET_NAMES,
        corners: ['bottom', 'top'],
        default: MASK,
    },
    bias: { type: 'pairs', default: {} },
    dropout: { type: 'number', min: 0, max: 1, orNull: true, default: null },
    dropSeed: { type: 'integer', min: 0, max: 0xffffffff, default: 1 },
    scoreEdits: { type: 'scores', default: {} },
    head: { type: 'index', of: 'head', default: 0 },
    query: { type: 'index', of: 'query', default: (doc) => Math.min(2, doc.tokens.length - 1) },
    key: { type: 'index', of: 'key', default: (doc) => Math.min(1, keysOf(doc).length - 1) },
    lab: { type: 'lab', of: LABS, orNull: true, default: null },
    focus: { type: 'cell', default: (doc) => ({ grid: 'weights', row: doc.query, col: doc.key }) },
};

/** Whether a field has a say in a document, given the fields above it. */
export const applies = (name, doc) => FIELDS[name].when?.(doc) ?? true;

/** The default of a field, given the fields above it; undefined where there is none. */
export function defaultOf(name, doc) {
    if (!applies(name, doc)) return null;
    const value = FIELDS[name].default;
    return typeof value === 'function' ? value(doc) : value;
}

/** The document that the page opens with. */
export function defaultDocument() {
    const doc = {};
    for (const name of Object.keys(FIELDS)) doc[name] = defaultOf(name, doc);
    return doc;
}
