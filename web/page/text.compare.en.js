// Words of the bar at the top: the baseline, values from a seed and from a paste, the link. Part of
// the table text.en.js.

import { num, result, strong, word } from './phrase.js';

export const compare = {
    keep: 'Keep as baseline',
    label: 'Compare with the baseline',
    modes: { before: 'Before', now: 'Now', difference: 'Difference' },
    clear: 'Forget the baseline',
    otherSize: 'The baseline has other sizes, so there is nothing to subtract.',
    same: 'unchanged',
    what: ['before → now'],
    foot: ['now − before'],
    shows: { before: 'before', difference: 'now' },
    aside: {
        before: 'All that is shown is the baseline. To try something, go on from',
        difference:
            'Matrices and the row table show now − before; words, lines and shares show now. ' +
            'To try something, go on from',
    },
};

export const bar = {
    values: 'Values',
    layers: 'Layers',
    share: 'Copy link',
    seed: 'seed',
    fill: 'Fill from seed',
    again: 'Next seed',
    pasteHint: 'Paste a block from a spreadsheet onto any framed number.',
    copy: (name) => `Copy ${name}`,
    more: 'More',
    whole: 'The page as a whole',
};

export const saidBar = {
    kept: ['The baseline is kept. Change something, then look at Before and Difference.'],
    cleared: ['The baseline is forgotten.'],
    compare: {
        before: () => ['This is the baseline. An edit goes on from Now.'],
        now: () => ['This is the page as it is now.'],
        difference: (n) => [
            'Now minus before, number by number: ',
            result(n),
            n === 1 ? ' result differs.' : ' results differ.',
        ],
    },
    filled: (seed) => ['The numbers come from seed ', strong(String(seed)), '. '],
    pasted: (name, rows, cols) => [`${rows} × ${cols} numbers were pasted into `, word(name), '. '],
    backFilled: ['the numbers are as they were.'],
    pasteBad: (line, column, typed) => [
        `Line ${line}, column ${column} of the paste is no number: “${typed}”. Nothing was changed.`,
    ],
    pasteBeyond: (line, column, typed) => [
        `Line ${line}, column ${column} of the paste is beyond ±3.4e38, where numbers end here: “${typed}”. Nothing was changed.`,
    ],
    pasteRagged: (line, got, expected) => [
        `Line ${line} of the paste has ${got} numbers where the first has ${expected}. Nothing was changed.`,
    ],
    pasteLarge: (rows, cols, most) => [
        `The paste is ${rows} × ${cols}, but from here on there is room for ${most.rows} × ${most.cols}. Nothing was changed.`,
    ],
    isolated: (tokens, hidden) => [
        ...tokens.flatMap((token, n) => [
            n ? (n === tokens.length - 1 ? ' and ' : ', ') : '',
            word(token, 'q'),
        ]),
        ' cannot see ',
        word(hidden, 'k'),
        tokens.length === 1
            ? ': its output did not change by one bit. '
            : ': their outputs did not change by one bit. ',
    ],
    isolatedMany: (n, hidden) => [
        num(n),
        ' rows cannot see ',
        word(hidden, 'k'),
        ': their outputs did not change by one bit. ',
    ],
};
