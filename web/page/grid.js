// How every grid is operated, by keyboard and by pointer: the grid pattern of the ARIA authoring
// practices with one tab stop, typing that replaces, dragging that scrubs a number, moves a word or
// paints a mask. What the keys do is a table of its own, keys.js.

import { beginEdit, paint, pinCell, release, setValue, valueOf } from './actions.js';
import { sayCopied, textOf } from './clipboard.js';
import { model } from './compute.js';
import { grasp, isLifted, slack, stepOf, stride } from './gesture.js';
import { comboOf, meant } from './keys.js';
import { form } from './layout.js';
import { narrow } from './media.js';
import { cellName, cellOf, elementOf, focusCell, focusWord, headedBy } from './place.js';
import { handEdit } from './scores.js';
import { moveToken, removeToken } from './sentence.js';
import { GRIDS, specOf } from './matrices.js';
import { state, update } from './state.js';
import { pasteBlock } from './values.js';

/** What a cell is to a hand: 'number', 'score', 'word', 'mask', or a 'result' that follows. */
export function kindOf({ grid }) {
    const { kind, edits } = specOf(grid, state.peek().doc);
    if (kind === 'mask') return 'mask';
    if (edits) return 'score';
    return { input: 'number', word: 'word' }[kind] ?? 'result';
}

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

/** Without the dust of adding tenths. */
const tidy = (x) => Math.round(x * 1e6) / 1e6 + 0;

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

const cellUnder = ({ clientX, clientY }) => cellOf(document.elementFromPoint(clientX, clientY));

const BEGIN = {
    number: scrub,
    /** A score follows, and is scrubbed only once it was set by hand. */
    score: (event, cell) => scrub(event, cell, handEdit(state.peek(), cell) !== undefined),
    word: carryByHand,
    mask(event, cell) {
        const may = !model.peek().allowed[cell.row][cell.col];
        const brush = (at, gesture) => at?.grid === 'mask' && paint(at, may, gesture);
        const move = (moved, gesture) => brush(cellUnder(moved), gesture);
        brush(cell, grasp(event, { slack: 0, move }));
    },
};

function onPointerDown(event) {
    const cell = cellOf(event.target);
    if (!cell || event.button !== 0 || event.target.tagName === 'INPUT') return;
    if (event.target.hasPointerCapture?.(event.pointerId))
        event.target.releasePointerCapture(event.pointerId);
    BEGIN[kindOf(cell)]?.(event, cell);
}

/** Whether a cell was pinned before this tap: then it opens, so that looking opens no keyboard. */
const isAgain = (cell) => cellName(state.peek().focus) === cellName(cell);

function scrub(event, cell, mayMove = true) {
    const again = isAgain(cell);
    const from = valueOf(cell);
    const x = event.clientX;
    grasp(event, {
        move(moved, gesture) {
            if (!mayMove) return;
            hold(cell, moved);
            const steps = Math.round((moved.clientX - x) / stride);
            setValue(cell, tidy(from + steps * stepOf(moved)), gesture);
        },
        up: (lifted, isClick) => isClick && again && openWhenTapped(cell, lifted),
    });
}

function carryByHand(event, cell) {
    const again = isAgain(cell);
    let at = cell;
    const mark = (on) => elementOf(at)?.toggleAttribute('data-lifted', on);
    grasp(event, {
        slack: 2 * slack,
        lift: mark,
        move(moved, gesture) {
            hold(at, moved);
            const to = placeUnder(moved, at);
            if (to === null) return;
            const isUp = isLifted();
            if (isUp) mark(false);
            at = { ...at, col: moveToken(at.col, to, { strip: at.grid, gesture }) };
            if (isUp) mark(true);
        },
        up(lifted, isClick) {
            if (!isClick) focusCell(at);
            else if (again) openWhenTapped(cell, lifted);
        },
    });
}

/** A drag goes on outside of the window. */
function hold(cell, { pointerId }) {
    const element = elementOf(cell);
    if (element && !element.hasPointerCapture(pointerId)) element.setPointerCapture(pointerId);
}

/** The place of the word under the pointer, once the pointer has passed its middle, or null. */
function placeUnder({ clientX, clientY }, { grid, row, col }) {
    const under = document.elementsFromPoint(clientX, clientY).map(cellOf);
    const over = under.find((cell) => cell?.grid === grid && cell.col !== col);
    if (!over) return null;
    const box = elementOf(over).getBoundingClientRect();
    const own = elementOf({ grid, row, col }).getBoundingClientRect();
    const middle = box.left + box.width / 2;
    const sameLine = Math.abs(box.top - own.top) < box.height / 2;
    const isShort = over.col > col ? clientX < middle : clientX > middle;
    return sameLine && isShort ? null : over.col;
}

/** A tap on a cell that is drawn, not an element: pins it, and the second opens it. */
export function tap(cell, { pointerType }) {
    const opens = pointerType === 'touch' && isAgain(cell);
    pinCell(cell);
    if (opens && !['mask', 'result'].includes(kindOf(cell))) beginEdit(cell);
    else focusCell(cell);
}

/**
 * Opens a cell with the click that ends the tap. Opened sooner, the field would get that click
 * itself, and Firefox would put the caret there in place of the selection.
 */
function openWhenTapped(cell, { pointerType }) {
    if (pointerType !== 'touch') return;
    const open = (event) => {
        const tapped = cellOf(event.target);
        if (tapped && cellName(tapped) === cellName(cell)) beginEdit(cell);
    };
    addEventListener('click', open, { once: true });
}

/** While a finger holds a word up, the page neither scrolls nor opens a menu. */
const still = (event) => {
    if (isLifted() && event.cancelable) event.preventDefault();
};

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
