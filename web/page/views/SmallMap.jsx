// A small picture of a matrix, with the pinned row marked. Where there are many, they share a canvas.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { geometry } from '../geometry.js';
import { form } from '../layout.js';
import { drawMap, imageOf } from '../map.js';
import { frame, rounded } from '../marks.js';
import { scheme } from '../media.js';
import { putOnSheet } from '../sheet.js';

const RADIUS = 4;

/** The pixels of a map are worked out by the effect of `draw`. */
function useMap(props, draw, more = []) {
    const element = useRef();
    const { rows, width, height, turned = false, mark = -1, ink = 'q' } = props;
    const { kind, extent, hides, gap } = props;
    const colors = scheme.value;
    useLayoutEffect(() => {
        const look = { width, height, kind, extent, hides, gap, turned, scheme: colors };
        const marks = mark < 0 ? [] : [frame(mark, rows, ink, turned)];
        draw(element.current, rows, look, [...marks, rounded(RADIUS)]);
    }, [rows, width, height, kind, extent, hides, turned, mark, ink, colors, ...more]);
    return { ref: element, style: { width: `${width}px`, height: `${height}px` } };
}

/** `rows` and `gap` as for drawMap; `mark` is a row to frame in the colour `ink`, or -1. */
export const SmallMap = (props) => (
    <canvas {...useMap(props, drawMap)} class="map" aria-hidden="true" />
);

/** The same as a place on the canvas of the Sheet around it. */
export function SheetMap(props) {
    const laid = geometry.value;
    const draw = (box, ...what) => putOnSheet(box, imageOf(box, ...what), laid);
    return <span {...useMap(props, draw, [laid])} class="map" aria-hidden="true" />;
}

/** In the figure there are a dozen maps, on sheets; elsewhere each has a canvas. */
export const isOnSheet = () => form.value === 'figure';

export const Sheet = () => <canvas class="sheet" aria-hidden="true" />;
