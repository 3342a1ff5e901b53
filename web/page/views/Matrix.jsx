// One matrix as a grid. A row is given its numbers as arrays that stay the same while nothing in
// them moved (trace.js), so an edit renders the rows it touches and pointing about a few outlines.
// DOM rows are always the matrix's rows; K is merely shown turned (one column per key) where the
// layout sets it above the scores.
//
// `size` says how much room a number has: 'full' three decimals, 'compact' two, 'tiled' (Tiles.jsx)
// only in the pinned row and for weights that matter.

import { computed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { gridAttributes } from '../aria.js';
import { classes } from '../classes.js';
import { before, difference, extents, model } from '../compute.js';
import { signedColor, weightColor } from '../color.js';
import { brief, decimalsOf, plain } from '../format.js';
import { handlers } from '../grid.js';
import { compact } from '../layout.js';
import { lookOf } from '../look.js';
import { isFactor, signOf } from '../mask.js';
import { narrow, width } from '../media.js';
import { GRIDS, specOf } from '../matrices.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';
import { cellTitle, Head, label, RowFrame, useMarks } from './Row.jsx';
import { fillTiles, Ground, TileRows } from './Tiles.jsx';

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
    plain(signOf(value, row.isFactor), digits, digits === 'typed' ? typedRoom.value : row.room);

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
            data-value={String(signOf(value, row.isFactor))}
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

/** A matrix of differences is signed, and nobody's to edit. */
const between = Object.fromEntries(
    Object.entries(GRIDS).map(([grid, spec]) => [grid, { ...spec, kind: 'signed', edits: null }]),
);

function Row(props) {
    const { grid, i, name, values, empty, differs, spec } = props;
    const { lit, mark, stop, field } = useMarks(grid, i, spec, values.length);
    const dead = grid === 'weights' && empty && !differs;
    return (
        <RowFrame grid={grid} i={i} name={name} mark={mark} dead={dead}>
            {values.map((_, j) =>
                drawCell(props, j, {
                    lit: lit[j] ?? '.',
                    stop: stop === j,
                    name: field === j ? cellTitle(grid, spec, i, j) : null,
                }),
            )}
        </RowFrame>
    );
}

const NONE = [];

const usual = () => (compact.value ? 'compact' : 'full');

const extentOf = ({ extent, kind }) =>
    extents.value[extent] ?? (kind === 'weights' ? 1 : extents.value.values);

/** `only` leaves one row in place of all, `upright` keeps K from turning, `tile` sizes tiles. */
export function Matrix({ grid, size = usual(), only = -1, upright, tile }) {
    const shown = useStill(() => {
        const m = model.value;
        const differs = difference.value !== null;
        const own = specOf(grid, m.doc);
        const spec = differs ? between[grid] : own;
        const isPair = spec.axes[0] === 'query' && spec.axes[1] === 'key';
        const isEmpty = (row) => isPair && row.empty;
        const rows = (difference.value ?? m).grids[grid];
        const olds = before.value?.grids[grid];
        return {
            spec,
            extent: difference.value?.extentOf(grid) ?? extentOf(own),
            differs,
            rows,
            olds: olds === rows ? undefined : olds,
            allowed: isPair ? m.allowed : null,
            empty: m.rows.map((row) => (isEmpty(row) ? 'e' : '.')).join(''),
            edits: differs || spec.edits !== 'scoreEdits' ? null : m.edits,
            isFactor: !differs && isFactor(spec, m.doc),
            painted: !differs && spec.kind === 'mask' ? m.doc.mask.painted : null,
            queries: m.queries,
            keys: m.keys,
            ...(size === 'tiled' && lookOf(m, grid)),
        };
    });
    const { spec, differs, rows, olds, extent } = shown;
    const element = useRef();
    useLayoutEffect(() => {
        if (size === 'tiled') fillTiles(element.current, shown);
    }, [shown, size]);
    const room = roomFor(shown.keys.length, narrow.value);
    const digits = differs ? decimalsOf(rows, room) : digitsOf(spec, rows, room);
    const oldDigits = olds && !differs ? digitsOf(spec, olds, room) : digits;
    return (
        <div
            ref={element}
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
            {size === 'tiled' && <Ground rows={rows} olds={olds} look={shown} {...tile} />}
            {size === 'tiled' ? (
                <TileRows grid={grid} shown={shown} />
            ) : (
                rows.map((values, i) =>
                    only >= 0 && i !== only ? null : (
                        <Row
                            grid={grid}
                            i={i}
                            spec={spec}
                            name={label(shown, spec, spec.axes[0], i)}
                            values={values}
                            olds={olds?.[i] === values ? null : olds?.[i]}
                            may={shown.allowed?.[i] ?? NONE}
                            empty={shown.empty[i] === 'e'}
                            edits={shown.edits}
                            painted={shown.painted}
                            isFactor={shown.isFactor}
                            differs={differs}
                            extent={extent}
                            size={size}
                            room={room}
                            digits={digits}
                            oldDigits={oldDigits}
                        />
                    ),
                )
            )}
        </div>
    );
}
