// The one state of the page and the only functions that write it.
//
// `document` keys are what a person made (undoable, later shared by link); `view` keys are where
// they look. `before` is the document as it was when the last edit began: cells that differ from it
// carry a tick. A history entry keeps the whole step, so undo brings back the marks and the said
// line too.

import { signal } from '@preact/signals';
import { examples } from './examples.js';

const document = {
    tokens: examples.sentence.tokens,
    q: examples.sentence.q,
    k: examples.sentence.k,
    v: examples.sentence.v,
    mask: { preset: 'none', painted: {} }, // painted: 'i,j' → may attend; wins over the preset
    scale: 'sqrt', // 'sqrt' divides by √d_k, 'off' by nothing
};

const view = {
    focus: { grid: 'weights', row: 2, col: 1 }, // the pinned cell
    query: 2, // the pinned row
    key: 1, // the pinned column
    hover: null, // the cell under the pointer, as focus
    edit: null, // { grid, row, col, text } while a cell is typed into
    theme: 'auto',
    maskOpen: false, // narrow screens: the mask grid is unfolded
    allRows: false, // narrow screens: every row, not only the pinned one
    notice: null, // { kind, … }: one sentence about the last action
};

export const state = signal({
    doc: document,
    ...view,
    before: null,
    change: null,
    past: [],
    future: [],
    gesture: null,
});

/**
 * Writes state. Keys of the document make one undo step, described by `change`; consecutive updates
 * with the same `gesture` (a drag) are one step.
 */
export function update(patch, { change = null, gesture = null } = {}) {
    const now = state.peek();
    const next = { ...now };
    const edits = {};
    for (const [key, value] of Object.entries(patch)) {
        if (key in document) edits[key] = value;
        else if (key in view) next[key] = value;
        else throw new Error(`update: no such state '${key}'`);
    }
    if (Object.keys(edits).length) {
        const going = gesture !== null && gesture === now.gesture;
        next.doc = Object.freeze({ ...now.doc, ...edits });
        const count = going ? (now.change.count ?? 1) + 1 : 1;
        next.change = going ? { ...change, from: now.change.from, count } : change;
        next.gesture = gesture;
        next.notice = { kind: 'change' };
        next.future = [];
        if (!going) {
            next.before = sameSize(now.doc, next.doc) ? now.doc : null;
            next.past = [...now.past, step(now)].slice(-500);
        }
    }
    state.value = settled(next);
}

const sameSize = (a, b) => a.tokens.length === b.tokens.length;

/** A state whose pins are cells that exist, after the sentence grew or shrank. */
function settled(next) {
    const last = next.doc.tokens.length - 1;
    const { focus } = next;
    if (next.query <= last && next.key <= last && focus.row <= last && focus.col <= last)
        return next;
    const [query, key] = [Math.min(next.query, last), Math.min(next.key, last)];
    return { ...next, query, key, focus: { grid: 'weights', row: query, col: key }, hover: null };
}

const step = ({ doc, before, change }) => ({ doc, before, change });

/** Steps back (or, with 'redo', forward) by one edit. */
export function travel(direction) {
    const now = state.peek();
    const [from, to] = direction === 'redo' ? ['future', 'past'] : ['past', 'future'];
    if (!now[from].length) return;
    const target = now[from].at(-1);
    const undone = direction === 'redo' ? target.change : now.change;
    state.value = settled({
        ...now,
        ...target,
        hover: null,
        [from]: now[from].slice(0, -1),
        [to]: [...now[to], step(now)],
        gesture: null,
        edit: null,
        notice: { kind: direction === 'redo' ? 'redone' : 'undone', change: undone },
    });
}

/** How many words there can be: as many as have their numbers beside each other on the page. */
export const MOST_TOKENS = 4;

/** A copy of `matrix` with one number replaced. */
export function withValue(matrix, row, col, value) {
    return matrix.map((r, i) => (i === row ? r.map((x, j) => (j === col ? value : x)) : r));
}
