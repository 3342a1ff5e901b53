// Draws the lines of drawing.js, as svg.js writes them: an edit draws the lines that it moved,
// pointing about only those of the key.

import { computed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { model, query } from '../compute.js';
import { bows, lines } from '../drawing.js';
import { geometry, measure } from '../geometry.js';
import { form, title } from '../layout.js';
import { narrow } from '../media.js';
import { now } from '../state.js';
import { draw, hitsOf, nodesOf } from './svg.js';

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

const standing = computed(() => nodesOf(lines.value.under));
const above = computed(() => nodesOf(lines.value.over));
const arching = computed(() => nodesOf(bows.value));
const hits = computed(() => hitsOf([...lines.value.under, ...bows.value]));

export function UnderWires() {
    useMeasuring();
    const svg = useRef();
    const nodes = [...standing.value, ...arching.value];
    useLayoutEffect(() => draw(svg.current, nodes, svg.current.firstChild.nextSibling));
    return (
        <svg class="wires" aria-hidden="true" ref={svg}>
            <Gradients width={geometry.value?.width ?? 0} fall={lines.value.fall} />
        </svg>
    );
}

/** An svg whose elements are the nodes of a signal. */
function Drawn({ name, nodes }) {
    const svg = useRef();
    const drawn = nodes.value;
    useLayoutEffect(() => draw(svg.current, drawn), [drawn]);
    return <svg class={name} aria-hidden="true" ref={svg} />;
}

export const HitWires = () => <Drawn name="wires hits" nodes={hits} />;

export const OverWires = () => <Drawn name="wires over" nodes={above} />;
