// Draws the lines of wires.js. Rectangles are measured once per layout (a change of the numbers, of
// the pinned row or of the window), inside the frame that shows it; pointing about only redraws
// paths.

import { computed, signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { model, point, query } from '../compute.js';
import { form, title } from '../layout.js';
import { narrow } from '../media.js';
import { TAG } from '../strokes.js';
import { now } from '../state.js';
import { narrowWires, wideWires } from '../wires.js';

/** Measured, not decided: name → rectangle in the coordinates of main, and the width of main. */
const geometry = signal(null);

function measure() {
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
    const box = element.querySelector('canvas').getBoundingClientRect();
    const more = { rows: Number(rows), cols: Number(cols), turned: turned !== undefined };
    add(`map:${map}`, box, more);
}

const part = (from, length, count, n) => [from + (length * n) / count, length / count];

/** The rectangle of a row, a column or a cell inside a small map. */
function inMap(rects, name) {
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

/** What the words are, and how wide the matrices: all that small maps stand by. */
const sentence = computed(() => {
    const { tokens, keyTokens } = now.doc.value;
    return [...tokens, '', ...(keyTokens ?? [])].join('\n');
});


/** Between a change of what is shown and its measuring, a rectangle may be missing: then no lines. */
const UNMEASURED = Symbol('unmeasured');
const NOTHING = { under: [], over: [] };

const drawing = computed(() => {
    if (!geometry.value) return NOTHING;
    const { rects, width } = geometry.value;
    const m = model.value;
    const frame = {
        m,
        i: query.value,
        j: point.value.key,
        allRows: now.allRows.value,
        sparse: narrow.value && m.keys.length > 3,
        mini: form.value === 'figure',
        wraps: title.value.wraps,
        long: title.value.long,
    };
    const maybe = (name) => rects.get(name) ?? inMap(rects, name);
    const rect = (name) => {
        const found = maybe(name);
        if (!found) throw UNMEASURED;
        return found;
    };
    rect.maybe = maybe;
    if (narrow.value && frame.mini) return NOTHING;
    try {
        return narrow.value ? narrowWires(rect, frame) : wideWires(rect, frame, width);
    } catch (reason) {
        if (reason === UNMEASURED) return NOTHING;
        throw reason;
    }
});

const paint = { lane: 'url(#lane)', fall: 'url(#fall)' };
const color = (role) => paint[role] ?? `var(--${role})`;

function Label({ x, y, value, role }) {
    return (
        <text x={x} y={y} text-anchor="middle" class={`arc ${role}`}>
            {value}
        </text>
    );
}

function Tag({ x, y, w, shown, role }) {
    return (
        <g class={role}>
            <rect
                x={x - w / 2}
                y={y - TAG / 2}
                width={w}
                height={TAG}
                rx={TAG / 2}
                fill="var(--surface)"
                stroke="currentColor"
                stroke-width="1.5"
            />
            <text x={x} y={y + 4.5} text-anchor="middle" class="tag">
                {shown}
            </text>
        </g>
    );
}

function Shape({ shape }) {
    switch (shape.kind) {
        case 'path':
            return (
                <>
                    {shape.halo && (
                        <path
                            d={shape.d}
                            fill="none"
                            stroke="var(--page)"
                            stroke-width={shape.width + 5}
                        />
                    )}
                    <path
                        d={shape.d}
                        fill="none"
                        stroke={color(shape.role)}
                        stroke-width={shape.width}
                        stroke-opacity={shape.opacity}
                        stroke-dasharray={shape.dash}
                        stroke-linecap={shape.cap}
                    />
                </>
            );
        case 'tip':
            return <path d={shape.d} fill={color(shape.role)} />;
        case 'band':
            return (
                <rect
                    x={shape.x}
                    y={shape.y}
                    width={Math.max(0, shape.w)}
                    height={Math.max(0, shape.h)}
                    rx={shape.rx}
                    fill={color(shape.role)}
                    opacity={shape.opacity}
                />
            );
        case 'node':
            return (
                <circle
                    cx={shape.x}
                    cy={shape.y}
                    r="6.5"
                    fill="var(--surface)"
                    stroke={color(shape.role)}
                    stroke-width="3.5"
                />
            );
        case 'label':
            return <Label {...shape} />;
        case 'tag':
            return <Tag {...shape} />;
        default:
            throw new Error(`no such shape: ${shape.kind}`);
    }
}

function Gradients({ width, fall }) {
    return (
        <defs>
            <linearGradient
                id="lane"
                gradientUnits="userSpaceOnUse"
                x1="0"
                x2={width}
                y1="0"
                y2="0"
            >
                <stop offset=".35" stop-color="var(--q)" />
                <stop offset="1" stop-color="var(--o)" />
            </linearGradient>
            {fall && (
                <linearGradient
                    id="fall"
                    gradientUnits="userSpaceOnUse"
                    x1="0"
                    x2="0"
                    y1={fall[0]}
                    y2={fall[1]}
                >
                    <stop offset=".2" stop-color="var(--q)" />
                    <stop offset="1" stop-color="var(--o)" />
                </linearGradient>
            )}
        </defs>
    );
}

/**
 * Measures now, and again in the frame of each change that may move something: in the line any
 * number may, as its row table is as wide as what it says; small maps stay where they are.
 */
function useMeasuring() {
    const mini = form.value === 'figure';
    const moves = mini ? sentence.value : model.value;
    const layout = [form.value, title.value.size, narrow.value, now.maskOpen.value, now.allRows.value];
    useLayoutEffect(measure, []);
    useEffect(() => {
        const observer = new ResizeObserver(measure);
        const parts = 'main, .tokens, .flow, .mix, .mini :is(.control, .stage, .input)';
        for (const element of document.querySelectorAll(parts)) observer.observe(element);
        return () => observer.disconnect();
    }, [form.value]);
    useLayoutEffect(() => {
        const frame = requestAnimationFrame(measure);
        return () => cancelAnimationFrame(frame);
    }, [moves, mini ? null : query.value, ...layout]);
}

export function UnderWires() {
    useMeasuring();
    const { under, fall } = drawing.value;
    return (
        <svg class="wires" aria-hidden="true">
            <Gradients width={geometry.value?.width ?? 0} fall={fall} />
            {under.map((shape) => (
                <Shape shape={shape} />
            ))}
        </svg>
    );
}

/** Where a shape is pointed at: never thinner than a hand is steady. */
function Hit({ kind, cell, x, y, ...shape }) {
    if (kind === 'path')
        return <path data-at={cell} d={shape.d} stroke-width={Math.max(14, shape.width)} />;
    const [w, h, up] = kind === 'tag' ? [shape.w, TAG + 4, TAG / 2 + 2] : [48, 24, 17];
    return <rect data-at={cell} x={x - w / 2} y={y - up} width={w} height={h} />;
}

export function HitWires() {
    return (
        <svg class="wires hits" aria-hidden="true">
            {drawing.value.under
                .filter(({ cell }) => cell)
                .map((shape) => (
                    <Hit {...shape} />
                ))}
        </svg>
    );
}

export function OverWires() {
    return (
        <svg class="wires over" aria-hidden="true">
            {drawing.value.over.map((shape) => (
                <Shape shape={shape} />
            ))}
        </svg>
    );
}
