// Words of positions and of the order experiment, in English. Part of the table text.en.js.

import { quiet } from './phrase.js';
import { list, plural } from './text.words.en.js';

export const positions = {
    label: 'Positions',
    names: { none: 'none', sinusoidal: 'sinusoidal', rope: 'RoPE', alibi: 'ALiBi' },
    foot: { sinusoidal: ['with places'], rope: ['turned'] },
    about: {
        none: () => 'Nothing tells attention where a word stands.',
        sinusoidal: (mode) =>
            'Sines and cosines of a word’s place are added to ' +
            (mode === 'direct' ? 'Q and K.' : 'X, before W.'),
        rope: () => 'Queries and keys are turned by an angle that grows with their place.',
        alibi: () => 'From each score a slope times the distance between its two words is taken.',
    },
    picture: {
        sinusoidal: 'the waves, by place',
        rope: 'cosines and sines, by place',
        alibi: 'what is added to each score',
    },
    weights: { none: 'weights without positions', now: 'weights with them' },
    odd: 'A head of one number has no pair to turn.',
    order: 'Does the order of the words matter?',
    change: (from, to) => [quiet(from.join(' ')), ' → ', to.join(' ')],
    again: 'Shuffle again',
    cross: 'Queries and keys are different words here, so there is no order to shuffle.',
    gap: 'largest change of any output',
    same: 'the same outputs, in another order',
    mirror: 'the same: backwards, each distance is what it was',
    other: 'other outputs',
    masked: 'The mask counts places too, so it tells the order by itself.',
    table: (name) => `The output of each word, ${name}`,
    heads: ['word', 'place', 'output before', 'output after'],
    place: (from, to) => (from === to ? `${from}` : `${from} → ${to}`),
    moved: (tokens, count, along) =>
        tokens.length === 0
            ? ['This shuffle left every word where it was.']
            : [
                  ...(tokens.length > 6
                      ? [`${tokens.length} of ${count} words`]
                      : list(tokens, 'q')),
                  plural(tokens.length, ' moves', ' move'),
                  ', and with each word its ',
                  along,
                  '. ',
              ],
    along: { direct: 'q, k and v', projected: 'x' },
    stays: (hasMask, positions) =>
        `The places${hasMask ? ' and the mask' : ''} stay` +
        (positions === 'none' ? '.' : ', with what they tell attention.'),
};
