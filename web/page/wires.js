// The lines of the page as data: from the rectangles of what is on screen to paths, tags and
// labels. One line carries the pinned query from its word through the steps and back to the
// sentence; the pointed-at key hangs its k and v from its own word. `under` lies below the cells,
// `over` above them.
//
// rect(name) gives { x, y, w, h, r, b, cx, cy } in the coordinates of the drawing, or throws
// UNMEASURED; rect.maybe(name) gives null instead.

import { STEPS } from './stages.js';

const round = (n) => Math.round(n * 10) / 10;

/** A polyline with rounded corners. */
function bend(points, radius) {
    let d = `M${round(points[0][0])},${round(points[0][1])}`;
    for (let n = 1; n < points.length - 1; n++) {
        const [a, b, c] = points.slice(n - 1, n + 2);
        const before = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const after = Math.hypot(c[0] - b[0], c[1] - b[1]);
        const r = Math.min(radius, before / 2, after / 2) || 0;
        const at = (from, length) =>
            [0, 1].map((axis) => round(b[axis] + ((from[axis] - b[axis]) / (length || 1)) * r));
        d += `L${at(a, before)}Q${b.map(round)} ${at(c, after)}`;
    }
    return `${d}L${points.at(-1).map(round)}`;
}

const path = (d, role, width, more = {}) => ({ kind: 'path', d, role, width, ...more });
const wire = (points, role, width, radius = 18) =>
    path(bend(points, radius), role, width, { halo: true });
const label = (x, y, value, role, anchor = 'middle') => ({
    kind: 'label',
    x,
    y,
    value,
    role,
    anchor,
});
const tag = (x, y, letter, values, role) => ({ kind: 'tag', x, y, letter, values, role });
const band = (x, y, w, h, rx, role, opacity) => ({ kind: 'band', x, y, w, h, rx, role, opacity });

function tip(x, y, direction, role) {
    const [dx, dy] = { right: [1, 0], left: [-1, 0], down: [0, 1] }[direction];
    const s = 5.5;
    const back = [x - dx * s * 1.5, y - dy * s * 1.5];
    const sides = [
        [back[0] + dy * s, back[1] + dx * s],
        [back[0] - dy * s, back[1] - dx * s],
    ];
    return { kind: 'tip', d: `M${x},${y}L${sides.join('L')}Z`, role };
}

/** The word that a key belongs to: of the sentence itself, or of the keys from elsewhere. */
const keyWord = (rect, m, j) => rect(m.doc.keyTokens ? `key:${j}` : `token:${j}`);

/** A curve from (x0, y) to (x3, y) that leans over x1 and x2 at height h. */
const arc = (x0, x1, x2, x3, y, h) => `M${x0},${y}C${x1},${y - h} ${x2},${y - h} ${x3},${y}`;

/** Below these weights an arc carries no number: where words crowd, and in a long sentence. */
const LABELLED = 0.15;
const LABELLED_LONG = 0.07;

/** How high an arc rises: with the distance, in a long sentence with its root. */
const lift = (distance, { base, rise }, isLong) =>
    isLong ? 10 + 3.4 * Math.sqrt(distance) : base + distance * rise;

