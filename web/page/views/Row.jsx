// What the rows of every matrix have in common: their headers, the names of their cells, and what is
// pinned, pointed at and edited in them.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { litRow, model, pin, point, query } from '../compute.js';
import { GRIDS } from '../matrices.js';
import { state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';

const subscript = (n) => String(n).replace(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'[digit]);

/** Letters of axes that are not those of their matrix. */
const NAMES = { model: 'x', joined: 'o', out: 'y' };

/** The name of line n of an axis: a token, or a numbered component. */
export function label(m, spec, axis, n) {
    if (axis === 'query') return m.queries[n];
    if (axis === 'key') return m.keys[n];
    return `${NAMES[axis] ?? spec.letter}${subscript(n + 1)}`;
}

/** Whether a cell of a grid has a place on an axis of X and W; on the others every cell has. */
const isOf = (axis, grid) => !(axis in NAMES) || GRIDS[grid].axes.includes(axis);

/** The name of a cell while it is typed into. */
export function cellTitle(grid, spec, i, j) {
    const m = model.peek();
    const [rows, cols] = spec.axes;
    return text.input(text.grids[grid], label(m, spec, rows, i), label(m, spec, cols, j));
}

/**
 * What a row is marked with: `lit` has a letter per cell (compute.js), `stop` is the cell of the tab
 * stop and `field` the one that is typed into, or -1; `mark` is a class.
 */
export function useMarks(grid, i, spec, count) {
    const [axis, across] = spec.axes;
    const lit = useComputed(() => litRow(grid, i, count), [count]).value;
    const mark = useComputed(() =>
        axis === 'query' && query.value === i
            ? 'pinned'
            : point.value[axis] === i && isOf(axis, point.value.grid)
              ? `near near-${axis}`
              : '',
    ).value;
    const stop = useComputed(() => (pin.value[axis] === i ? pin.value[across] : -1)).value;
    const field = useComputed(() => {
        const { edit } = state.value;
        return edit && edit.grid === grid && edit.row === i ? edit.col : -1;
    }).value;
    return { lit, mark, stop, field };
}

/** A row around its cells; `dead` if it sees no key. */
export const RowFrame = ({ grid, i, name, mark, dead, children }) => (
    <div
        role="row"
        aria-rowindex={i + 2}
        class={classes('row', mark, dead && 'dead')}
        style={{ '--r': i + 2 }}
    >
        <span role="rowheader" aria-colindex={1} class="across" data-a={`${grid}:row:${i}`}>
            <bdi>{name}</bdi>
        </span>
        {children}
        {dead && (
            <span class="note" aria-hidden="true">
                <span>{text.dead}</span>
            </span>
        )}
    </div>
);

/** The first row: the names of the columns. */
export function Head({ grid }) {
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
