// One matrix as a grid. A row renders again only when its own numbers, marks or lights change, so
// pointing about touches a few rows and not the page. DOM rows are always the matrix's rows; K is
// merely shown turned (one column per key) where the layout sets it above the scores.

import { useComputed } from '@preact/signals';
import { extents, litRow, model, moved, pin, point, query } from '../compute.js';
import { signedColor, weightColor } from '../color.js';
import { plain } from '../format.js';
import * as operate from '../grid.js';
import { narrow } from '../media.js';
import { GRIDS } from '../stages.js';
import { state } from '../state.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';

const subscript = (n) => String(n).replace(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'[digit]);

/** The name of line n of an axis: a token, or a numbered component. */
function label(m, spec, axis, n) {
    if (axis === 'query') return m.queries[n];
    if (axis === 'key') return m.keys[n];
    return `${spec.letter}${subscript(n + 1)}`;
}

/** Characters that a result cell holds when the keys of a sentence share the width of the page. */
const roomFor = (keys, isNarrow) => (isNarrow ? Infinity : keys > 3 ? 5 : 6);

/** Plain text with a minus that looks like one: the sign in the text stays '-'. */
function Digits({ shown }) {
    return shown.startsWith('-') ? (
        <span class="n">
            <span class="minus">-</span>
            {shown.slice(1)}
        </span>
    ) : (
        <span class="n">{shown}</span>
    );
}

function look(spec, m, grid, i, j, value) {
    const off = !(m.allowed[i]?.[j] ?? true);
    const hidden = off && (spec.kind === 'mask' || spec.kind === 'weights' || grid === 'masked');
    if (hidden || (spec.kind === 'weights' && m.rows[i].empty)) return { class: 'off', style: {} };
    if (spec.kind === 'weights') return { class: '', style: weightColor(value) };
    if (spec.kind === 'signed')
        return { class: '', style: signedColor(value, extents.value[spec.extent]) };
    return { class: spec.kind === 'input' || spec.kind === 'mask' ? 'yours' : '', style: {} };
}

function Cell({ grid, i, j, lit, stop, editing }) {
    const m = model.value;
    const spec = GRIDS[grid];
    const value = m.grids[grid][i][j];
    const old = moved(grid, i, j);
    const { class: kind, style } = look(spec, m, grid, i, j, value);
    const digits = spec.kind === 'weights' && kind !== 'off' ? 'fixed' : 'short';
    const room = roomFor(m.keys.length, narrow.value);
    const shown = plain(value, digits, room);
    const was = old === undefined ? null : plain(old, digits, room);
    const length = shown.length > 6 ? 'longest' : shown.length > 5 ? 'long' : '';
    const framed = spec.kind === 'input' || spec.kind === 'mask' ? 'framed' : '';
    const mark = old === undefined ? '' : 'moved';
    return (
        <div
            role="gridcell"
            aria-colindex={j + 2}
            tabIndex={stop ? 0 : -1}
            aria-describedby={stop ? 'reading' : null}
            data-at={`${grid}:${i}:${j}`}
            data-value={String(value)}
            data-lit={lit === '.' ? null : lit}
            class={`c ${kind} ${length} ${framed} ${mark}`}
            style={style}
            data-was={was === shown ? '' : was?.replace('-', '\u2212')}
            aria-description={was && was !== shown ? text.was(was) : null}
        >
            {editing ? (
                <Field
                    name={text.input(
                        text.grids[grid],
                        label(m, spec, spec.axes[0], i),
                        label(m, spec, spec.axes[1], j),
                    )}
                />
            ) : (
                <Digits shown={shown} />
            )}
        </div>
    );
}

function Row({ grid, i }) {
    const spec = GRIDS[grid];
    const m = model.value;
    const [axis, across] = spec.axes;
    const lit = useComputed(() => litRow(grid, i, model.value.grids[grid][i]?.length ?? 0)).value;
    const mark = useComputed(() =>
        axis === 'query' && query.value === i
            ? 'pinned'
            : point.value[axis] === i
              ? `near near-${axis}`
              : '',
    ).value;
    const stop = useComputed(() => (pin.value[axis] === i ? pin.value[across] : -1)).value;
    const editing = useComputed(() => {
        const { edit } = state.value;
        return edit && edit.grid === grid && edit.row === i ? edit.col : -1;
    }).value;
    const dead = grid === 'weights' && m.rows[i].empty;
    return (
        <div
            role="row"
            aria-rowindex={i + 2}
            class={`row ${mark} ${dead ? 'dead' : ''}`}
            style={{ '--r': i + 2 }}
        >
            <span role="rowheader" aria-colindex={1} class="across" data-a={`${grid}:row:${i}`}>
                <bdi>{label(m, spec, axis, i)}</bdi>
            </span>
            {m.grids[grid][i].map((_, j) => (
                <Cell
                    grid={grid}
                    i={i}
                    j={j}
                    lit={lit[j]}
                    stop={stop === j}
                    editing={editing === j}
                />
            ))}
            {dead && (
                <span class="note" aria-hidden="true">
                    <span>{text.dead}</span>
                </span>
            )}
        </div>
    );
}

function Head({ grid }) {
    const spec = GRIDS[grid];
    const m = model.value;
    const across = spec.axes[1];
    const near = useComputed(() => (across === 'key' ? point.value.key : -1)).value;
    const paired = spec.axes[0] === 'query' && across === 'key';
    return (
        <div role="row" aria-rowindex={1} class="row head">
            <span role="columnheader" aria-colindex={1} class="corner">
                {paired ? (
                    <>
                        <span aria-hidden="true">
                            {text.corner.short[0]}
                            <br />
                            {text.corner.short[1]}
                        </span>
                        <span class="sr">{text.corner.full}</span>
                    </>
                ) : (
                    <span class="sr">{text.headerCorner}</span>
                )}
            </span>
            {m.grids[grid][0].map((_, j) => (
                <span
                    role="columnheader"
                    aria-colindex={j + 2}
                    class={`down ${near === j ? 'near' : ''}`}
                    data-a={`${grid}:col:${j}`}
                >
                    <bdi>{label(m, spec, across, j)}</bdi>
                </span>
            ))}
        </div>
    );
}

export function Matrix({ grid }) {
    const spec = GRIDS[grid];
    const rows = model.value.grids[grid];
    const hint = { input: 'hint-input', mask: 'hint-mask' }[spec.kind];
    return (
        <div
            role="grid"
            aria-label={text.grids[grid]}
            aria-rowcount={rows.length + 1}
            aria-colcount={rows[0].length + 1}
            aria-readonly={hint ? null : 'true'}
            aria-describedby={hint ?? 'reading'}
            class={`m ${spec.turned ? 'turned' : ''} ${spec.role ? `role-${spec.role}` : ''}`}
            data-grid={grid}
            style={{ '--rows': rows.length, '--cols': rows[0].length }}
            onKeyDown={operate.onKeyDown}
            onFocusCapture={operate.onFocus}
            onDblClick={operate.onDoubleClick}
            onPointerDown={operate.onPointerDown}
            onPointerMove={operate.onPointerMove}
            onPointerUp={operate.onPointerUp}
            onPointerCancel={operate.onPointerUp}
        >
            <Head grid={grid} />
            {rows.map((_, i) => (
                <Row grid={grid} i={i} />
            ))}
        </div>
    );
}
