// Keys that mean the same wherever the focus is. Like all keys they stand in the table of keys.js.

import { openPanel } from './controls.js';
import { comboOf, meant } from './keys.js';
import { cellOf, focusCell } from './place.js';
import { state, travel } from './state.js';

/** Undo and redo take the focus along: from a cell to the one that they changed, or moved. */
export function go(direction) {
    const cell = cellOf(document.activeElement);
    travel(direction);
    const { focus, notice } = state.peek();
    if (cell && (cell.grid === focus.grid || notice?.change?.row !== undefined)) focusCell(focus);
}

/** A single character is a key only for a cell that takes no text, or where nothing has focus. */
const takesHelp = (target) =>
    state.peek().helpKey &&
    (target === document.body || (target.role === 'gridcell' && !target.matches('.token')));

const ACTS = { undo: () => go('undo'), redo: () => go('redo'), help: () => openPanel('help') };

const OPENER = '[data-opens][aria-expanded=true]';

/**
 * Escape closes the panel or the room that it is pressed in, or whose button has the focus; from
 * elsewhere the panel, else the room that is open, and the focus stays where it is. A lab may be
 * at work, and is closed only from within.
 */
function leave(target) {
    const opened = target.closest?.('.panel, .room');
    const own = opened
        ? document.querySelector(`[data-opens="${opened.id}"]`)
        : target.closest?.(OPENER);
    const isList = target.tagName === 'SELECT';
    const other = isList ? null : document.querySelector(`${OPENER}:not([data-lab])`);
    const opener = own ?? other;
    opener?.click();
    return Boolean(opener);
}

export function onPageKeys() {
    addEventListener('keydown', (event) => {
        const { target } = event;
        if (event.key === 'Escape' && !state.peek().edit) {
            if (leave(target)) event.preventDefault();
            return;
        }
        const does = meant(comboOf(event), 'page');
        if (!does || (does === 'help' && !takesHelp(target))) return;
        if (target.tagName === 'INPUT' && state.peek().edit) return;
        event.preventDefault();
        ACTS[does]();
    });
}
