// Any cell in real numbers, derived from the stage table: the segments of the reading line. A
// segment is { stage, phrase }; the one whose stage is the pointed-at grid is drawn strongest.

import { num, products, quiet, result, sub, word } from './phrase.js';
import { STEPS, addedTo, giving, isOut, outputOf, share } from './stages.js';
import { text } from './text.en.js';

const work = Object.fromEntries(STEPS.map((step) => [step.id, step.work]));

const name = (m, at, letter) => {
    const owner = letter === 'q' || letter === 'o' ? m.queries[at.query] : m.keys[at.key];
    return [word(letter, letter), '(', word(owner, letter), ')'];
};

const component = (m, at, letter, n) => [...name(m, at, letter), sub(String(n + 1))];

/** Why the row of a query has no shares, if so. */
function bareOf(m, i) {
    const { empty, beyond } = m.rows[i];
    if (empty) return m.allowed[i].includes(true) ? text.read.below : text.read.empty;
    return beyond ? text.read.beyond : null;
}

function pairSegments(m, { query: i, key: j }) {
    const asks = {
        stage: null,
        phrase: text.read.asks(word(m.queries[i], 'q'), word(m.keys[j], 'k')),
    };
    const scores = { stage: 'scores', phrase: work.scores(m, i, j) };
    const { doc } = m;
    const scaled = [
        { stage: 'scaled', phrase: work.scaled(m, i, j) },
        ...(doc.softcap === null ? [] : [{ stage: 'capped', phrase: work.capped(m, i, j) }]),
    ];
    const bare = bareOf(m, i);
    if (bare) return [asks, scores, ...scaled, { stage: 'weights', phrase: bare }];
    const weights = { stage: 'weights', phrase: share(m, i, j) };
    if (isOut(m, i, j)) {
        const masked = { stage: 'masked', phrase: text.read.hidden };
        return [asks, scores, ...scaled, masked, weights];
    }
    const added = addedTo(m, i, j);
    const summed = {
        stage: 'masked',
        phrase: [num(m.grids.capped[i][j]), ...added, ' = ', result(m.grids.masked[i][j])],
    };
    const steps = [asks, scores, ...scaled, ...(added.length ? [summed] : []), weights];
    if (!m.allowed[i][j] && m.grids.weights[i][j] === 0) return steps;
    const dropped = { stage: 'dropped', phrase: work.dropped(m, i, j) };
    const output = { stage: 'output', phrase: giving(m, i, j, 'o') };
    return [...steps, ...(doc.dropout === null ? [] : [dropped]), output];
}

function column(matrix, n) {
    return matrix.map((row) => row[n]);
}

/** Of more words than this, the others are only counted. */
const MOST_NAMED = 6;

const more = ({ length }) => (length > MOST_NAMED ? text.read.more(length - MOST_NAMED) : []);

/** How a component of q, k or v follows from X, in projected mode. */
function made(m, words, i, weights, n) {
    const { X, keyX } = m.used;
    const rows = words === 'queries' || !keyX ? X : keyX;
    return rows && [' = ', ...products(rows[i], null, column(m.grids[weights], n), null)];
}

/** What a component of q or k becomes by its place. */
const placedAs = (m, grid, i, n) =>
    m.used[grid] === m.grids[grid] || Object.is(m.used[grid][i][n], m.grids[grid][i][n])
        ? []
        : [...text.read.placed[m.doc.positions], result(m.used[grid][i][n])];

const source = (grid) => (m, at) => {
    const [row, col] = [at.row, at.col];
    const letter = { WQ: 'q', WK: 'k', WV: 'v' }[grid];
    return [
        {
            stage: grid,
            phrase: ['W', sub(grid[1]), ' ', quiet('['), `${row + 1}, ${col + 1}`, quiet(']'), ' = ', result(m.grids[grid][row][col])],
        },
        {
            stage: null,
            phrase: letter
                ? text.read.turns(row, word(letter, letter), col)
                : text.read.joins(row, col),
        },
    ];
};

const entry = (grid, words) => (m, at) => [
    {
        stage: grid,
        phrase: [
            'x(',
            word(m[words][at.row]),
            ')',
            sub(String(at.col + 1)),
            ' = ',
            result(m.grids[grid][at.row][at.col]),
        ],
    },
    { stage: null, phrase: text.read.feeds },
];

