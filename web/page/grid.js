// How every grid is operated by keyboard: the grid pattern of the ARIA authoring practices with one
// tab stop, typing that replaces, and the clipboard. What the keys do is a table of its own, keys.js;
// what a pointer does, pointer.js.

import { beginEdit, paint, pinCell, release, setValue, valueOf } from './actions.js';
import { sayCopied, textOf } from './clipboard.js';
import { model } from './compute.js';
import { kindOf, tidy } from './hand.js';
import { comboOf, meant } from './keys.js';
import { form } from './layout.js';
import { GRIDS } from './matrices.js';
import { narrow } from './media.js';
import { cellOf, elementOf, focusCell, focusWord, headedBy } from './place.js';
import { onPointerDown, still } from './pointer.js';
import { moveToken, removeToken } from './sentence.js';
import { update } from './state.js';
import { pasteBlock } from './values.js';

const TYPED = { word: /^[^\p{Cc} ]$/u, number: /^[\d.,+\-\u2212]$/ };

const moves = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
};

/** For who would change a number that follows. */
const sayComputed = ({ grid }) => update({ notice: { kind: 'computed', grid } });

const clamp = (n, last) => Math.max(0, Math.min(last, n));

/** The cell that an arrow, Home or End leads to. */
function target(cell, { key, ctrlKey }) {
    const rows = model.peek().grids[cell.grid];
    const turned = GRIDS[cell.grid].turned && !narrow.peek() && form.peek() === 'line';
    const last = [rows.length - 1, rows[0].length - 1];
    let to = [cell.row, cell.col];
    const line = turned ? 0 : 1;
    if (key in moves) {
        const move = turned ? moves[key].toReversed() : moves[key];
        to = to.map((n, axis) => n + move[axis]);
    } else {
        const ends = key === 'Home' ? [0, 0] : last;
        to = to.map((n, axis) => (ctrlKey || axis === line ? ends[axis] : n));
    }
    return { ...cell, row: clamp(to[0], last[0]), col: clamp(to[1], last[1]) };
}

function walk(cell, event) {
    const to = target(cell, event);
    const element = elementOf(to);
    if (element) return element.focus();
    pinCell(to);
    return focusCell(to);
}

/** Key presses that repeat while a key is held are one step of undo. */
let held = null;

/** Moves a number up or down by a step; a held key is one gesture. */
function step(cell, event) {
    if (!event.repeat) held = Symbol('key');
    const way = event.key === 'ArrowUp' ? 1 : -1;
    const size = event.shiftKey ? 0.1 : 1;
    setValue(cell, tidy(valueOf(cell) + way * size), held);
}

/** Removes a word by key; the focus goes to its neighbour. */
function remove(cell) {
    removeToken(cell.col, cell.grid);
    pinCell({ ...cell, col: Math.min(cell.col, model.peek().grids[cell.grid][0].length - 1) });
    focusWord(cell.grid);
}

/** Carries a word to a neighbouring place, or to either end. */
function carry(cell, { key }) {
    const last = model.peek().grids[cell.grid][0].length - 1;
    const to = { ArrowLeft: cell.col - 1, ArrowRight: cell.col + 1, Home: 0, End: last }[key];
    moveToken(cell.col, to, { strip: cell.grid });
    focusWord(cell.grid);
}

const ACTS = {
    walk,
    ends: walk,
    edit: (cell) => beginEdit(cell),
    step,
    tenth: step,
    zero: (cell) => setValue(cell, 0),
    release,
    remove,
    carry,
    paint: (cell) => paint(cell, !model.peek().allowed[cell.row][cell.col]),
    stay() {},
};

function onKeyDown(event) {
    const cell = cellOf(event.target);
    if (!cell || event.target.role !== 'gridcell' || event.metaKey) return;
    const kind = kindOf(cell);
    const does = meant(comboOf(event), kind);
    if (does) {
        event.preventDefault();
        ACTS[does](cell, event);
        return;
    }
    const isPlain = !(event.ctrlKey || event.altKey) || event.getModifierState('AltGraph');
    const isTyped = isPlain && TYPED[kind === 'word' ? kind : 'number'].test(event.key);
    if (!isTyped && !(kind === 'result' && meant(comboOf(event), 'number') === 'edit')) return;
    event.preventDefault();
    if (kind === 'result') sayComputed(cell);
    else beginEdit(cell, event.key);
}

/** A block onto a number; onto a field only what is more than one number, the rest is its own. */
function onPaste(event) {
    const cell = cellOf(document.activeElement);
    if (!cell || kindOf(cell) !== 'number') return;
    const pasted = event.clipboardData.getData('text/plain');
    if (event.target.tagName === 'INPUT' && !/[\t\n;]/.test(pasted.trim())) return;
    event.preventDefault();
    pasteBlock(cell, pasted);
}

/** The whole matrix as text, unless something else is chosen. */
function onCopy(event) {
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

function onFocus(event) {
    const cell = cellOf(event.target);
    if (cell && event.target.role === 'gridcell') pinCell(cell);
}

function onDoubleClick(event) {
    const cell = cellOf(event.target);
    const kind = cell && kindOf(cell);
    if (kind === 'result') sayComputed(cell);
    else if (cell && kind !== 'mask') beginEdit(cell);
}

/** A header pins the line that it names. */
function onClick(event) {
    const cell = cellOf(event.target) ? null : headedBy(event.target);
    if (!cell) return;
    pinCell(cell);
    focusCell(cell);
}

/** What a grid whose cells are elements listens to. */
export const handlers = {
    onKeyDown,
    onFocusCapture: onFocus,
    onDblClick: onDoubleClick,
    onClick,
    onPointerDown,
    onTouchMove: still,
    onContextMenu: still,
};

/** A grid of one cell over a picture: pointing is the picture's. */
export const cursorHandlers = {
    onKeyDown,
    onFocusCapture: onFocus,
    onDblClick: onDoubleClick,
};
