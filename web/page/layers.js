// What is laid over the four steps, as writes of state that describe themselves: further steps,
// numbers that the mask adds, and the corner from which places are counted.

import { model } from './compute.js';
import { cellPatch } from './mask.js';
import { state, update } from './state.js';

/** What a layer begins with. */
export const START = { softcap: 2, dropout: 0.2 };

/** Lays a step over the others, or takes it off again. */
export const setLayer = (id, on) =>
    update({ [id]: on ? START[id] : null }, { change: { kind: 'layer', id, on } });

export const setPositions = (positions) =>
    update(
        { positions },
        { change: { kind: 'positions', from: state.peek().doc.positions, to: positions } },
    );

/** Opens a lens and closes any other; the same again closes it. */
export const openLens = (id) => update({ lens: state.peek().lens === id ? null : id });

/** Another order of the words for the order experiment. */
export const shuffle = () => update({ shuffle: state.peek().shuffle + 1 });

/** Adds a number to one score; 0 adds nothing. A hidden cell is shown. */
export function setBias({ row, col }, value, gesture = null) {
    const { doc } = state.peek();
    const { queries, keys, allowed } = model.peek();
    const from = doc.bias[`${row},${col}`] ?? 0;
    if (from === value && allowed[row][col]) return;
    const sizes = { queries: queries.length, keys: keys.length };
    update(
        { ...cellPatch(doc, { row, col }, { added: value }, sizes), query: row, key: col },
        { change: { kind: 'bias', row, col, from, to: value }, gesture },
    );
}

export const setCorner = (corner) =>
    update(
        { mask: { ...state.peek().doc.mask, corner } },
        { change: { kind: 'corner', from: state.peek().doc.mask.corner, to: corner } },
    );
