// A small picture of a matrix, with the pinned row marked.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawMap } from '../map.js';
import { frame } from '../marks.js';
import { scheme } from '../media.js';

/** `rows` as for drawMap; `mark` is a row to frame in the colour `ink`, or -1. */
export function SmallMap({ rows, width, height, turned = false, mark = -1, ink = 'q', ...look }) {
    const canvas = useRef();
    const { kind, extent, hides } = look;
    const colors = scheme.value;
    useLayoutEffect(() => {
        const drawn = { width, height, kind, extent, hides, turned, scheme: colors };
        drawMap(canvas.current, rows, drawn, mark < 0 ? [] : [frame(mark, rows, ink, turned)]);
    }, [rows, width, height, kind, extent, hides, turned, mark, ink, colors]);
    return (
        <canvas
            ref={canvas}
            class="map"
            aria-hidden="true"
            style={{ width: `${width}px`, height: `${height}px` }}
        />
    );
}
