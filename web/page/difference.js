// Now less the baseline, number by number in float64: what Difference shows in the matrices and in
// the row table. Two that are the same, bit for bit, differ by 0, infinities included.

import { reading } from './explain.js';
import { GRIDS } from './matrices.js';
import { num, quiet, result, vector, word } from './phrase.js';
import { text } from './text.en.js';

const minus = (now, old) => (Object.is(now, old) ? 0 : now - old);

/** Every matrix of numbers of model m less that of model b. */
export function gridsBetween(m, b) {
    const grids = {};
    for (const [id, rows] of Object.entries(m.grids)) {
        const old = b.grids[id];
        grids[id] =
            typeof rows[0][0] === 'number'
                ? rows.map((row, i) => row.map((x, j) => minus(x, old[i][j])))
                : rows;
    }
    return grids;
}

/** What a step gives for cell (i, j), as one number or several. */
export const VALUES = {
    scores: (m, i, j) => m.grids.scores[i][j],
    scaled: (m, i, j) => m.grids.scaled[i][j],
    capped: (m, i, j) => m.grids.capped[i][j],
    masked: (m, i, j) => m.grids.masked[i][j],
    weights: (m, i, j) => m.grids.weights[i][j],
    dropped: (m, i, j) => m.grids.dropped[i][j],
    output: (m, i, j) => m.contribution(i, j),
};

const signed = (x) => [x > 0 ? '+' : '', result(x)];

function change(now, old) {
    if (Array.isArray(now)) {
        return now.some((x, n) => !Object.is(x, old[n]))
            ? [vector(old), ' → ', vector(now, null, true)]
            : [vector(now), ' ', quiet(text.compare.same)];
    }
    if (Object.is(now, old)) return [num(now), ' ', quiet(text.compare.same)];
    return [num(old), ' → ', num(now), ' ', quiet('('), ...signed(minus(now, old)), quiet(')')];
}

/** What the cell pointed at was, is, and differs by; of a word what it does now. */
export function readingBetween(m, b, at) {
    const { axes, kind } = GRIDS[at.grid];
    if (kind === 'word')
        return [{ stage: null, phrase: [quiet(`${text.compare.shows.difference}:`)] }, ...reading(m, at)];
    const names = { query: m.queries, key: m.keys };
    const [row, col] = [at.row, at.col].map((n, side) => {
        const words = names[axes[side]];
        return words ? word(words[n], axes[side] === 'key' ? 'k' : 'q') : String(n + 1);
    });
    const of = (model) => model.grids[at.grid][at.row][at.col];
    return [
        { stage: null, phrase: [text.grids[at.grid], ' (', row, ', ', col, '):'] },
        { stage: at.grid, phrase: change(of(m), of(b)) },
    ];
}

/** The row table between two models: a line per key, and the output at the end. */
export function ledgerBetween(m, b, i) {
    const last = m.steps.length - 1;
    return {
        lines: m.keys.map((_, j) =>
            m.steps.map(({ id }) => change(VALUES[id](m, i, j), VALUES[id](b, i, j))),
        ),
        totals: m.steps.map((step, n) =>
            n === last ? change(m.grids.output[i], b.grids.output[i]) : null,
        ),
    };
}
