// The lines of the page as data: from the rectangles of what is on screen to paths, tags and
// labels. One line carries the pinned query from its word through the steps and back to the
// sentence; the pointed-at key hangs its k and v from its own word. `under` lies below the cells,
// `over` above them. The arcs over the words are those of arcs.js.
//
// `cell` names the cell that a tag or an arc stands for: pointing at it is pointing at that cell.
//
// rect(name) gives { x, y, w, h, r, b, cx, cy } in the coordinates of the drawing, or throws
// UNMEASURED; rect.maybe(name) gives null instead.

import { keyWord } from './arcs.js';
import { inline } from './format.js';
import { TAG, band, bend, letterAlone, path, tag, tip, wire } from './strokes.js';

/** Up to as many numbers stand on a tag. */
const TAGGED = 4;

/** Between a tag and a line that it is not about, and how far left a tag may reach. */
const [CLEAR, LEAST] = [9, -14];

/** [1, 2] as a tag says it. */
const saidOf = (values, digits) => `[${values.map((value) => inline(value, digits)).join(', ')}]`;

/** Where the lines leave the words: side by side where one word asks itself. */
function startsOf(word, from, itself) {
    if (!itself) return { q: word.cx, k: from.cx - 5, v: from.cx + 5 };
    const v = Math.min(word.x + word.w * 0.62 + 10, word.r - 7);
    return { q: Math.min(word.x + word.w * 0.3, v - 24), k: v - 10, v };
}

/** A tag beside the lines of k and v that leave their word, with its letter alone if need be. */
function beside(shown, { k, v }, itself) {
    if (shown.role === 'q' && itself) {
        const x = k - CLEAR - shown.w / 2;
        return x - shown.w / 2 >= LEAST ? { ...shown, x } : letterAlone(shown, k - CLEAR);
    }
    const half = shown.w / 2 + CLEAR;
    const covers = shown.role === 'v' && shown.x - half < v && shown.x + half > k;
    return covers ? { ...shown, x: v + half + CLEAR } : shown;
}