function arcs(rect, frame, shape) {
    const { loop } = shape;
    const { m, i, j: near } = frame;
    const from = rect(`token:${i}`);
    const top = from.y - 2;
    const weights = m.grids.weights[i];
    const reach = Math.max(
        ...weights.map((_, j) => Math.abs(keyWord(rect, m, j).cx - from.cx)),
    );
    const squeeze = Math.min(1, (top - 24) / lift(reach, shape, frame.long));
    const least = frame.long ? LABELLED_LONG : frame.sparse ? LABELLED : 0;
    const lines = [];
    const labels = [];
    for (const j of weights.map((_, n) => n).sort((a, b) => weights[a] - weights[b])) {
        const w = weights[j];
        const size = Number.isNaN(w) ? 0 : w;
        const hidden = !m.allowed[i][j];
        const to = keyWord(rect, m, j);
        const role = j === near && !hidden ? 'k' : hidden ? 'm' : 'q';
        const style = hidden
            ? { dash: '3 5' }
            : { opacity: j === near ? 1 : 0.28 + 0.5 * size, cap: 'round' };
        const width = hidden ? 1.6 : 1 + Math.sqrt(size) * 9;
        if (j === i && !m.doc.keyTokens) {
            const [a, b] = [13, 30];
            const d = arc(from.cx - a, from.cx - b, from.cx + b, from.cx + a, top, loop * 1.25);
            lines.push(path(d, role, width, style));
            if (w < least && j !== near) continue;
            labels.push(
                j === weights.length - 1
                    ? label(
                          from.cx + b * 0.86 + width / 3,
                          top - loop * 0.72,
                          hidden ? -Infinity : w,
                          role,
                          'start',
                      )
                    : label(
                          from.cx,
                          top - loop * 0.94 - width / 2 - 5,
                          hidden ? -Infinity : w,
                          role,
                      ),
            );
            continue;
        }
        const x = from.cx + (to.cx < from.cx ? -13 : 13);
        const height = lift(Math.abs(to.cx - x), shape, frame.long) * squeeze;
        lines.push(path(arc(x, x, to.cx, to.cx, top, height * 1.33), role, width, style));
        if (w >= least || j === near) {
            const above = width > 5 ? width / 2 + 5 : -4;
            const along = j === near ? 0.5 : 0.66;
            labels.push(
                label(
                    x + (to.cx - x) * along,
                    top - height * (j === near ? 1 : 0.92) - above,
                    hidden ? -Infinity : w,
                    role,
                ),
            );
        }
    }
    return [...lines, ...labels];
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

    const grids = ['Q', ...STEPS.map(({ id }) => id)];
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
    const leaves = frame.wraps
        ? [[strip.x - 4, strip.cy]]
        : [
              [word.cx, word.b],
              [word.cx, y1],
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

    const from = keyWord(rect, m, j);
    const aside = j === i && !m.doc.keyTokens ? 10 : 0;
    const kHead = rect(`K:col:top:${j}`);
    const y2 = y1 + (frame.mini ? 10 : 21);
    const y3 = y2 + 9;
    const vRow = rect(`V:row:${j}`);
    const vx = vRow.x - 14;
    if (!frame.wraps) under.push(
        wire(
            [
                [from.cx + aside - 5, from.b],
                [from.cx + aside - 5, y3],
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
                [from.cx + aside + 5, from.b],
                [from.cx + aside + 5, y2],
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
    if (m.grids.Q[0].length <= 4 && !frame.mini) {
        under.push(
            tag(word.cx, y1, 'q', m.grids.Q[i], 'q'),
            tag(kHead.cx, Math.max(y3 + 14, (y3 + kHead.y) / 2), 'k', m.grids.K[j], 'k'),
        );
    }
    if (m.grids.V[0].length <= 4 && !frame.mini) under.push(tag(width * 0.53, y2, 'v', m.grids.V[j], 'v'));

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

    for (const { id, control } of STEPS) {
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
    if (!frame.wraps) under.push(...arcs(rect, frame, { rise: 0.24, base: 16, loop: 34 }));
    return { under, over };
}

/** Narrow: the line runs down the left margin, one step per row. */
export function narrowWires(rect, frame) {
    const { m, i, j } = frame;
    const under = [];
    const word = rect(`token:${i}`);
    const row = rect(`Q:row:${i}`);
    const q = rect(`Q:${i}:${m.grids.Q[0].length - 1}`);
    const gates = STEPS.map(({ id }) => rect(`gate:${id}`));
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
    if (!frame.wraps) under.push(...arcs(rect, frame, { rise: 0.2, base: 14, loop: 26 }));
    return { under, over: [], fall: [row.cy, gates.at(-1).cy] };
}
