// speaker.js: a model of the next word, trained with the causal mask or without it.
//
// It reads a sentence and is asked, at each word but the last, for the one that follows. Without
// the mask every word sees the next one, which is the answer: there is a way to a loss of almost
// nothing that is no help when a sentence is made word by word, as then there is no next one.

import { fits, LENGTH, sentences, WORDS } from './grammar.js';
import { Lesson } from './lesson.js';
import { Model } from './model.js';
import { batchesOf } from './pronoun.js';
import { randomFrom } from './random.js';

/** @import { Engine } from '../api/engine.js' */

export const STEPS = 120, RATE = 0.01;

/** Sentences that a look generates. */
export const GENERATED = 100;

/** Three words of ten choices each, all others follow from their place: the least loss there is. */
export const FLOOR = 3 * Math.LN10 / (LENGTH - 1);

/** A sentence, and at each word but the last the next. */
const nextWords = ({ tokens }) => ({ tokens, targets: tokens.slice(1) });

/** One of the words by chance, each as likely as the model says. */
function drawn(probabilities, random) {
    let rest = random();
    const found = probabilities.findIndex((p) => (rest -= p) < 0);
    return found < 0 ? probabilities.length - 1 : found;
}

export class SpeakerLesson extends Lesson {
    /**
     * @param {Engine} engine
     * @param {{ seed: number, causal: boolean, steps?: number }} options
     */
    constructor(engine, { seed, causal, steps = STEPS }) {
        const { training } = sentences();
        super(engine, {
            options: { seed, causal, steps },
            model: new Model(engine, { seed, causal, from: 0, count: LENGTH - 1 }),
            batches: batchesOf(training.map(nextWords), randomFrom(seed ^ 0x5eed)),
            method: { kind: 'adamw', lr: RATE, beta2: 0.99, weightDecay: 0 },
        });
    }

    learn(batch) {
        const { loss: { answer }, slopes } = this.model.learn(batch);
        return { loss: { answer }, slopes };
    }

    /** Sentences that begin with "the", word by word, each drawn from the model's probabilities. */
    generate(count = GENERATED) {
        const random = randomFrom(18);
        const all = Array.from({ length: count }, () => ({ tokens: [WORDS.indexOf('the')] }));
        for (let n = 1; n < LENGTH; n++) {
            const answers = this.model.answer(all, n - 1);
            all.forEach(({ tokens }, b) => tokens.push(drawn(answers[b].probabilities, random)));
        }
        return all.map(({ tokens }) => tokens.map((token) => WORDS[token]));
    }

    /** What is to be seen between steps, as data that a worker can send. */
    look() {
        const all = this.generate();
        const good = all.filter((words) => words.every(fits));
        return { numbers: { grammatical: good.length / all.length }, sentences: all.slice(0, 4) };
    }
}
