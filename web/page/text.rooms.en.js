// Words of the rooms that open under the gates, in English. Part of the table text.en.js.

import { inline } from './format.js';
import { num, result, sub, sup, word } from './phrase.js';
import { list } from './text.words.en.js';

export const rooms = {
    gate: (name) => `${name}: how it works`,
    close: 'Close',
    formula: 'The formula with its numbers',
    copy: (grid) => `Copy ${grid.toLowerCase()}`,
    scores: {
        name: 'Dot product',
        about: [
            'How far a query and a key point the same way. Any score can be set by hand: choose it and type.',
        ],
    },
    scaled: {
        name: 'Scale',
        about: [
            'Scores of independent numbers spread like √d',
            sub('k'),
            '. Divided by it, they spread alike in a head of any width, and the softmax does not ' +
                'saturate because of it.',
        ],
    },
    masked: {
        name: 'Mask',
        about: [
            'Who may look at whom. Click or drag in the mask to paint; ' +
                'a number typed there is added.',
        ],
    },
    weights: {
        name: 'Softmax',
        about: [
            'Turns a row of scores into shares of 1: each e',
            sup('x'),
            ' over the sum of all.',
        ],
    },
    output: {
        name: 'Weighted sum',
        about: ['Every value, as much of it as its weight says.'],
    },
};

export const jacobian = {
    corner: 'weight, by score',
    names: { softmax: 'Gradient of each weight to each score', argmax: 'Of a hard argmax' },
    about: { softmax: 'per unit of the exponent', argmax: '0 everywhere' },
    note: [
        'Every row and every column sums to 0: what one weight gains the others lose. An argmax has ' +
            'steps and nothing between them, so no gradient gets through it, and nothing before it ' +
            'could learn.',
    ],
};

export const row = {
    title: (token) => ['The row of ', word(token, 'q'), ' in three numbers'],
    sum: 'sum of the weights',
    entropy: (keys) => `entropy in nats, at most ${inline(Math.log(keys), 'fixed')}`,
    keys: 'keys effectively read',
    power: (entropy) => ['e', sup(num(entropy, null, 'fixed')), ' = '],
    empty: 'No key is left, so there is nothing to share out.',
    notShared: 'This row is no distribution, so its entropy says nothing.',
    rises: (a, b) => ['If score(', word(a, 'q'), ', ', word(b, 'k'), ') rises'],
    slope: 'change of each weight, per unit of the exponent',
    slopes: 'Change of each weight',
    largest: (n) => `The 8 largest of ${n}.`,
};

export const maskRoom = {
    invert: 'invert',
    painted: 'painted',
    example: 'Example: scores 2, 1, 3, 5, the last hidden',
};

export const lanes = {
    title: (token) => ['Row ', word(token, 'q'), ': where to hide?'],
    between: 'in between',
    output: 'output',
    some: (n, all) =>
        `The ${n} of ${all} keys that would count most if none was hidden; sums are over all.`,
    same: {
        open: (token) => [
            'The three are equal as long as no key is hidden from ',
            word(token, 'q'),
            '.',
        ],
        hidden: (token) => [
            'The three are equal: what is hidden from ',
            word(token, 'q'),
            ' had no weight.',
        ],
    },
    parts: (token, key, [before, after, bias]) => [
        'They first differ at weight(',
        word(token, 'q'),
        ', ',
        word(key, 'k'),
        '): ',
        result(before, 'fixed'),
        ' with −∞ before, ',
        result(after, 'fixed'),
        ' with 0 after, ',
        result(bias, 'fixed'),
        ' with −1e9 before.',
    ],
    before: {
        name: ['−∞ before the softmax'],
        about: 'the definition',
        first: ['+ mask'],
        second: ['softmax'],
        verdict: (total, dead) => (dead ? 'no key left' : 'a distribution'),
    },
    after: {
        name: ['0 after the softmax'],
        about: 'the mistake: two steps swapped',
        first: ['softmax'],
        second: ['× 0 or 1'],
        verdict: (total, dead, lost) =>
            lost ? `${inline(1 - total, 'fixed')} is lost` : 'nothing hidden here',
    },
    bias: {
        name: ['−1e9 before the softmax'],
        about: 'the habit: a large number for −∞',
        first: ['+ −1e9'],
        second: ['softmax'],
        verdict: (total, dead) => (dead ? 'the mean of V' : 'the same weights'),
    },
};

export const empty = {
    title: (tokens) => [
        ...list(tokens, 'q'),
        tokens.length === 1 ? ' has nothing left to look at' : ' have nothing left to look at',
    ],
    why: [
        'Every score is −∞, the sum is 0, and 0 ÷ 0 has no answer: the softmax of common ' +
            'libraries gives NaN, and the NaN spreads to all that is computed from it. Here a row ' +
            'with nothing to share is an empty sum: weights and output 0, the logarithm of the ' +
            'sum (log-sum-exp) −∞, and no other row is touched.',
    ],
    others: [
        ['here, and attention in PyTorch from 2.5 on', ['0']],
        ['before 2.5, and a softmax alone', ['NaN']],
        ['JAX', ['the mean of V']],
    ],
};

export const saidRooms = {
    copied: (grid, rows, cols) => [`${grid}, ${rows} × ${cols}, is on the clipboard as text.`],
    shared: (length) => [`The link is on the clipboard: ${length} characters hold the whole page.`],
    inAddress: () => ['The address of this page is the link: copy it from there.'],
    notCopied: ['The browser did not let the page copy.'],
};
