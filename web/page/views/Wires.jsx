// Draws the lines of drawing.js. What is the same shape as before is the same element, so an edit
// draws the lines that it moved; pointing about only those of the key.

import { computed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { model, query } from '../compute.js';
import { drawing } from '../drawing.js';
import { geometry, measure } from '../geometry.js';
import { form, title } from '../layout.js';
import { narrow } from '../media.js';
import { now } from '../state.js';
import { hitOf, HitArea, Shape } from './Shape.jsx';

/** What the words are, and how wide the matrices: all that small maps stand by. */
const sentence = computed(() => {
    const { tokens, keyTokens } = now.doc.value;
    return [...tokens, '', ...(keyTokens ?? [])].join('\n');
});

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
    const folds = [now.maskOpen.value, now.allRows.value];
    const layout = [form.value, title.value.size, narrow.value, ...folds];
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

/** Whether two shapes are drawn alike; what they can be asked for is no part of it. */
const alike = (a, b) =>
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => typeof a[key] === 'function' || Object.is(a[key], b[key]));

/** Shapes as elements; those of before where nothing differs. */
function useDrawn(shapes, Drawn) {
    const last = useRef([]);
    last.current = shapes.map((shape, n) => {
        const old = last.current[n];
        return old && alike(old.shape, shape) ? old : { shape, element: <Drawn {...shape} /> };
    });
    return last.current.map(({ element }) => element);
}

export function UnderWires() {
    useMeasuring();
    const { under, fall } = drawing.value;
    return (
        <svg class="wires" aria-hidden="true">
            <Gradients width={geometry.value?.width ?? 0} fall={fall} />
            {useDrawn(under, Shape)}
        </svg>
    );
}

export function HitWires() {
    const hits = drawing.value.under.filter(({ cell }) => cell).map(hitOf);
    return (
        <svg class="wires hits" aria-hidden="true">
            {useDrawn(hits, HitArea)}
        </svg>
    );
}

export function OverWires() {
    return (
        <svg class="wires over" aria-hidden="true">
            {useDrawn(drawing.value.over, Shape)}
        </svg>
    );
}
