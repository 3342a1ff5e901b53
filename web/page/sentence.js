// Changes of the sentence and of its sizes: words, keys from elsewhere, heads, d_k and d_v. Each is
// one step of undo. Rows and columns move with what they belong to; new ones get whole and half
// numbers from a seed, so that a new word takes part at once.

import { pinPatch } from './compute.js';
import { halves } from './random.js';
import { LIMITS } from './schema.js';
import { withHeads } from './scores.js';
import { sizesOf } from './shape.js';
import { state, update } from './state.js';
import { text } from './text.en.js';

/** A strip of words: the sentence, or the keys from elsewhere. Each is a grid of one row. */
const wordsOf = (doc, strip) => (strip === 'tokens' ? doc.tokens : doc.keyTokens);

/** The matrices that have a row for each word of a strip. */
function rowFields(doc, strip) {
    const fields = { tokens: ['q', 'x'], keyTokens: ['k', 'v', 'keyX'] };
    const own = fields[strip];
    const all = strip === 'tokens' && !doc.keyTokens ? [...own, ...fields.keyTokens] : own;
    return all.filter((name) => doc[name]);
}

const isQuery = (strip) => strip === 'tokens';
const isKey = (doc, strip) => strip === 'keyTokens' || !doc.keyTokens;

/** Numbers for a new row or column: other places, other numbers. */
const fresh = (...place) => halves(place.reduce((sum, n) => Math.imul(sum, 31) + n, 7));

/**
 * The strip with its words in another order: `order` lists the old indices, -1 for a new word.
 * Matrices, painted cells and edited scores follow.
 */
function arrange(doc, strip, order, name) {
    const patch = { [strip]: order.map((n) => (n < 0 ? name : wordsOf(doc, strip)[n])) };
    rowFields(doc, strip).forEach((field, nth) => {
        const next = fresh(order.length, nth);
        const row = () => doc[field][0].map(() => next());
        patch[field] = order.map((n) => (n < 0 ? row() : doc[field][n]));
    });
    const place = new Map(order.map((n, at) => [n, at]));
    const follow = (pairs) => {
        const kept = {};
        for (const [pair, value] of Object.entries(pairs)) {
            const [j, i, ...head] = pair.split(',').map(Number).toReversed();
            const to = [
                isQuery(strip) ? place.get(i) : i,
                isKey(doc, strip) ? place.get(j) : j,
            ];
            if (!to.includes(undefined)) kept[[...head, ...to].join()] = value;
        }
        return kept;
    };
    patch.mask = { ...doc.mask, painted: follow(doc.mask.painted) };
    for (const field of ['bias', 'scoreEdits']) patch[field] = follow(doc[field]);
    return patch;
}

const indices = (doc, strip) => wordsOf(doc, strip).map((_, n) => n);

/** Whether a strip has room for one word more. */
export const mayAdd = (doc, strip) => wordsOf(doc, strip).length < LIMITS.tokens;

/** Adds a word at the end and asks for its name. */
export function addToken(strip = 'tokens') {
    const { doc } = state.peek();
    if (!mayAdd(doc, strip)) return;
    const order = [...indices(doc, strip), -1];
    update(arrange(doc, strip, order, text.newToken), {
        change: { kind: 'add', strip, name: text.newToken, index: order.length - 1 },
    });
    const cell = { grid: strip, row: 0, col: order.length - 1 };
    update({ ...pinPatch(cell), hover: null, edit: { ...cell, text: text.newToken, select: true } });
}

/** Removes a word with its rows; the last one stays. */
export function removeToken(index, strip = 'tokens') {
    const { doc } = state.peek();
    const words = wordsOf(doc, strip);
    if (words.length === 1) {
        update({ notice: { kind: 'lastWord', name: words[0] } });
        return;
    }
    const order = indices(doc, strip).toSpliced(index, 1);
    const after = (n) => Math.min(n > index ? n - 1 : n, order.length - 1);
    update(
        { ...arrange(doc, strip, order), edit: null, ...pinsBy(doc, strip, after) },
        { change: { kind: 'remove', name: words[index] } },
    );
}

/** Moves a word to another place; what is pinned stays pinned. */
export function moveToken(from, to, { strip = 'tokens', gesture = null } = {}) {
    const { doc } = state.peek();
    const last = wordsOf(doc, strip).length - 1;
    const goal = Math.max(0, Math.min(last, to));
    if (goal === from) return from;
    const order = indices(doc, strip).toSpliced(from, 1).toSpliced(goal, 0, from);
    const after = (n) => order.indexOf(n);
    update(
        { ...arrange(doc, strip, order), ...pinsBy(doc, strip, after) },
        {
            change: { kind: 'move', name: wordsOf(doc, strip)[from], from, to: goal },
            gesture,
            marks: false,
        },
    );
    return goal;
}

