// Words of the labs, in English. Part of the table text.en.js.

import { brief, inline, percent } from './format.js';
import { num, quiet, result, strong, word } from './phrase.js';
import { cost } from './text.cost.en.js';
import { measures } from './text.measures.en.js';
import { plural } from './text.words.en.js';

const decimal = (x) => inline(x, 'fixed');

/** What is wrong with a file of a training run. */
const problems = {
    json: () => 'The file is no JSON text.',
    format: () => 'The file is no training run of this page.',
    version: ({ expected, got }) => `The file is of version ${got}; this page reads ${expected}.`,
    part: ({ field }) => `${field} is missing in the file.`,
    whole: ({ field, from, to, got }) =>
        `${field}: expected a whole number from ${from} to ${to}, got ${got}.`,
    choice: ({ field, of, got }) => `${field}: expected ${of.join(' or ')}, got ${got}.`,
    count: ({ field, expected, got }) =>
        `${field}: expected ${expected} ${plural(expected, 'entry', 'entries')}, got ${got}.`,
    number: ({ field, at }) => `${field}, entry ${at}: expected a number that float32 holds.`,
    failed: ({ message }) => `The training stopped: ${message}`,
};

export const labs = {
    label: 'Measure it',
    about: 'Experiments that run here, on this machine.',
    close: 'Close',
    names: {
        pronoun: 'Train a small model',
        mask: 'Train without the mask',
        spread: 'Why √dₖ',
        gap: 'A saturated softmax',
        scale: 'Train without √dₖ',
        norms: 'Weights and values',
        cost: 'What it costs',
    },
    settings: {
        labSeed: 'Seed of the experiment',
        labDim: 'Numbers in a query and a key, measured',
        labGap: 'Gap between two scores',
        ...cost.settings,
    },
    bad: {
        labDim: (typed) => [`d_k takes a whole number from 1 to 256, not “${typed}”. `],
        labGap: (typed) => [`The gap takes a whole number from 0 to 80, not “${typed}”. `],
        labSeed: (typed) => [
            `A seed of an experiment is a whole number from 1 to 4294967295, not “${typed}”. `,
        ],
        ...cost.bad,
    },
    cost,
    problem: (problem) => problems[problem.kind](problem),

    run: {
        train: 'Train',
        stop: 'Stop',
        goOn: 'Go on',
        again: 'Train again',
        these: 'Train with these',
        save: 'Save the run',
        open: 'Open a run',
        seed: 'seed',
        log: 'Scale of the charts',
        scales: { true: 'logarithmic', false: 'linear' },
        before: 'the run before',
        none: 'Not trained yet.',
        starting: 'Starting.',
        spoken: { running: 'Running.', rested: 'Stopped.', over: 'Finished.' },
    },
    chart: {
        step: 'step',
        empty: 'Drawn while it trains.',
        spoken: (title, isLog, lines) =>
            `${title}, ${isLog ? 'logarithmic' : 'linear'} scale. ` +
            (lines.length ? lines.join(' ') : 'Nothing yet.'),
        line: (name, [x0, y0], [x1, y1], least) =>
            `${name}: ${decimal(y0)} at ${x0}, ${decimal(y1)} at ${x1}, least ${decimal(least)}.`,
    },

    pronoun: {
        about:
            'What does “it” mean? A toy grammar, 1,000 sentences, 11,205 parameters: two layers ' +
            'of four heads, no feed-forward layers. It learns here, on your machine.',
        cases: {
            points: 'right, and it points',
            elsewhere: 'right, but the map points elsewhere',
            causal: 'causal, so it cannot know',
        },
        casesLabel: 'Show a run that is',
        guess: {
            ask: 'Your guess: of 200 sentences that it never saw, how many will it get right?',
            answers: { half: 'about half', all: 'nearly all' },
            told: { half: 'about half.', all: 'nearly all.' },
        },
        auxiliary: 'Auxiliary loss',
        auxiliaryAbout: (on) =>
            on
                ? 'On: besides the answer, head 1 of layer 2 is taught to put its weight on the noun.'
                : 'Off: only the answer counts, and nothing asks any map to show how it was found.',
        causal: 'Causal mask',
        causalAbout: (on) =>
            on
                ? 'On: no word sees a later one, and the word that decides comes after “it”.'
                : 'Off: every word sees every other, as in BERT.',
        charts: {
            loss: 'Loss',
            lossUnit: 'nats per sentence',
            norm: 'Gradient norm',
            normUnit: 'all parameters, Euclidean',
            accuracy: 'Held-out sentences',
            accuracyUnit: '% answered right',
        },
        lines: {
            answer: 'answer',
            pointing: 'pointing',
            gradientNorm: 'norm',
            accuracy: 'right',
            chance: 'by chance',
        },
        status: ({ step, answer, gradientNorm }, accuracy, steps) => [
            'Step ',
            num(step),
            ` of ${steps}: loss `,
            result(answer, 'fixed'),
            ', gradient norm ',
            num(gradientNorm, null, 'fixed'),
            ', held-out sentences right ',
            strong(percent(accuracy)),
            '.',
        ],
        /** What came of it; `most` is the largest weight in layer 2 on each sentence's noun. */
        over: {
            causal:
                'No better than chance: up to “it” both sentences are the same, so both get one ' +
                'answer.',
            wrong: 'Not right for both of these sentences.',
            points: 'Right in both, and in both a head of layer 2 looks at the noun.',
            elsewhere: (noun, most) =>
                `Right in both, yet no head of layer 2 gives ${noun} more than ${decimal(most)}: ` +
                'what “it” needs was carried by other words. A map is no explanation.',
        },
        sentence: 'The animal didn’t cross the street because it was too ',
        answer: (name, probability, isRight) => [
            '“it” is ',
            word(name, isRight ? 'o' : 'bad'),
            quiet(` (probability ${decimal(probability)}, ${isRight ? 'right' : 'wrong'})`),
        ],
        apart: (distance) => [
            'Before the layers “it” is the same in both sentences. After them the two are ',
            result(distance, 'fixed'),
            distance === 0 ? ' apart: the same still.' : ' apart.',
        ],
        layer: (n) => `layer ${n}`,
        head: (n) => `head ${n}`,
        taught: (n) => `${n}, taught`,
        maps: (adjective) => `Weights of “it” when it was too ${adjective}`,
        weights: (animal, place) => [
            ['animal ', strong(brief(animal))],
            ['street ', strong(brief(place))],
        ],
        noMaps: 'The maps appear with the first steps.',
        mapNote: 'Each map: rows are queries, columns keys; the row of “it” is outlined.',
    },
    ...measures,
};
