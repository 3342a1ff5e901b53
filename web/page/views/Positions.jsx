// Positions beside the weights, and the order experiment: whether shuffled words get the outputs
// that they had.

import { engine, model, modelFor } from '../compute.js';
import { decimalsOf } from '../format.js';
import { setPositions, shuffle } from '../layers.js';
import { experiment } from '../order.js';
import { result, vector } from '../phrase.js';
import { pictureOf } from '../positions.js';
import { text } from '../text.en.js';
import { ColumnHeads } from './ColumnHeads.jsx';
import { Tile } from './MaskRoom.jsx';
import { Moves } from './Moves.jsx';
import { Phrase } from './Phrase.jsx';
import { SmallMap } from './SmallMap.jsx';

/** Up to as many columns, a picture is made of numbers. */
const NUMBERS = 8;

export function Picture({ name, rows, words, kind, allowed }) {
    const digits = kind === 'weights' ? 'fixed' : decimalsOf(rows);
    const isSmall = rows.length <= NUMBERS && rows[0].length <= NUMBERS;
    return (
        <figure class="picture">
            <figcaption>{name}</figcaption>
            {isSmall ? (
                <div role="group" aria-label={name} style={{ '--keys': rows[0].length }}>
                    {rows.map((row, i) => (
                        <div class="tiles">
                            <bdi>{words[i]}</bdi>
                            {row.map((value, j) => (
                                <Tile
                                    value={value}
                                    kind={kind}
                                    digits={digits}
                                    off={allowed && !allowed[i][j]}
                                />
                            ))}
                        </div>
                    ))}
                </div>
            ) : (
                <SmallMap rows={rows} width={160} height={160} kind={kind} extent={1} mark={-1} />
            )}
        </figure>
    );
}

function Pictures({ m }) {
    const { doc, head } = m;
    if (doc.positions === 'none') return null;
    const isModel = doc.mode === 'projected' && doc.positions === 'sinusoidal';
    const width = isModel ? doc.x[0].length : m.dk;
    const picture = pictureOf(engine.value, doc, head, width);
    const without = modelFor({ ...doc, positions: 'none' }, head).grids.weights;
    const words = text.positions;
    return (
        <div class="pictures">
            {picture ? (
                <Picture
                    name={words.picture[doc.positions]}
                    rows={picture}
                    words={doc.positions === 'alibi' ? m.queries : m.keys}
                    kind="signed"
                />
            ) : (
                <p class="quiet">{words.odd}</p>
            )}
            {[
                [words.weights.none, without],
                [words.weights.now, m.grids.weights],
            ].map(([name, rows]) => (
                <Picture
                    name={name}
                    rows={rows}
                    words={m.queries}
                    kind="weights"
                    allowed={m.allowed}
                />
            ))}
        </div>
    );
}

/** Differences up to this are the rounding of sums in another order. */
const isSame = ({ gap, pairs }) =>
    gap <= 1e-6 * Math.max(1, ...pairs.flatMap(([a]) => a.map(Math.abs)));

/** The other way round, every distance is what it was. */
const isMirror = ({ positions }, { rows, isReversed }) =>
    positions === 'alibi' && isReversed && isSame(rows[0]);

function Order({ m }) {
    const words = text.positions;
    const found = experiment.value;
    if (!found) return <p class="quiet">{words.cross}</p>;
    const now = found.rows.find(({ positions }) => positions === m.doc.positions);
    const places = isSame(found.rows[0]) ? null : <p class="quiet">{words.masked}</p>;
    const shown = m.doc.tokens.slice(0, NUMBERS);
    const isSmall = m.doc.tokens.length <= NUMBERS;
    return (
        <div class="order">
            <h3>{words.order}</h3>
            <p class="shuffled">
                <span class={isSmall ? 'sr' : ''}>
                    <Phrase parts={words.change(m.doc.tokens, found.words)} />
                </span>
                <button type="button" class="button" onClick={shuffle}>
                    {words.again}
                </button>
            </p>
            <Moves {...{ m, found, isSmall }} />
            <div class="orders">
                <table aria-label={words.gap}>
                    <ColumnHeads names={[words.label, [words.gap, 2]]} />
                    <tbody>
                        {found.rows.map((row) => (
                            <tr class={row === now ? 'near' : ''}>
                                <th scope="row">{words.names[row.positions]}</th>
                                <td>
                                    <Phrase parts={[result(row.gap)]} />
                                </td>
                                <td class={isSame(row) ? 'good' : 'quiet'}>
                                    {isSame(row)
                                        ? words[isMirror(row, found) ? 'mirror' : 'same']
                                        : words.other}
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
                <table aria-label={words.table(words.names[now.positions])}>
                    <ColumnHeads names={words.heads} />
                    <tbody>
                        {shown.map((token, n) => (
                            <tr>
                                <th scope="row">
                                    <bdi>{token}</bdi>
                                </th>
                                <td class="orderplace">
                                    {words.place(n + 1, found.order.indexOf(n) + 1)}
                                </td>
                                {now.pairs[n].map((output) => (
                                    <td>
                                        <Phrase parts={[vector(output, 'o')]} />
                                    </td>
                                ))}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </div>
            {places}
        </div>
    );
}

export function Positions() {
    const m = model.value;
    return (
        <>
            <Pictures m={m} />
            <Order m={m} />
        </>
    );
}

Positions.Head = () => {
    const { doc } = model.value;
    const words = text.positions;
    return (
        <>
            <span class="segments" role="group" aria-label={words.label}>
                {Object.entries(words.names).map(([id, name]) => (
                    <button
                        type="button"
                        aria-pressed={doc.positions === id}
                        onClick={() => setPositions(id)}
                    >
                        {name}
                    </button>
                ))}
            </span>
            <p>{words.about[doc.positions](doc.mode)}</p>
        </>
    );
};
