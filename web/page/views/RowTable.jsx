// The row table of a longer sentence: one line per key, one column per step, results only; the
// reading line spells out the one that is pointed at. Very long ones fold to the largest weights.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { model, point, query } from '../compute.js';
import { decimalsOf, prose } from '../format.js';
import { result } from '../phrase.js';
import { gift, outputOf } from '../stages.js';
import { narrow } from '../media.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { marksOf } from '../was.js';
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

/** A number as it stands in prose, without a component of its own. */
function figure(x, digits) {
    const [mantissa, exponent] = prose(x, digits);
    return exponent === null ? (
        mantissa
    ) : (
        <>
            {mantissa}·10<sup>{exponent}</sup>
        </>
    );
}

const COLUMNS = ['scores', 'scaled', 'masked', 'power', 'weights', 'dropped', 'output'];

const marksIn = (m, i, j) =>
    Object.fromEntries(COLUMNS.map((id) => [id, marksOf(m, id, i, j)]));

function Line({ i, j, name, score, scaled, power, weight, kept, gives, digits, marks, off }) {
    const near = useComputed(() => point.value.key === j).value;
    const { background } = weightColor(weight);
    return (
        <tr
            role="row"
            class={classes(near && 'near', off && 'off')}
            data-at={`weights:${i}:${j}`}
        >
            <th role="rowheader" scope="row">
                <bdi>{name}</bdi>
            </th>
            <td role="cell" {...marks.scores}>
                {figure(score, digits.scores)}
            </td>
            {scaled.map((x, n) => (
                <td role="cell" {...marks[n < scaled.length - 1 ? 'scaled' : 'masked']}>
                    {figure(x, digits.masked)}
                </td>
            ))}
            <td role="cell" {...marks.power}>
                {figure(power, 'fixed')}
            </td>
            <td role="cell" class="strong" {...marks.weights}>
                {figure(weight, 'fixed')}
            </td>
            <td role="cell" class="barcell">
                <span class="bar" aria-hidden="true">
                    <span style={{ width: `${weight * 100}%`, background }} />
                </span>
            </td>
            {kept !== null && (
                <td role="cell" {...marks.dropped}>
                    {figure(kept, 'fixed')}
                </td>
            )}
            {gives && (
                <td role="cell" {...marks.output}>
                    {Phrase({ parts: [gives] })}
                </td>
            )}
        </tr>
    );
}

export function RowTable({ high }) {
    const m = model.value;
    const i = query.value;
    const unfolded = useComputed(() => state.value.allKeys).value;
    const weights = m.grids.weights[i];
    const keys = shownKeys(weights, unfolded);
    const folds = weights.length > FOLD;
    const row = m.rows[i];
    const [cap, drop] = [m.doc.softcap !== null, m.doc.dropout !== null];
    const strong = cap ? 5 : 4;
    const digits = { scores: decimalsOf(m.grids.scores), masked: decimalsOf(m.grids.masked) };
    const roomy = !narrow.value && m.doc.heads === 1 && m.grids.V[0].length <= 4 && !folds;
    return (
        <div
            class={classes('rowtable', roomy && 'roomy', cap && 'capped', drop && 'dropped')}
            style={{ '--dv': m.grids.V[0].length, ...(high && { '--rung': `${high + 2}px` }) }}
        >
            <table role="table" aria-label={text.ledger.name(m.queries[i])}>
                <thead role="rowgroup">
                    <tr role="row">
                        {text.rowTable
                            .heads(m, row.shift !== null)
                            .slice(0, roomy ? undefined : -1)
                            .map((head, n) => (
                            <th role="columnheader" scope="col" class={n === strong ? 'strong' : ''} colSpan={n === strong ? 2 : 1}>
                                <Phrase parts={head} />
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    {keys.map((j) => (
                        <Line
                            key={j}
                            i={i}
                            j={j}
                            name={m.keys[j]}
                            score={m.grids.scores[i][j]}
                            scaled={[...(cap ? [m.grids.scaled[i][j]] : []), m.grids.masked[i][j]]}
                            power={row.empty ? 0 : m.exponential(i, j)}
                            weight={weights[j]}
                            kept={drop ? m.grids.dropped[i][j] : null}
                            gives={roomy ? gift(m, i, j, 'o') : null}
                            digits={digits}
                            marks={marksIn(m, i, j)}
                            off={!m.allowed[i][j]}
                        />
                    ))}
                </tbody>
                <tfoot role="rowgroup">
                    <tr role="row">
                        <th role="rowheader" scope="row">
                            {folds && !unfolded ? text.rowTable.sumAll(weights.length) : text.ledger.sum}
                        </th>
                        <td role="cell" />
                        {cap && <td role="cell" />}
                        <td role="cell" />
                        <td role="cell">
                            <Phrase parts={[result(row.sum, 'fixed')]} />
                        </td>
                        <td role="cell">
                            <Phrase parts={[result(row.total, 'fixed')]} />
                        </td>
                        <td role="cell" />
                        {drop && <td role="cell" />}
                        {roomy && (
                            <td role="cell">
                                <Phrase parts={[outputOf(m, i)]} />
                            </td>
                        )}
                    </tr>
                </tfoot>
            </table>
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
