// The one state of the page and the only functions that write it.
//
// `document` keys are what a person made (undoable, later shared by link); `view` keys are where
// they look. `before` is the document as it was when the last edit began: cells that differ from it
// carry a tick. After undo nothing does: the marks of an edit before it would be told by no line.
// Redo marks again what the step moved.

import { computed, signal } from '@preact/signals';
import { examples } from './examples.js';
import { MASK } from './mask.js';
import { sizesOf } from './shape.js';
import { GRIDS } from './matrices.js';

const document = {
    mode: 'direct', // 'projected': q, k and v follow from x and the matrices below
    tokens: examples.sentence.tokens,
    keyTokens: null, // the words that keys and values come from; null: the sentence itself
    heads: 1, // q, k and v are split by width into as many blocks of columns
    kvHeads: 1,
    q: examples.sentence.q,
    k: examples.sentence.k,
    v: examples.sentence.v,
    x: null,
    keyX: null,
    wq: null,
    wk: null,
    wv: null,
    wo: null,
    positions: 'none', // how attention gets to know the order of the words
    mask: MASK,
    bias: {}, // 'i,j' → a number added to the score
    maskOrder: 'before', // 'after' zeroes weights instead, 'bias' adds −1e9 instead of −∞
    scale: 'sqrt', // divides by √d_k, 'off' by nothing, a number by itself
    temperature: 1,
    softcap: null, // scores become cap·tanh(score ÷ cap)
    softmaxAxis: 'keys',
    dropout: null, // the share of weights that training drops
    dropSeed: 1,
    scoreEdits: {}, // 'i,j' → a score set by hand
};

const view = {
    focus: { grid: 'weights', row: 2, col: 1 }, // the pinned cell
    query: 2, // the pinned row
    key: 1, // the pinned column
    head: 0, // the head that is shown large
    room: null, // the gate whose room is open
    seed: 1, // of random values
    baseline: null, // a document to compare with
    compare: 'now', // what is shown: 'before', 'now' or 'difference'
    panel: null, // what the bar unfolds
    lens: null, // what is looked at more closely, in a card of its own
    lab: null, // { id, … its settings }: the experiment that is open
    decoded: 0, // how many words the decoder has read
    shuffle: 0, // the seed of another order of the words; 0: the other way round
    stage: 'weights', // long sentences: the matrix that is shown large
    allKeys: false, // long sentences: the row table is unfolded
    terms: false, // long sums are written out
    hover: null, // the cell under the pointer, as focus
    edit: null, // { grid, row, col, text } while a cell is typed into; isBad: it was refused
    trial: null, // { id, grid, row, col, pins }: what was chosen to try, until it is answered
    example: 'sentence', // the example that Reset goes back to
    helpKey: true, // whether ? opens the help
    theme: 'auto',
    maskOpen: false, // narrow screens: the mask grid is unfolded
    allRows: false, // narrow screens: every row, not only the pinned one
    notice: null, // { kind, … }: one sentence about the last action
};

export const state = signal({
    doc: document,
    ...view,
    before: null,
    marks: true,
    change: null,
    past: [],
    future: [],
    gesture: null,
});

/** Every key of the state as a signal of its own. */
export const now = Object.fromEntries(
    Object.keys(state.peek()).map((key) => [key, computed(() => state.value[key])]),
);

/**
 * Writes state. Keys of the document make one undo step, described by `change`; consecutive updates
 * with the same `gesture` (a drag) are one step. `marks: false` leaves the moved cells without a
 * tick, where an old number would belong to another word.
 */
export function update(patch, { change = null, gesture = null, marks = true } = {}) {
    const now = state.peek();
    const next = { ...now };
    const edits = {};
    for (const [key, value] of Object.entries(patch)) {
        if (key in document) edits[key] = value;
        else if (key in view) next[key] = value;
        else throw new Error(`update: no such state '${key}'`);
    }
    if (patch.edit) next.compare = 'now';
    if (Object.keys(edits).length) {
        next.compare = 'now';
        const going = gesture !== null && gesture === now.gesture;
        next.doc = Object.freeze({ ...now.doc, ...edits });
        const count = going ? (now.change.count ?? 1) + 1 : 1;
        next.change = going ? { ...change, from: now.change.from, count } : change;
        next.gesture = gesture;
        next.notice = { kind: 'change' };
        if (now.future.length) next.future = [];
        next.trial = null;
        if (!going) {
            next.marks = marks;
            next.before = marks && sameSize(now.doc, next.doc) ? now.doc : null;
            next.past = [...now.past, step({ ...now, ...pinsBefore(now) })].slice(-500);
        }
    }
    state.value = settled(next);
}

const shapeOf = (doc) => JSON.stringify([doc.mode, doc.heads, doc.kvHeads, sizesOf(doc)]);

export const sameSize = (a, b) => shapeOf(a) === shapeOf(b);

/** A state whose pins are cells that exist, after a matrix grew or shrank. */
function settled(next) {
    const sizes = sizesOf(next.doc);
    const query = Math.min(next.query, sizes.query - 1);
    const key = Math.min(next.key, sizes.key - 1);
    const head = Math.min(next.head, next.doc.heads - 1);
    const exists = ({ grid, row, col }) => {
        const [rows, cols] = GRIDS[grid].axes.map((axis) => sizes[axis] ?? 0);
        return row < rows && col < cols;
    };
    const hover = next.hover && exists(next.hover) ? next.hover : null;
    const focus = exists(next.focus) ? next.focus : { grid: 'weights', row: query, col: key };
    return { ...next, query, key, head, focus, hover };
}

/** A document to begin with, and where it is pinned: there is nothing to undo. */
export function begin(given) {
    const now = state.peek();
    const next = { ...now, doc: {} };
    for (const [key, value] of Object.entries(given)) {
        if (key in document) next.doc[key] = value;
        else if (key in view) next[key] = value;
    }
    state.value = settled({ ...next, doc: Object.freeze(next.doc) });
}

/** What undo brings back: a document, what was said about it, and what was pinned in it. */
const step = ({ doc, marks, change, query, key, head, focus }) => ({
    doc,
    marks,
    change,
    query,
    key,
    head,
    focus,
});

/** What was pinned before a question pinned the cell that it is about, if that is pinned still. */
export function pinsBefore({ trial, focus }) {
    const isThere = trial && ['grid', 'row', 'col'].every((name) => trial[name] === focus[name]);
    return isThere ? trial.pins : null;
}

/** The state as it was, when a gesture is taken back; the pointer is where it is. */
export function restore(was) {
    const { hover } = state.peek();
    state.value = settled({ ...was, hover });
}

/** Steps back (or, with 'redo', forward) by one edit. */
export function travel(direction) {
    const now = state.peek();
    const [from, to] = direction === 'redo' ? ['future', 'past'] : ['past', 'future'];
    if (!now[from].length) return;
    const target = now[from].at(-1);
    const isRedo = direction === 'redo';
    const undone = isRedo ? target.change : now.change;
    state.value = settled({
        ...now,
        ...target,
        before: isRedo && target.marks && sameSize(now.doc, target.doc) ? now.doc : null,
        hover: null,
        [from]: now[from].slice(0, -1),
        [to]: [...now[to], step(now)],
        gesture: null,
        edit: null,
        trial: null,
        compare: 'now',
        notice: { kind: isRedo ? 'redone' : 'undone', change: undone },
    });
}

/** A copy of `matrix` with one number replaced. */
export function withValue(matrix, row, col, value) {
    return matrix.map((r, i) => (i === row ? r.map((x, j) => (j === col ? value : x)) : r));
}
