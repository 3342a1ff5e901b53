// How every grid is operated, by keyboard and by pointer: the grid pattern of the ARIA authoring
// practices with one tab stop, typing that replaces, dragging that scrubs a number or paints a
// mask. A drag is one gesture, hence one undo step.

import { beginEdit, columnOf, paint, pinCell, setValue } from './actions.js';
import { sayCopied, textOf } from './clipboard.js';
import { model } from './compute.js';
import { releaseScore } from './controls.js';
import { form } from './layout.js';
import { narrow } from './media.js';
import { moveToken, removeToken } from './sentence.js';
import { GRIDS, specOf } from './stages.js';
import { state } from './state.js';
import { pasteBlock } from './values.js';

/** Pixels of a drag per step; a drag shorter than `slack` is a click. */
export const stride = 14;
export const slack = 4;

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
    const turned = GRIDS[cell.grid].turned && !narrow.peek() && form.peek() === 'line';
    const last =
        [rows.length - 1, rows[0].length - 1];
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
    if (!cell || event.target.tagName === 'INPUT' || event.metaKey) return;
    if (event.altKey) {
        if (GRIDS[cell.grid].kind === 'word') moveByKey(cell, event);
        return;
    }
    const to = target(cell, event);
    if (to) {
        event.preventDefault();
        const element = elementOf(to);
        if (element) element.focus();
        else follow(to);
        return;
    }
    const { kind, edits } = specOf(cell.grid, state.peek().doc);
    if (kind === 'mask' && (event.key === ' ' || event.key === 'Enter')) {
        event.preventDefault();
        paint(cell, !model.peek().allowed[cell.row][cell.col]);
    } else if ((kind === 'input' || kind === 'word' || edits) && !event.ctrlKey) {
        const typed = kind === 'word' ? /^\P{Cc}$/u : /^[\d.,+\-\u2212]$/;
        const clear = event.key === 'Delete' || event.key === 'Backspace';
        const opens = event.key === 'Enter' || event.key === 'F2';
        if (!typed.test(event.key) && !clear && !opens) return;
        event.preventDefault();
        if (!clear) beginEdit(cell, opens ? null : event.key);
        else if (edits) releaseScore(cell);
        else if (kind === 'input') setValue(cell, 0);
        else if (event.key === 'Delete') removeWord(cell);
    }
}

/** Pins a cell that is no element yet, and gives it the focus once it is. */
function follow(cell) {
    pinCell(cell);
    queueMicrotask(() => elementOf(cell)?.focus());
}

/** Gives the focus to the pinned word of a strip, once the strip is drawn. */
export const focusWord = (grid) =>
    queueMicrotask(() => elementOf({ ...state.peek().focus, grid, row: 0 })?.focus());

/** Removes a word by key; the focus goes to its neighbour. */
function removeWord(cell) {
    removeToken(cell.col, cell.grid);
    pinCell({ ...cell, col: Math.min(cell.col, model.peek().grids[cell.grid][0].length - 1) });
    focusWord(cell.grid);
}