/** Wide: the lane runs left to right through rows at one height. */
export function wideWires(rect, frame, width) {
    const { m, i, j } = frame;
    const under = [];
    const over = [];
    const start = rect(`Q:row:${i}`);
    const channels = m.grids.output[i].length;
    const end = rect(`output:${i}:${channels - 1}`);
    const y = start.cy;
    const half = (start.cellHeight || start.h) / 2 + 6;
    const [left, right] = [-18, width + 20];
    if (!frame.mini)
        under.push(band(start.x - 8, y - half, end.r - start.x + 18, half * 2, half, 'lane', 0.15));

    const grids = ['Q', ...m.steps.map(({ id }) => id)];
    for (let n = 1; n < grids.length; n++) {
        const columns = m.grids[grids[n - 1]][0].length;
        m.queries.forEach((_, row) => {
            if (frame.mini && row !== i) return;
            const a = rect(`${grids[n - 1]}:${row}:${columns - 1}`);
            const b = rect(`${grids[n]}:row:${row}`);
            const lit = row === i;
            under.push(
                path(
                    `M${a.r + 3},${a.cy}H${b.labelX - 5}`,
                    lit ? 'lane' : 'strand',
                    lit ? 3.5 : 1.2,
                ),
            );
        });
    }

    const word = rect(`token:${i}`);
    const strip = rect('strip');
    const y1 = strip.b + (frame.mini ? 11 : 16);
    const from = keyWord(rect, m, j);
    const itself = j === i && !m.doc.keyTokens;
    const starts = startsOf(word, from, itself);
    const leaves = frame.wraps
        ? [[strip.x - 4, strip.cy]]
        : [
              [starts.q, word.b],
              [starts.q, y1],
          ];
    under.push(
        wire(
            [
                ...leaves,
                [left, leaves.at(-1)[1]],
                [left, y],
                [start.labelX - 12, y],
            ],
            'q',
            3.5,
        ),
        tip(start.labelX - 5, y, 'right', 'q'),
    );

    const kHead = rect(`K:col:top:${j}`);
    const y2 = y1 + (frame.mini ? 10 : 21);
    const y3 = y2 + 9;
    const vRow = rect(`V:row:${j}`);
    const vx = vRow.x - 14;
    if (!frame.wraps) under.push(
        wire(
            [
                [starts.k, from.b],
                [starts.k, y3],
                [kHead.cx, y3],
                [kHead.cx, kHead.y - 7],
            ],
            'k',
            2.2,
            16,
        ),
        tip(kHead.cx, kHead.y + 1, 'down', 'k'),
        wire(
            [
                [starts.v, from.b],
                [starts.v, y2],
                [vx, y2],
                [vx, vRow.cy],
                [vRow.labelX - 11, vRow.cy],
            ],
            'v',
            2.2,
            16,
        ),
        tip(vRow.labelX - 4, vRow.cy, 'right', 'v'),
    );
    const digits = m.doc.mode === 'direct' ? 'typed' : 'short';
    const put = (x, cy, letter, grid, row) => {
        if (frame.mini || m.grids[grid][0].length > TAGGED) return;
        const said = saidOf(m.grids[grid][row], digits);
        const shown = tag(x, cy, letter, said, letter, width);
        under.push({ ...beside(shown, starts, itself), cell: `${grid}:${row}:0` });
    };
    put(starts.q, y1, 'q', 'Q', i);
    const [kTop, kEnd] = [y3 + 2, kHead.y - 10];
    if (kEnd - kTop >= TAG) put(kHead.cx, (kTop + kEnd) / 2, 'k', 'K', j);
    put(width * 0.53, y2, 'v', 'V', j);

    const kFoot = rect(`K:${j}:${m.grids.K[0].length - 1}`);
    const score = rect(`scores:${i}:${j}`);
    if (!frame.mini) under.push(band(score.x - 3, kFoot.b + 6, score.w + 6, score.y - kFoot.b - 8, 9, 'k', 0.12));

    const mix = rect('mix');
    const home = frame.mini
        ? [
              [end.r + 9, y],
              [mix.x - 30, y],
              [mix.x - 30, mix.cy],
              [mix.x - 11, mix.cy],
          ]
        : [
              [end.r + 9, y],
              [right, y],
              [right, mix.cy],
              [mix.r + 11, mix.cy],
          ];
    under.push(
        wire(home, 'o', 3.5),
        frame.mini ? tip(mix.x - 4, mix.cy, 'right', 'o') : tip(mix.r + 4, mix.cy, 'left', 'o'),
    );

    for (const { id, control } of m.steps) {
        const gate = rect(`gate:${id}`);
        if (control) {
            const box = rect(`control:${control}`);
            const at = control === 'mask' ? rect('mask:0:0') : box;
            const cy = control === 'mask' ? rect(`mask:${m.queries.length - 1}:0`).cy : box.cy;
            under.push(
                path(
                    bend(
                        [
                            [at.x - 4, cy],
                            [gate.cx, cy],
                            [gate.cx, gate.y - 9],
                        ],
                        12,
                    ),
                    'm',
                    1.6,
                    { dash: '1 5', cap: 'round' },
                ),
                tip(gate.cx, gate.y - 2, 'down', 'm'),
            );
        }
        const head = rect.maybe(`head:${id}`);
        if (head) under.push(path(`M${gate.cx},${gate.b + 2}V${head.y + 4}`, 'strand', 1.6));
        over.push({ kind: 'node', x: gate.cx, y, role: 'lane' });
    }
    return { under, over };
}

/** Narrow: the line runs down the left margin, one step per row. */
export function narrowWires(rect, frame) {
    const { m, i, j } = frame;
    const under = [];
    const word = rect(`token:${i}`);
    const row = rect(`Q:row:${i}`);
    const q = rect(`Q:${i}:${m.grids.Q[0].length - 1}`);
    const gates = m.steps.map(({ id }) => rect(`gate:${id}`));
    const x = gates[0].cx;
    const strip = rect('strip');
    const y1 = (frame.wraps ? strip.b : word.b) + 10;
    const from = frame.wraps ? [x, strip.b + 4] : [word.cx, word.b];
    under.push(
        band(row.labelX - 7, row.cy - 26, q.r - row.labelX + 13, 52, 16, 'q', 0.13),
        path(`M${x},${row.cy}V${gates.at(-1).cy}`, 'fall', 3.5),
        wire(
            [
                from,
                [from[0], y1],
                [x, y1],
                [x, row.cy + 2],
            ],
            'q',
            3.5,
            12,
        ),
        path(`M${x},${row.cy}H${row.labelX - 7}`, 'q', 3.5),
    );
    const top = rect(`scores:col:${j}`);
    const bottom = rect(`weights:${i}:${j}`);
    if (!frame.allRows && top && bottom) {
        under.push(
            band(bottom.x - 3, top.y - 3, bottom.w + 6, bottom.b - top.y + 8, 10, 'k', 0.14),
        );
    }
    return { under, over: [], fall: [row.cy, gates.at(-1).cy] };
}
