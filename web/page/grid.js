// How every grid is operated, by keyboard and by pointer: the grid pattern of the ARIA authoring
// practices with one tab stop, typing that replaces, dragging that scrubs a number or paints a
// mask. A drag is one gesture, hence one undo step.

import { beginEdit, paint, pinCell, removeToken, setValue } from './actions.js';
import { model } from './compute.js';
import { narrow } from './media.js';
import { GRIDS } from './stages.js';
import { state } from './state.js';

/** Pixels of a drag per step; a drag shorter than `slack` is a click. */
const stride = 14;
const slack = 4;

export const cellName = ({ grid, row, col }) => `${grid}:${row}:${col}`;

/** The cell an event happened in, or null. */
export function cellOf(target) {
    const at = target?.closest?.('[data-at]')?.dataset.at;
    if (!at) return null;
    const [grid, row, col] = at.split(':');
    return { grid, row: Number(row), col: Number(col) };
}

const elementOf = (cell) => document.querySelector(`[role=grid] [data-at="${cellName(cell)}"]`);

const moves = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
};

function target(cell, event) {
    const rows = model.peek().grids[cell.grid];
    const turned = GRIDS[cell.grid].turned && !narrow.peek();
    const last =
        cell.grid === 'tokens' ? [0, rows[0].length - 1] : [rows.length - 1, rows[0].length - 1];
    let to = [cell.row, cell.col];
    const line = turned ? 0 : 1;
    if (event.key in moves) {
        const move = turned ? moves[event.key].toReversed() : moves[event.key];
        to = to.map((n, axis) => n + move[axis]);
    } else if (event.key === 'Home' || event.key === 'End') {
        const ends = event.key === 'Home' ? [0, 0] : last;
        to = to.map((n, axis) => (event.ctrlKey || axis === line ? ends[axis] : n));
    } else return null;
    return { ...cell, row: clamp(to[0], last[0]), col: clamp(to[1], last[1]) };
}

const clamp = (n, last) => Math.max(0, Math.min(last, n));

export function onKeyDown(event) {
    const cell = cellOf(event.target);
    if (!cell || event.target.tagName === 'INPUT' || event.altKey || event.metaKey) return;
    const to = target(cell, event);
    if (to) {
        event.preventDefault();
        elementOf(to)?.focus();
        return;
    }
    const { kind } = GRIDS[cell.grid];
    if (kind === 'mask' && (event.key === ' ' || event.key === 'Enter')) {
        event.preventDefault();
        paint(cell, !model.peek().allowed[cell.row][cell.col]);
    } else if ((kind === 'input' || kind === 'word') && !event.ctrlKey) {
        const typed = kind === 'word' ? /^\P{Cc}$/u : /^[\d.,+\-\u2212]$/;
        const clear = event.key === 'Delete' || event.key === 'Backspace';
        const edits = event.key === 'Enter' || event.key === 'F2';
        if (!typed.test(event.key) && !clear && !edits) return;
        event.preventDefault();
        if (!clear) beginEdit(cell, edits ? null : event.key);
        else if (kind === 'input') setValue(cell, 0);
        else if (event.key === 'Delete') removeWord(cell);
    }
}

/** Removes a word by key; the focus goes to its neighbour. */
function removeWord(cell) {
    removeToken(cell.col);
    queueMicrotask(() => elementOf({ ...cell, col: state.peek().query })?.focus());
}

export function onFocus(event) {
    const cell = cellOf(event.target);
    if (cell && event.target.tagName !== 'INPUT') pinCell(cell);
}

export function onDoubleClick(event) {
    const cell = cellOf(event.target);
    if (cell && ['input', 'word'].includes(GRIDS[cell.grid].kind)) beginEdit(cell);
}

/** The drag going on: a gesture is no part of what the page shows. */
let drag = null;

export function onPointerDown(event) {
    const cell = cellOf(event.target);
    if (!cell || event.button !== 0 || event.target.tagName === 'INPUT') return;
    const { kind, field } = GRIDS[cell.grid];
    const gesture = Symbol('drag');
    if (kind === 'input') {
        const value = state.peek().doc[field][cell.row][cell.col];
        drag = { cell, kind, gesture, x: event.clientX, y: event.clientY, value, going: false };
    } else if (kind === 'word') {
        drag = { cell, kind, again: state.peek().query === cell.col };
    } else if (kind === 'mask') {
        const may = !model.peek().allowed[cell.row][cell.col];
        drag = { cell, kind, gesture, may };
        if (event.target.hasPointerCapture?.(event.pointerId))
            event.target.releasePointerCapture(event.pointerId);
        paint(cell, may, gesture);
    }
}

export function onPointerMove(event) {
    if (!drag || drag.kind === 'word' || event.buttons === 0) return;
    if (drag.kind === 'mask') {
        const under = cellOf(document.elementFromPoint(event.clientX, event.clientY));
        if (under?.grid === 'mask') paint(under, drag.may, drag.gesture);
        return;
    }
    const dx = event.clientX - drag.x;
    if (!drag.going && Math.abs(dx) < slack) return;
    if (!drag.going) elementOf(drag.cell)?.setPointerCapture(event.pointerId);
    drag.going = true;
    const size = event.altKey || event.shiftKey ? 0.1 : 1;
    const value = Math.round((drag.value + Math.round(dx / stride) * size) * 1e6) / 1e6;
    setValue(drag.cell, value + 0, drag.gesture);
}

export function onPointerUp(event) {
    const ended = drag;
    drag = null;
    if (event.type !== 'pointerup' || event.pointerType !== 'touch') return;
    if ((ended?.kind === 'input' && !ended.going) || ended?.again) {
        beginEdit(ended.cell);
    }
}
