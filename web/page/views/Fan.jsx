// Lines of weight from the rows of the large matrix to the rows of the keys beside it: those of the
// pinned query in full, of the others only what matters, in grey. A hundred lines change with every
// edit, so those of the others are a few paths, and all are written (direct.js).

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { model, point, query } from '../compute.js';
import { pointing } from '../pointing.js';
import { strengthOf, widthOf } from '../strokes.js';
import { write } from './direct.js';

const WIDE = 92;

/** Pixels around the lines that no stroke leaves. */
const AROUND = 40;

/** Weights of other queries below this draw no line. */
const FAINT = 0.1;

/** Lines of other queries are as many kinds: of a kind, all are one path. */
const KINDS = 6;

const kindOf = (x) => Math.min(KINDS - 1, Math.floor(((x - FAINT) / (1 - FAINT)) * KINDS));

/** The weight that a kind is drawn as. */
const typical = (kind) => FAINT + ((kind + 0.5) / KINDS) * (1 - FAINT);

const known = new Map();

/** The path from row i to key j, by the height of both. */
function lineOf(i, j, pitch) {
    const [a, b] = [(i + 0.5) * pitch, (j + 0.5) * pitch];
    const at = a * 4096 + b;
    if (!known.has(at)) known.set(at, `M0,${a}C${WIDE / 2},${a},${WIDE / 2},${b},${WIDE},${b}`);
    return known.get(at);
}

/** Writes the lines of other queries by kind, then one line for each key. */
function draw(paths, { weights, allowed, i, near, pitch }) {
    const others = Array(KINDS).fill('');
    weights.forEach((row, n) => {
        if (n === i) return;
        row.forEach((x, j) => {
            if (x >= FAINT) others[kindOf(x)] += lineOf(n, j, pitch);
        });
    });
    others.forEach((d, kind) => {
        const x = typical(kind);
        const style = { 'stroke-width': 1 + x * 5, 'stroke-opacity': 0.08 + x * 0.26 };
        write(paths[kind], { class: 'others', d, ...style });
    });
    weights[i].forEach((x, j) => {
        const isDrawn = allowed[i][j] && x > 0;
        const isNear = j === near;
        write(paths[KINDS + j], {
            class: isNear ? 'near' : 'own',
            d: isDrawn ? lineOf(i, j, pitch) : '',
            'stroke-width': widthOf(1 + Math.sqrt(x || 0) * 7),
            'stroke-opacity': isNear ? 1 : strengthOf(0.35 + 0.5 * (x || 0)),
        });
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
    const lines = useRef();
    const { grids, allowed, queries, keys } = model.value;
    const pitch = high + 2;
    const height = pitch * Math.max(queries.length, keys.length);
    const [i, near] = [query.value, point.value.key];
    useLayoutEffect(() => {
        draw(lines.current.querySelectorAll('path'), { weights: grids.weights, allowed, i, near, pitch });
    }, [grids.weights, allowed, i, near, pitch]);
    const cellAt = ({ currentTarget, clientX, clientY }) => {
        const box = currentTarget.getBoundingClientRect();
        const look = { weights: grids.weights, allowed, i, pitch };
        const j = keyAt(look, clientX - box.left, clientY - box.top);
        return j < 0 ? null : { grid: 'weights', row: i, col: j };
    };
    const paths = useMemo(
        () => Array.from({ length: KINDS + keys.length }, () => <path />),
        [keys.length],
    );
    return (
        <svg
            ref={lines}
            class="fan"
            width={WIDE}
            height={height}
            aria-hidden="true"
            {...pointing(cellAt)}
        >
            <rect
                x={-AROUND}
                y={-AROUND}
                width={WIDE + 2 * AROUND}
                height={height + 2 * AROUND}
            />
            {paths}
        </svg>
    );
}
