// What the lines of the page are drawn of, as data: views/Wires.jsx draws each kind.

const round = (n) => Math.round(n * 10) / 10;

/** How wide and how strong a line of a weight is, in steps that the eye cannot tell apart. */
export const widthOf = (n) => Math.round(n * 4) / 4;
export const strengthOf = (n) => Math.round(n * 50) / 50;

/** A polyline with rounded corners. */
export function bend(points, radius) {
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

export const path = (d, role, width, more = {}) => ({ kind: 'path', d, role, width, ...more });

export const wire = (points, role, width, radius = 18) =>
    path(bend(points, radius), role, width, { halo: true });

/** The point of a curve at r, s, t: between its ends if they are one number, else a handle. */
function blossom(points, ...at) {
    let left = points;
    for (const t of at)
        left = left.slice(1).map((b, n) => b.map((x, axis) => left[n][axis] * (1 - t) + x * t));
    return left[0];
}

/** The part of a curve from t to u. */
function piece(points, t, u) {
    const [a, ...rest] = [[t, t, t], [t, t, u], [t, u, u], [u, u, u]].map((at) =>
        blossom(points, ...at).map(round),
    );
    return `M${a}C${rest.join(' ')}`;
}

/** A curve from a to d that leans towards b and c, with points to ask where it runs. */
export function curve(points, role, width, more) {
    const [a, b, c, d] = points;
    const at = (t) => {
        const s = 1 - t;
        const on = (axis) =>
            s ** 3 * a[axis] + 3 * s * s * t * b[axis] + 3 * s * t * t * c[axis] + t ** 3 * d[axis];
        return [on(0), on(1)];
    };
    const rest = [b, c, d].map((point) => point.map(round)).join(' ');
    const drawn = path(`M${a.map(round)}C${rest}`, role, width, more);
    return { ...drawn, at, part: (t, u) => piece(points, t, u) };
}

export const label = (x, y, value, role) => ({ kind: 'label', x, y, value, role });

export const band = (x, y, w, h, rx, role, opacity) => ({
    kind: 'band',
    x,
    y,
    w,
    h,
    rx,
    role,
    opacity,
});

export function tip(x, y, direction, role) {
    const [dx, dy] = { right: [1, 0], left: [-1, 0], down: [0, 1] }[direction];
    const s = 5.5;
    const back = [x - dx * s * 1.5, y - dy * s * 1.5];
    const sides = [
        [back[0] + dy * s, back[1] + dx * s],
        [back[0] - dy * s, back[1] - dx * s],
    ];
    return { kind: 'tip', d: `M${x},${y}L${sides.join('L')}Z`, role };
}

/** Height of a tag, and the width of one of its characters. */
export const TAG = 24;
const LETTER = 7.5;

/** The widest tag that still says its numbers. */
const WIDEST = 190;

/** How wide a tag is that says so much. */
const wide = (shown) => shown.length * LETTER + 18;

/** The same tag with its letter alone, and where it then ends. */
export function letterAlone(tag, right) {
    const [shown] = tag.shown;
    return { ...tag, shown, x: right - wide(shown) / 2, w: wide(shown) };
}

/** A letter with its numbers on a line, kept between the margins; without them if they are many. */
export function tag(x, y, letter, said, role, width) {
    const full = `${letter} = ${said}`;
    const shown = wide(full) > WIDEST ? letter : full;
    const w = wide(shown);
    const within = Math.max(w / 2, Math.min(width - w / 2, x));
    return { kind: 'tag', x: within, y, w, shown, role };
}
