// The pipeline as data. A grid is any matrix on the page: its axes say what its rows and columns
// are, so that lighting, labels, keyboard and explanations need no code of their own per matrix. A
// step is one gate of the line: what it does to the grid before it, and how one cell of it is
// worked out in numbers. A new stage is a new row of STEPS and, if it shows numbers, of GRIDS.

import { decimalsOf } from './format.js';
import { num, products, quiet, result, sup, vector } from './phrase.js';
import { text } from './text.en.js';

const pair = ['query', 'key'];

/** What a (query, key) cell is made of, and what it goes on to make. */
const pairLights = {
    Q: ['query', '*'],
    K: ['key', '*'],
    V: ['key', '*'],
    mask: pair,
    scores: pair,
    scaled: pair,
    masked: pair,
    weights: pair,
};

const keyLights = { K: ['key', '*'], V: ['key', '*'], weights: ['*', 'key'] };

const rowLights = { Q: ['query', '*'], weights: ['query', '*'], output: ['query', '*'] };

const wordLights = (axis) => ({
    Q: [axis, '*'],
    WQ: ['model', '*'],
    WK: ['model', '*'],
    WV: ['model', '*'],
});

export const GRIDS = {
    X: {
        axes: ['query', 'model'],
        letter: 'x',
        field: 'x',
        kind: 'input',
        lights: { ...wordLights('query'), K: ['query', '*'], V: ['query', '*'] },
    },
    keyX: {
        axes: ['key', 'model'],
        letter: 'x',
        field: 'keyX',
        kind: 'input',
        lights: { WK: ['model', '*'], WV: ['model', '*'], K: ['key', '*'], V: ['key', '*'] },
    },
    WQ: {
        axes: ['model', 'feature'],
        letter: 'q',
        role: 'q',
        field: 'wq',
        kind: 'input',
        lights: { X: ['*', 'model'], Q: ['*', 'feature'] },
    },
    WK: {
        axes: ['model', 'feature'],
        letter: 'k',
        role: 'k',
        field: 'wk',
        kind: 'input',
        shared: true,
        lights: { X: ['*', 'model'], keyX: ['*', 'model'], K: ['*', 'feature'] },
    },
    WV: {
        axes: ['model', 'channel'],
        letter: 'v',
        role: 'v',
        field: 'wv',
        kind: 'input',
        shared: true,
        lights: { X: ['*', 'model'], keyX: ['*', 'model'], V: ['*', 'channel'] },
    },
    tokens: { axes: ['none', 'query'], kind: 'word', lights: rowLights },
    keyTokens: { axes: ['none', 'key'], kind: 'word', lights: keyLights },
    Q: {
        axes: ['query', 'feature'],
        letter: 'q',
        role: 'q',
        field: 'q',
        kind: 'input',
        lights: {
            K: ['*', 'feature'],
            scores: ['query', '*'],
            X: ['query', '*'],
            WQ: ['*', 'feature'],
        },
    },
    K: {
        axes: ['key', 'feature'],
        letter: 'k',
        role: 'k',
        field: 'k',
        shared: true,
        kind: 'input',
        turned: true,
        lights: {
            Q: ['*', 'feature'],
            scores: ['*', 'key'],
            X: ['key', '*'],
            keyX: ['key', '*'],
            WK: ['*', 'feature'],
        },
    },
    V: {
        axes: ['key', 'channel'],
        letter: 'v',
        role: 'v',
        field: 'v',
        shared: true,
        kind: 'input',
        lights: {
            weights: ['*', 'key'],
            output: ['*', 'channel'],
            X: ['key', '*'],
            keyX: ['key', '*'],
            WV: ['*', 'channel'],
        },
    },
    mask: { axes: pair, kind: 'mask', role: 'm', lights: pairLights },
    scores: {
        axes: pair,
        letter: 's',
        kind: 'signed',
        edits: 'scoreEdits',
        extent: 'scores',
        lights: pairLights,
    },
    scaled: { axes: pair, kind: 'signed', extent: 'scores', lights: pairLights },
    masked: { axes: pair, kind: 'signed', extent: 'scores', lights: pairLights },
    weights: { axes: pair, kind: 'weights', lights: pairLights },
    output: {
        axes: ['query', 'channel'],
        letter: 'o',
        role: 'o',
        kind: 'signed',
        extent: 'values',
        lights: { weights: ['query', '*'], V: ['*', 'channel'], Q: ['query', '*'] },
    },
};

/** Q, K and V where they follow from X. */
const DERIVED = Object.fromEntries(
    ['Q', 'K', 'V'].map((grid) => [
        grid,
        { ...GRIDS[grid], kind: 'signed', field: null, extent: 'inputs' },
    ]),
);

/** The grid as it is in a document. */
export const specOf = (grid, doc) =>
    (doc.mode === 'projected' ? DERIVED[grid] : null) ?? GRIDS[grid];

/** The digits of Q, K and V: as they were typed, or as they follow from X. */
const inputDigits = ({ doc }) => (doc.mode === 'direct' ? 'typed' : 'short');

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

/** Its value times its weight, with the result. */
export const giving = (m, i, j, role = null) => [
    num(m.grids.weights[i][j], null, 'fixed'),
    ' × ',
    vector(m.grids.V[j], 'v', false, inputDigits(m)),
    ' = ',
    gift(m, i, j, role),
];

/** e^x as the page writes it: divided by the temperature, less the maximum if it grew too large. */
function power(m, i, j) {
    const { shift } = m.pool(i, j);
    const { temperature } = m.doc;
    const exponent = [
        num(m.grids.masked[i][j]),
        ...(temperature === 1 ? [] : [' ÷ ', num(temperature)]),
        ...(shift === null ? [] : [' − ', num(shift)]),
    ];
    return ['e', sup(...exponent)];
}

/** Whether a hidden key is out of the softmax, as it should be. */
const isOut = (m, i, j) => !m.allowed[i][j] && m.doc.maskOrder === 'before';

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
            ...products(m.grids.Q[i], 'q', m.grids.K[j], 'k', inputDigits(m)),
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
        id: 'masked',
        gate: ['+'],
        control: 'mask',
        work: (m, i, j) =>
            isOut(m, i, j)
                ? [quiet(text.work.hidden), 'e', sup(num(-Infinity)), ' = ', result(0)]
                : [...power(m, i, j), ' = ', result(m.exponential(i, j), 'fixed')],
        total: (m, i) => [quiet(text.work.sum), total(m.rows[i].sum)],
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
        id: 'output',
        gate: ['Σ'],
        work: giving,
        total: (m, i) => [quiet(text.work.output), outputOf(m, i)],
    },
];

/** The arithmetic of one weight from its exponential, as the reading line says it. */
export const share = (m, i, j) => [
    ...(isOut(m, i, j) ? ['e', sup(num(-Infinity))] : power(m, i, j)),
    ' ÷ ',
    num(m.pool(i, j).sum, null, 'fixed'),
    ...(isErased(m, i, j) ? text.work.thenErased : [' = ']),
    result(m.grids.weights[i][j], 'fixed'),
];
