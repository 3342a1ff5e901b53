// The labs: experiments that are measured on the spot. Each is a row of data: its settings, which an
// address carries, and, where something is trained, which lessons that makes (web/train/courses.js).

import { AUXILIARY, STEPS } from '../../train/pronoun.js';

const SEED = { type: 'integer', min: 1, max: 0xffffffff };
const on = { type: 'switch', default: true };
const off = { type: 'switch', default: false };

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
};

/** A lab with every setting as it begins, and some that are given. */
export const labOf = (id, given = {}) => ({
    id,
    ...Object.fromEntries(
        Object.entries(LABS[id].settings).map(([name, { default: usual }]) => [name, usual]),
    ),
    ...given,
});
