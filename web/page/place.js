// Where a cell stands in the document: its name, its element, and the cell an event happened in.

import { pin } from './compute.js';
import { GRIDS } from './matrices.js';
import { state } from './state.js';

export const cellName = ({ grid, row, col }) => `${grid}:${row}:${col}`;

/** The cell an event happened in, or null. */
export function cellOf(target) {
    const at = target?.closest?.('[data-at]')?.dataset.at;
    if (!at) return null;
    const [grid, row, col] = at.split(':');
    return { grid, row: Number(row), col: Number(col) };
}

/** The cell where the line that a header names crosses what is pinned, or null. */
export function headedBy(target) {
    const name = target?.closest?.('[data-a]')?.dataset.a;
    const [, grid, side, n] = /^(\w+):(row|col):(\d+)$/.exec(name) ?? [];
    if (!(grid in GRIDS)) return null;
    const [row, col] = GRIDS[grid].axes.map((axis) => pin.peek()[axis]);
    return side === 'row' ? { grid, row: Number(n), col } : { grid, row, col: Number(n) };
}

export const elementOf = (cell) =>
    document.querySelector(`[role=gridcell][data-at="${cellName(cell)}"]`);

/** Gives the focus to a cell, once it is drawn. */
export const focusCell = (cell) => queueMicrotask(() => elementOf(cell)?.focus());

/** Gives the focus to the pinned word of a strip, once the strip is drawn. */
export const focusWord = (grid) => focusCell({ ...state.peek().focus, grid, row: 0 });
