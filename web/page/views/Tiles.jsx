// The cells of a matrix that is large but still has a number in each that matters. Colours and
// numbers are drawn on one canvas, since two hundred texts would spend the frame on their layout;
// above it the cells are real, with the number as their name.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { tileText } from '../format.js';
import { drawMap, drawNumbers } from '../map.js';
import { scheme } from '../media.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';

/** Pixels between tiles, as matrix.css has them. */
const GAP = 2;

/** Weights below this have no number in a tile, save in the pinned row. */
const PRINTED = 0.1;

/** The colours of the tiles, the numbers of the pinned row and those that matter. */
export function Ground({ rows, olds, look, pinned, pitch, high }) {
    const canvas = useRef();
    const colors = scheme.value;
    const [width, height] = [rows[0].length * (pitch + GAP), rows.length * (high + GAP)];
    const { kind, extent, hides } = look;
    useLayoutEffect(() => {
        const isWeight = kind === 'weights';
        drawMap(canvas.current, rows, { kind, extent, hides, width, height, gap: GAP, scheme: colors });
        drawNumbers(canvas.current, rows, {
            width,
            height,
            gap: GAP,
            scheme: colors,
            bold: pinned,
            size: Math.min(12, pitch * 0.39),
            textOf: (x, i, j) =>
                i === pinned || (isWeight && x >= PRINTED)
                    ? tileText(x, isWeight && !hides?.(i, j))
                    : null,
            inkOf: (x, i, j) => (hides?.(i, j) ? 'm' : isWeight ? weightColor(x).color : 'ink'),
            isMoved: (i, j) => olds !== undefined && !Object.is(olds[i][j], rows[i][j]),
        });
    }, [rows, olds, pinned, width, height, extent, hides, kind, colors]);
    return (
        <canvas
            ref={canvas}
            class="ground"
            aria-hidden="true"
            style={{ width: `${width}px`, height: `${height}px` }}
        />
    );
}

/** One cell: `row` as Matrix.jsx has it, `name` the name of its field while it is edited. */
export function drawTile(row, j, { lit, stop, name }) {
    const { spec, grid, i, values, olds, edits, painted, may } = row;
    const isWeight = spec.kind === 'weights';
    const old = olds?.[j];
    const isHidden = may[j] === false && !(values[j] > 0);
    const shown = tileText(values[j], isWeight && !isHidden);
    const was = old === undefined || Object.is(old, values[j]) ? null : tileText(old, isWeight);
    const hand = painted && `${i},${j}` in painted;
    const isGiven = edits && `${i},${j}` in edits;
    const frame = isGiven ? 'framed scrubs' : spec.kind === 'mask' ? 'framed' : '';
    return (
        <div
            role="gridcell"
            aria-colindex={j + 2}
            aria-label={shown}
            aria-description={was && was !== shown ? text.was(was) : hand ? text.mask.painted : null}
            aria-describedby={stop ? 'reading' : null}
            tabIndex={stop ? 0 : -1}
            data-at={`${grid}:${i}:${j}`}
            data-value={String(values[j])}
            data-lit={lit === '.' ? null : lit}
            class={classes('c', frame, isHidden && 'off')}
        >
            {name && <Field name={name} />}
        </div>
    );
}
