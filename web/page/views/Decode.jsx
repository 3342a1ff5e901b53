// Decoding, a word at a time: what the cache holds, and the row that it gives beside that of the
// full causal call.

import { model } from '../compute.js';
import { decodedOf, decoding, setDecoded } from '../decode.js';
import { result, vector } from '../phrase.js';
import { text } from '../text.en.js';
import { ColumnHeads } from './ColumnHeads.jsx';
import { Phrase } from './Phrase.jsx';
import { Picture } from './Positions.jsx';

/** Lines of the table: the last ones read. */
const LINES = 8;

function Cache({ m, row }) {
    const words = text.decode;
    if (!row) return <p class="quiet">{words.empty}</p>;
    const held = m.keys.slice(row.first, row.first + row.keys.length);
    return (
        <div class="pictures cache">
            <Picture name={words.keys} rows={row.keys} words={held} kind="signed" />
            <Picture name={words.values} rows={row.values} words={held} kind="signed" />
        </div>
    );
}

function Rows({ m, rows, at }) {
    const words = text.decode;
    const first = Math.max(0, at - LINES);
    if (!at) return null;
    return (
        <div class="scroller" tabIndex={0} role="group" aria-label={text.lenses.decode}>
            <table>
                <ColumnHeads names={words.heads} />
                <tbody>
                    {rows.slice(first, at).map(({ keys, output, full, gap }, n) => (
                        <tr class={first + n === at - 1 ? 'near' : ''}>
                            <th scope="row">
                                <bdi>{m.queries[first + n]}</bdi>
                            </th>
                            <td>{keys.length}</td>
                            <td>
                                <Phrase parts={[vector(output, 'o')]} />
                            </td>
                            <td>
                                <Phrase parts={[vector(full, 'o')]} />
                            </td>
                            <td class={gap <= 1e-6 ? 'good' : ''}>
                                <Phrase parts={[result(gap)]} />
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

export function Decode() {
    const m = model.value;
    const rows = decoding.value;
    const at = decodedOf();
    if (!rows) return null;
    return (
        <div class="decoding">
            <Cache m={m} row={rows[at - 1]} />
            <div>
                <Rows m={m} rows={rows} at={at} />
                <p class="quiet">{text.decode.rules}</p>
            </div>
        </div>
    );
}

Decode.Head = () => {
    const words = text.decode;
    const all = model.value.queries.length;
    const at = decodedOf();
    if (model.value.doc.keyTokens) return <p>{words.cross}</p>;
    const steps = [
        [words.next, at < all, at + 1],
        [words.back, at > 0, at - 1],
        [words.again, at > 0, 0],
    ];
    return (
        <>
            <span class="panelgroup">
                {steps.map(([name, may, to]) => (
                    <button
                        type="button"
                        class="button"
                        aria-disabled={!may}
                        onClick={() => may && setDecoded(to)}
                    >
                        {name}
                    </button>
                ))}
                <b>{words.at(at, all)}</b>
            </span>
            <p>{words.about}</p>
        </>
    );
};
