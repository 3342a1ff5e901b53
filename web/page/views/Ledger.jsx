// The row table: what the pinned query does, one line per key, one column per step, every figure
// real.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { difference, model, point, query } from '../compute.js';
import { ledgerBetween } from '../difference.js';
import { ledger } from '../explain.js';
import { plain, prose } from '../format.js';
import { MOST_TERMS } from '../phrase.js';
import { text } from '../text.en.js';
import { marksOf } from '../was.js';
import { Phrase } from './Phrase.jsx';

/** Whether e^x is shown as e^(x − max) somewhere in a row. */
const hasShift = (m, i) => m.keys.some((_, j) => m.pool(i, j).shift !== null);

/** The columns of was.js. */
const COLUMNS = { masked: 'power' };

function what(id, m, i) {
    if (difference.value) return text.compare.what;
    if (id === 'scaled') return text.scaleWhat(m.divisor);
    if (id === 'masked') return text.powerWhat(m.doc.temperature, hasShift(m, i));
    if (id === 'weights')
        return m.doc.softmaxAxis === 'keys' ? text.shareWhat(m.rows[i].sum) : text.columnWhat;
    return text.steps[id].what;
}

function Bar({ weight }) {
    return (
        <span class="bar" aria-hidden="true">
            <span
                style={{ width: `${(weight || 0) * 100}%`, background: weightColor(weight).background }}
            />
        </span>
    );
}

/** Narrow: which step a line is of; where it is wide, the head of the column says so. */
function StepWord({ id }) {
    return (
        <span class="stepword" aria-hidden="true">
            <Phrase parts={text.steps[id].short} />
        </span>
    );
}

/** Characters of a number: 6.1e-10 is written as a product. */
function lengthOfNumber(x) {
    const digits = plain(x);
    return digits.length + (digits.includes('e') ? 3 : 0);
}

/** Characters that a phrase has at least; what is too long for its column is set smaller. */
const lengthOf = (part) =>
    typeof part === 'string'
        ? part.length
        : (part.values ?? [part.value]).reduce((sum, x) => sum + 2 + lengthOfNumber(x ?? 0), 0);

function fitOf(phrase) {
    const length = phrase.reduce((sum, part) => sum + lengthOf(part), 0);
    return length > 34 ? 'tight' : '';
}

/** Width of a phrase in digits, which are bold; a raised one takes less. */
function widthOf(phrase) {
    const widths = phrase.map((part) => {
        if (typeof part === 'string') return part.length;
        const [mantissa, exponent] = prose(part.value, part.digits);
        return mantissa.length + (exponent === null ? 0 : 2.5 + exponent.length * 0.72);
    });
    return widths.reduce((sum, width) => sum + width, 0) * 1.1;
}

/** Characters of the longest weight: the bars of all lines begin after so many. */
function numberOf(lines, steps) {
    const at = steps.findIndex(({ bar }) => bar);
    return Math.ceil(Math.max(...lines.map((works) => widthOf(works[at]))));
}

/** Up to as wide, a dot product is spelled out in two lines of its column. */
const SPELLED = 60;

/** A dot product of long numbers as its number of terms, until it is asked for. */
function folded(phrase, dk) {
    const terms = phrase.slice(0, 4 * dk); // of products(): a sign, two numbers, a dot between
    const isLong = dk > 2 && dk <= MOST_TERMS && widthOf(phrase) > SPELLED;
    const rest = phrase.slice(4 * dk);
    return isLong ? [{ kind: 'terms', count: dk, parts: () => terms }, ...rest] : phrase;
}

function Line({ m, i, j, works }) {
    const near = useComputed(() => point.value.key === j).value;
    const off = !m.allowed[i][j];
    return (
        <tr
            role="row"
            class={classes('line', near && 'near', off && 'off')}
            data-at={`weights:${i}:${j}`}
        >
            <th role="rowheader" scope="row">
                <bdi>{m.keys[j]}</bdi>
            </th>
            {m.steps.map((step, n) => (
                <td
                    role="cell"
                    class={classes(`at-${step.id}`, fitOf(works[n]))}
                    style={{ '--col': 2 * n + 2 }}
                    {...marksOf(m, COLUMNS[step.id] ?? step.id, i, j)}
                >
                    <StepWord id={step.id} />
                    <span class="work">
                        <Phrase parts={works[n]} />
                    </span>
                    {step.bar && <Bar weight={m.grids.weights[i][j]} />}
                </td>
            ))}
        </tr>
    );
}

export function Ledger() {
    const m = model.value;
    const i = query.value;
    const base = difference.value?.base;
    const { lines, totals } = base ? ledgerBetween(m, base, i) : ledger(m, i);
    if (!base) lines.forEach((works) => (works[0] = folded(works[0], m.dk)));
    return (
        <table
            role="table"
            class={classes('ledger', base && 'between')}
            aria-label={text.ledger.name(m.queries[i])}
            style={{ '--number': `${numberOf(lines, m.steps)}ch` }}
        >
            <thead role="rowgroup">
                <tr role="row" class="line heads">
                    <th role="columnheader" scope="col">
                        <span>
                            <Phrase parts={text.ledger.row(m.queries[i])} />
                        </span>
                    </th>
                    {m.steps.map((step, n) => (
                        <th
                            role="columnheader"
                            scope="col"
                            style={{ '--col': 2 * n + 2 }}
                            data-a={`head:${step.id}`}
                        >
                            <span>
                                <b>{text.steps[step.id].name}</b>{' '}
                                <span class="what">
                                    <Phrase parts={what(step.id, m, i)} />
                                </span>
                            </span>
                        </th>
                    ))}
                </tr>
            </thead>
            <tbody role="rowgroup">
                {lines.map((works, j) => (
                    <Line m={m} i={i} j={j} works={works} />
                ))}
                <tr role="row" class="line total">
                    <th role="rowheader" scope="row">
                        <span class="sr">{text.ledger.sum}</span>
                    </th>
                    {totals.map((total, n) => (
                        <td
                            role="cell"
                            class={total ? fitOf(total) : 'blank'}
                            style={{ '--col': 2 * n + 2 }}
                        >
                            {total && <StepWord id={m.steps[n].id} />}
                            {total && (
                                <span class="work">
                                    <Phrase parts={total} />
                                </span>
                            )}
                        </td>
                    ))}
                </tr>
            </tbody>
        </table>
    );
}
