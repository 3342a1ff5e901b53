// The arcs over the words: what the pinned query takes from each key, as a curve of that width with
// the weight on it. A label goes where it covers no other label and no other arc, if there is such a
// place along its own; where one does stand on an arc, the arc ends before it and goes on after it.

import { inline } from './format.js';
import { without } from './gaps.js';
import { curve, label, strengthOf, widthOf } from './strokes.js';
import { text } from './text.en.js';

/** Below these weights an arc carries no number: where words crowd, and in a long sentence. */
const LABELLED = 0.15;
const LABELLED_LONG = 0.07;

/** Height of a label, and the width of one of its characters. */
const HIGH = 16;
const LETTER = 7.6;

/** The word that a key belongs to: of the sentence itself, or of the keys from elsewhere. */
export const keyWord = (rect, m, j) => rect(m.doc.keyTokens ? `key:${j}` : `token:${j}`);

/** How high an arc rises: with the distance, in a long sentence with its root. */
const lift = (distance, { base, rise }, isLong) =>
    isLong ? 10 + 3.4 * Math.sqrt(distance) : base + distance * rise;

/** Where a label may stand: along its arc from the middle outwards, on it, over it, inside it. */
const PLACES = [0.5, 0.62, 0.38, 0.74, 0.26, 0.85, 0.15];

/** What a label leaves free up to a stroke; that of a loop, which other arcs pass, leaves more. */
const airOf = (isLoop) => (isLoop ? 3 : 1);

/** An arc that carries its label goes on for this long on both sides of it together. */
const GOES_ON = 60;

/** Else it stands outside it, beside one of its feet; on a loop over it, or at a side. */
function spots(arc, isLoop, shown) {
    const air = airOf(isLoop);
    const over = arc.width / 2 + HIGH / 2 + air;
    const at = (t, dy) => [arc.at(t)[0], arc.at(t)[1] + dy];
    const [foot, end] = [arc.at(0), arc.at(1)];
    const carries = arc.width <= 5 && Math.abs(end[0] - foot[0]) >= wide(shown) + GOES_ON;
    const on = carries ? PLACES.map((t) => at(t, 0)) : [];
    const above = PLACES.slice(0, 5).map((t) => at(t, -over));
    const away = arc.width / 2 + wide(shown) / 2 + air;
    if (isLoop) {
        const { x, r } = runOf(arc);
        const y = arc.at(0.72)[1] + 2;
        return [above[0], [r + away, y], [x - away, y]];
    }
    const side = Math.sign(end[0] - foot[0]) * away;
    const feet = [[end[0] + side, end[1] - 11], [foot[0] - side, foot[1] - 11]];
    return [...on, ...above, at(0.5, over + 1), ...feet];
}

const wide = (shown) => shown.length * LETTER + 4;

const boxOf = ([x, y], shown) => {
    const w = wide(shown);
    return { x: x - w / 2, y: y - HIGH / 2, r: x + w / 2, b: y + HIGH / 2 };
};

const meet = (a, b) => a.x < b.r && b.x < a.r && a.y < b.b && b.y < a.b;

const STEPS = Array.from({ length: 33 }, (_, n) => n / 32);

/** Points of the curves, by their path: an edit changes their width, not where they run. */
const runs = new Map();

function runOf({ d, at }) {
    if (!runs.has(d)) {
        if (runs.size > 1000) runs.clear();
        const points = STEPS.map(at);
        const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
        const ends = (all) => [Math.min(...all), Math.max(...all)];
        const [[x, r], [y, b]] = [ends(xs), ends(ys)];
        runs.set(d, { xs, ys, x, r, y, b });
    }
    return runs.get(d);
}

/** How much of an arc runs through a box. Asked a thousand times an edit, so it makes nothing. */
function crossed(arc, box, air) {
    const run = runOf(arc);
    const half = arc.width / 2 + air;
    const x = box.x - half;
    const y = box.y - half;
    const r = box.r + half;
    const b = box.b + half;
    if (run.x >= r || run.r <= x || run.y >= b || run.b <= y) return 0;
    const { xs, ys } = run;
    let count = 0;
    for (let n = 0; n < xs.length; n++)
        if (xs[n] > x && xs[n] < r && ys[n] > y && ys[n] < b) count++;
    return count;
}

