// The pipeline as data: a step is one gate of the line, what it does to the matrix before it, and
// how one cell of it is worked out in numbers. A new stage is a new row of STEPS and, if it shows
// numbers, of GRIDS in matrices.js. A step that can be off has a `when`.

import { HABIT } from './calls.js';
import { decimalsOf } from './format.js';
import { num, products, quiet, result, sup, vector } from './phrase.js';
import { slopeOf } from './positions.js';
import { text } from './text.en.js';

/** The digits of Q, K and V: as they were typed, or as they follow from X. */
const inputDigits = ({ doc }) => (doc.mode === 'direct' ? 'typed' : 'short');

/** The digits of queries and keys as scores take them. */
const usedDigits = (m) => (m.used.Q === m.grids.Q ? inputDigits(m) : 'short');

/** The decimals that a result shares with its matrix. */
const digitsIn = (m, id) => decimalsOf(m.grids[id]);

const given = new WeakMap();

/** What key j gives to query i; its decimals are those of the other keys, and of the output. */
export function gift(m, i, j, role) {
    const row = m.rows[i];
    if (!given.has(row)) {
        const all = m.keys.map((_, n) => m.contribution(i, n));
        given.set(row, Math.max(decimalsOf(all), digitsIn(m, 'output')));
    }
    return vector(m.contribution(i, j), role, true, given.get(row));
}

/** The output of query i. */
export const outputOf = (m, i) =>
    vector(m.grids.output[i], 'o', true, digitsIn(m, 'output'));

/** Its value times what is left of its weight, with the result. */
export const giving = (m, i, j, role = null) => [
    num(m.grids.dropped[i][j], null, 'fixed'),
    ' × ',
    vector(m.grids.V[j], 'v', false, inputDigits(m)),
    ' = ',
    gift(m, i, j, role),
];

/** Whether a hidden key is out of the softmax, as it should be. */
export const isOut = (m, i, j) => !m.allowed[i][j] && m.doc.maskOrder === 'before';

/** Whether a hidden key gets a large number for −∞. */
const isHabit = (m, i, j) => !m.allowed[i][j] && m.doc.maskOrder === 'bias';

/** What is added to a score before the softmax, each with its sign: 2.828 + 1.5. */
export function addedTo(m, i, j) {
    if (isOut(m, i, j)) return [];
    const byHand = m.doc.bias[`${i},${j}`];
    const { slope, far } = m.doc.positions === 'alibi' ? slopeOf(m.doc, m.head, i, j) : { far: 0 };
    return [
        ...(byHand ? [byHand < 0 ? ' − ' : ' + ', num(Math.abs(byHand))] : []),
        ...(far ? [' − ', num(slope), '·', num(far)] : []),
        ...(isHabit(m, i, j) ? [' − ', num(-HABIT)] : []),
    ];
}

/**
 * e^x as the page writes it: divided by the temperature, less the maximum if it grew too large.
 * Opened, x is the sum that it is.
 */
function power(m, i, j, isOpen = false) {
    const { shift } = m.pool(i, j);
    const { temperature } = m.doc;
    const added = isOpen ? addedTo(m, i, j) : [];
    const isSum = added.length && (temperature !== 1 || shift !== null);
    const exponent = [
        ...(isSum ? ['('] : []),
        num(m.grids[added.length ? 'capped' : 'masked'][i][j]),
        ...added,
        ...(isSum ? [')'] : []),
        ...(temperature === 1 ? [] : [' ÷ ', num(temperature)]),
        ...(shift === null ? [] : [' − ', num(shift)]),
    ];
    return ['e', sup(...exponent)];
}

/** Whether a hidden key had a share until it was set to 0. */
const isErased = (m, i, j) => !m.allowed[i][j] && m.doc.maskOrder === 'after';

const total = (sum) => result(sum, 'fixed');

const isGiven = (m, i, j) => `${i},${j}` in m.edits;

