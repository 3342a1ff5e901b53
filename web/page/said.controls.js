// What an edit of the controls did, as phrases by kind of change; part of the table of said.js.

import { before, followers } from './compute.js';
import { word } from './phrase.js';
import { kindOf } from './sharing.js';
import { text } from './text.en.js';

/** The words of a pair. */
export const pair = (m, { row, col }) => [word(m.queries[row], 'q'), word(m.keys[col], 'k')];

/** Every other allowed weight of the row moved the other way, if that is what the numbers say. */
function others(m, { row, col, from, to }) {
    const old = before.value;
    if (!old || m.doc.softmaxAxis !== 'keys' || from === to) return [];
    const [was, is] = [old.grids.weights[row], m.grids.weights[row]];
    const rest = is.map((_, j) => j).filter((j) => j !== col && m.allowed[row][j]);
    const up = to > from;
    const all = rest.length && rest.every((j) => (up ? is[j] < was[j] : is[j] > was[j]));
    return all
        ? text.said.others(
              up,
              rest.map((j) => m.keys[j]),
          )
        : [];
}

/**
 * Rows that may not see the word whose key or value was changed, if their outputs are the same as
 * before to the last bit. The comparison is made here, not taken for granted.
 */
export function untouched(m, { grid, row: j }) {
    const old = before.value;
    if (!old || (grid !== 'K' && grid !== 'V')) return [];
    const blind = m.queries.map((_, i) => i).filter((i) => !m.allowed[i][j]);
    const same = blind.filter((i) =>
        m.grids.output[i].every((x, d) => Object.is(x, old.grids.output[i][d])),
    );
    if (!blind.length || same.length < blind.length) return [];
    const hidden = m.keys[j];
    return same.length > 3
        ? text.said.isolatedMany(same.length, hidden)
        : text.said.isolated(
              same.map((i) => m.queries[i]),
              hidden,
          );
}

export const made = {
    setting: (m, { id, from, to }) => text.said.setting[id](from, to, followers.value > 0),
    link: () => text.said.link,
    mode: (m, { to }) => text.said.mode[to],
    identity: () => text.said.identity,
    pasted: (m, { grid, rows, cols }) => text.said.pasted(text.grids[grid], rows, cols),
    filled: (m, { seed }) => text.said.filled(seed),
    axis: (m, { to }) => text.said.axis[to],
    order: (m, { to }) => text.said.order[to],
    score: (m, change) => [...text.said.score(...pair(m, change), change.to), ...others(m, change)],
    release: (m, change) => text.said.release(...pair(m, change)),
    releaseAll: () => text.said.releaseAll,
    invert: () => text.said.invert,
    clearPaint: () => text.said.clearPaint,
    layer: (m, { id, on }) => text.said.layer[id](on, m.doc),
    positions: (m, { to }) => text.said.positions[to](m.doc.mode),
    kvHeads: (m, { from, to, isBack }) => {
        const origin = isBack ? 'back' : to % from === 0 ? 'copied' : 'pooled';
        return [
            ...text.said.kvHeads[kindOf(m.doc.heads, to)](m.doc.heads, to),
            ...text.said.kvHeads[origin],
        ];
    },
    output: (m, { on }) => text.said.output(on),
    corner: (m, { to }) => text.said.corner[to],
    bias: (m, change) => {
        const { row, col, to } = change;
        const { scaled, masked } = m.grids;
        return text.said.bias(...pair(m, change), scaled[row][col], to, masked[row][col]);
    },
};

/** What is as it was once a change is undone or done again, by kind. */
export const back = {
    setting: text.said.backControls.setting,
    axis: text.said.backControls.axis,
    link: text.said.backControls.link,
    mode: text.said.backMode,
    identity: text.said.backMode,
    pasted: text.said.backFilled,
    filled: text.said.backFilled,
    order: text.said.backControls.order,
    score: text.said.backControls.score,
    release: text.said.backControls.release,
    releaseAll: text.said.backControls.release,
    invert: text.said.backMask,
    clearPaint: text.said.backMask,
    layer: text.said.backLayer,
    positions: text.said.backLayer,
    kvHeads: text.said.backLayer,
    output: text.said.backLayer,
    corner: text.said.backMask,
    bias: text.said.backMask,
};
