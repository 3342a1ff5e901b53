// A matrix with too many cells to be elements: a map, and over it one real cell that the keyboard
// moves, with its own headers. To assistive technology it is the same grid as any other; where the
// cell stands, aria-rowindex and aria-colindex say.

import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { paint } from '../actions.js';
import { gridAttributes } from '../aria.js';
import { classes } from '../classes.js';
import { before, difference, model, pin, point } from '../compute.js';
import { plain } from '../format.js';
import { grasp } from '../gesture.js';
import { cursorHandlers, handlers } from '../grid.js';
import { inkIn, lookOf } from '../look.js';
import { drawMap } from '../map.js';
import { isFactor, signOf } from '../mask.js';
import { corners } from '../marks.js';
import { scheme } from '../media.js';
import { GRIDS, specOf } from '../matrices.js';
import { tap } from '../pointer.js';
import { preview } from '../pointing.js';
import { state } from '../state.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';
import { label } from './Row.jsx';

/** Every how many lines a label fits. */
const every = (pitch) => Math.max(1, Math.ceil(13 / pitch));

function Labels({ m, grid, spec, axis, count, pitch, side, at }) {
    const step = every(pitch);
    const shown = Array.from({ length: count }, (_, n) => n).filter(
        (n) => n === at || (n % step === 0 && Math.abs(n - at) >= step),
    );
    return (
        <span class={`labels ${side}`} aria-hidden="true">
            {shown.map((n) => (
                <bdi
                    class={classes(n === at && `near ${axis}`)}
                    data-a={`${grid}:${side === 'above' ? 'col' : 'row'}:${n}`}
                    style={{ [side === 'above' ? 'left' : 'top']: `${(n + 0.5) * pitch}px` }}
                >
                    {label(m, spec, axis, n)}
                </bdi>
            ))}
        </span>
    );
}

/** The cell that has the focus, or would. */
function Cursor({ grid, pitch, high }) {
    const m = model.value;
    const spec = specOf(grid, model.peek().doc);
    const [rows, cols] = spec.axes;
    const at = pin.value;
    const [i, j] = [at[rows], at[cols]];
    const isSign = !difference.value && isFactor(spec, m.doc);
    const value = signOf((difference.value ?? m).grids[grid][i][j], isSign);
    const editing = useComputed(() => state.value.edit?.grid === grid).value;
    const kind = spec.kind === 'input' || spec.kind === 'mask' ? 'framed yours' : '';
    const shown = plain(value, spec.kind === 'weights' ? 'fixed' : 'short');
    const name = text.input(text.grids[grid], label(m, spec, rows, i), label(m, spec, cols, j));
    return (
        <>
            <div role="row" aria-rowindex={1} class="sr">
                <span role="columnheader" aria-colindex={j + 2}>
                    {label(m, spec, cols, j)}
                </span>
            </div>
            <div role="row" aria-rowindex={i + 2} class="cursorrow">
                <span role="rowheader" aria-colindex={1} class="sr">
                    {label(m, spec, rows, i)}
                </span>
                <div
                    role="gridcell"
                    aria-colindex={j + 2}
                    aria-describedby="reading"
                    tabIndex={0}
                    data-at={`${grid}:${i}:${j}`}
                    data-value={String(value)}
                    class={classes('c cursor', kind, editing && 'typed')}
                    style={{
                        left: `${j * pitch}px`,
                        top: `${i * high}px`,
                        width: `${pitch}px`,
                        height: `${high}px`,
                    }}
                >
                    {editing ? <Field name={name} /> : <span class="sr">{shown}</span>}
                </div>
            </div>
        </>
    );
}

/** Rings of the pinned row and the pointed-at cell. */
function Marks({ grid, pitch, high, width, height }) {
    const [rows, cols] = GRIDS[grid].axes;
    const [pinned, near] = [pin.value, point.value];
    const row = { top: `${pinned[rows] * high}px`, height: `${high}px`, width: `${width}px` };
    const col = { left: `${near[cols] * pitch}px`, width: `${pitch}px`, height: `${height}px` };
    const hit = { ...col, top: `${near[rows] * high}px`, height: `${high}px` };
    return (
        <>
            <i class={`markrow ${rows}`} style={row} />
            <i class={`markcol ${cols}`} style={col} />
            <i class="markhit" style={hit} />
        </>
    );
}

export function Canvas({ grid, pitch, high = pitch }) {
    const m = model.value;
    const canvas = useRef();
    const spec = specOf(grid, model.peek().doc);
    const rows = (difference.value ?? m).grids[grid];
    const [width, height] = [rows[0].length * pitch, rows.length * high];
    const look = lookOf(m, grid);
    const colors = scheme.value;
    const olds = difference.value ? undefined : before.value?.grids[grid];
    useLayoutEffect(() => {
        const drawn = { width, height, scheme: colors, ...look };
        drawMap(canvas.current, rows, drawn, [corners(rows, olds, inkIn(look))]);
    }, [rows, olds, width, height, colors, look.extent, look.hides]);
    const [axis, across] = spec.axes;
    const near = point.value;
    const cellAt = (event) => {
        const box = canvas.current.getBoundingClientRect();
        const within = (n, last) => Math.max(0, Math.min(last, Math.floor(n)));
        return {
            grid,
            row: within((event.clientY - box.top) / high, rows.length - 1),
            col: within((event.clientX - box.left) / pitch, rows[0].length - 1),
        };
    };
    const onMove = (event) => {
        event.stopPropagation();
        preview(event, cellAt(event));
    };
    const onDown = (event) => {
        if (event.button !== 0) return;
        const cell = cellAt(event);
        if (spec.kind !== 'mask') return;
        const may = !m.allowed[cell.row][cell.col];
        const move = (moved, gesture) => paint(cellAt(moved), may, gesture);
        move(event, grasp(event, { slack: 0, move }));
    };
    return (
        <div class="canvasbox" onClick={handlers.onClick}>
            <Labels
                m={m}
                grid={grid}
                spec={spec}
                axis={across}
                count={rows[0].length}
                pitch={pitch}
                side="above"
                at={near[across]}
            />
            <Labels
                m={m}
                grid={grid}
                spec={spec}
                axis={axis}
                count={rows.length}
                pitch={high}
                side="aside"
                at={near[axis]}
            />
            <div
                {...gridAttributes(grid, rows, spec.kind)}
                class={classes('canvas', spec.role && `role-${spec.role}`)}
                style={{ width: `${width}px`, height: `${height}px` }}
                {...cursorHandlers}
            >
                <canvas
                    ref={canvas}
                    aria-hidden="true"
                    style={{ width: `${width}px`, height: `${height}px` }}
                    onPointerMove={onMove}
                    onPointerDown={onDown}
                    onClick={(event) => tap(cellAt(event), event)}
                />
                <Marks grid={grid} pitch={pitch} high={high} width={width} height={height} />
                <Cursor grid={grid} pitch={pitch} high={high} />
            </div>
        </div>
    );
}
