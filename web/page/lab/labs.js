// The labs: experiments that are measured on the spot. Each is a row of data: its settings, which an
// address carries, and, where something is trained, which lessons that makes (web/train/courses.js).

import { AUXILIARY, STEPS } from '../../train/pronoun.js';
import { BYTES } from './cost.js';

const SEED = { type: 'integer', min: 1, max: 0xffffffff };
const on = { type: 'switch', default: true };
const off = { type: 'switch', default: false };
const upTo = (max, usual) => ({ type: 'integer', min: 1, max, default: usual });

export const LABS = {
    pronoun: {
        settings: { seed: { ...SEED, default: 2 }, auxiliary: on, causal: off, log: on },
        course: 'pronoun',
        lessonsOf: ({ seed, auxiliary, causal }) => [
            { seed, auxiliary: auxiliary ? AUXILIARY : 0, causal, steps: STEPS },
        ],
        settingsOf: ([{ seed, auxiliary, causal }]) => ({ seed, auxiliary: auxiliary > 0, causal }),
        /** Settings that show something, one set each. */
        cases: {
            points: { seed: 2, auxiliary: true, causal: false },
            elsewhere: { seed: 8, auxiliary: false, causal: false },
            causal: { seed: 2, auxiliary: true, causal: true },
        },
    },
    cost: {
        settings: {
            batch: upTo(4096, 32),
            heads: upTo(1024, 8),
            tokens: upTo(10_000_000, 1024),
            width: upTo(100_000, 512),
            type: { type: 'choice', of: Object.keys(BYTES), default: 'float16' },
        },
        course: 'race',
        lessonsOf: () => [{}],
    },
};

/** A lab with every setting as it begins, and some that are given. */
export const labOf = (id, given = {}) => ({
    id,
    ...Object.fromEntries(
        Object.entries(LABS[id].settings).map(([name, { default: usual }]) => [name, usual]),
    ),
    ...given,
});