/** The pins after words changed their places. */
function pinsBy(doc, strip, after) {
    const { query, key, focus } = state.peek();
    const to = {
        query: isQuery(strip) ? after(query) : query,
        key: isKey(doc, strip) ? after(key) : key,
    };
    if (focus.grid === strip) return { ...to, focus: { ...focus, col: after(focus.col) } };
    return { ...to, focus: { grid: 'weights', row: to.query, col: to.key } };
}

export function renameToken(index, name, strip = 'tokens') {
    const words = wordsOf(state.peek().doc, strip);
    if (words[index] === name) return;
    const change = { kind: 'rename', index, from: words[index], to: name };
    update({ [strip]: words.with(index, name) }, { change });
}

/** Keys and values from words of their own, which begin as the sentence's; or from it again. */
export function setCross(on) {
    const { doc } = state.peek();
    if (on) {
        const patch = { keyTokens: doc.tokens };
        if (doc.x) patch.keyX = doc.x;
        update(patch, { change: { kind: 'cross', on } });
        return;
    }
    const count = doc.tokens.length;
    const order = doc.tokens.map((_, n) => (n < doc.keyTokens.length ? n : -1));
    const patch = arrange(doc, 'keyTokens', order);
    update(
        { ...patch, keyTokens: null, ...(doc.x && { keyX: null }), key: Math.min(state.peek().key, count - 1) },
        { change: { kind: 'cross', on } },
    );
}

/** Every head's block of columns, narrower or wider. */
function widen(matrix, heads, to, seed) {
    const from = matrix[0].length / heads;
    return matrix.map((row, i) => {
        const next = fresh(seed, to, i);
        return Array.from({ length: heads * to }, (_, n) => {
            const [head, col] = [Math.floor(n / to), n % to];
            return col < from ? row[head * from + col] : next();
        });
    });
}

/** Sets d_k ('feature') or d_v ('channel'), the numbers of one head, or d_model ('model'). */
export function setSize(axis, size) {
    const { doc } = state.peek();
    const from = sizesOf(doc)[axis];
    const most = LIMITS.dims / (axis === 'model' ? 1 : doc.heads);
    if (size === from || size < 1 || size > most) return;
    const patch = {};
    if (axis === 'model') {
        for (const field of ['x', 'keyX'])
            if (doc[field]) patch[field] = widen(doc[field], 1, size, 0);
        for (const field of ['wq', 'wk', 'wv']) patch[field] = joined(doc[field], 1, size);
    }
    const fields = { feature: ['q', 'k', 'wq', 'wk'], channel: ['v', 'wv'], model: [] }[axis];
    fields.forEach((field, seed) => {
        if (!doc[field]) return;
        const heads = ['q', 'wq'].includes(field) ? doc.heads : doc.kvHeads;
        patch[field] = widen(doc[field], heads, size, seed);
    });
    if (axis === 'channel' && doc.wo) patch.wo = joined(doc.wo, doc.heads, size);
    update(patch, { change: { kind: 'size', axis, from, to: size } });
}

/** A matrix with as many rows for each head: W_O where values grow, W where words do. */
function joined(matrix, heads, to) {
    const from = matrix.length / heads;
    return Array.from({ length: heads * to }, (_, n) => {
        const [head, row] = [Math.floor(n / to), n % to];
        const next = fresh(n, to);
        return row < from ? matrix[head * from + row] : matrix[0].map(() => next());
    });
}

/** Sets the number of heads: the first ones stay as they are, new ones come from a seed. */
export function setHeads(heads) {
    const { doc } = state.peek();
    if (heads === doc.heads) return;
    const sizes = sizesOf(doc);
    const patch = {
        heads,
        kvHeads: heads,
        scoreEdits: withHeads(doc.scoreEdits, doc.heads, heads),
    };
    ['q', 'k', 'v', 'wq', 'wk', 'wv'].forEach((field, seed) => {
        if (!doc[field]) return;
        const width = ['v', 'wv'].includes(field) ? sizes.channel : sizes.feature;
        patch[field] = doc[field].map((row, i) => {
            const next = fresh(seed, i, width);
            return Array.from({ length: heads * width }, (_, n) => row[n] ?? next());
        });
    });
    if (doc.wo) {
        const next = fresh(heads, doc.wo.length);
        patch.wo = Array.from(
            { length: heads * sizes.channel },
            (_, n) => doc.wo[n] ?? doc.wo[0].map(() => next()),
        );
    }
    update(patch, { change: { kind: 'heads', from: doc.heads, to: heads } });
}

/** Heads that fit the bounds of a document. */
export const mayHaveHeads = (doc, heads) => {
    const { feature, channel } = sizesOf(doc);
    return heads * Math.max(feature, channel) <= LIMITS.dims;
};
