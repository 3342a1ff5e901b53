// A small picture of a matrix, with the pinned row marked.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawMap } from '../map.js';
import { scheme } from '../media.js';

/** `rows` as for drawMap; `mark` is a row to outline, or -1. */
export function SmallMap({ rows, width, height, kind, extent, hides, turned = false, mark = -1 }) {
    const canvas = useRef();
    const colors = scheme.value;
    useLayoutEffect(() => {
        const look = { width, height, kind, extent, hides, turned, scheme: colors };
        drawMap(canvas.current, rows, look);
    }, [rows, width, height, kind, extent, hides, turned, colors]);
    return (
        <span class="map" aria-hidden="true">
            <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />
            {mark >= 0 && (
                <i
                    class="maprow"
                    style={
                        turned
                            ? {
                                  left: `${(mark / rows.length) * 100}%`,
                                  width: `${100 / rows.length}%`,
                              }
                            : {
                                  top: `${(mark / rows.length) * 100}%`,
                                  height: `${100 / rows.length}%`,
                              }
                    }
                />
            )}
        </span>
    );
}
