// What a person can do, as writes of state. Each describes itself (`change`), so that the line
// under the table can say what happened and undo can say what went back.

import { GRIDS } from './matrices.js';
import { model, pinPatch } from './compute.js';
import { refuse, releaseScore, setScore } from './controls.js';
import { parseNumber, parseWord } from './format.js';
import { setBias } from './layers.js';
import { cellPatch } from './mask.js';
import { renameToken } from './sentence.js';
import { kvHeadOf, sizesOf } from './shape.js';
import { state, update, withValue } from './state.js';

/** The column of a cell in its whole matrix, where the heads lie side by side. */
export function columnOf({ grid, col }) {
    const { doc, head } = state.peek();
    const { axes, shared } = GRIDS[grid];
    const width = { feature: true, channel: true }[axes[1]] && sizesOf(doc)[axes[1]];
    if (!width) return col;
    return col + width * (shared ? kvHeadOf(doc, head) : head);
}

/** Sets one number: an input, or a score that would follow otherwise. */
export function setValue({ grid, row, col }, value, gesture = null) {
    const { field, edits } = GRIDS[grid];
    if (edits) {
        const set = edits === 'bias' ? setBias : setScore;
        set({ row, col }, value, gesture);
        return;
    }
    const matrix = state.peek().doc[field];
    const at = columnOf({ grid, col });
    if (Object.is(matrix[row][at], value)) return;
    const change = { kind: 'value', grid, row, col, from: matrix[row][at], to: value };
    update(
        { [field]: withValue(matrix, row, at, value), ...pinPatch({ grid, row, col }) },
        { change, gesture },
    );
}

/** What a cell that can be edited holds: a number of the document, a score, or a word. */
export function valueOf(cell) {
    const { doc } = state.peek();
    const { field, edits } = GRIDS[cell.grid];
    if (edits) return model.peek().grids[cell.grid][cell.row][cell.col];
    return field ? doc[field][cell.row][columnOf(cell)] : doc[cell.grid][cell.col];
}

export function beginEdit(cell, typed = null) {
    update({
        hover: null,
        edit: { ...cell, text: typed ?? String(valueOf(cell)), select: typed === null },
    });
}

/** What is typed to hide a cell. */
const isInfinite = (text) => /^\s*[-\u2212](∞|inf(inity)?)\s*$/i.test(text);

/** Takes back what was set by hand: a score, or a number that the mask adds. */
export function release(cell) {
    if (GRIDS[cell.grid].edits === 'bias') setBias(cell, 0);
    else releaseScore(cell);
}

export const typeInto = (value) =>
    update({ edit: { ...state.peek().edit, text: value, select: false, isBad: false } });

/**
 * Takes what was typed, and returns whether it could. If it is no number, one sentence says why;
 * the text stays to be mended, unless the field is left, and then the value stays.
 */
export function commitEdit({ leaving = false } = {}) {
    const { edit } = state.peek();
    if (!edit?.grid) return true;
    const { edits } = GRIDS[edit.grid];
    const isHidden = edits === 'bias' && isInfinite(edit.text);
    if (isHidden || (edits && edit.text.trim() === '')) {
        update({ edit: null });
        if (isHidden) paint(edit, false);
        else release(edit);
        return true;
    }
    const isWord = GRIDS[edit.grid].kind === 'word';
    const value = isWord ? parseWord(edit.text) : parseNumber(edit.text);
    if (value === null) {
        refuse({ kind: 'bad', ...edit, leaving });
        return false;
    }
    update({ edit: null });
    if (isWord) renameToken(edit.col, value, edit.grid);
    else setValue(edit, value);
    return true;
}

/** Hides a key from a query or shows it again. */
export function paint({ row, col }, may, gesture = null) {
    const { allowed, queries, keys } = model.peek();
    if (allowed[row][col] === may) return;
    const sizes = { queries: queries.length, keys: keys.length };
    update(
        {
            ...cellPatch(state.peek().doc, { row, col }, { may }, sizes),
            ...pinPatch({ grid: 'mask', row, col }),
        },
        { change: { kind: 'mask', row, col, may }, gesture },
    );
}

export const pinCell = (cell) => update(pinPatch(cell));

export function hoverCell(cell) {
    const now = state.peek().hover;
    const same =
        now && cell && now.grid === cell.grid && now.row === cell.row && now.col === cell.col;
    if (!same && now !== cell) update({ hover: cell });
}
