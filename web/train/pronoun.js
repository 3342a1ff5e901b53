// pronoun.js: what "it" stands for, learned from sentences of the toy grammar.
//
// The auxiliary loss asks one head of layer 2 to point at the noun. Without it a model often
// answers right by ways that its maps do not show: a right answer needs no high weight.

import { LENGTH, PLACE_OF, SHOWN, sentences } from './grammar.js';
import { Lesson } from './lesson.js';
import { Model, POINTER } from './model.js';
import { randomFrom, shuffled } from './random.js';

/** @import { Engine } from '../api/engine.js' */

export const STEPS = 120, BATCH = 32, RATE = 0.01, AUXILIARY = 0.3;

/**
 * @typedef {object} PronounOptions
 * @property {number} seed
 * @property {number} [auxiliary] weight of the auxiliary loss; 0 = none
 * @property {boolean} [causal] no word sees a later one
 * @property {number} [steps]
 */

/** Batches without end: all of training, shuffled again each time around. */
export function* batchesOf(training, random) {
    for (;;) {
        const order = shuffled(training, random);
        for (let n = 0; n + BATCH <= order.length; n += BATCH) yield order.slice(n, n + BATCH);
    }
}

export class PronounLesson extends Lesson {
    /**
     * @param {Engine} engine
     * @param {PronounOptions} options
     */
    constructor(engine, { seed, auxiliary = 0, causal = false, steps = STEPS }) {
        const { training, heldOut } = sentences();
        super(engine, {
            options: { seed, auxiliary, causal, steps },
            model: new Model(engine, { seed, causal }),
            batches: batchesOf(training, randomFrom(seed ^ 0x5eed)),
            method: { kind: 'adamw', lr: RATE, beta2: 0.99, weightDecay: 0 },
        });
        this.heldOut = heldOut;
    }

    learn(batch) {
        return this.model.learn(batch, this.options.auxiliary);
    }

    /** The share of held-out sentences that are answered right. */
    accuracy() {
        const answers = this.model.answer(this.heldOut);
        const right = this.heldOut.filter(({ words, referent }, n) => (
            answers[n].word === words[referent]));
        return right.length / this.heldOut.length;
    }

    /**
     * For each of the sentences that are shown: the answer, every map of attention, and the weights
     * that "it" has in the pointing head on the animal and on the place.
     */
    shown() {
        const answers = this.model.answer(SHOWN);
        return SHOWN.map((sentence, n) => {
            const maps = this.model.maps(sentence);
            const row = maps[1].data.subarray((POINTER * LENGTH + PLACE_OF.it) * LENGTH);
            return {
                sentence, answer: answers[n].word, output: answers[n].output,
                probability: Math.max(...answers[n].probabilities), maps,
                animal: row[PLACE_OF.animal], place: row[PLACE_OF.place],
            };
        });
    }

    /**
     * What is to be seen between steps, as data that a worker can send; `apart` is how far from
     * each other what becomes of "it" lies in the two sentences.
     */
    look() {
        const shown = this.shown(), [tired, wide] = shown.map(({ output }) => output);
        const sentences = shown.map(({ answer, probability, maps }) => (
            { answer, probability, maps }));
        const apart = Math.sqrt(tired.reduce((sum, x, n) => sum + (x - wide[n]) ** 2, 0));
        return { numbers: { accuracy: this.accuracy() }, sentences, apart };
    }
}
