// Words of the shares of a row, in English. Part of the table text.en.js.

import { word } from './phrase.js';

/** Which head of how many. */
export const ofHeads = ({ number, count }) => [`head ${number} of ${count}`];

export const mix = {
    past: (token) => [word(token, 'q'), ', where it may look'],
    nothing: (token) => [word(token, 'q'), ' has nothing to look at'],
    head: (head) => [', ', ...ofHeads(head)],
    unlabelled: (named) => [
        'also ',
        ...named.flatMap(([name, share], n) => [n ? ', ' : '', word(name), ` ${share}`]),
    ],
    unlabelledSum: (n, share) => [`also ${n} keys, ${share} together`],
    output: 'output',
    label: (token) => `Shares of ${token}`,
    empty: 'every key is hidden',
    below: 'every score is −∞',
    beyond: 'a score is too large',
    dropped: 'every weight is dropped',
    sum: (shares) => `, shares sum to ${shares}`,
    context: (token) => [word(token, 'q'), ', in context'],
};
