// What is drawn onto the pixels of a map (map.js): numbers, the corners of those that moved, and the
// frame of a row. Each gives a function of the surface, `cw` × `ch` device pixels a cell.

import { minus } from './format.js';
import { fontOf, print } from './glyphs.js';

/**
 * Numbers of `size` CSS pixels. `textOf` says what stands in a cell (null: nothing), `inkOf` names
 * its colour, `bold` is the row that is bold.
 */
export const numbers =
    (rows, { size, bold, textOf, inkOf }) =>
    (surface) => {
        const { cw, ch, ratio, edge, inks } = surface;
        const fonts = ['400', '650'].map((weight) => fontOf(weight, size * ratio, inks.fontFamily));
        rows.forEach((row, i) => {
            const font = fonts[Number(i === bold)];
            const y = (i + 0.5) * ch - edge / 2;
            for (let j = 0; j < row.length; j++) {
                const text = textOf(row[j], i, j);
                if (text === null) continue;
                const ink = row[j] === -Infinity ? 'm' : inkOf(row[j], i, j);
                print(surface, font, minus(text), (j + 0.5) * cw - edge / 2, y, inks.named[ink]);
            }
        });
    };

/** Cells of fewer CSS pixels carry no corner. */
const MARKED = 8;

/** A corner turned down, at the upper right, where a number is not what it was. */
export const corners = (rows, olds, inkOf) => (surface) => {
    const { pixels, width, cw, ch, ratio, edge, inks } = surface;
    if (!olds || Math.min(cw, ch) < MARKED * ratio) return;
    const size = Math.round(Math.min(4 * ratio, cw / 4));
    rows.forEach((row, i) => {
        if (row === olds[i]) return;
        row.forEach((x, j) => {
            if (Object.is(x, olds[i][j])) return;
            const ink = inks.named[inkOf(x, i, j)];
            const [right, top] = [Math.round((j + 1) * cw) - edge, Math.round(i * ch)];
            for (let y = 0; y < size; y++) {
                const at = (top + y) * width + right;
                pixels.fill(ink, at - size + y, at);
            }
        });
    });
};

/** The frame of row `mark`, or of a column where the map is turned, in the colour of its role. */
export const frame = (mark, rows, ink, turned) => (surface) => {
    const { pixels, width, height, ratio, inks } = surface;
    const line = Math.round(1.5 * ratio);
    const end = turned ? width : height;
    const [from, to] = [mark, mark + 1].map((n) => (n / rows.length) * end);
    const draw = (at, size, color) => {
        for (let n = Math.max(0, at); n < Math.min(end, at + size); n++) {
            if (!turned) pixels.fill(color, n * width, (n + 1) * width);
            else for (let y = 0; y < height; y++) pixels[y * width + n] = color;
        }
    };
    const [first, last] = [Math.round(from), Math.round(to)];
    draw(first - line - ratio, ratio, inks.named.surface);
    draw(last + line, ratio, inks.named.surface);
    draw(first - line, line, inks.named[ink]);
    draw(last, line, inks.named[ink]);
};

/** Corners of a radius in CSS pixels. */
export const rounded = (radius) => (surface) => {
    const { pixels, width, height, ratio } = surface;
    const r = radius * ratio;
    for (let y = 0; y < r; y++) {
        const out = Math.round(r - Math.sqrt(r ** 2 - (r - y - 0.5) ** 2));
        for (const line of [y, height - 1 - y]) {
            pixels.fill(0, line * width, line * width + out);
            pixels.fill(0, (line + 1) * width - out, (line + 1) * width);
        }
    }
};
