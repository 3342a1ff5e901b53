// The labs: experiments that are measured on the spot. Each is a row of data: its settings, which
// an address carries, and, where something is trained, which lessons of web/train/courses.js that
// makes.

import { COURSES, RATES } from '../../train/courses.js';
import { AUXILIARY } from '../../train/pronoun.js';
import { BYTES } from './cost.js';

const seed = { type: 'integer', min: 1, max: 0xffffffff, default: 1 };
const on = { type: 'switch', default: true };
const off = { type: 'switch', default: false };
const upTo = (max, usual) => ({ type: 'integer', min: 1, max, default: usual });
const one = (of, usual) => ({ type: 'choice', of, default: usual });

/** What is guessed before it is trained; until then nothing. */
const guess = (...answers) => one(['none', ...answers], 'none');

/** A lesson of a course, to its usual end. */
const lesson = (course, options) => ({ ...options, steps: COURSES[course].steps });

/** Which of the three rates of a method. */
export const PACES = ['low', 'middle', 'high'];

export const LABS = {
    pronoun: {
        settings: {
            seed: { ...seed, default: 2 },
            auxiliary: on,
            causal: off,
            log: on,
            guess: guess('half', 'all'),
        },
        right: ([curve]) => (curve.at(-1).accuracy > 0.9 ? 'all' : 'half'),
        course: 'pronoun',
        lessonsOf: ({ seed, auxiliary, causal }) => [
            lesson('pronoun', { seed, auxiliary: auxiliary ? AUXILIARY : 0, causal }),
        ],
        settingsOf: ([{ seed, auxiliary, causal }]) => ({ seed, auxiliary: auxiliary > 0, causal }),
        /** Settings that show something, one set each. */
        cases: {
            points: { seed: 2, auxiliary: true, causal: false },
            elsewhere: { seed: 8, auxiliary: false, causal: false },
            causal: { seed: 2, auxiliary: true, causal: true },
        },
    },
    mask: {
        settings: { seed, log: on, guess: guess('with', 'without') },
        right: ([masked, open]) => (masked.at(-1).answer < open.at(-1).answer ? 'with' : 'without'),
        course: 'speaker',
        lessonsOf: ({ seed }) => [true, false].map((causal) => lesson('speaker', { seed, causal })),
        settingsOf: ([{ seed }]) => ({ seed }),
    },
    spread: {
        settings: {
            dk: { type: 'integer', min: 1, max: 256, default: 64 },
            kind: one(['normal', 'uniform', 'coin'], 'normal'),
            seed,
        },
    },
    gap: { settings: { gap: { type: 'integer', min: 0, max: 80, default: 24 } } },
    scale: {
        settings: {
            dk: one([8, 32, 128], 128),
            method: one(Object.keys(RATES), 'adamw'),
            pace: one(PACES, 'middle'),
            seed,
            log: on,
            guess: guess('smaller', 'same', 'larger'),
        },
        /** The first gradients of three with the scale, and of the same without. */
        right: (curves) => {
            const [scaled, raw] = [0, 3].map((n) =>
                curves.slice(n, n + 3).reduce((sum, [{ gradientNorm }]) => sum + gradientNorm, 0),
            );
            return raw > 1.2 * scaled ? 'larger' : raw < scaled / 1.2 ? 'smaller' : 'same';
        },
        course: 'lookup',
        lessonsOf: ({ dk, method, pace, seed }) =>
            [true, false].flatMap((scaled) =>
                [0, 1, 2].map((n) =>
                    lesson('lookup', {
                        seed: ((seed + n - 1) % 0xffffffff) + 1,
                        headDim: dk,
                        scaled,
                        method,
                        rate: RATES[method][PACES.indexOf(pace)],
                    }),
                ),
            ),
        settingsOf: ([{ seed, headDim, method, rate }]) => ({
            seed,
            dk: headDim,
            method,
            pace: PACES[RATES[method].indexOf(rate)] ?? 'middle',
        }),
    },
    norms: { settings: {} },
    cost: {
        settings: {
            batch: upTo(4096, 32),
            heads: upTo(1024, 8),
            tokens: upTo(10_000_000, 1024),
            width: upTo(100_000, 512),
            type: one(Object.keys(BYTES), 'float16'),
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
