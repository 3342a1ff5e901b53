// What the controls do: switches, numbers in frames of their own, scores set by hand, and the mask
// as a whole. Like actions.js, each is a write of state that describes itself.

import { model } from './compute.js';
import { parseNumber } from './format.js';
import { GRIDS } from './matrices.js';
import { handEdit, withEdit, withoutEdit, withoutEdits } from './scores.js';
import { SETTINGS } from './settings.js';
import { state, update } from './state.js';

export const setScale = (on) =>
    update({ scale: on ? 'sqrt' : 'off' }, { change: { kind: 'scale', on } });

export const setAxis = (axis) =>
    update(
        { softmaxAxis: axis },
        { change: { kind: 'axis', from: state.peek().doc.softmaxAxis, to: axis } },
    );

export const setOrder = (order) =>
    update(
        { maskOrder: order },
        { change: { kind: 'order', from: state.peek().doc.maskOrder, to: order } },
    );

/** Sets a number; `value` may be the word that an empty field stands for. */
function set(id, value, gesture = null) {
    const now = state.peek();
    const { read, write, act } = SETTINGS[id];
    if (act) {
        act(value, now, gesture);
        return;
    }
    const from = read(now.doc, now);
    const patch = write(now.doc, value);
    const to = read({ ...now.doc, ...patch }, { ...now, ...patch });
    const isSame = Object.entries(patch).every(([name, x]) =>
        Object.is(now.doc[name] ?? now[name], x),
    );
    if (isSame || Object.is(from, to)) return;
    update(patch, { change: { kind: 'setting', id, from, to }, gesture });
}

/** Moves a number from where it was, but not below the least that it can be. */
export function stepSetting(id, from, by, gesture = null) {
    const { least, most = Infinity, unit = 1, takes } = SETTINGS[id];
    const to = Math.round((from + by * unit) * 1e6) / 1e6;
    const next = Math.min(most, Math.max(least, to));
    if (takes(next, state.peek().doc)) set(id, next, gesture);
}

export const typeSetting = (id, typed) => update({ edit: { setting: id, text: typed } });

/**
 * Takes what was typed, and returns whether it could. If the setting cannot be that, one sentence
 * says why; the text stays to be mended, unless the field is left, and then the setting stays.
 */
export function commitSetting({ leaving = false } = {}) {
    const { edit, doc } = state.peek();
    if (!edit?.setting) return true;
    const { empty, takes } = SETTINGS[edit.setting];
    const isEmpty = edit.text.trim() === '';
    const value = isEmpty ? empty : parseNumber(edit.text);
    const isGood = isEmpty || (value !== null && takes(value, doc));
    if (!isGood) {
        refuse({ kind: 'badSetting', id: edit.setting, text: edit.text, leaving });
        return false;
    }
    update({ edit: null });
    set(edit.setting, value);
    return true;
}

/** Says why a text was refused; it stays in its field until that is left. */
export function refuse(notice) {
    const { edit } = state.peek();
    update({ edit: notice.leaving ? null : { ...edit, isBad: true }, notice });
}

/** Leaves the field that is typed into, and with it what was said about the text. */
export function cancelEdit() {
    const { edit } = state.peek();
    update({ edit: null, ...(edit?.isBad && { notice: null }) });
}

export const resetScale = () => set('divisor', 'sqrt');

/** Sets one score by hand, whatever q·k is. */
export function setScore(cell, value, gesture = null) {
    const now = state.peek();
    const { row, col } = cell;
    if (Object.is(handEdit(now, cell), value)) return;
    const from = model.peek().grids.scores[row][col];
    update(
        { scoreEdits: withEdit(now, cell, value), query: row, key: col },
        { change: { kind: 'score', row, col, from, to: value }, gesture },
    );
}

/** Lets one score follow from q·k again. */
export function releaseScore(cell) {
    const now = state.peek();
    if (handEdit(now, cell) === undefined) return;
    const change = { kind: 'release', row: cell.row, col: cell.col };
    update({ scoreEdits: withoutEdit(now, cell) }, { change });
}

/** Lets every score of the head that is shown follow again. */
export const releaseScores = () =>
    update({ scoreEdits: withoutEdits(state.peek()) }, { change: { kind: 'releaseAll' } });

/** Chooses what the mask starts from; what was painted stays on top of it. */
export const choosePreset = (preset) =>
    update(
        { mask: { ...state.peek().doc.mask, preset, inverted: false } },
        { change: { kind: 'preset', preset } },
    );

/** Shows what was hidden and hides what was shown, the painted cells with the rest. */
export function invertMask() {
    const { mask } = state.peek().doc;
    const painted = Object.fromEntries(
        Object.entries(mask.painted).map(([pair, may]) => [pair, !may]),
    );
    update(
        { mask: { ...mask, inverted: !mask.inverted, painted } },
        { change: { kind: 'invert' } },
    );
}

export const clearPaint = () =>
    update(
        { mask: { ...state.peek().doc.mask, painted: {} }, bias: {} },
        { change: { kind: 'clearPaint' } },
    );

/**
 * Opens the room under a gate and closes any other; the same again closes it. A room is about a pair:
 * what is told of another kind of cell, or of an action before, is told no longer.
 */
export function openRoom(id) {
    const { room, focus, query, key } = state.peek();
    if (!id || room === id) {
        update({ room: null });
        return;
    }
    const isPair = GRIDS[focus.grid].axes.join() === 'query,key';
    const pin = isPair ? focus : { grid: 'weights', row: query, col: key };
    update({ room: id, hover: null, focus: pin, notice: null });
}

/** Unfolds a part of the bar; the same again folds it. */
export const openPanel = (id) => update({ panel: state.peek().panel === id ? null : id });

/** Keeps the page as it is, to be compared with. */
export const keepBaseline = () =>
    update({ baseline: state.peek().doc, compare: 'now', notice: { kind: 'kept' } });

export const clearBaseline = () =>
    update({ baseline: null, compare: 'now', notice: { kind: 'cleared' } });

/** Shows the baseline, the page as it is now, or what lies between. */
export const compareWith = (compare) =>
    update({ compare, edit: null, hover: null, notice: { kind: 'compare', compare } });
