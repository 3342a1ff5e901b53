// The row table of a longer sentence: one line per key, one column per step, results only; the
// reading line spells out the one that is pointed at. Very long ones fold to the largest weights.
// Its lines are drawn once per row, their numbers are written by each edit.

import { useComputed } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { before, model, point, query } from '../compute.js';
import { decimalsOf, inline } from '../format.js';
import { narrow } from '../media.js';
import { result } from '../phrase.js';
import { gift, outputOf } from '../stages.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { marksOf, spelled } from '../was.js';
import { write } from './direct.js';
import { Phrase } from './Phrase.jsx';

/** More keys than this fold, to as many. */
const FOLD = 16;

/** Keys in the order of the sentence; when folded, those with the largest weights. */
function shownKeys(weights, unfolded) {
    const all = weights.map((_, j) => j);
    if (unfolded || all.length <= FOLD) return all;
    return all
        .sort((a, b) => weights[b] - weights[a] || a - b)
        .slice(0, FOLD)
        .sort((a, b) => a - b);
}

/** The columns of a line: the step of its mark, and its number as text. */
const COLUMNS = {
    scores: (m, i, j, digits) => inline(m.grids.scores[i][j], digits.scores),
    scaled: (m, i, j, digits) => inline(m.grids.scaled[i][j], digits.masked),
    masked: (m, i, j, digits) => inline(m.grids.masked[i][j], digits.masked),
    power: (m, i, j) => inline(m.rows[i].empty ? 0 : m.exponential(i, j), 'fixed'),
    weights: (m, i, j) => inline(m.grids.weights[i][j], 'fixed'),
    dropped: (m, i, j) => inline(m.grids.dropped[i][j], 'fixed'),
    output(m, i, j) {
        const { values, digits } = gift(m, i, j, 'o');
        return spelled(values, digits);
    },
};

/** The columns that a document has, where there is room for what a key gives or not. */
const columnsOf = ({ softcap, dropout }, roomy) =>
    Object.keys(COLUMNS).filter(
        (id) =>
            !(id === 'scaled' && softcap === null) &&
            !(id === 'dropped' && dropout === null) &&
            !(id === 'output' && !roomy),
    );

const FORMS = { weights: 'strong', output: 'vector o strong' };

function Line({ i, j, name, columns, off }) {
    const near = useComputed(() => point.value.key === j).value;
    return (
        <tr
            role="row"
            class={classes(near && 'near', off && 'off')}
            data-at={`weights:${i}:${j}`}
        >
            <th role="rowheader" scope="row">
                <bdi>{name}</bdi>
            </th>
            {columns.map((id) => (
                <>
                    <td role="cell" class={FORMS[id]} data-column={id}>
                        {id === 'weights' && <span class="weight" />}
                    </td>
                    {id === 'weights' && (
                        <td role="cell" class="barcell">
                            <span class="bar" aria-hidden="true" />
                        </td>
                    )}
                </>
            ))}
        </tr>
    );
}

/** A bar as a picture, of a length and a colour: neither is any of the layout's business. */
const barOf = (weight) => ({
    'background-size': `${((weight || 0) * 100).toFixed(1)}% 100%`,
    color: weightColor(weight).background,
});

/** Writes the numbers of the lines, with the marks of those that moved. */
function fill(body, m, i, keys, columns) {
    const { grids } = m;
    const digits = { scores: decimalsOf(grids.scores), masked: decimalsOf(grids.masked) };
    const bars = body.querySelectorAll('.bar');
    keys.forEach((j, n) => {
        const line = body.rows[n];
        const cells = line.querySelectorAll('[data-column]');
        columns.forEach((id, at) => {
            const said = { text: COLUMNS[id](m, i, j, digits) };
            const marks = marksOf(m, id, i, j);
            const own = cells[at].firstElementChild;
            if (own) write(own, said);
            write(cells[at], own ? marks : { ...said, ...marks });
        });
        write(bars[n], barOf(grids.weights[i][j]));
    });
}

