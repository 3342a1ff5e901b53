// One matrix as a grid. A row is given its numbers as arrays that stay the same while nothing in
// them moved (trace.js), so an edit renders the rows it touches and pointing about a few outlines.
// DOM rows are always the matrix's rows; K is merely shown turned (one column per key) where the
// layout sets it above the scores.
//
// `size` says how much room a number has: 'full' three decimals, 'compact' two, 'tiled' (Tiles.jsx)
// only in the pinned row and for weights that matter.

import { computed, useComputed } from '@preact/signals';
import { gridAttributes } from '../aria.js';
import { classes } from '../classes.js';
import { before, difference, extents, litRow, model, pin, point, query } from '../compute.js';
import { signedColor, weightColor } from '../color.js';
import { brief, decimalsOf, plain } from '../format.js';
import { handlers } from '../grid.js';
import { compact } from '../layout.js';
import { lookOf } from '../look.js';
import { narrow, width } from '../media.js';
import { GRIDS, specOf } from '../matrices.js';
import { state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';
import { drawTile, Ground } from './Tiles.jsx';

const subscript = (n) => String(n).replace(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'[digit]);

/** Letters of axes that are not those of their matrix. */
const NAMES = { model: 'x', joined: 'o', out: 'y' };

/** The name of line n of an axis: a token, or a numbered component. */
export function label(m, spec, axis, n) {
    if (axis === 'query') return m.queries[n];
    if (axis === 'key') return m.keys[n];
    return `${NAMES[axis] ?? spec.letter}${subscript(n + 1)}`;
}

/** Characters that a result cell holds when the keys of a sentence share the width of the page. */
const roomFor = (keys, isNarrow) =>
    isNarrow ? (keys > 4 ? 5 : Infinity) : keys > 3 ? 5 : 6;

/** Characters that a cell of one's own holds, in smaller letters if it must. */
const typedRoom = computed(() => (width.value < 360 ? 5 : 7));

/** Plain text with a minus that looks like one: the sign in the text stays '-'. */
function Digits(shown) {
    return shown.startsWith('-') ? (
        <span class="n">
            <span class="minus">-</span>
            {shown.slice(1)}
        </span>
    ) : (
        <span class="n">{shown}</span>
    );
}

function look(row, j, value) {
    const { spec, grid, may, empty, extent } = row;
    const hidden =
        may[j] === false &&
        (spec.kind === 'mask' ||
            (spec.kind === 'weights' && value === 0) ||
            (grid === 'masked' && value === -Infinity));
    if (hidden || (spec.kind === 'weights' && empty)) return { class: 'off' };
    if (grid === 'dropped' && value === 0) return { class: 'gone' };
    if (spec.kind === 'weights') return { class: '', style: weightColor(value) };
    if (spec.kind === 'signed') return { class: '', style: signedColor(value, extent) };
    if (spec.kind === 'mask') return { class: value === 0 ? 'yours' : 'yours added' };
    return { class: spec.kind === 'input' ? 'yours' : '' };
}

/** The text of a cell of a row: in narrow cells with fewer decimals. */
const textOf = (row, value, digits = row.digits) =>
    plain(value, digits, digits === 'typed' ? typedRoom.value : row.room);

/** The digits of a matrix: what is typed stays so, what follows shares its decimals. */
function digitsOf({ kind }, rows, room) {
    if (kind === 'weights') return 'fixed';
    return kind === 'input' || kind === 'mask' ? 'typed' : decimalsOf(rows, room);
}

function drawCell(row, j, { lit, stop, name }) {
    const { spec, grid, i, values, olds, edits, painted } = row;
    const value = values[j];
    const old = olds?.[j];
    const moved = old !== undefined && !Object.is(old, value);
    const { class: kind, style } = look(row, j, value);
    const shown = textOf(row, value);
    const was = moved ? textOf(row, old, row.oldDigits) : null;
    const small = row.size === 'compact' ? brief(value) : null;
    const length = shown.length > 6 ? 'longest' : shown.length > 5 ? 'long' : '';
    const fit = small ? '' : length;
    const given = edits && `${i},${j}` in edits;
    const hand = painted && `${i},${j}` in painted ? 'painted' : '';
    const scrubs = spec.kind === 'input' || given ? 'scrubs' : '';
    const framed = scrubs || spec.kind === 'mask' ? 'framed' : '';
    return (
        <div
            role="gridcell"
            aria-colindex={j + 2}
            tabIndex={stop ? 0 : -1}
            aria-describedby={stop ? 'reading' : null}
            data-at={`${grid}:${i}:${j}`}
            data-value={String(value)}
            data-lit={lit === '.' ? null : lit}
            class={classes('c', kind, fit, framed, scrubs, hand, moved && 'moved')}
            style={style}
            data-small={small}
            data-was={was === shown ? '' : was?.replace('-', '\u2212')}
            aria-description={
                was && was !== shown ? text.was(was) : hand ? text.mask.painted : null
            }
        >
            {name ? <Field name={name} /> : small ? shown : Digits(shown)}
        </div>
    );
}

function cellTitle({ grid, spec, i }, j) {
    const m = model.peek();
    const [rows, cols] = spec.axes;
    return text.input(text.grids[grid], label(m, spec, rows, i), label(m, spec, cols, j));
}

/** Whether a cell of a grid has a place on an axis of X and W; on the others every cell has. */
const isOf = (axis, grid) => !(axis in NAMES) || GRIDS[grid].axes.includes(axis);

/** A matrix of differences is signed, and nobody's to edit. */
const between = Object.fromEntries(
    Object.entries(GRIDS).map(([grid, spec]) => [grid, { ...spec, kind: 'signed', edits: null }]),
);

function Row(props) {
    const { grid, i, name, values, empty, differs } = props;
    const spec = differs ? between[grid] : specOf(grid, model.peek().doc);
    const [axis, across] = spec.axes;
    const lit = useComputed(() => litRow(grid, i, values.length), [values.length]).value;
    const mark = useComputed(() =>
        axis === 'query' && query.value === i
            ? 'pinned'
            : point.value[axis] === i && isOf(axis, point.value.grid)
              ? `near near-${axis}`
              : '',
    ).value;
    const stop = useComputed(() => (pin.value[axis] === i ? pin.value[across] : -1)).value;
    const editing = useComputed(() => {
        const { edit } = state.value;
        return edit && edit.grid === grid && edit.row === i ? edit.col : -1;
    }).value;
    const dead = grid === 'weights' && empty && !differs;
    const row = { ...props, spec };
    const draw = props.size === 'tiled' ? drawTile : drawCell;
    return (
        <div
            role="row"
            aria-rowindex={i + 2}
            class={classes('row', mark, dead && 'dead')}
            style={{ '--r': i + 2 }}
        >
            <span role="rowheader" aria-colindex={1} class="across" data-a={`${grid}:row:${i}`}>
                <bdi>{name}</bdi>
            </span>
            {values.map((_, j) =>
                draw(row, j, {
                    lit: lit[j] ?? '.',
                    stop: stop === j,
                    name: editing === j ? cellTitle(row, j) : null,
                }),
            )}
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
    const words = useStill(() => {
        const { grids, queries, keys } = model.value;
        return { queries, keys, columns: grids[grid][0].length };
    });
    const across = spec.axes[1];
    const near = useComputed(() => (across === 'key' ? point.value.key : -1)).value;
    const paired = spec.axes[0] === 'query' && across === 'key';
    return (
        <div role="row" aria-rowindex={1} class="row head">
            <span role="columnheader" aria-colindex={1} class="corner">
                {paired ? (
                    <>
                        <span class="axisname" aria-hidden="true">
                            {text.figure.query}
                        </span>
                        <span class="axisname keys" aria-hidden="true">
                            {text.figure.keys}
                        </span>
                        <span class="sr">{text.corner.full}</span>
                    </>
                ) : (
                    <span class="sr">{text.headerCorner}</span>
                )}
            </span>
            {Array.from({ length: words.columns }, (_, j) => (
                <span
                    role="columnheader"
                    aria-colindex={j + 2}
                    class={classes('down', near === j && 'near')}
                    data-a={`${grid}:col:${j}`}
                >
                    <bdi>{label(words, spec, across, j)}</bdi>
                </span>
            ))}
        </div>
    );
}

const NONE = [];

/** `only` leaves one row in place of all, `upright` keeps K from turning, `tile` sizes tiles. */
export function Matrix({ grid, size = compact.value ? 'compact' : 'full', only = -1, upright, tile }) {
    const shown = useStill(() => {
        const m = model.value;
        const spec = specOf(grid, m.doc);
        const differs = difference.value !== null;
        const rows = (difference.value ?? m).grids[grid];
        const olds = before.value?.grids[grid];
        return {
            spec,
            differs,
            rows,
            olds: olds === rows ? undefined : olds,
            allowed: m.allowed,
            empty: m.rows.map((row) => (row.empty ? 'e' : '.')).join(''),
            edits: differs || spec.edits !== 'scoreEdits' ? null : m.edits,
            painted: !differs && spec.kind === 'mask' ? m.doc.mask.painted : null,
            queries: m.queries,
            keys: m.keys,
            ...(size === 'tiled' && lookOf(m, grid)),
        };
    });
    const { spec, differs, rows, olds } = shown;
    const room = roomFor(shown.keys.length, narrow.value);
    const extent = extents.value[spec.extent] ?? (spec.kind === 'weights' ? 1 : extents.value.values);
    const isPair = spec.axes[0] === 'query' && spec.axes[1] === 'key';
    const digits = differs ? decimalsOf(rows, room) : digitsOf(spec, rows, room);
    const oldDigits = olds && !differs ? digitsOf(spec, olds, room) : digits;
    return (
        <div
            {...gridAttributes(grid, rows, differs ? null : spec.kind)}
            class={classes(
                'm',
                size,
                spec.turned && !upright && 'turned',
                spec.role && `role-${spec.role}`,
            )}
            style={{ '--rows': rows.length, '--cols': rows[0].length }}
            {...handlers}
        >
            <Head grid={grid} />
            {size === 'tiled' && (
                <Ground
                    rows={rows}
                    olds={olds}
                    look={shown}
                    pinned={query.value}
                    {...tile}
                />
            )}
            {rows.map((values, i) => only >= 0 && i !== only ? null : (
                <Row
                    grid={grid}
                    i={i}
                    name={label(shown, spec, spec.axes[0], i)}
                    values={values}
                    olds={olds?.[i] === values ? null : olds?.[i]}
                    may={isPair ? shown.allowed[i] : NONE}
                    empty={isPair && shown.empty[i] === 'e'}
                    edits={shown.edits}
                    painted={shown.painted}
                    differs={differs}
                    derived={spec !== GRIDS[grid]}
                    extent={extent}
                    size={size}
                    room={room}
                    digits={digits}
                    oldDigits={oldDigits}
                />
            ))}
        </div>
    );
}
