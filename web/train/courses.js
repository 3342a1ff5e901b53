// courses.js: what can be learned, by name, and which options each course takes.

import { LookupLesson, STEPS as LOOKUP_STEPS } from './lookup.js';
import { AUXILIARY, PronounLesson, STEPS as PRONOUN_STEPS } from './pronoun.js';
import { SpeakerLesson, STEPS as SPEAKER_STEPS } from './speaker.js';

const seed = { from: 1, to: 4294967295 }, steps = { from: 1, to: 100000 };

/**
 * Of every option either the list of what it may be, or the integers that it may be.
 *
 * @typedef {readonly unknown[] | { from: number, to: number }} Range
 */

const isOn = [false, true];

/** The learning rates that are offered, from low to high. */
export const RATES = { adamw: [0.003, 0.01, 0.03], sgd: [0.3, 1, 3] };

/** @type {Record<string, { Lesson: any, options: Record<string, Range>, steps: number }>} */
export const COURSES = {
    pronoun: {
        Lesson: PronounLesson,
        options: { seed, auxiliary: [0, AUXILIARY], causal: isOn, steps },
        steps: PRONOUN_STEPS,
    },
    lookup: {
        Lesson: LookupLesson,
        options: {
            seed, headDim: [8, 32, 128], scaled: isOn, method: Object.keys(RATES),
            rate: Object.values(RATES).flat(), steps,
        },
        steps: LOOKUP_STEPS,
    },
    speaker: {
        Lesson: SpeakerLesson,
        options: { seed, causal: isOn, steps },
        steps: SPEAKER_STEPS,
    },
};
