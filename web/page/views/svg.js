// Shapes of strokes.js as elements of SVG, and where they are pointed at. A hundred may change with
// an edit, so they are no views: draw() writes what differs.

import { TAG } from '../strokes.js';
import { write } from './direct.js';

const paint = { lane: 'url(#lane)', fall: 'url(#fall)' };
const color = (role) => paint[role] ?? `var(--${role})`;

/** As much of a colour, with nothing behind it to be seen through. */
const tinted = (role, tint = 1) =>
    tint === 1 ? color(role) : `color-mix(in srgb, ${color(role)} ${tint * 100}%, var(--page))`;

/** An element as data; of the same `kind` are those with the same attributes. */
const node = (kind, tag, content, inner = null) => ({ kind, tag, content, inner });

const halo = ({ d, width }) =>
    node('halo', 'path', { d, fill: 'none', stroke: 'var(--page)', 'stroke-width': width + 5 });

const line = ({ d, role, tint, width, dash = null, cap = null }) =>
    node('line', 'path', {
        d,
        fill: 'none',
        stroke: tinted(role, tint),
        'stroke-width': width,
        'stroke-dasharray': dash,
        'stroke-linecap': cap,
    });

const NODES = {
    path: (shape) => (shape.halo ? [halo(shape), line(shape)] : [line(shape)]),
    tip: ({ d, role }) => [node('tip', 'path', { d, fill: color(role) })],
    band: ({ x, y, w, h, rx, role, opacity }) => [
        node('band', 'rect', {
            x,
            y,
            width: Math.max(0, w),
            height: Math.max(0, h),
            rx,
            fill: color(role),
            opacity,
        }),
    ],
    node: ({ x, y, role }) => [
        node('node', 'circle', {
            cx: x,
            cy: y,
            r: 6.5,
            fill: 'var(--surface)',
            stroke: color(role),
            'stroke-width': 3.5,
        }),
    ],
    label: ({ x, y, value, role }) => [
        node('label', 'text', { x, y, 'text-anchor': 'middle', class: `arc ${role}`, text: value }),
    ],
    tag: ({ x, y, w, shown, role }) => [
        node('tag', 'g', { class: role }, [
            node('frame', 'rect', {
                x: x - w / 2,
                y: y - TAG / 2,
                width: w,
                height: TAG,
                rx: TAG / 2,
                fill: 'var(--surface)',
                stroke: 'currentColor',
                'stroke-width': 1.5,
            }),
            node('said', 'text', {
                x,
                y: y + 4.5,
                'text-anchor': 'middle',
                class: 'tag',
                text: shown,
            }),
        ]),
    ],
};

export const nodesOf = (shapes) => shapes.flatMap((shape) => NODES[shape.kind](shape));

/** Where a shape is pointed at: never thinner than a hand is steady. */
function hitOf({ kind, cell, x, y, d, w, width }) {
    if (kind === 'path')
        return node('along', 'path', { 'data-at': cell, d, 'stroke-width': Math.max(14, width) });
    const [across, down, up] = kind === 'tag' ? [w, TAG + 4, TAG / 2 + 2] : [48, 24, 17];
    const box = { x: x - across / 2, y: y - up, width: across, height: down };
    return node('over', 'rect', { 'data-at': cell, ...box });
}

export const hitsOf = (shapes) => shapes.filter(({ cell }) => cell).map(hitOf);

/** The kind of node that an element was made for. */
const KIND = Symbol('kind');

function made({ kind, tag }) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    element[KIND] = kind;
    return element;
}

/**
 * Makes the children of an element what the nodes say, from the child `at` on; those of the same
 * kind stay and are rewritten.
 */
export function draw(parent, nodes, at = parent.firstChild) {
    let child = at;
    for (const own of nodes) {
        if (child?.[KIND] !== own.kind) {
            const next = made(own);
            if (child) child.replaceWith(next);
            else parent.append(next);
            child = next;
        }
        write(child, own.content);
        if (own.inner) draw(child, own.inner);
        child = child.nextSibling;
    }
    while (child) {
        const next = child.nextSibling;
        child.remove();
        child = next;
    }
}
