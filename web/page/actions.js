// What a person can do, as writes of state. Each describes itself (`change`), so that the line
// under the table can say what happened and undo can say what went back.

import { GRIDS } from './stages.js';
import { model, pinPatch } from './compute.js';
import { parseNumber } from './format.js';
import { state, update, withValue } from './state.js';

/** Sets one input number. */
export function setValue({ grid, row, col }, value, gesture = null) {
    const { field } = GRIDS[grid];
    const matrix = state.peek().doc[field];
    if (Object.is(matrix[row][col], value)) return;
    const change = { kind: 'value', grid, row, col, from: matrix[row][col], to: value };
    update(
        { [field]: withValue(matrix, row, col, value), ...pinPatch({ grid, row, col }) },
        { change, gesture },
    );
}

export function beginEdit(cell, typed = null) {
    const value = state.peek().doc[GRIDS[cell.grid].field][cell.row][cell.col];
    update({ edit: { ...cell, text: typed ?? String(value), select: typed === null } });
}

export const typeInto = (value) =>
    update({ edit: { ...state.peek().edit, text: value, select: false } });

export const cancelEdit = () => update({ edit: null });

/** Takes what was typed; if it is no number, the value stays and one sentence says why. */
export function commitEdit() {
    const { edit } = state.peek();
    if (!edit) return;
    const value = parseNumber(edit.text);
    update({ edit: null, ...(value === null && { notice: { kind: 'bad', ...edit } }) });
    if (value !== null) setValue(edit, value);
}

/** Hides a key from a query or shows it again. */
export function paint({ row, col }, may, gesture = null) {
    if (model.peek().allowed[row][col] === may) return;
    const { mask } = state.peek().doc;
    const painted = { ...mask.painted, [`${row},${col}`]: may };
    if ((mask.preset === 'causal' ? col <= row : true) === may) delete painted[`${row},${col}`];
    update(
        { mask: { ...mask, painted }, ...pinPatch({ grid: 'mask', row, col }) },
        { change: { kind: 'mask', row, col, may }, gesture },
    );
}

/** Starts from a preset; what was painted goes, and undo brings it back. */
export const choosePreset = (preset) =>
    update({ mask: { preset, painted: {} } }, { change: { kind: 'preset', preset } });

export const setScale = (on) =>
    update({ scale: on ? 'sqrt' : 'off' }, { change: { kind: 'scale', on } });

export const pinCell = (cell) => update(pinPatch(cell));

export function hoverCell(cell) {
    const now = state.peek().hover;
    const same =
        now && cell && now.grid === cell.grid && now.row === cell.row && now.col === cell.col;
    if (!same && now !== cell) update({ hover: cell });
}

const themes = ['auto', 'light', 'dark'];

export const nextTheme = () =>
    update({ theme: themes[(themes.indexOf(state.peek().theme) + 1) % themes.length] });
