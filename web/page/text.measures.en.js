// Words of the labs beside the one of the pronoun, in English. What is said of a training that took
// many runs was measured before it was written, and a test measures it again. Part of the table
// text.lab.en.js.

import { inline, percent } from './format.js';
import { result, strong, sub, word } from './phrase.js';

const decimal = (x) => inline(x, 'fixed');

/** 0.20 to 0.23, or one number where they are the same. */
const between = (all, say) => {
    const [least, most] = [Math.min(...all), Math.max(...all)].map(say);
    return least === most ? least : `${least} to ${most}`;
};

const root = ['√d', sub('k')];

export const measures = {
    mask: {
        about:
            'A model of the next word, twice from the same numbers: with the causal mask, and ' +
            'without it. Then each makes sentences, word by word.',
        charts: {
            loss: 'Loss',
            lossUnit: 'nats per word',
            grammatical: 'Sentences made by the model',
            grammaticalUnit: '% that the grammar allows',
        },
        guess: {
            ask: 'Your guess: whose loss will be the smaller?',
            answers: { with: 'with the mask', without: 'without it' },
            told: { with: 'with the mask it is smaller.', without: 'without it, it is smaller.' },
        },
        kinds: { with: 'with the mask', without: 'without the mask' },
        floor: 'least that can be known',
        status: (steps, [masked, open]) => [
            `Step ${open.step} of ${steps}: loss `,
            result(masked.answer, 'fixed'),
            ' with the mask, ',
            result(open.answer, 'fixed'),
            ' without.',
        ],
        over: ([masked, open]) =>
            'Of 100 sentences that each made, the grammar allows ' +
            `${Math.round(100 * masked.grammatical)} with the mask and ` +
            `${Math.round(100 * open.grammatical)} without.`,
        made: (kind) => `Sentences made by the model trained ${kind}`,
        makes: ({ answer, grammatical }) => [
            'loss ',
            result(answer, 'fixed'),
            ', ',
            strong(percent(grammatical)),
            ' of its sentences are of the grammar',
        ],
        notes: {
            with: [
                'With the mask the loss stays at 3 · ln 10 ÷ 10 = ',
                result((3 * Math.LN10) / 10),
                ': three of the ten words are a free choice of ten.',
            ],
            without: [
                'Without the mask each word sees the next one, which is the answer: the loss goes ' +
                    'to 0 by copying. In generation there is no next word to copy, and what was ' +
                    'learned is of no use.',
            ],
        },
    },

    spread: {
        about: [
            'Queries and keys of independent numbers, mean 0, variance 1. A score adds d',
            sub('k'),
            ' products, so its variance is d',
            sub('k'),
            ': the wider the head, the further the scores spread.',
        ],
        kind: 'Numbers are',
        kinds: { normal: 'normal', uniform: 'uniform', coin: '±1' },
        dk: ['d', sub('k')],
        titles: ['Scores', 'Scores ÷ √dₖ'],
        unit: (count) => `${count.toLocaleString('en')} measured, share per unit`,
        axis: 'score',
        lines: { bars: 'measured', normal: 'predicted' },
        numbers: {
            measured: 'standard deviation, measured',
            predicted: ['predicted'],
            span: '±3 deviations span',
        },
        root: (dk) => [`√${dk} = `],
        notes: [
            [
                'At d',
                sub('k'),
                ' = 64 the scores spread over 48, and among a few dozen keys some are 24 apart. ' +
                    'What that does to a softmax is measured under “A saturated softmax”.',
            ],
            [
                'Dividing by ',
                ...root,
                ' brings the deviation back to 1, whatever d',
                sub('k'),
                ' is. Not by √d',
                sub('model'),
                ', and not by d',
                sub('k'),
                ': it is the width of one head’s dot product that counts.',
            ],
        ],
    },

    gap: {
        about: [
            'Two keys, their scores a gap apart. The larger weight is α; how much it still ' +
                'moves with its score is α(1 − α), all the gradient that passes.',
        ],
        gap: 'gap',
        show: 'Put it into the page',
        document: (gap) => `A gap of ${gap}`,
        heads: [['scores'], ['as they are'], ['÷ √64']],
        rows: {
            gap: ['gap of the scores'],
            weight: ['α'],
            rest: ['1 − α, rounded'],
            other: ['the other weight'],
            slope: ['gradient of α'],
            hard: ['gradient of a hard argmax'],
        },
        chart: { title: 'Gradient of α to its score', unit: 'measured by the engine', axis: 'gap' },
        lines: { slope: 'α(1 − α)' },
        marks: ['as they are', '÷ √64'],
        note: [
            'At a gap of 24 the softmax is as good as an argmax: α rounds to 1, and 1 − α to 0. ' +
                'The other weight is not 0, ',
            result(Math.exp(-24)),
            ', and neither is the gradient: read 1 − α as that weight. Dividing by √64 makes the ' +
                'gap 3, and the gradient a thousand million times larger. A hard argmax has ' +
                'none at any gap: its weights are steps.',
        ],
    },

    scale: {
        about: [
            'One head learns to look a key up, three seeds with ÷ ',
            ...root,
            ' and the same three without. Everything else is equal.',
        ],
        guess: {
            ask: 'Your guess: without ÷ √dₖ, the gradient of the first step is',
            answers: { smaller: 'smaller', same: 'as large', larger: 'larger' },
            told: {
                smaller: 'it began smaller.',
                same: 'it began as large.',
                larger: 'it began larger.',
            },
        },
        dk: 'Width of the head',
        dkOption: (n) => `dₖ ${n}`,
        method: 'Optimiser',
        methods: { adamw: 'AdamW', sgd: 'SGD' },
        pace: 'Learning rate',
        kinds: { with: 'with ÷ √dₖ', without: 'without' },
        charts: {
            loss: 'Loss',
            lossUnit: 'nats per problem',
            norm: 'Gradient norm',
            normUnit: 'all parameters',
            accuracy: 'Held-out problems',
            accuracyUnit: '% solved',
        },
        table: 'As measured, three seeds',
        measured: [
            'gradient norm at step 1',
            'largest weight at step 5',
            'loss of the last 20 steps',
            'solved',
        ],
        between: (all) => between(all, (x) => decimal(x)),
        shares: (all) => between(all, percent),
        status: (step, steps) => [`Step ${step} of ${steps}.`],
        notes: [
            [
                strong('“Without the scale it does not train” says too much. '),
                'At d',
                sub('k'),
                ' 128 and AdamW’s middle rate, 0.01, both learn all or nearly all in 200 steps; ' +
                    'without the scale the loss then ends about ten times higher (seeds 1 to 3). ' +
                    'With SGD at 0.3 the head without it even has the lower loss.',
            ],
            [
                strong('“Its gradient vanishes” is not what happens here. '),
                'The softmax does begin saturated: before the first step its largest weight is ' +
                    '0.88 on average instead of 0.24. But the gradient begins four to eight times ' +
                    'larger, not smaller: each score is ',
                ...root,
                ' times as steep in W, and that outweighs what the softmax holds back.',
            ],
            [
                strong('What the scale buys is room. '),
                'With it SGD learns everything at 0.3, 1 and 3; without it at 0.3 alone, and at ' +
                    '3 about half of the problems. AdamW without it does well at one of three ' +
                    'rates. At d',
                sub('k'),
                ' 8 the two differ little.',
            ],
        ],
    },

    norms: {
        about: (token) => [
            'A weight says how much of a value is taken, not how much arrives. For ',
            word(token, 'q'),
            ', each weight beside the length of what it brings.',
        ],
        heads: (hasOutput) => [
            ['key'],
            ['weight α'],
            ['‖', word('v', 'v'), '‖'],
            ['α · ‖', word('v', 'v'), '‖'],
            ...(hasOutput
                ? ['', 'α · '].map((times) => [`${times}‖W`, sub('O'), word('v', 'v'), '‖'])
                : []),
        ],
        most: (byWeight, byLength, isProjected) =>
            byWeight === byLength
                ? ['Both agree: most weight is on ', word(byWeight, 'k'), ', and it brings most.']
                : [
                      'Most weight is on ',
                      word(byWeight, 'k'),
                      ', but ',
                      word(byLength, 'k'),
                      isProjected ? ' brings most through W' : ' brings most',
                      ...(isProjected ? [sub('O')] : []),
                      '.',
                  ],
        empty: 'Every key is hidden from this query.',
        shrink: (token) => ['Make ', word('v', 'v'), '(', word(token, 'v'), ') nearly 0'],
        note: [
            'A value near 0 brings nothing, whatever its weight; what W',
            sub('O'),
            ' discards does not arrive either. ‖x‖ = √(x·x). ' +
                'Change V above, and this follows.',
        ],
    },
};

