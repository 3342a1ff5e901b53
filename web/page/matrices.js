// The matrices as data. A grid is any matrix on the page: its axes say what its rows and columns
// are, so that lighting, labels, keyboard and explanations need no code of their own per matrix. A new
// stage that shows numbers is a new row here; stages.js has the steps.

const pair = ['query', 'key'];

/** What a (query, key) cell is made of, and what it goes on to make. */
const pairLights = {
    Q: ['query', '*'],
    K: ['key', '*'],
    V: ['key', '*'],
    mask: pair,
    scores: pair,
    scaled: pair,
    capped: pair,
    masked: pair,
    weights: pair,
    dropped: pair,
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
    WO: {
        axes: ['joined', 'out'],
        letter: 'o',
        role: 'o',
        field: 'wo',
        kind: 'input',
        lights: { concat: ['*', 'joined'], projected: ['*', 'out'] },
    },
    concat: {
        axes: ['query', 'joined'],
        letter: 'o',
        role: 'o',
        kind: 'signed',
        extent: 'values',
        lights: { WO: ['joined', '*'], projected: ['query', '*'] },
    },
    projected: {
        axes: ['query', 'out'],
        letter: 'y',
        role: 'o',
        kind: 'signed',
        extent: 'values',
        lights: { concat: ['query', '*'], WO: ['*', 'out'] },
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
    mask: { axes: pair, kind: 'mask', role: 'm', edits: 'bias', lights: pairLights },
    scores: {
        axes: pair,
        letter: 's',
        kind: 'signed',
        edits: 'scoreEdits',
        extent: 'scores',
        lights: pairLights,
    },
    scaled: { axes: pair, kind: 'signed', extent: 'scores', lights: pairLights },
    capped: { axes: pair, kind: 'signed', extent: 'scores', lights: pairLights },
    masked: { axes: pair, kind: 'signed', extent: 'scores', lights: pairLights },
    weights: { axes: pair, kind: 'weights', lights: pairLights },
    dropped: { axes: pair, kind: 'weights', lights: pairLights },
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
