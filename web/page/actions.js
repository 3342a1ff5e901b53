// What a person can do, as writes of state. Each describes itself (`change`), so that the line
// under the table can say what happened and undo can say what went back.

import { GRIDS } from './stages.js';
import { model, pinPatch } from './compute.js';
import { parseNumber, parseWord } from './format.js';
import { MOST_TOKENS, state, update, withValue } from './state.js';
import { text } from './text.en.js';

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
    const { doc } = state.peek();
    const { field } = GRIDS[cell.grid];
    const value = field ? doc[field][cell.row][cell.col] : doc.tokens[cell.col];
    update({
        hover: null,
        edit: { ...cell, text: typed ?? String(value), select: typed === null },
    });
}

export const typeInto = (value) =>
    update({ edit: { ...state.peek().edit, text: value, select: false } });

export const cancelEdit = () => update({ edit: null });

/** Takes what was typed; if it is no number, the value stays and one sentence says why. */
export function commitEdit() {
    const { edit } = state.peek();
    if (!edit) return;
    const isWord = edit.grid === 'tokens';
    const value = isWord ? parseWord(edit.text) : parseNumber(edit.text);
    update({ edit: null, ...(value === null && { notice: { kind: 'bad', ...edit } }) });
    if (value === null) return;
    if (isWord) rename(edit.col, value);
    else setValue(edit, value);
}

function rename(index, name) {
    const { tokens } = state.peek().doc;
    if (tokens[index] === name) return;
    const change = { kind: 'rename', index, from: tokens[index], to: name };
    update({ tokens: tokens.with(index, name) }, { change });
}

/** Adds a word with zeros for q, k and v, and asks for its name. */
export function addToken() {
    const { tokens, q, k, v } = state.peek().doc;
    const index = tokens.length;
    if (index >= MOST_TOKENS) return;
    const grown = (matrix) => [...matrix, matrix[0].map(() => 0)];
    update(
        { tokens: [...tokens, text.newToken], q: grown(q), k: grown(k), v: grown(v) },
        { change: { kind: 'add', name: text.newToken } },
    );
    const cell = { grid: 'tokens', row: 0, col: index };
    update(pinPatch(cell));
    beginEdit(cell);
}

/** Removes a word with its rows; the last one stays. */
export function removeToken(index) {
    const { tokens, q, k, v, mask } = state.peek().doc;
    if (tokens.length === 1) return;
    const without = (list) => list.toSpliced(index, 1);
    const kept = Object.entries(mask.painted)
        .map(([pair, may]) => [pair.split(',').map(Number), may])
        .filter(([pair]) => !pair.includes(index))
        .map(([pair, may]) => [pair.map((n) => (n > index ? n - 1 : n)).join(), may]);
    update(
        {
            tokens: without(tokens),
            q: without(q),
            k: without(k),
            v: without(v),
            mask: { ...mask, painted: Object.fromEntries(kept) },
            edit: null,
        },
        { change: { kind: 'remove', name: tokens[index] } },
    );
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
