// courses.js: what can be learned, by name, and which options each course takes.

import { PronounLesson, STEPS as PRONOUN_STEPS } from './pronoun.js';

const seed = { from: 1, to: 4294967295 }, steps = { from: 1, to: 100000 };

/**
 * Of every option either the list of what it may be, or the integers that it may be.
 *
 * @typedef {readonly unknown[] | { from: number, to: number }} Range
 */

/** @type {Record<string, { Lesson: any, options: Record<string, Range>, steps: number }>} */
export const COURSES = {
    pronoun: {
        Lesson: PronounLesson,
        options: { seed, auxiliary: [0, 0.3], causal: [false, true], steps },
        steps: PRONOUN_STEPS,
    },
};
