// The formula of each step for the pinned query and key, with letters and then with its numbers.

import { HABIT } from './calls.js';
import {
    factor,
    joined,
    label,
    name,
    number,
    op,
    over,
    root,
    row,
    sub,
    sum,
    sup,
    vector,
} from './math.js';

const eq = op('=');

/** x as in q_sat: a letter with the word it belongs to. */
const of = (letter, word, role) => sub(name(letter, role), label(word, role));

const pair = (letter, m, i, j) =>
    sub(name(letter), row(label(m.queries[i], 'q'), op(','), label(m.keys[j], 'k')));

/** The divisor of the scores: √d_k, 1, or a number. */
function divisor({ doc, dk }) {
    if (doc.scale === 'sqrt') return root(number(dk));
    return number(doc.scale === 'off' ? 1 : doc.scale);
}

/** The exponent of key j: its masked score, less the maximum, over the temperature. */
function exponent(m, i, j) {
    const { shift } = m.pool(i, j);
    const { temperature } = m.doc;
    const x = number(m.grids.masked[i][j]);
    const cool = temperature === 1 ? [] : [op('/'), number(temperature)];
    return row(x, ...cool, ...(shift === null ? [] : [op('−'), number(shift)]));
}

const power = (m, i, j) =>
    sup(
        name('e'),
        m.grids.masked[i][j] === -Infinity ? row(op('−'), name('∞')) : exponent(m, i, j),
    );

/** What a weight is shared out among: the keys of its row, or wrongly the queries of its column. */
function mates(m, i, j) {
    return m.doc.softmaxAxis === 'queries'
        ? m.queries.map((_, n) => [n, j])
        : m.keys.map((_, n) => [i, n]);
}

export const FORMULAS = {
    scores(m, i, j) {
        const [q, k] = [m.used.Q[i], m.used.K[j]];
        const terms = q.map((x, n) => row(factor(x, 'q'), op('·'), factor(k[n], 'k')));
        const made = [
            pair('s', m, i, j),
            eq,
            of('q', m.queries[i], 'q'),
            op('·'),
            of('k', m.keys[j], 'k'),
            eq,
        ];
        return [
            ...made,
            ...joined(terms, '+').children,
            ...given(m, i, j),
            number(m.grids.scores[i][j]),
        ];
    },
    scaled: (m, i, j) => [
        pair('x', m, i, j),
        eq,
        over(
            pair('s', m, i, j),
            m.doc.scale === 'sqrt' ? root(sub(name('d'), name('k'))) : divisor(m),
        ),
        eq,
        over(number(m.grids.scores[i][j]), divisor(m)),
        eq,
        number(m.grids.scaled[i][j]),
    ],
    capped(m, i, j) {
        const cap = number(m.doc.softcap);
        const tanh = (x) => row(cap, name('tanh'), op('('), x, op(')'));
        return [
            pair('x', m, i, j),
            op('→'),
            tanh(over(pair('x', m, i, j), cap)),
            eq,
            tanh(over(number(m.grids.scaled[i][j]), cap)),
            eq,
            number(m.grids.capped[i][j]),
        ];
    },
    dropped(m, i, j) {
        const [weight, left] = [m.grids.weights[i][j], m.grids.dropped[i][j]];
        const made = [pair('α', m, i, j), op('→')];
        if (left === 0) return [...made, number(0)];
        const kept = row(number(1), op('−'), number(m.doc.dropout));
        return [
            ...made,
            over(pair('α', m, i, j), row(number(1), op('−'), name('p'))),
            eq,
            over(number(weight, null, 'fixed'), kept),
            eq,
            number(left, null, 'fixed'),
        ];
    },
    masked(m, i, j) {
        const hides = { before: -Infinity, after: 0, bias: HABIT }[m.doc.maskOrder];
        return [
            pair('x', m, i, j),
            op('+'),
            pair('m', m, i, j),
            eq,
            number(m.grids.capped[i][j]),
            op('+'),
            factor(m.allowed[i][j] ? m.grids.mask[i][j] : hides),
            eq,
            number(m.grids.masked[i][j]),
        ];
    },
    weights(m, i, j) {
        const index = name('n');
        const cool = (x) => (m.doc.temperature === 1 ? x : row(x, op('/'), name('T')));
        const wrong = m.doc.softmaxAxis === 'queries';
        const one = sub(
            name('x'),
            wrong ? row(index, op(','), name('j')) : row(name('i'), op(','), index),
        );
        return [
            pair('α', m, i, j),
            eq,
            over(
                sup(name('e'), cool(sub(name('x'), row(name('i'), op(','), name('j'))))),
                row(sum(index), sup(name('e'), cool(one))),
            ),
            eq,
            over(
                power(m, i, j),
                joined(
                    mates(m, i, j).map(([a, b]) => power(m, a, b)),
                    '+',
                ),
            ),
            eq,
            over(
                number(m.grids.masked[i][j] === -Infinity ? 0 : m.exponential(i, j), null, 'fixed'),
                number(m.pool(i, j).sum, null, 'fixed'),
            ),
            m.doc.maskOrder === 'after' && !m.allowed[i][j] ? op('→') : eq,
            number(m.grids.weights[i][j], null, 'fixed'),
        ];
    },
    output(m, i) {
        const index = name('j');
        const terms = m.keys.map((_, j) =>
            row(number(m.grids.dropped[i][j], null, 'fixed'), op('·'), vector(m.grids.V[j], 'v')),
        );
        return [
            of('o', m.queries[i], 'o'),
            eq,
            sum(index),
            sub(name('α'), index),
            sub(name('v', 'v'), index),
            eq,
            ...joined(terms, '+').children,
            eq,
            vector(m.grids.output[i], 'o'),
        ];
    },
};

const given = (m, i, j) => [`${i},${j}` in m.edits ? op('→') : eq];

/** How weight n moves when the exponent of key j rises: α_n(δ − α_j), with its numbers. */
export const slope = (m, i, j, n) => [
    number(m.grids.weights[i][n], null, 'fixed'),
    op('·'),
    row(
        op('('),
        number(n === j ? 1 : 0),
        op('−'),
        number(m.grids.weights[i][j], null, 'fixed'),
        op(')'),
    ),
];
