// Lines of weight from the rows of the large matrix to the rows of the keys beside it: those of the
// pinned query in full, of the others only what matters, in grey. Drawn on a canvas: a hundred lines
// that change with every edit.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { hoverCell, pinCell } from '../actions.js';
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

/** The part of its height that a line has risen at a part of its width: it leans at both ends. */
function rise(across) {
    let [low, up] = [0, 1];
    for (let n = 0; n < 12; n++) {
        const t = (low + up) / 2;
        if (1.5 * t * (1 - t) + t ** 3 < across) low = t;
        else up = t;
    }
    return 3 * low ** 2 - 2 * low ** 3;
}

/** Pixels from a line that still point at it. */
const NEAR = 7;

/** The key whose line from row i passes nearest to a point, or -1. */
function keyAt({ weights, allowed, i, pitch }, x, y) {
    const part = rise(x / WIDE);
    const off = weights[i].map((w, j) =>
        allowed[i][j] && w > 0
            ? Math.abs((i + 0.5 + (j - i) * part) * pitch - y) - Math.sqrt(w) * 3.5
            : Infinity,
    );
    const least = Math.min(...off);
    return least <= NEAR ? off.indexOf(least) : -1;
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
    const cellAt = ({ currentTarget, clientX, clientY }) => {
        const box = currentTarget.getBoundingClientRect();
        const look = { weights: grids.weights, allowed, i, pitch };
        const j = keyAt(look, clientX - box.left, clientY - box.top);
        return j < 0 ? null : { grid: 'weights', row: i, col: j };
    };
    const onPoint = (event) => {
        event.stopPropagation();
        const cell = cellAt(event);
        event.currentTarget.style.cursor = cell ? 'pointer' : '';
        if (event.pointerType !== 'touch') hoverCell(cell);
    };
    const onClick = (event) => {
        const cell = cellAt(event);
        if (cell) pinCell(cell);
    };
    return (
        <canvas
            ref={canvas}
            class="fan"
            onPointerMove={onPoint}
            onPointerOver={onPoint}
            onClick={onClick}
            style={{ width: `${WIDE}px`, height: `${height}px` }}
            aria-hidden="true"
        />
    );
}
