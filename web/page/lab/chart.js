// A chart as data: where its lines run in a square of SIDE, and where its ticks stand as shares of
// the height and width. A line is { id, points: [x, y][] }, in the order of x.

import { labelsOf } from '../format.js';

export const SIDE = 1000;

/** Ticks at most, beyond the first. */
const TICKS = 4;

/** Nothing below is told apart on a logarithmic scale, unless it is asked for. */
const LEAST = 1e-6;

const share = (x, low, high) => (high > low ? (x - low) / (high - low) : 0);

const STEPS = [1, 2, 5, 10];

/** One of `steps` times a power of ten: the step of at most TICKS ticks. */
function stepOf(size, steps) {
    const power = 10 ** Math.floor(Math.log10(size / TICKS));
    return steps.find((n) => n * power * TICKS >= size * (1 - 1e-9)) * power;
}

function linear(low, high, steps = STEPS) {
    const step = stepOf(high - low || 1, steps);
    const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    const count = Math.max(1, last - first);
    const ticks = Array.from({ length: count + 1 }, (_, n) =>
        Number(((first + n) * step).toPrecision(12)),
    );
    const end = ticks.at(-1);
    return { ticks, at: (x) => share(x, ticks[0], end) };
}

/** Powers of ten: 0.01, 0.1, 1, or 10⁻⁴, 10⁻², 10⁰. */
function logarithmic(low, high, least) {
    const first = Math.floor(Math.log10(Math.max(low, least)) + 1e-9);
    const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(high, least)) - 1e-9));
    const skip = Math.ceil((last - first) / TICKS);
    const ticks = [];
    for (let n = last; n >= first; n -= skip) ticks.unshift(Number(`1e${n}`));
    return {
        ticks,
        base: 10,
        at: (x) => share(Math.log10(Math.max(x, least)), first, last),
    };
}

/** Powers of two, a few of them: 64, 256, 1024, or 2¹⁰, 2¹⁴, 2¹⁸. */
function doubling(low, high) {
    const [first, last] = [Math.ceil(Math.log2(low) - 1e-9), Math.floor(Math.log2(high) + 1e-9)];
    const skip = Math.max(1, Math.ceil((last - first) / TICKS));
    const ticks = [];
    for (let n = first; n <= last; n += skip) ticks.push(2 ** n);
    return { ticks, base: 2 };
}

const endsOf = (all) => [Math.min(...all), Math.max(...all)];

/**
 * @param {{ id: string, points: [number, number][] }[]} lines
 * @param {object} axes
 * @param {[number, number]} axes.x its ends
 * @param {[number, number]} [axes.y] ends that are shown at least
 * @param {boolean} [axes.log] y by powers of ten, from
 * @param {number} [axes.least]
 * @param {boolean} [axes.logX] x by powers of two
 */
export function chartOf(lines, { x, y = [], log = false, least = LEAST, logX = false }) {
    const [low, high] = endsOf([...lines.flatMap(({ points }) => points.map((p) => p[1])), ...y]);
    const isEmpty = !Number.isFinite(low);
    const ends = isEmpty ? [log ? 1e-3 : 0, 1] : [low, high];
    const scale = log ? logarithmic(...ends, least) : linear(...ends);
    const across = logX ? doubling(...x) : linear(...x, [1, 2, 2.5, 3, 5, 10]);
    const along = (px) => (logX ? share(...[px, ...x].map(Math.log)) : share(px, ...x));
    const at = (px, py) => [
        Math.round(along(px) * SIDE * 10) / 10,
        Math.round((1 - scale.at(py)) * SIDE * 10) / 10,
    ];
    const rows = labelsOf(scale.ticks, scale.base);
    const seen = across.ticks.filter((tick) => tick >= x[0] && tick <= x[1]);
    const columns = labelsOf(seen, across.base);
    return {
        paths: lines.map(({ id, points }) => ({
            id,
            d: points.map((p, n) => `${n ? 'L' : 'M'}${at(...p)}`).join(''),
        })),
        rows: scale.ticks.map((tick, n) => ({ at: 1 - scale.at(tick), label: rows[n] })),
        columns: seen.map((tick, n) => ({ at: along(tick), label: columns[n] })),
        place: (px, py) => [along(px), 1 - scale.at(py)],
    };
}
