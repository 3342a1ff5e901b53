// Lines of weight from the rows of the large matrix to the rows of the keys beside it: those of the
// pinned query in full, of the others only what matters, in grey. Drawn on a canvas: a hundred lines
// that change with every edit.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { model, point, query } from '../compute.js';
import { inksOf } from '../map.js';
import { scheme } from '../media.js';

const WIDE = 92;

/** Weights of other queries below this draw no line. */
const FAINT = 0.1;

function draw(canvas, { weights, allowed, i, near, pitch, height, colors }) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [WIDE * ratio, Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const { lines } = inksOf(colors);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, WIDE, height);
    const line = (row, j, color, width, alpha) => {
        const [a, b] = [(row + 0.5) * pitch, (j + 0.5) * pitch];
        pen.strokeStyle = color;
        pen.lineWidth = width;
        pen.globalAlpha = alpha;
        pen.beginPath();
        pen.moveTo(0, a);
        pen.bezierCurveTo(WIDE / 2, a, WIDE / 2, b, WIDE, b);
        pen.stroke();
    };
    weights.forEach((row, n) => {
        if (n === i) return;
        row.forEach((x, j) => {
            if (x >= FAINT) line(n, j, lines.ink2, 1 + x * 5, 0.08 + x * 0.26);
        });
    });
    weights[i].forEach((x, j) => {
        if (!allowed[i][j] || !(x > 0)) return;
        const isNear = j === near;
        line(i, j, isNear ? lines.k : lines.q, 1 + Math.sqrt(x) * 7, isNear ? 1 : 0.35 + 0.5 * x);
    });
}

export function Fan({ pitch: high }) {
    const canvas = useRef();
    const { grids, allowed, queries, keys } = model.value;
    const pitch = high + 2;
    const height = pitch * Math.max(queries.length, keys.length);
    const [i, near, colors] = [query.value, point.value.key, scheme.value];
    useLayoutEffect(() => {
        const { weights } = grids;
        draw(canvas.current, { weights, allowed, i, near, pitch, height, colors });
    }, [grids.weights, allowed, i, near, pitch, height, colors]);
    return (
        <canvas
            ref={canvas}
            class="fan"
            style={{ width: `${WIDE}px`, height: `${height}px` }}
            aria-hidden="true"
        />
    );
}
