// Gaps in the arcs where labels stand: an arc ends before a label and goes on after it, and what is
// too short to be read as a line is left out.

/** Parts of a curve that are shorter than this are no line any more: between gaps, at an end. */
const [STUB, END] = [30, 16];

/** Parts that a curve is asked in, and how near its stroke comes to a box. */
const [PARTS, CLEAR] = [96, 1];

/** The middles of the parts of curves, by their path, with what they are within. */
const runs = new Map();

function runOf({ d, at }) {
    if (!runs.has(d)) {
        if (runs.size > 500) runs.clear();
        const points = Array.from({ length: PARTS }, (_, n) => at((n + 0.5) / PARTS));
        const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
        const [x, y, r, b] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
        runs.set(d, { xs, ys, x, y, r, b, parts: new Map() });
    }
    return runs.get(d);
}

/** Where a curve is in sight: [from, to] of each piece. */
function openIn({ xs, ys }, boxes) {
    const parts = [];
    let from = null;
    for (let n = 0; n <= PARTS; n++) {
        const [x, y] = [xs[n], ys[n]];
        const isOpen =
            n < PARTS && !boxes.some((box) => x > box.x && x < box.r && y > box.y && y < box.b);
        if (isOpen) from ??= n / PARTS;
        else if (from !== null) {
            parts.push([from, n / PARTS]);
            from = null;
        }
    }
    return parts;
}

/** A part of a curve as a path, made once: labels stand at the same few places. */
function partOf({ parts }, line, [t, u]) {
    const at = (t * (PARTS + 1) + u) * PARTS;
    if (!parts.has(at)) parts.set(at, line.part(t, u));
    return parts.get(at);
}

/** A curve without what boxes cover, and without the stubs that would be left between them. */
export function without(line, boxes) {
    const half = line.width / 2 + CLEAR;
    const run = runOf(line);
    const near = boxes
        .map(({ x, y, r, b }) => ({
            x: x - half,
            y: y - half + 1,
            r: r + half,
            b: b + half - 1,
        }))
        .filter((box) => run.x < box.r && run.r > box.x && run.y < box.b && run.b > box.y);
    if (!near.length) return line;
    const isSeen = ([t, u]) => {
        const [a, b] = [line.at(t), line.at(u)];
        return Math.hypot(b[0] - a[0], b[1] - a[1]) >= (t > 0 && u < 1 ? STUB : END);
    };
    const seen = openIn(run, near).filter(isSeen);
    if (!seen.length) return line;
    return { ...line, d: seen.map((part) => partOf(run, line, part)).join('') };
}
