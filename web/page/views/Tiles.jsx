// The cells of a matrix that is large but still has a number in each that matters. Colours and
// numbers are pixels of one canvas, since two hundred texts would spend the frame on their layout;
// above it the cells are real, with the number as their name. They are drawn once; what an edit
// makes of them is written.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { classes } from '../classes.js';
import { query } from '../compute.js';
import { tileText } from '../format.js';
import { inkIn } from '../look.js';
import { drawMap } from '../map.js';
import { signOf } from '../mask.js';
import { corners, numbers } from '../marks.js';
import { scheme } from '../media.js';
import { memo } from '../memo.js';
import { text } from '../text.en.js';
import { write } from './direct.js';
import { Field } from './Field.jsx';
import { cellTitle, label, RowFrame, useMarks } from './Row.jsx';

/** Pixels between tiles, as matrix.css has them. */
const GAP = 2;

/** Weights below this have no number in a tile, save in the pinned row. */
const PRINTED = 0.1;

/** The texts of a row, as weights and as other numbers: a row that stays has them already. */
const asWeights = memo((row) => row.map((x) => tileText(x, true)));
const asNumbers = memo((row) => row.map((x) => tileText(x, false)));
const asFactors = memo((row) => row.map((x) => tileText(signOf(x, true), false)));

const textIn = (row, j, isWeight, isFactor) =>
    (isWeight ? asWeights : isFactor ? asFactors : asNumbers)(row)[j];

/** The colours of the tiles, the numbers of the pinned row and those that matter. */
export function Ground({ rows, olds, look, pitch, high }) {
    const canvas = useRef();
    const [colors, pinned] = [scheme.value, query.value];
    const [width, height] = [rows[0].length * (pitch + GAP), rows.length * (high + GAP)];
    const { kind, extent, hides, isFactor } = look;
    useLayoutEffect(() => {
        const isWeight = kind === 'weights';
        const inkOf = inkIn(look);
        const textOf = (x, i, j) =>
            i === pinned || (isWeight && x >= PRINTED)
                ? textIn(rows[i], j, isWeight && !hides?.(i, j), isFactor)
                : null;
        drawMap(
            canvas.current,
            rows,
            { kind, extent, hides, width, height, gap: GAP, scheme: colors },
            [
                numbers(rows, { size: Math.min(12, pitch * 0.39), bold: pinned, textOf, inkOf }),
                corners(rows, olds, inkOf),
            ],
        );
    }, [rows, olds, pinned, width, height, extent, hides, kind, isFactor, colors]);
    return (
        <canvas
            ref={canvas}
            class="ground"
            aria-hidden="true"
            style={{ width: `${width}px`, height: `${height}px` }}
        />
    );
}

/** What stands in cell (i, j) of a matrix as Matrix.jsx shows it. */
function contentOf({ spec, rows, olds, edits, painted, allowed, isFactor }, i, j) {
    const isWeight = spec.kind === 'weights';
    const [value, old] = [rows[i][j], olds?.[i][j]];
    const isHidden = allowed?.[i][j] === false && !(value > 0);
    const shown = textIn(rows[i], j, isWeight && !isHidden, isFactor);
    const isStill = old === undefined || Object.is(old, value);
    const was = isStill ? null : textIn(olds[i], j, isWeight, isFactor);
    const hand = painted && `${i},${j}` in painted;
    const isGiven = edits && `${i},${j}` in edits;
    const frame = isGiven ? 'framed scrubs' : spec.kind === 'mask' && 'framed';
    const told = was !== null && was !== shown ? text.was(was) : hand ? text.mask.painted : null;
    return {
        class: classes('c', frame, isHidden && 'off'),
        'aria-label': shown,
        'aria-description': told,
        'data-value': String(signOf(value, isFactor)),
    };
}

/** Writes the numbers of all rows below the head of a grid. */
export function fillTiles(grid, shown) {
    const lines = grid.querySelectorAll('[role=row]');
    shown.rows.forEach((row, i) => {
        const cells = lines[i + 1].querySelectorAll('[role=gridcell]');
        for (let j = 0; j < row.length; j++) write(cells[j], contentOf(shown, i, j));
    });
}

/** A row of cells for a hand: where the highlight, the tab stop and the field are. */
function TileRow({ grid, i, count, name, spec, dead }) {
    const { lit, mark, stop, field } = useMarks(grid, i, spec, count);
    return (
        <RowFrame grid={grid} i={i} name={name} mark={mark} dead={dead}>
            {Array.from({ length: count }, (_, j) => (
                <div
                    role="gridcell"
                    aria-colindex={j + 2}
                    aria-describedby={stop === j ? 'reading' : null}
                    tabIndex={stop === j ? 0 : -1}
                    data-at={`${grid}:${i}:${j}`}
                    data-lit={lit[j] === '.' ? null : lit[j]}
                >
                    {field === j && <Field name={cellTitle(grid, spec, i, j)} />}
                </div>
            ))}
        </RowFrame>
    );
}

/** All rows: the same elements until words or sizes change. */
export function TileRows({ grid, shown }) {
    const { rows, spec, differs, empty, queries, keys } = shown;
    const isDead = (i) => grid === 'weights' && empty[i] === 'e' && !differs;
    return useMemo(
        () =>
            rows.map((_, i) => (
                <TileRow
                    grid={grid}
                    i={i}
                    count={rows[0].length}
                    name={label(shown, spec, spec.axes[0], i)}
                    spec={spec}
                    dead={isDead(i)}
                />
            )),
        [grid, rows.length, rows[0].length, spec, differs, empty, queries, keys],
    );
}