const READERS = {
    X: entry('X', 'queries'),
    keyX: entry('keyX', 'keys'),
    WQ: source('WQ'),
    WK: source('WK'),
    WV: source('WV'),
    WO: source('WO'),
    concat: (m, at) => [
        {
            stage: 'concat',
            phrase: [
                ...name(m, at, 'o'),
                sub(String(at.col + 1)),
                ' = ',
                result(m.grids.concat[at.row][at.col]),
                text.read.ofHead(Math.floor((at.col * m.doc.heads) / m.grids.concat[0].length) + 1),
            ],
        },
    ],
    projected: (m, at) => [
        {
            stage: 'projected',
            phrase: [
                'y(',
                word(m.queries[at.query], 'q'),
                ')',
                sub(String(at.col + 1)),
                ' = ',
                ...products(m.grids.concat[at.row], 'o', column(m.grids.WO, at.col)),
                ' = ',
                result(m.grids.projected[at.row][at.col]),
            ],
        },
    ],
    tokens(m, at) {
        const order = m.keys
            .map((_, j) => j)
            .sort((a, b) => m.grids.weights[at.query][b] - m.grids.weights[at.query][a]);
        const bare = bareOf(m, at.query);
        if (bare) return [{ stage: null, phrase: [word(m.queries[at.query], 'q'), ': ', ...bare] }];
        const parts = order.slice(0, MOST_NAMED).flatMap((j, n) => [
            n ? ', ' : '',
            num(m.grids.weights[at.query][j], null, 'fixed'),
            text.read.of,
            word(m.keys[j], 'k'),
        ]);
        return [
            { stage: null, phrase: text.read.takes(word(m.queries[at.query], 'q')) },
            { stage: 'weights', phrase: [...parts, ...more(order)] },
            {
                stage: 'output',
                phrase: [text.read.output, outputOf(m, at.query)],
            },
        ];
    },
    Q(m, at) {
        const { query: i, feature: n } = at;
        return [
            { stage: 'Q', phrase: [
                    ...component(m, at, 'q', n),
                    ...(made(m, 'queries', i, 'WQ', n) ?? []),
                    ' = ',
                    result(m.grids.Q[i][n]),
                    ...placedAs(m, 'Q', i, n),
                ],
            },
            { stage: null, phrase: text.read.meetsKeys(n + 1) },
            ...m.keys.slice(0, MOST_NAMED).map((key, j) => ({
                stage: null,
                phrase: [
                    word(key, 'k'),
                    quiet(' '),
                    ...products([m.used.Q[i][n]], 'q', [m.used.K[j][n]], 'k'),
                ],
            })),
            { stage: null, phrase: more(m.keys) },
        ];
    },
    K(m, at) {
        const { key: j, feature: n } = at;
        return [
            { stage: 'K', phrase: [
                    ...component(m, at, 'k', n),
                    ...(made(m, 'keys', j, 'WK', n) ?? []),
                    ' = ',
                    result(m.grids.K[j][n]),
                    ...placedAs(m, 'K', j, n),
                ],
            },
            { stage: null, phrase: text.read.meetsQueries(n + 1) },
            ...m.queries.slice(0, MOST_NAMED).map((query, i) => ({
                stage: null,
                phrase: [
                    word(query, 'q'),
                    quiet(' '),
                    ...products([m.used.Q[i][n]], 'q', [m.used.K[j][n]], 'k'),
                ],
            })),
            { stage: null, phrase: more(m.queries) },
        ];
    },
    V(m, at) {
        const { query: i, key: j, channel: n } = at;
        return [
            { stage: 'V', phrase: [
                    ...component(m, at, 'v', n),
                    ...(made(m, 'keys', j, 'WV', n) ?? []),
                    ' = ',
                    result(m.grids.V[j][n]),
                ],
            },
            {
                stage: 'weights',
                phrase: text.read.gives(
                    word(m.queries[i], 'q'),
                    num(m.grids.weights[i][j], null, 'fixed'),
                ),
            },
            {
                stage: 'output',
                phrase: [
                    num(m.grids.dropped[i][j], null, 'fixed'),
                    ' × ',
                    num(m.grids.V[j][n], 'v'),
                    ' = ',
                    result(m.contribution(i, j)[n]),
                ],
            },
        ];
    },
    mask(m, at) {
        const { query: i, key: j } = at;
        const [query, key] = [word(m.queries[i], 'q'), word(m.keys[j], 'k')];
        const added = m.grids.mask[i][j];
        const phrase = !m.allowed[i][j]
            ? text.read.mayNot[m.doc.maskOrder](query, key)
            : text.read[added === 0 ? 'may' : 'adds'](query, key, added);
        const weight = result(m.grids.weights[i][j], 'fixed');
        return [
            { stage: 'mask', phrase },
            { stage: 'weights', phrase: [text.read.weight, weight] },
        ];
    },
    output(m, at) {
        const { query: i, channel: n } = at;
        const terms = products(m.grids.dropped[i], null, column(m.grids.V, n), 'v').map((part) =>
            part.kind === 'num' && !part.role ? { ...part, digits: 'fixed' } : part,
        );
        const head = [...component(m, at, 'o', n), ' = '];
        const bare = bareOf(m, i);
        return bare
            ? [
                  { stage: 'output', phrase: [...head, result(m.grids.output[i][n])] },
                  { stage: null, phrase: bare },
              ]
            : [
                  {
                      stage: 'output',
                      phrase: [...head, ...terms, ' = ', result(m.grids.output[i][n])],
                  },
              ];
    },
};

export const reading = (m, at) => (READERS[at.grid] ?? pairSegments)(m, at);

/** The row table: for each key its steps, and the line of totals. */
export function ledger(m, i) {
    return {
        lines: m.keys.map((_, j) => m.steps.map((step) => step.work(m, i, j))),
        totals: m.steps.map((step) => step.total?.(m, i) ?? null),
    };
}
