// A drag, whatever it changes: it follows one pointer from where it began, counts as one step of
// undo, and Escape (or the browser, when it takes the pointer for a scroll) brings back what was.
// Any other key but those that are held ends the drag where it is, before it does what it does.
// A gesture is no part of what the page shows, so it is kept here and not in state.

import { pinCell } from './actions.js';
import { cellOf } from './place.js';
import { restore, state } from './state.js';

/** Pixels of a drag per step; a drag shorter than `slack` is a click. */
export const stride = 14;
export const slack = 4;

/** A finger rests as long, in milliseconds, before it lifts a word. */
const HOLD = 350;

let drag = null;

/** A step of a drag or of a key: tenths while Shift or Alt is held. */
export const stepOf = (event) => (event.altKey || event.shiftKey ? 0.1 : 1);

/**
 * Begins a drag at a pointerdown.
 *
 * @param {(event: PointerEvent, gesture: symbol) => void} does.move changes state by this gesture
 * @param {(event: PointerEvent, isClick: boolean) => void} [does.up] after the pointer was lifted
 * @param {(isLifted: boolean) => void} [does.lift] a finger must rest first, then `move` is told
 * @param {number} [does.slack] pixels that are no drag yet
 */
export function grasp(event, does) {
    cancel();
    const isHeld = does.lift && event.pointerType === 'touch';
    drag = {
        ...does,
        pointer: event.pointerId,
        at: [event.clientX, event.clientY],
        gesture: Symbol('drag'),
        was: does.slack === 0 ? state.peek() : null,
        isGoing: false,
        isWaiting: isHeld,
        timer: isHeld ? setTimeout(lift, HOLD) : 0,
    };
    for (const [type, act] of LISTENERS) addEventListener(type, act, { capture: true });
    return drag.gesture;
}

/** Whether a finger holds a word up; until it lets go the page does not scroll. */
export const isLifted = () => drag?.isUp === true;

function lift() {
    drag.isWaiting = false;
    drag.isUp = true;
    drag.lift(true);
}

function onMove(event) {
    if (event.pointerId !== drag.pointer) return;
    if (event.buttons === 0) return;
    const far = Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]);
    if (drag.isWaiting) {
        if (far >= 2 * slack) drop();
        return;
    }
    if (!drag.isGoing && far < (drag.slack ?? slack)) return;
    drag.isGoing = true;
    drag.was ??= state.peek();
    drag.move(event, drag.gesture);
}

function onUp(event) {
    if (event.pointerId !== drag.pointer) return;
    const ended = drop();
    if (!ended.isUp || ended.isGoing) ended.up?.(event, !ended.isGoing);
}

function onCancel(event) {
    if (event.pointerId === drag.pointer) cancel();
}

/** Keys that say how a drag goes on, or that something is to come. */
const HELD = ['Shift', 'Alt', 'AltGraph', 'Control', 'Meta'];

function onKey(event) {
    if (HELD.includes(event.key)) return;
    if (event.key !== 'Escape') {
        drop();
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    cancel();
}

const LISTENERS = [
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onCancel],
    ['keydown', onKey],
];

/** Lets go; what the drag did stays. */
function drop() {
    const ended = drag;
    drag = null;
    clearTimeout(ended.timer);
    for (const [type, act] of LISTENERS) removeEventListener(type, act, { capture: true });
    if (ended.isUp) ended.lift(false);
    return ended;
}

/** Ends the drag going on and takes back all that it did. */
function cancel() {
    if (!drag) return;
    const { was, gesture } = drop();
    if (!was || state.peek().gesture !== gesture) return;
    restore(was);
    const cell = cellOf(document.activeElement);
    if (cell) pinCell(cell);
}
