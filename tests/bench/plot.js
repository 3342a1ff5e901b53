// The growth of time and memory with T as one picture: two charts with logarithmic axes, a line for
// each path, and below the exponents that were measured.

import { exponentOf } from '../../web/page/lab/exponent.js';

const WIDTH = 860, HEIGHT = 404, TOP = 56, BOTTOM = 320, PLOT = 300, LEFTS = [64, 490];

const COLORS = ['--a', '--b', '--c', '--d'];
const STYLE = `
    svg { --ink: #1c1b19; --soft: #6b675f; --line: #e4e0d8; --paper: #fffefb;
        --a: #3d4fb8; --b: #b3541e; --c: #2f7d5b; --d: #8a6d1f;
        font: 13px system-ui, 'DejaVu Sans', sans-serif; }
    @media (prefers-color-scheme: dark) {
        svg { --ink: #ece8df; --soft: #a39d91; --line: #3a3732; --paper: #1b1a18;
            --a: #93a4ff; --b: #f0965a; --c: #6cc79b; --d: #d9b95b; }
    }
    .paper { fill: var(--paper) } text { fill: var(--ink) } .soft { fill: var(--soft) }
    .grid { stroke: var(--line) } polyline { fill: none; stroke-width: 2 }
    .end { text-anchor: end } .mid { text-anchor: middle } .title { font-weight: 600 } .power { font-size: 10px }`;

const decades = (values) => {
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.ceil(Math.log10(Math.max(...values)));
    return Array.from({ length: high - low + 1 }, (_, n) => low + n);
};

function chart({ title, unit, lines, left }) {
    const points = lines.flatMap((line) => line.points);
    const powers = decades(points.map(([, value]) => value));
    const [low, high] = [powers[0], powers.at(-1)];
    const lengths = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
    const [first, last] = [lengths[0], lengths.at(-1)].map(Math.log2);
    const x = (length) => left + (PLOT * (Math.log2(length) - first)) / (last - first);
    const y = (value) => BOTTOM - ((BOTTOM - TOP) * (Math.log10(value) - low)) / (high - low);
    const at = (n) => n.toFixed(1);
    const rows = powers.map((power) => `
    <line class="grid" x1="${left}" x2="${left + PLOT}" y1="${at(y(10 ** power))}" y2="${at(y(10 ** power))}"/>
    <text class="soft end" x="${left - 8}" y="${at(y(10 ** power) + 4)}">${unit(10 ** power)}</text>`);
    const columns = lengths.filter((_, n) => n % 2 === 0).map((length) => `
    <text class="soft mid" x="${at(x(length))}" y="${BOTTOM + 20}">${length}</text>`);
    const curves = lines.map(({ color, points: own }) => {
        const path = own.map(([length, value]) => `${at(x(length))},${at(y(value))}`).join(' ');
        const [length, value] = own.at(-1);
        return `
    <polyline points="${path}" stroke="var(${color})"/>
    <circle cx="${at(x(length))}" cy="${at(y(value))}" r="3" fill="var(${color})"/>`;
    });
    return `
    <text class="title" x="${left}" y="${TOP - 20}">${title}</text>${rows.join('')}${columns.join('')}
    <text class="soft end" x="${left + PLOT}" y="${BOTTOM + 38}">T, tokens</text>${curves.join('')}`;
}

/** An exponent, raised. */
const power = (n) => `<tspan class="power" dy="-4">${n.toFixed(2)}</tspan><tspan dy="4">\u200b</tspan>`;

const UNITS = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

const withUnit = (unit) => (value) => {
    const [size, prefix] = UNITS.find(([least]) => value >= least * 0.999) ?? UNITS.at(-1);
    return `${Math.round(value / size)} ${prefix}${unit}`;
};

/**
 * @param {Record<string, { length: number, seconds: number, memory: number }[]>} growth by path
 * @returns {string} an SVG document
 */
export function plotOf(growth) {
    const paths = Object.keys(growth);
    const lines = (of) => paths.map((path, n) => ({
        color: COLORS[n],
        points: growth[path].map((point) => [point.length, of(point)]).filter(([, value]) => value > 0),
    }));
    const time = lines(({ seconds }) => seconds), memory = lines((point) => point.memory);
    const legend = paths.map((path, n) => {
        const left = LEFTS[0] + n * 200, grows = (line) => `T${power(exponentOf(line[n].points))}`;
        return `
    <circle cx="${left + 6}" cy="${HEIGHT - 28}" r="4" fill="var(${COLORS[n]})"/>
    <text x="${left + 16}" y="${HEIGHT - 24}">${path}</text>
    <text class="soft" x="${left + 16}" y="${HEIGHT - 7}">time ${grows(time)}, memory ${grows(memory)}</text>`;
    }).join('');
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
    aria-label="Time and memory of one call against the number of tokens">
    <style>${STYLE}
    </style>
    <rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>${
        chart({ title: 'Time of a call', unit: withUnit('s'), lines: time, left: LEFTS[0] })}${
        chart({ title: 'Memory added', unit: withUnit('B'), lines: memory, left: LEFTS[1] })}${legend}
</svg>
`;
}
