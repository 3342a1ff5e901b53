// What the controls do: switches, numbers in frames of their own, scores set by hand, and the mask
// as a whole. Like actions.js, each is a write of state that describes itself.

import { model } from './compute.js';
import { parseNumber } from './format.js';
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
    const { read, write } = SETTINGS[id];
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
    const { least, takes } = SETTINGS[id];
    const next = Math.max(least, Math.round((from + by) * 1e6) / 1e6);
    if (takes(next, state.peek().doc)) set(id, next, gesture);
}

export const typeSetting = (id, typed) => update({ edit: { setting: id, text: typed } });

/** Takes what was typed; if the setting cannot be that, it stays and one sentence says why. */
export function commitSetting() {
    const { edit, doc } = state.peek();
    if (!edit?.setting) return;
    const { empty, takes } = SETTINGS[edit.setting];
    const isEmpty = edit.text.trim() === '';
    const value = isEmpty ? empty : parseNumber(edit.text);
    const isGood = isEmpty || (value !== null && takes(value, doc));
    update({
        edit: null,
        ...(!isGood && { notice: { kind: 'badSetting', id: edit.setting, text: edit.text } }),
    });
    if (isGood) set(edit.setting, value);
}

export const resetScale = () => set('divisor', 'sqrt');

/** Sets one score by hand, whatever q·k is. */
export function setScore({ row, col }, value, gesture = null) {
    const { doc } = state.peek();
    const at = `${row},${col}`;
    if (Object.is(doc.scoreEdits[at], value)) return;
    const from = model.peek().grids.scores[row][col];
    update(
        { scoreEdits: { ...doc.scoreEdits, [at]: value }, query: row, key: col },
        { change: { kind: 'score', row, col, from, to: value }, gesture },
    );
}

/** Lets one score follow from q·k again. */
export function releaseScore({ row, col }) {
    const { [`${row},${col}`]: given, ...rest } = state.peek().doc.scoreEdits;
    if (given === undefined) return;
    update({ scoreEdits: rest }, { change: { kind: 'release', row, col } });
}

export const releaseScores = () => update({ scoreEdits: {} }, { change: { kind: 'releaseAll' } });

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
    update({ mask: { ...state.peek().doc.mask, painted: {} } }, { change: { kind: 'clearPaint' } });

/** Opens the room under a gate and closes any other; the same again closes it. */
export const openRoom = (id) => update({ room: state.peek().room === id ? null : id });

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
