// What the last action did, as one phrase: the visible line under the table and the live region.

import { before, differing, followers, model } from './compute.js';
import { decodedOf, decoding } from './decode.js';
import { isBeyond } from './format.js';
import { sub, word } from './phrase.js';
import * as ofControls from './said.controls.js';
import { GRIDS } from './matrices.js';
import { text } from './text.en.js';
import { toldOf } from './tries.js';

/** q(sat)₂ */
function cellPhrase(m, { grid, row, col }) {
    const { letter, axes } = GRIDS[grid];
    if (axes[0] === 'model' || axes[0] === 'joined') return text.said.weight(grid, row, col);
    if (axes[1] === 'key')
        return text.said.pair(letter ? 'score' : 'mask', ...ofControls.pair(m, { row, col }));
    const owner = axes[0] === 'query' ? m.queries[row] : m.keys[row];
    return [word(letter, letter), '(', word(owner, letter), ')', sub(String(col + 1))];
}

const made = {
    ...ofControls.made,
    value: (m, change) => [
        ...text.said.value(cellPhrase(m, change), change.from, change.to),
        ...ofControls.untouched(m, change),
    ],
    scale: (m, { on }) => text.said.scale(on),
    mask: (m, change) => {
        const verb = change.may ? 'show' : 'hide';
        return change.count > 1
            ? text.said[`${verb}Many`](change.count)
            : text.said[verb](...ofControls.pair(m, change));
    },
    rename: (m, { from, to }) => text.said.rename(from, to),
    add: (m, { name }) => text.said.add(name),
    remove: (m, { name }) => text.said.remove(name),
    move: (m, { name, from, to }) => text.said.move(name, from, to),
    cross: (m, { on }) => text.said.cross(on),
    size: (m, { axis, from, to }) => text.said.size(axis, from, to),
    heads: (m, { from, to }) => text.said.heads(from, to),
    example: (m, { name }) => text.said.example(name),
    preset: (m, { preset }) => text.said.preset[preset](m.doc.mask),
};

function restored(m, change, forward) {
    if (change.kind in ofControls.back) return ofControls.back[change.kind];
    if (change.kind === 'value') {
        return text.said.back(cellPhrase(m, change), forward ? change.to : change.from);
    }
    if (change.kind === 'scale') return text.said.backScale(change.on === forward);
    if (change.kind === 'rename') return text.said.backRename(forward ? change.to : change.from);
    if (change.kind === 'mask' || change.kind === 'preset') return text.said.backMask;
    if (change.kind === 'size') return text.said.backSize;
    if (change.kind === 'heads') return text.said.backHeads(forward ? change.to : change.from);
    if (change.kind === 'example') return text.said.backExample;
    return text.said.backWords;
}

/** @returns {{ kind: string, phrase: Array } | null} */
export function saidOf(notice, change) {
    const m = model.value;
    if (!notice) return null;
    switch (notice.kind) {
        case 'tried':
            return { kind: 'tried', phrase: toldOf(m, before.value, notice) };
        case 'copied':
            return {
                kind: 'copied',
                phrase: text.said.copied(text.grids[notice.grid], notice.rows, notice.cols),
            };
        case 'declined':
            return { kind: 'declined', phrase: [text.notNow[notice.why]] };
        case 'lastWord':
            return { kind: 'lastWord', phrase: text.said.lastWord(notice.name) };
        case 'computed':
            return { kind: 'computed', phrase: text.said.computed(text.grids[notice.grid]) };
        case 'pasteBad':
        case 'pasteBeyond':
        case 'pasteRagged':
        case 'pasteLarge':
            return { kind: 'bad', phrase: text.said[notice.kind](...notice.at) };
        case 'decoded': {
            const at = decodedOf();
            const rows = decoding.value;
            return {
                kind: 'decoded',
                phrase:
                    at && rows
                        ? text.said.decoded(m.queries[at - 1], rows[at - 1])
                        : text.said.notDecoded,
            };
        }
        case 'kept':
        case 'cleared':
            return { kind: notice.kind, phrase: text.said[notice.kind] };
        case 'compare':
            return { kind: 'compare', phrase: text.said.compare[notice.compare](differing.value) };
        case 'shared':
        case 'inAddress':
            return { kind: 'shared', phrase: text.said[notice.kind](notice.length) };
        case 'link': {
            const { problem } = notice;
            return {
                kind: 'bad',
                phrase: [text.link[problem.kind === 'large' ? 'large' : 'refused'](problem)],
            };
        }
        case 'notCopied':
            return { kind: 'bad', phrase: text.said.notCopied };
        case 'badSetting':
            return {
                kind: 'bad',
                phrase: [
                    ...text.said.badSetting[notice.id](notice.text),
                    ...text.said.badEnd(notice.leaving),
                ],
            };
        case 'bad':
            return {
                kind: 'bad',
                phrase: [
                    ...(GRIDS[notice.grid].kind === 'word'
                        ? text.said.badWord
                        : text.said[isBeyond(notice.text) ? 'beyond' : 'bad'](
                              cellPhrase(m, notice),
                              notice.text,
                          )),
                    ...text.said.badEnd(notice.leaving),
                ],
            };
        case 'undone':
            return {
                kind: 'undone',
                phrase: [text.said.undone, ...restored(m, notice.change, false)],
            };
        case 'redone':
            return {
                kind: 'redone',
                phrase: [text.said.redone, ...restored(m, notice.change, true)],
            };
        default:
            return {
                kind: 'change',
                phrase: [
                    ...made[change.kind](m, change),
                    ...(before.value ? text.said.followed(followers.value) : []),
                ],
            };
    }
}
