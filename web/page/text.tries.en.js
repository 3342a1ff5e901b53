// Words of what there is to try: the offer, the question, its answers, and what came of it. Part of
// the table text.en.js.

import { num, quiet, result, strong, sub, word } from './phrase.js';

const times = (n, one, many) => [result(n), n === 1 ? ` ${one}` : ` ${many}`];

export const tryWords = {
    tryLabel: 'Try',
    tryCancel: 'Not now',
    /** Why something cannot be tried on the page as it is. */
    notNow: {
        unscaled: 'The scores are not divided by √dₖ now.',
        rootIsOne: 'At dₖ 1 the divisor is 1: without it nothing would change.',
        notPlain: 'This needs the softmax over keys, and the mask before it.',
        oneKey: 'The pinned word sees no more than one key, so no key could get more or less.',
        elsewhere: 'Keys from elsewhere do not come before or after these words.',
        oneWord: 'One word has no future to hide.',
        hidden: 'Some keys are hidden already.',
        made: 'V is made by X·W now: change W, or hide X·W and edit V.',
    },
    tried: (isRight) => (isRight ? 'As you said: ' : 'Not as you said: '),
    tries: {
        scale: {
            offer: [strong('Switch ÷ √d', sub('k'), ' off.'), ' Does the strongest key get more?'],
            ask: (a, b) => [
                'Without ÷ √d',
                sub('k'),
                ', how much of ',
                word(b, 'k'),
                ' does ',
                word(a, 'q'),
                ' take?',
            ],
            answers: { more: 'more', less: 'less', same: 'as much' },
            told: ({ from, to }, a, b) => [
                word(a, 'q'),
                ' took ',
                num(from, null, 'fixed'),
                ' of ',
                word(b, 'k'),
                ' and takes ',
                result(to, 'fixed'),
                '. ',
                quiet(
                    to > from
                        ? 'Scores that are not divided lie further apart, and the softmax sharpens.'
                        : from === 1
                          ? 'There was no more to take.'
                          : 'Scores that are equal stay equal, whatever divides them.',
                ),
            ],
        },
        future: {
            offer: [strong('Hide the future.'), ' What can the first word still see?'],
            ask: (a) => ['With the future hidden, what can ', word(a, 'q'), ' still see?'],
            answers: { none: 'nothing', itself: 'only itself', all: 'every word' },
            told: ({ seen, weight }, a) => [
                word(a, 'q'),
                ' sees ',
                ...times(seen, 'word, itself,', 'words'),
                ' with weight ',
                result(weight, 'fixed'),
                '. ',
                quiet('Nothing stands before the first word, so its output is its own value.'),
            ],
        },
        value: {
            offer: [strong('Change V.'), ' Do the weights move?'],
            ask: (a, b, { from, to }) => [
                'If the first number of ',
                word('v', 'v'),
                '(',
                word(b, 'v'),
                ') goes from ',
                num(from),
                ' to ',
                num(to),
                ', do the weights move?',
            ],
            answers: { yes: 'yes, some', no: 'no, none' },
            told: ({ weights, all, outputs }) => [
                result(weights),
                ' of ',
                num(all),
                ' weights moved, and ',
                ...times(outputs, 'output did. ', 'outputs did. '),
                quiet('Weights are made of q and k alone.'),
            ],
        },
    },
};
