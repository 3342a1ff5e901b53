// Words of the projected mode, in English. Part of the table text.en.js.

import { num, quiet, result, sub, word } from './phrase.js';

export const project = {
    label: 'What is edited',
    modes: { direct: 'Edit Q K V', projected: 'Edit X · W' },
    origin: {
        of: 'Q, K, V',
        title: 'A query, a key and a value are a row of X times W_Q, W_K and W_V',
        long: { show: 'from X·W: show', hide: 'from X·W: hide' },
        short: { show: 'from X·W', hide: 'hide X·W' },
    },
    title: 'X · W makes Q, K and V',
    about: 'A row of X times a matrix W is a query, a key or a value. All words share the three W.',
    identity: ['W', sub('Q'), ' = W', sub('K'), ' = I'],
    names: {
        X: { letter: ['X'], verb: 'the words' },
        keyX: { letter: ['X'], verb: 'the key words' },
        WQ: { letter: ['W', sub('Q')], verb: 'makes Q' },
        WK: { letter: ['W', sub('K')], verb: 'makes K' },
        WV: { letter: ['W', sub('V')], verb: 'makes V' },
    },
};

export const projectGrids = { X: 'X', keyX: 'X of keys', WQ: 'W_Q', WK: 'W_K', WV: 'W_V', WO: 'W_O' };

export const readProject = {
    feeds: [quiet('meets a row of W'), sub('Q'), quiet(', W'), sub('K'), quiet(' and W'), sub('V')],
    turns: (row, letter, col) => [
        quiet('turns '),
        'x',
        sub(String(row + 1)),
        quiet(' of every word into '),
        letter,
        sub(String(col + 1)),
    ],
};

export const symmetry = {
    title: 'Is it mutual?',
    one: (a, b, x) => ['score(', word(a, 'q'), ', ', word(b, 'k'), ') = ', result(x)],
    words: (a, b, terms) => [
        quiet('either way '),
        'x(',
        word(a),
        ')·x(',
        word(b),
        ') = ',
        ...terms,
    ],
    same: 'The same: two equal jobs are interchangeable here.',
    other: 'Not the same: asking and being asked are two jobs.',
    self: 'A word and itself: point at another pair to compare both directions.',
};

export const saidProject = {
    mode: {
        projected: ['X and W are yours now, and Q, K and V follow: X·W gives the same numbers. '],
        direct: ['Q, K and V are yours now, as X·W left them. '],
    },
    identity: [
        'W',
        sub('Q'),
        ' and W',
        sub('K'),
        ' are the identity: each query and key is its word itself. ',
    ],
    backMode: ['what is edited is as it was.'],
    weight: (grid, row, col) => [
        word('W'),
        sub(grid[1]),
        '[',
        num(row + 1),
        ', ',
        num(col + 1),
        ']',
    ],
};
