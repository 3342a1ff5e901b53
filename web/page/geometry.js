// Where things are on screen, for the lines between them: measured once per layout, inside the frame
// that shows it. A small map stands for its cells; where each would be, follows from their number.

import { signal } from '@preact/signals';

/** Measured, not decided: name → rectangle in the coordinates of main, and the width of main. */
export const geometry = signal(null);

export function measure() {
    const main = document.querySelector('main');
    if (!main) return;
    const origin = main.getBoundingClientRect();
    const rects = new Map();
    const add = (name, box, more = {}) =>
        rects.set(name, {
            x: box.left - origin.left,
            y: box.top - origin.top,
            w: box.width,
            h: box.height,
            r: box.right - origin.left,
            b: box.bottom - origin.top,
            cx: box.left - origin.left + box.width / 2,
            cy: box.top - origin.top + box.height / 2,
            ...more,
        });
    const selector = ['.tokens', '.mix', '.flow']
        .map((part) => `${part} :is([data-a], [data-map], [role=grid] [data-at])`)
        .concat('.tokens')
        .join();
    for (const element of main.querySelectorAll(selector)) {
        const box = element.getBoundingClientRect();
        if (!box.width && !box.height) continue;
        const { a, at, map } = element.dataset;
        if (map) addMap(add, element);
        if (at && element.role === 'gridcell') add(at, box);
        if (!a) continue;
        const inner = element.firstElementChild?.getBoundingClientRect();
        const next = element.nextElementSibling?.getBoundingClientRect();
        add(a, box, { labelX: (inner ?? box).left - origin.left, cellHeight: next?.height });
        if (a.startsWith('K:row:')) add(a.replace('K:row:', 'K:col:top:'), box);
    }
    geometry.value = { rects, width: origin.width };
}

/** A small map stands for its cells: where each would be, follows from their number. */
function addMap(add, element) {
    const { map, rows, cols, turned } = element.dataset;
    const box = element.querySelector('.map').getBoundingClientRect();
    const more = { rows: Number(rows), cols: Number(cols), turned: turned !== undefined };
    add(`map:${map}`, box, more);
}

const part = (from, length, count, n) => [from + (length * n) / count, length / count];

const asked = new WeakMap();

/** The rectangle of a row, a column or a cell inside a small map: worked out once per measuring. */
export function inMap(rects, name) {
    if (!asked.has(rects)) asked.set(rects, new Map());
    const known = asked.get(rects);
    if (!known.has(name)) known.set(name, placeIn(rects, name));
    return known.get(name);
}

function placeIn(rects, name) {
    const [grid, ...path] = name.split(':');
    const map = rects.get(`map:${grid}`);
    if (!map) return null;
    const index = Number(path.at(-1));
    const isRow = path[0] === 'row';
    const isCell = path.length === 2 && !['row', 'col'].includes(path[0]);
    let [x, w, y, h] = [map.x, map.w, map.y, map.h];
    const across = (n, count) => ([x, w] = part(map.x, map.w, count, n));
    const down = (n, count) => ([y, h] = part(map.y, map.h, count, n));
    const [first, second] = map.turned ? [across, down] : [down, across];
    if (isRow || (path[1] === 'top' && map.turned)) first(index, map.rows);
    if (path[0] === 'col' && !map.turned) second(index, map.cols);
    if (isCell) {
        first(Number(path[0]), map.rows);
        second(index, map.cols);
    }
    const edges = { x, y, w, h, r: x + w, b: y + h, cx: x + w / 2, cy: y + h / 2 };
    return { ...edges, labelX: x - 4, cellHeight: Math.max(h, 8) };
}
