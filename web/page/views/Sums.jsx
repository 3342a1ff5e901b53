// Where rows do not sum to 1: the sum of every row beside the weights, and of every column under
// them.

import { model, query } from '../compute.js';
import { isOne, plain } from '../format.js';
import { result, word } from '../phrase.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

function Sum({ value }) {
    return (
        <span class={`sum ${isOne(value) ? 'right' : 'wrong'}`}>
            <Phrase parts={[result(value, 'fixed')]} />
        </span>
    );
}

export function RowSums() {
    const { rows } = model.value;
    const i = query.value;
    return (
        <div class="rowsums">
            <span class="sumname" aria-hidden="true">
                {text.sums.row}
            </span>
            {rows.map((row, n) => (
                <span class={n === i ? 'pinned' : ''}>
                    <Sum value={row.total} />
                </span>
            ))}
        </div>
    );
}

export function ColumnSums() {
    const { columns, queries, rows, sums } = model.value;
    return (
        <>
            {sums === 'columns' && (
                <div class="columnsums">
                    <span class="sumname" aria-hidden="true">
                        {text.sums.columns}
                    </span>
                    {columns.map((column) => (
                        <Sum value={column.total} />
                    ))}
                </div>
            )}
            <p class="sr">
                {text.sums.spoken(
                    queries.map((name, n) => [name, plain(rows[n].total, 'fixed')]),
                    sums === 'columns' ? columns.map(({ total }) => plain(total, 'fixed')) : [],
                )}
            </p>
            <p class="rowline">
                <Phrase
                    parts={[
                        text.sums.rows,
                        ...queries.flatMap((name, n) => [
                            n ? ', ' : ' ',
                            word(name, 'q'),
                            ' ',
                            result(rows[n].total, 'fixed'),
                        ]),
                    ]}
                />
            </p>
        </>
    );
}