/** A weight in the row table; its divisor stands there only where it is not the row's. */
function weightWork(m, i, j) {
    if (m.rows[i].empty) return [quiet(text.work.noKey), result(0)];
    const weight = result(m.grids.weights[i][j], 'fixed');
    if (isErased(m, i, j)) return [quiet(text.work.erased), result(0)];
    return m.doc.softmaxAxis === 'queries'
        ? ['÷ ', num(m.pool(i, j).sum, null, 'fixed'), ' = ', weight]
        : [weight];
}

/**
 * Steps in order. `gate` is the sign on the line, `work` the arithmetic of cell (i, j) of model m,
 * `total` what stands in the sum line under the column.
 */
export const STEPS = [
    {
        id: 'scores',
        gate: ['·'],
        work: (m, i, j) => [
            ...products(m.used.Q[i], 'q', m.used.K[j], 'k', usedDigits(m)),
            ...(isGiven(m, i, j) ? text.work.given : [' = ']),
            result(m.grids.scores[i][j], digitsIn(m, 'scores')),
        ],
    },
    {
        id: 'scaled',
        gate: ['÷'],
        control: 'scale',
        work: (m, i, j) => [
            num(m.grids.scores[i][j], null, digitsIn(m, 'scores')),
            ' ÷ ',
            ...m.divisor.short,
            ' = ',
            result(m.grids.scaled[i][j], digitsIn(m, 'scaled')),
        ],
    },
    {
        id: 'capped',
        when: (doc) => doc.softcap !== null,
        gate: ['≤'],
        control: 'cap',
        work: (m, i, j) => [
            num(m.doc.softcap),
            '·tanh(',
            num(m.grids.scaled[i][j]),
            '÷',
            num(m.doc.softcap),
            ') = ',
            result(m.grids.capped[i][j], digitsIn(m, 'capped')),
        ],
    },
    {
        id: 'masked',
        gate: ['+'],
        control: 'mask',
        work: (m, i, j) =>
            isOut(m, i, j)
                ? [quiet(text.work.hidden), 'e', sup(num(-Infinity)), ' = ', result(0)]
                : [...power(m, i, j, true), ' = ', result(m.exponential(i, j), 'fixed')],
        total: (m, i) =>
            m.doc.softmaxAxis === 'keys' ? [quiet(text.work.sum), total(m.rows[i].sum)] : null,
    },
    {
        id: 'weights',
        gate: ['e', sup('x')],
        control: 'softmax',
        work: weightWork,
        total: (m, i) => [quiet(text.work.sum), total(m.rows[i].total)],
        bar: true,
    },
    {
        id: 'dropped',
        when: (doc) => doc.dropout !== null,
        gate: ['×'],
        control: 'drop',
        work: (m, i, j) => {
            const [weight, left] = [m.grids.weights[i][j], m.grids.dropped[i][j]];
            if (weight === 0) return [result(0)];
            if (left === 0) return [quiet(text.work.dropped), result(0)];
            return [
                num(weight, null, 'fixed'),
                ' ÷ ',
                num(1 - m.doc.dropout),
                ' = ',
                result(left, 'fixed'),
            ];
        },
        total: (m, i) => [
            quiet(text.work.sum),
            total(m.grids.dropped[i].reduce((sum, w) => sum + w, 0)),
        ],
    },
    {
        id: 'output',
        gate: ['Σ'],
        work: giving,
        total: (m, i) => [quiet(text.work.output), outputOf(m, i)],
    },
];

const known = new Map();

/** The steps that a document takes; one that is off gives what it was given. */
export function stepsOf(doc) {
    const steps = STEPS.filter(({ when }) => when?.(doc) ?? true);
    const names = steps.map(({ id }) => id).join();
    if (!known.has(names)) known.set(names, steps);
    return known.get(names);
}

/** The arithmetic of one weight from its exponential, as the reading line says it. */
export const share = (m, i, j) => [
    ...(isOut(m, i, j) ? ['e', sup(num(-Infinity))] : power(m, i, j)),
    ' ÷ ',
    num(m.pool(i, j).sum, null, 'fixed'),
    ...(isErased(m, i, j) ? text.work.thenErased : [' = ']),
    result(m.grids.weights[i][j], 'fixed'),
];
