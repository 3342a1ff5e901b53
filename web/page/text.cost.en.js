// Words of the lab on cost, in English. Part of text.lab.en.js.

import { inline, minus } from './format.js';
import { num, quiet, result, strong, sup } from './phrase.js';

const grouped = new Intl.NumberFormat('en').format;

/** 262,144; from a million million on 1.1·10¹². */
const whole = (x) => (x < 1e12 ? grouped(x) : inline(x));

const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** 512 MiB: three digits. */
export function bytes(count) {
    let [n, i] = [count, 0];
    for (; n >= 1024 && i < SIZES.length - 1; i++) n /= 1024;
    return `${n >= 1000 ? Math.round(n) : Number(n.toPrecision(3))} ${SIZES[i]}`;
}

/** 3.1 ms: two digits. */
export function seconds(x) {
    const [size, unit] = x < 1e-3 ? [1e-6, 'µs'] : x < 1 ? [1e-3, 'ms'] : [1, 's'];
    return `${Number((x / size).toPrecision(2))} ${unit}`;
}

const power = (x) => sup(minus(x.toFixed(1)));

const upTo = (name, most) => (typed) => [
    `${name} is a whole number from 1 to ${grouped(most)}, not “${typed}”. `,
];

/** 2.0 times as many */
const times = (x) => (x >= 10 ? grouped(Math.round(x)) : x.toFixed(1));

export const cost = {
    about:
        'The score matrix grows with T²: twice the tokens, four times the numbers, whatever the ' +
        'width. Arithmetic grows with both.',
    fields: {
        labBatch: 'sequences B',
        labHeads: 'heads H',
        labTokens: 'tokens T',
        labWidth: 'width d',
    },
    type: 'Type of the numbers',
    types: { float16: 'float16', float32: 'float32' },
    settings: {
        labBatch: 'Sequences in a batch, B',
        labHeads: 'Heads, H',
        labTokens: 'Tokens, T',
        labWidth: 'Width of the model, d_model',
    },
    bad: {
        labBatch: upTo('The number of sequences', 4096),
        labHeads: upTo('The number of heads', 1024),
        labTokens: upTo('The number of tokens', 10_000_000),
        labWidth: upTo('The width', 100_000),
    },

    counted: 'Counted, for one layer',
    rows: {
        scores: 'scores of one head',
        bytes: 'weights of the layer',
        projections: 'projections, each sequence',
        attention: 'attention, each sequence',
    },
    work: {
        scores: ({ tokens }, { scores }) => ['T', sup('2'), ` = ${grouped(tokens)}`, sup('2'), ' = ', strong(whole(scores))],
        bytes: ({ batch, heads, type }, { bytes: count, scores }, size) => [
            `B·H·T`, sup('2'), ` · ${size} bytes = ${grouped(batch)}·${grouped(heads)}·${whole(scores)}·${size} = `,
            strong(bytes(count)), quiet(` ${type}`),
        ],
        projections: (lab, { projections }) => ['8·T·d', sup('2'), ' = ', result(projections), quiet(' operations')],
        attention: (lab, { attention }) => ['4·T', sup('2'), '·d = ', result(attention), quiet(' operations')],
    },
    /** Which of the two is more, and from where. */
    verdict: ({ tokens }, { attention, projections, equal, equalWithAll }) => [
        attention === projections
            ? 'Here the projections take as much as the attention. '
            : attention > projections
              ? `Attention is ${times(attention / projections)} times the projections. `
              : `The projections are ${times(projections / attention)} times the attention. `,
        'They take the same at T = 2·d = ', strong(grouped(equal)),
        '; beside a feed-forward layer of 4·d columns (16·T·d', sup('2'),
        ' more), attention is the larger part only beyond T = 6·d = ', strong(grouped(equalWithAll)), '. ',
        quiet(
            '“The sequence length is the dominant cost” holds beyond that for arithmetic. For memory ' +
                'it holds wherever the scores are kept; tiles never keep them.',
        ),
    ],
    charts: {
        operations: 'Operations of one layer',
        operationsUnit: 'each sequence',
        time: 'Time of a call, measured here',
        timeUnit: 'seconds, one head of width 64',
        memory: 'Memory beyond the tensors',
        memoryUnit: 'bytes',
    },
    lines: {
        projections: 'projections',
        attention: 'attention',
        tiles: 'tiles',
        definition: 'the definition',
    },
    tokens: 'T, tokens',
    here: 'this T',

    run: { train: 'Race', again: 'Race again', none: 'Not measured yet.' },
    raceAbout:
        'Attention by tiles, as FlashAttention does it, never holds all the scores; by the ' +
        'definition it keeps every one. The same engine, one head of width 64, on your machine; ' +
        'each goes on until a call would take 0.8 seconds or 256 MiB.',
    status: ({ path, length, seconds: time, bytes: count }) => [
        `T = ${grouped(length)}, by ${cost.lines[path]}: `, strong(seconds(time)), `, ${bytes(count)} beyond the tensors.`,
    ],
    /** What came of it: the exponents, and both at the greatest length that both have run. */
    over: ({ tiles, definition, length, quicker, smaller }) => [
        'Here the time grew as T', power(tiles.time), ' by tiles and as T', power(definition.time),
        ' by the definition, the memory as T', power(tiles.memory), ' and as T', power(definition.memory),
        '. At T = ', num(length, null, 'short'), ' the tiles were ', strong(times(quicker)),
        ' times as quick, in ', strong(`1/${times(smaller)}`), ' of the memory.',
    ],
};
