// All words of the page, in English. A phrase is an array as in phrase.js. A second language is a
// second file of this shape.

import { num, quiet, result, sub, sup, word } from './phrase.js';

import { bar, compare } from './text.compare.en.js';
import { controls, work } from './text.controls.en.js';
import * as projectWords from './text.project.en.js';
import * as layerWords from './text.layers.en.js';
import { link } from './text.link.en.js';
import { mix, ofHeads } from './text.mix.en.js';
import { help } from './text.help.en.js';
import { tryWords } from './text.tries.en.js';
import * as roomWords from './text.rooms.en.js';
import { labs } from './text.lab.en.js';
import { said } from './text.said.en.js';
import { plural } from './text.words.en.js';

export const text = {
    title: 'attn',
    subtitle: 'self-attention that you can see, edit and run',
    undo: 'Undo',
    redo: 'Redo',
    reset: 'Reset to the example',
    theme: (now, next) =>
        `Colours ${now === 'auto' ? 'follow the system' : `are ${now}`}: ` +
        (next === 'auto' ? 'follow the system' : `switch to ${next}`),
    failed: {
        NO_WASM: 'This browser has no WebAssembly, and attn computes with it. A newer one will do.',
        NO_SIMD: 'This browser’s WebAssembly has no SIMD, and attn needs it. A newer one will do.',
        other: (message) => `The engine did not start: ${message}`,
    },

    grids: {
        tokens: 'Tokens',
        keyTokens: 'Key tokens',
        Q: 'Q',
        K: 'K',
        ...projectWords.projectGrids,
        V: 'V',
        mask: 'Mask',
        scores: 'Scores',
        scaled: 'Scaled scores',
        masked: 'Masked scores',
        weights: 'Weights',
        output: 'Output',
        ...layerWords.gridLayers,
    },
    verbs: { Q: 'asks', K: 'offers', V: 'gives' },
    corner: { full: 'rows are queries, columns are keys' },
    headerCorner: 'token',
    was: (old) => `was ${old}`,
    dead: 'fully masked, so 0',
    arcHidden: 'hidden',
    editHint:
        'Type a number, or Enter to edit. Escape leaves, arrow keys move, Alt with up or down steps ' +
        'by 1, Shift with them by 0.1, a drag scrubs.',
    wordHint:
        'Enter or typing renames a word, Delete removes it, arrow keys choose another, ' +
        'Alt with an arrow key moves it.',
    newToken: 'word',
    addLabel: { tokens: 'Add a word', keyTokens: 'Add a key' },
    full: {
        tokens: (n) => `${n} words: no more fit`,
        keyTokens: (n) => `${n} keys: no more fit`,
    },
    alone: 'One key gets all the weight, whatever its score.',
    removeLabel: (token) => `Remove ${token}`,
    moveBackLabel: (token) => `Move ${token} back`,
    moveOnLabel: (token) => `Move ${token} on`,
    cross: {
        on: 'Cross-attention',
        off: 'Self-attention',
        at: 'looks at',
    },
    renameLabel: (token) => `Rename ${token}`,
    maskHint:
        'Space or Enter hides a key from a query, or shows it again. A number typed is added to ' +
        'the score.',
    input: (grid, row, col) => `${grid}, ${row}, ${col}`,

    yours: {
        specimen: '1',
        rule: 'framed is yours:',
        how: 'drag sideways, or type.',
        byTouch: 'drag, or tap twice.',
        rest: 'All the rest follows.',
    },

    foot: {
        scores: (given, positions) => [
            'scores',
            given
                ? [`${given} by hand`]
                : (layerWords.positions.foot[positions] ?? ['Q·K', sup('T')]),
        ],
        scaled: (scale) => [
            'scaled',
            scale === 'sqrt'
                ? ['scores ÷ √d', sub('k')]
                : scale === 'off'
                  ? ['not scaled']
                  : ['scores ÷ ', num(scale)],
        ],
        masked: (hidden, all, added, isLate) => [
            'masked',
            [
                isLate && hidden
                    ? `${hidden} hidden later`
                    : added
                      ? `${hidden ? `${hidden} hidden, ` : ''}+${added}`
                      : hidden
                        ? `${hidden} of ${all} hidden`
                        : 'nothing hidden',
            ],
        ],
        weights: (sums) => [
            'weights',
            [
                {
                    rows: 'rows sum to 1',
                    empty: 'a row is all 0',
                    columns: 'columns sum to 1',
                    lost: 'rows do not sum to 1',
                    beyond: 'a row is NaN',
                }[sums],
            ],
        ],
        output: (head) => ['output', head ? ['of ', ...ofHeads(head)] : ['weights·V']],
        ...layerWords.footLayers,
    },

    steps: {
        scores: {
            name: 'Dot',
            what: [word('q', 'q'), '·', word('k', 'k'), ', multiply and add'],
            label: 'Dot',
            short: ['q·k'],
        },
        scaled: { name: 'Scale', label: 'Scale', short: ['÷ √d', sub('k')] },
        masked: {
            name: 'Mask, then',
            what: ['e', sup('x')],
            label: 'Mask',
            short: ['mask, e', sup('x')],
        },
        weights: { name: 'Softmax', label: 'Softmax', short: ['e', sup('x'), ' ÷ sum'] },
        output: {
            name: 'Sum',
            what: ['weight × ', word('v', 'v')],
            label: 'Sum',
            short: ['weights·V'],
        },
        ...layerWords.stepLayers,
    },
    work: { hidden: 'hidden: ', noKey: 'no key left: ', sum: 'sum ', output: 'output ', ...work, ...layerWords.workLayers },
    scaleWhat: (divisor) => [
        '÷ ',
        ...divisor.short,
        ...(divisor.short[0] !== `√${Math.round(divisor.value ** 2)}` ? [] : [' = ÷ ', num(divisor.value)]),
    ],
    shareWhat: (sum) => (sum === 0 ? ['no key left'] : ['÷ ', num(sum, null, 'fixed')]),

    ...controls,
    mask: { ...controls.mask, ...roomWords.maskRoom, ...layerWords.maskLayers },
    settings: { ...controls.settings, ...layerWords.settingLayers, ...labs.settings },
    rooms: { ...roomWords.rooms, ...layerWords.roomLayers },
    layers: layerWords.layers,
    lenses: layerWords.lenses,
    positions: layerWords.positions,
    sharing: layerWords.sharing,
    decode: layerWords.decode,
    project: projectWords.project,
    symmetry: projectWords.symmetry,
    bar,
    compare,
    row: roomWords.row,
    jacobian: roomWords.jacobian,
    lanes: roomWords.lanes,
    empty: roomWords.empty,
    rows: { all: ['show all rows'], one: ['show one row'] },

    rounding: 'Shown rounded; computed to about 7 digits (float32).',
    ledger: {
        name: (token) => `Row: ${token}`,
        row: (token) => ['row ', word(token, 'q')],
        sum: 'Sum',
    },

    terms: (n) => `Σ ${n} terms`,
    showLarge: (name) => `${name}, show large`,
    figure: {
        label: 'The matrix shown large, and the row table',
        title: (name, head) => [name, ...(head ? [quiet(', ', ...ofHeads(head))] : [])],
        row: (token) => ['What ', token, ' does'],
        query: 'query',
        seen: (from, to, counts) => `${from}–${to} of ${counts.join(' and ')} numbers`,
        keys: 'attends to (keys)',
        note: (isPair, size, kind) =>
            !isPair
                ? ''
                : size === 'tiled' && kind === 'weights'
                  ? 'Rows are queries. Numbers from 0.1 up, and in the pinned row.'
                  : 'Rows are queries.',
    },
    colorbar: { weights: 'weight', signed: 'below and above 0', differs: 'now − before' },
    rowTable: {
        heads: (m, shifted) => [
            ['key'],
            [word('q', 'q'), '·', word('k', 'k')],
            ...(m.doc.softcap === null ? [] : [['÷ ', ...m.divisor.short]]),
            m.hidden || m.added
                ? ['masked']
                : m.doc.softcap === null
                  ? ['÷ ', ...m.divisor.short]
                  : ['capped'],
            controls.powerWhat(m.doc.temperature, shifted),
            ['weight'],
            ...(m.doc.dropout === null ? [] : [['kept']]),
            ['× ', word('v', 'v')],
        ],
        sumAll: (n) => `Sum of all ${n}`,
        unfold: (n) => `Show all ${n} keys`,
        fold: (n) => `Show the ${n} largest`,
    },
    examples: {
        label: 'Examples',
        names: {
            sentence: 'the cat sat',
            animal: 'The animal didn’t cross …: four heads',
            cross: 'le chat dort: cross-attention',
            future: 'the cat sat down: the future hidden',
        },
    },
    sizes: {
        feature: { name: 'Numbers in a query and a key', option: (n) => `dₖ ${n}` },
        channel: { name: 'Numbers in a value', option: (n) => `dᵥ ${n}` },
        model: { name: 'Numbers in a word', option: (n) => `d ${n}` },
    },
    heads: {
        title: (n) => `${n} heads`,
        label: (n) => `Weights, head ${n}`,
        most: (a) => ['Under each: the key that ', word(a, 'q'), ' attends to most.'],
        choose: 'Number of heads',
        option: (n) => `${n} ${plural(n, 'head', 'heads')}`,
    },

    mix,

    read: {
        ...projectWords.readProject,
        ...layerWords.readLayers,
        asks: (a, b) => [a, ' asks ', b, ':'],
        hidden: ['hidden by the mask, so −∞'],
        empty: ['every key is hidden: 0 ÷ 0 has no answer, so the row is set to ', result(0)],
        below: [
            'every score of the row is below −3.4·10³⁸, where numbers end here, so −∞: ' +
                '0 ÷ 0 has no answer, so the row is set to ',
            result(0),
        ],
        beyond: [
            'a score of the row is beyond ±3.4·10³⁸, where numbers end here: ' +
                '∞ − ∞ has no answer, so the row is ',
            result(NaN),
        ],
        takes: (a) => [a, ' takes'],
        of: ' of ',
        more: (n) => [quiet(` and ${n} more`)],
        output: 'output ',
        meetsKeys: (n) => [quiet(`meets number ${n} of every key:`)],
        meetsQueries: (n) => [quiet(`meets number ${n} of every query:`)],
        gives: (a, weight) => [a, ' takes ', weight, ' of it:'],
        may: (a, b) => [a, ' may look at ', b, ': the mask adds ', result(0), ', the score stays'],
        mayNot: {
            before: (a, b) => [a, ' may not look at ', b, ': the mask adds ', result(-Infinity)],
            after: (a, b) => [a, ' may not look at ', b, ': its share is set to ', result(0)],
            bias: (a, b) => [a, ' may not look at ', b, ': the mask adds ', result(-1e9)],
        },
        weight: 'weight ',
    },

    said,
    link,

    ...tryWords,
    labs,
    help,
};