function Total({ m, i, roomy, folds }) {
    const { sum, total } = m.rows[i];
    const { softcap, dropout, softmaxAxis } = m.doc;
    return (
        <tfoot role="rowgroup">
            <tr role="row">
                <th role="rowheader" scope="row">
                    {folds ? text.rowTable.sumAll(m.keys.length) : text.ledger.sum}
                </th>
                <td role="cell" />
                {softcap !== null && <td role="cell" />}
                <td role="cell" />
                <td role="cell">
                    {softmaxAxis === 'keys' && <Phrase parts={[result(sum, 'fixed')]} />}
                </td>
                <td role="cell">
                    <Phrase parts={[result(total, 'fixed')]} />
                </td>
                <td role="cell" />
                {dropout !== null && <td role="cell" />}
                {roomy && (
                    <td role="cell">
                        <Phrase parts={[outputOf(m, i)]} />
                    </td>
                )}
            </tr>
        </tfoot>
    );
}

const Heads = ({ names, strong }) => (
    <thead role="rowgroup">
        <tr role="row">
            {names.map((head, n) => (
                <th
                    role="columnheader"
                    scope="col"
                    class={n === strong ? 'strong' : ''}
                    colSpan={n === strong ? 2 : 1}
                >
                    <Phrase parts={head} />
                </th>
            ))}
        </tr>
    </thead>
);

/** The heads of the columns: the same elements until a step changes. */
function useHeads(m, i, roomy) {
    const { scale, softcap, temperature, dropout } = m.doc;
    const [isShifted, isMasked] = [m.rows[i].shift !== null, m.hidden + m.added > 0];
    return useMemo(() => {
        const names = text.rowTable.heads(m, isShifted).slice(0, roomy ? undefined : -1);
        return <Heads names={names} strong={softcap === null ? 4 : 5} />;
    }, [m.dk, scale, softcap, temperature, dropout, isShifted, isMasked, roomy]);
}

export function RowTable({ high }) {
    const m = model.value;
    const i = query.value;
    const unfolded = useComputed(() => state.value.allKeys).value;
    const body = useRef();
    const weights = m.grids.weights[i];
    const channels = m.grids.V[0].length;
    const folds = weights.length > FOLD;
    const keys = shownKeys(weights, unfolded);
    const shown = keys.join();
    const roomy = !narrow.value && m.doc.heads === 1 && channels <= 4 && !folds;
    const columns = columnsOf(m.doc, roomy);
    const heads = useHeads(m, i, roomy);
    const lines = useMemo(
        () =>
            keys.map((j) => (
                <Line
                    key={j}
                    i={i}
                    j={j}
                    name={m.keys[j]}
                    columns={columns}
                    off={!m.allowed[i][j]}
                />
            )),
        [i, shown, m.keys, m.allowed[i], columns.join()],
    );
    useLayoutEffect(() => fill(body.current, m, i, keys, columns), [m, before.value, lines]);
    return (
        <div
            class={classes(
                'rowtable',
                roomy && 'roomy',
                m.doc.softcap !== null && 'capped',
                m.doc.dropout !== null && 'dropped',
            )}
            style={{ '--dv': channels, ...(high && { '--rung': `${high + 2}px` }) }}
        >
            <table role="table" aria-label={text.ledger.name(m.queries[i])}>
                {heads}
                <tbody ref={body} role="rowgroup">
                    {lines}
                </tbody>
                <Total m={m} i={i} roomy={roomy} folds={folds && !unfolded} />
            </table>
            <p class="rounding quiet">{text.rounding}</p>
            {folds && (
                <button
                    type="button"
                    class="button"
                    aria-expanded={unfolded}
                    onClick={() => update({ allKeys: !unfolded })}
                >
                    {unfolded ? text.rowTable.fold(FOLD) : text.rowTable.unfold(weights.length)}
                </button>
            )}
        </div>
    );
}