/** Alt with an arrow moves a word, with Home and End to either end. */
function moveByKey(cell, event) {
    const last = model.peek().grids[cell.grid][0].length - 1;
    const to = { ArrowLeft: cell.col - 1, ArrowRight: cell.col + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveToken(cell.col, to, { strip: cell.grid });
    focusWord(cell.grid);
}

/** A block onto a number; onto a field only what is more than one number, the rest is its own. */
export function onPaste(event) {
    const cell = cellOf(document.activeElement);
    if (!cell || specOf(cell.grid, state.peek().doc).kind !== 'input') return;
    const pasted = event.clipboardData.getData('text/plain');
    if (event.target.tagName === 'INPUT' && !/[\t\n;]/.test(pasted.trim())) return;
    event.preventDefault();
    pasteBlock(cell, pasted);
}

/** The whole matrix as text, unless something else is chosen. */
export function onCopy(event) {
    const cell = cellOf(document.activeElement);
    if (!cell || event.target.tagName === 'INPUT' || !getSelection().isCollapsed) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', textOf(model.peek().grids[cell.grid]));
    sayCopied(cell.grid);
}

/** Firefox tells the body of a copy or a paste, wherever the focus is, unless it is in a field. */
for (const [type, act] of [
    ['copy', onCopy],
    ['paste', onPaste],
]) {
    document.addEventListener(type, (event) => {
        if (!event.defaultPrevented) act(event);
    });
}

export function onFocus(event) {
    const cell = cellOf(event.target);
    if (cell && event.target.tagName !== 'INPUT') pinCell(cell);
}

export function onDoubleClick(event) {
    const cell = cellOf(event.target);
    if (!cell) return;
    const { kind, edits } = specOf(cell.grid, state.peek().doc);
    if (edits || kind === 'input' || kind === 'word') beginEdit(cell);
}

/** The drag going on: a gesture is no part of what the page shows. */
let drag = null;

export function onPointerDown(event) {
    const cell = cellOf(event.target);
    if (!cell || event.button !== 0 || event.target.tagName === 'INPUT') return;
    const { kind, field, edits } = specOf(cell.grid, state.peek().doc);
    const gesture = Symbol('drag');
    if (kind === 'input') {
        const value = state.peek().doc[field][cell.row][columnOf(cell)];
        drag = { cell, kind, gesture, x: event.clientX, y: event.clientY, value, going: false };
    } else if (edits) {
        const { focus, doc } = state.peek();
        const value = doc.scoreEdits[`${cell.row},${cell.col}`];
        const again = cellName(focus) === cellName(cell);
        drag = { cell, kind, gesture, x: event.clientX, value, again, going: false };
    } else if (kind === 'word') {
        const { focus } = state.peek();
        const again = focus.grid === cell.grid && focus.col === cell.col;
        drag = { cell, kind, gesture, again, x: event.clientX, y: event.clientY };
    } else if (kind === 'mask') {
        const may = !model.peek().allowed[cell.row][cell.col];
        drag = { cell, kind, gesture, may };
        if (event.target.hasPointerCapture?.(event.pointerId))
            event.target.releasePointerCapture(event.pointerId);
        paint(cell, may, gesture);
    }
}

export function onPointerMove(event) {
    if (!drag || event.buttons === 0) return;
    if (drag.kind === 'word') {
        dragWord(event);
        return;
    }
    if (drag.kind === 'mask') {
        const under = cellOf(document.elementFromPoint(event.clientX, event.clientY));
        if (under?.grid === 'mask') paint(under, drag.may, drag.gesture);
        return;
    }
    const dx = event.clientX - drag.x;
    if (drag.value === undefined || (!drag.going && Math.abs(dx) < slack)) return;
    drag.again = false;
    if (!drag.going) elementOf(drag.cell)?.setPointerCapture(event.pointerId);
    drag.going = true;
    const size = event.altKey || event.shiftKey ? 0.1 : 1;
    const value = Math.round((drag.value + Math.round(dx / stride) * size) * 1e6) / 1e6;
    setValue(drag.cell, value + 0, drag.gesture);
}

/** A dragged word takes the place of the word under the pointer once it has passed its middle. */
function dragWord(event) {
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= 2 * slack;
    if (!drag.going && !far) return;
    drag.going = true;
    drag.again = false;
    const { grid, col } = drag.cell;
    const element = elementOf(drag.cell);
    if (element && !element.hasPointerCapture(event.pointerId))
        element.setPointerCapture(event.pointerId);
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const over = under.map(cellOf).find((cell) => cell?.grid === grid && cell.col !== col);
    if (!over) return;
    const box = elementOf(over).getBoundingClientRect();
    const middle = box.left + box.width / 2;
    const sameLine = Math.abs(box.top - elementOf(drag.cell).getBoundingClientRect().top) < box.height / 2;
    if (sameLine && (over.col > col ? event.clientX < middle : event.clientX > middle)) return;
    const to = moveToken(col, over.col, { strip: grid, gesture: drag.gesture });
    drag.cell = { ...drag.cell, col: to };
}

export function onPointerUp(event) {
    const ended = drag;
    drag = null;
    if (ended?.kind === 'word' && ended.going) focusWord(ended.cell.grid);
    if (event.type !== 'pointerup' || event.pointerType !== 'touch') return;
    if ((ended?.kind === 'input' && !ended.going) || ended?.again) openWhenTapped(ended.cell);
}

/**
 * Opens a cell with the click that ends the tap. Opened sooner, the field would get that click
 * itself, and Firefox would put the caret there in place of the selection.
 */
function openWhenTapped(cell) {
    const open = (event) => {
        const tapped = cellOf(event.target);
        if (tapped && cellName(tapped) === cellName(cell)) beginEdit(cell);
    };
    addEventListener('click', open, { once: true });
}
