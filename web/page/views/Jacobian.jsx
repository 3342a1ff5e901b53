// Every gradient of the pinned row: how much each weight moves with each score, as the engine says,
// and beside it what a hard argmax would pass on.

import { useMemo } from 'preact/hooks';
import { signedColor } from '../color.js';
import { decimalsOf, minus, plain } from '../format.js';
import { narrow } from '../media.js';
import { text } from '../text.en.js';
import { SmallMap } from './SmallMap.jsx';
import { Phrase } from './Phrase.jsx';

/** Up to as many keys, the gradients are numbers; on a narrow screen fewer fit. */
const NUMBERS = { wide: 8, narrow: 4 };

/** No weight moves by more than this with a score: α(1 − α) at α = ½. */
const MOST = 0.25;

/** The Jacobian of a row of weights as rows: weights down, scores across. */
export function jacobianOf(engine, weights) {
    const { data } = engine.softmaxJacobian(weights);
    const { length } = weights;
    return weights.map((_, n) => Array.from(data.subarray(n * length, (n + 1) * length)));
}

function Numbers({ name, rows, keys, at }) {
    const digits = decimalsOf(rows);
    const near = (n) => (n === at ? 'near' : null);
    return (
        <table class="jacobian" aria-label={name}>
            <thead>
                <tr>
                    <th scope="col">{text.jacobian.corner}</th>
                    {keys.map((key, n) => (
                        <th scope="col" class={near(n)}>
                            <bdi>{key}</bdi>
                        </th>
                    ))}
                </tr>
            </thead>
            <tbody>
                {rows.map((row, n) => (
                    <tr>
                        <th scope="row" class={near(n)}>
                            <bdi>{keys[n]}</bdi>
                        </th>
                        {row.map((x) => (
                            <td style={signedColor(x, MOST)}>{minus(plain(x, digits, 6))}</td>
                        ))}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Whole({ kind, rows, keys, at }) {
    const name = text.jacobian.names[kind];
    return (
        <div class={`whole-${kind}`}>
            <h4>
                {name} <span class="quiet">{text.jacobian.about[kind]}</span>
            </h4>
            {keys.length <= NUMBERS[narrow.value ? 'narrow' : 'wide'] ? (
                <Numbers name={name} rows={rows} keys={keys} at={at} />
            ) : (
                <SmallMap rows={rows} width={160} height={160} kind="signed" extent={MOST} />
            )}
        </div>
    );
}

export function Jacobian({ jacobian, keys, at }) {
    const none = useMemo(() => jacobian.map((row) => row.map(() => 0)), [jacobian.length]);
    return (
        <div class="jacobians">
            <Whole kind="softmax" rows={jacobian} keys={keys} at={at} />
            <Whole kind="argmax" rows={none} keys={keys} at={at} />
            <p class="quiet">
                <Phrase parts={text.jacobian.note} />
            </p>
        </div>
    );
}