/** Puts each label at its best place, with its box; those put first have the choice. */
function place(labelled, all, { top, right, floor }) {
    const put = [];
    return labelled.map(({ arc, shown, role, isLoop }) => {
        /** What a spot covers; counted no further than `least`. */
        const cost = (spot, least) => {
            const box = boxOf(spot, shown);
            if (box.y < top || box.b > floor || box.x < -10 || box.r > right) return 1000;
            let sum = 0;
            for (const other of put) if (meet(box, other)) sum += 100;
            for (const other of all) {
                if (sum >= least) break;
                if (other !== arc || isLoop || arc.width > 5)
                    sum += crossed(other, box, airOf(isLoop));
            }
            return sum;
        };
        let best = { cost: Infinity };
        for (const spot of spots(arc, isLoop, shown)) {
            const c = cost(spot, best.cost);
            if (c < best.cost) best = { spot, cost: c };
        }
        const box = boxOf(best.spot, shown);
        put.push(box);
        const [x, y] = best.spot;
        return { box, drawn: { ...label(x, y + 4.5, shown, role), cell: arc.cell } };
    });
}

/** How arcs rise with the distance, how high a loop is, and the room that is kept over them. */
const WIDE = { rise: 0.24, base: 16, loop: 34, head: 24 };
const NARROW = { rise: 0.32, base: 9, loop: 26, head: 14 };

/** The arcs of `m`, and the labels on them. */
export function arcs(rect, m, frame) {
    const { i, j: near } = frame;
    const shape = frame.narrow ? NARROW : WIDE;
    const from = rect(`token:${i}`);
    const floor = from.y - 2;
    const weights = m.grids.weights[i];
    const reach = Math.max(
        ...weights.map((_, j) => Math.abs(keyWord(rect, m, j).cx - from.cx)),
    );
    const squeeze = Math.min(1, (floor - shape.head) / lift(reach, shape, frame.long));
    const least = frame.long ? LABELLED_LONG : frame.sparse ? LABELLED : 0;
    /* Of many dotted arcs, one tells what they are. */
    const lastHidden = weights.reduce((last, _, j) => (m.allowed[i][j] ? last : j), -1);
    const lines = [];
    const labelled = [];
    for (const j of weights.map((_, n) => n).sort((a, b) => weights[a] - weights[b])) {
        const w = weights[j];
        const size = Number.isNaN(w) ? 0 : w;
        const hidden = !m.allowed[i][j];
        const role = hidden ? 'm' : j === near ? 'k' : 'q';
        const cell = `weights:${i}:${j}`;
        const style = hidden
            ? { dash: '3 5', cell }
            : { tint: j === near ? 1 : strengthOf(0.28 + 0.5 * size), cap: 'round', cell };
        const width = hidden ? 1.6 : widthOf(1 + Math.sqrt(size) * 9);
        const isLoop = j === i && !m.doc.keyTokens;
        const points = isLoop
            ? loop(from, floor, shape)
            : bow(from, keyWord(rect, m, j), floor, { shape, frame, squeeze });
        const arc = curve(points, role, width, style);
        lines.push(arc);
        const isTold = hidden ? !frame.long || j === lastHidden : w >= least;
        if (isTold || j === near)
            labelled.push({
                arc,
                isLoop,
                role,
                shown: hidden && !(w > 0) ? text.arcHidden : inline(w, 'fixed'),
                /* A loop has the fewest places. */
                first: isLoop ? 2 : j === near ? 1 : 0,
            });
    }
    labelled.sort((a, b) => b.first - a.first);
    const room = { top: 1, right: rect('strip').r + 60, floor: from.y + 2 };
    const labels = place(labelled, lines, room);
    const boxes = labels.map(({ box }) => box);
    const cut = lines
        .sort((a, b) => (a.role === 'k') - (b.role === 'k'))
        .map((line) => without(line, boxes));
    return [...cut, ...labels.map(({ drawn }) => drawn)];
}

function loop(from, floor, { loop: high }) {
    const [a, b, h] = [13, 30, high * 1.25];
    return [
        [from.cx - a, floor],
        [from.cx - b, floor - h],
        [from.cx + b, floor - h],
        [from.cx + a, floor],
    ];
}

function bow(from, to, floor, { shape, frame, squeeze }) {
    const x = from.cx + (to.cx < from.cx ? -13 : 13);
    const h = lift(Math.abs(to.cx - x), shape, frame.long) * squeeze * 1.33;
    return [
        [x, floor],
        [x, floor - h],
        [to.cx, floor - h],
        [to.cx, floor],
    ];
}
