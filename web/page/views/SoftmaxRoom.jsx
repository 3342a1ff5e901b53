// The pointed-at row in three numbers, and what happens to its weights if one score rises: a
// column of the softmax Jacobian as signed bars, and the whole of it.

import { useMemo } from 'preact/hooks';
import { engine, model, point } from '../compute.js';
import { isOne } from '../format.js';
import { slope } from '../formulas.js';
import { result } from '../phrase.js';
import { text } from '../text.en.js';
import { Jacobian, jacobianOf } from './Jacobian.jsx';
import { Math as Formula } from './Math.jsx';
import { Phrase } from './Phrase.jsx';

function Numbers({ m, i }) {
    const { total, entropy, empty } = m.rows[i];
    const isShared = !empty && m.doc.softmaxAxis === 'keys' && isOne(total);
    const lines = [
        [text.row.sum, [result(total, 'fixed')]],
        ...(isShared
            ? [
                  [text.row.entropy(m.keys.length), [result(entropy, 'fixed')]],
                  [text.row.keys, [...text.row.power(entropy), result(Math.exp(entropy), 'fixed')]],
              ]
            : []),
    ];
    return (
        <div class="rownumbers">
            <h4>
                <Phrase parts={text.row.title(m.queries[i])} />
            </h4>
            <dl>
                {lines.map(([name, value]) => (
                    <div>
                        <dt>{name}</dt>
                        <dd>
                            <Phrase parts={value} />
                        </dd>
                    </div>
                ))}
            </dl>
            {!isShared && <p class="quiet">{empty ? text.row.empty : text.row.notShared}</p>}
        </div>
    );
}

/** Signed bars; the widest fills half of the track. */
function Slopes({ m, i, j, jacobian }) {
    const slopes = jacobian.map((row) => row[j]);
    const most = Math.max(...slopes.map(Math.abs)) || 1;
    const order = slopes.map((_, n) => n);
    const shown =
        order.length > 8
            ? order.sort((a, b) => Math.abs(slopes[b]) - Math.abs(slopes[a])).slice(0, 8)
            : order;
    return (
        <div class="slopes">
            <h4>
                <Phrase parts={text.row.rises(m.queries[i], m.keys[j])} />{' '}
                <span class="quiet">{text.row.slope}</span>
            </h4>
            <table aria-label={text.row.slopes}>
                <tbody>
                    {shown.map((n) => (
                        <tr class={n === j ? 'near' : ''}>
                            <th scope="row">
                                <bdi>{m.keys[n]}</bdi>
                            </th>
                            <td class="slopebar">
                                <span aria-hidden="true">
                                    <span
                                        class={slopes[n] < 0 ? 'below' : 'above'}
                                        style={{
                                            '--share': `${(Math.abs(slopes[n]) / most) * 50}%`,
                                        }}
                                    />
                                </span>
                            </td>
                            <td class="slopework">
                                <Formula parts={slope(m, i, j, n)} block={false} />
                                {' = '}
                                <Phrase parts={[result(slopes[n], 'fixed')]} />
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {shown.length < order.length && <p class="quiet">{text.row.largest(order.length)}</p>}
        </div>
    );
}

/** How the row answers to one score, and to every score. */
function Gradients({ m, i, j }) {
    const weights = m.grids.weights[i];
    const jacobian = useMemo(() => jacobianOf(engine.value, weights), [weights]);
    return (
        <>
            <Slopes m={m} i={i} j={j} jacobian={jacobian} />
            <Jacobian jacobian={jacobian} keys={m.keys} at={j} />
        </>
    );
}

export function SoftmaxRoom() {
    const m = model.value;
    const { query: i, key: j } = point.value;
    const slopes = m.sums === 'rows' || (m.sums === 'empty' && !m.rows[i].empty);
    return (
        <div class="softmaxroom">
            <Numbers m={m} i={i} />
            {slopes && <Gradients m={m} i={i} j={j} />}
        </div>
    );
}
