// lesson.js: a training run, step by step, so that whoever runs it can stop, look and go on.
//
// The same seed gives the same steps, bit for bit, on one instruction set.
//
// The auxiliary loss asks one head of layer 2 to point at the noun. Without it a model often
// answers right by ways that its maps do not show: a right answer needs no high weight.

import { LENGTH, PLACE_OF, SHOWN, sentences } from './grammar.js';
import { Model, POINTER } from './model.js';
import { randomFrom, shuffled } from './random.js';

/** @import { Engine } from '../api/engine.js' */

export const STEPS = 120, BATCH = 32, RATE = 0.01;

/**
 * @typedef {object} LessonOptions
 * @property {number} seed
 * @property {number} [auxiliary] weight of the auxiliary loss; 0 = none
 * @property {boolean} [causal] no word sees a later one
 * @property {number} [steps]
 */

/** Batches without end: all of training, shuffled again each time around. */
function* batchesOf(training, random) {
    for (;;) {
        const order = shuffled(training, random);
        for (let n = 0; n + BATCH <= order.length; n += BATCH) yield order.slice(n, n + BATCH);
    }
}

export class Lesson {
    #optimizer;
    #batches;
    #auxiliary;
    #steps;

    /** How many steps were taken. */
    step = 0;

    /**
     * @param {Engine} engine
     * @param {LessonOptions} options
     */
    constructor(engine, { seed, auxiliary = 0, causal = false, steps = STEPS }) {
        const { training, heldOut } = sentences();
        this.model = new Model(engine, { seed, causal });
        this.heldOut = heldOut;
        this.#optimizer = engine.optimizer({
            kind: 'adamw', lr: RATE, beta2: 0.99, weightDecay: 0,
        });
        this.#batches = batchesOf(training, randomFrom(seed ^ 0x5eed));
        this.#auxiliary = auxiliary;
        this.#steps = steps;
    }

    get isOver() { return this.step >= this.#steps; }

    /** Takes a step; the losses of its batch, and the norm of the whole gradient. */
    next() {
        const batch = this.#batches.next().value;
        const { loss, slopes } = this.model.learn(batch, this.#auxiliary);
        let square = 0;
        for (const [name, slope] of Object.entries(slopes)) {
            for (const x of slope) square += x * x;
            this.#optimizer.step(this.model.parameters[name], slope);
        }
        this.step++;
        return { step: this.step, ...loss, gradientNorm: Math.sqrt(square) };
    }

    /** The share of held-out sentences that are answered right. */
    accuracy() {
        const answers = this.model.answer(this.heldOut);
        const right = this.heldOut.filter(({ words, referent }, n) => (
            answers[n].word === words[referent]));
        return right.length / this.heldOut.length;
    }

    /**
     * For each of the sentences that are shown: the answer, and the weights that "it" has in the
     * pointing head on the animal and on the place.
     */
    shown() {
        const answers = this.model.answer(SHOWN);
        return SHOWN.map((sentence, n) => {
            const [, { data }] = this.model.maps(sentence);
            const row = data.subarray((POINTER * LENGTH + PLACE_OF.it) * LENGTH);
            return {
                sentence, answer: answers[n].word,
                animal: row[PLACE_OF.animal], place: row[PLACE_OF.place],
            };
        });
    }

    dispose() {
        this.model.dispose();
    }
}
