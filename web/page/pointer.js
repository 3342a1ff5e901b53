// What a pointer does to a cell: a drag scrubs a number, carries a word or paints the mask; a finger
// pins by one tap and opens by a second.

import { beginEdit, paint, pinCell, setValue, valueOf } from './actions.js';
import { model } from './compute.js';
import { grasp, isLifted, slack, stepOf, stride } from './gesture.js';
import { kindOf, tidy } from './hand.js';
import { cellName, cellOf, elementOf, focusCell } from './place.js';
import { handEdit } from './scores.js';
import { moveToken } from './sentence.js';
import { state } from './state.js';

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

export function onPointerDown(event) {
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
function hold(cell, { pointerId, target }) {
    if (target.dataset?.at === cellName(cell) && target.hasPointerCapture(pointerId)) return;
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
export const still = (event) => {
    if (isLifted() && event.cancelable) event.preventDefault();
};
