// lesson.js: a training run, step by step, so that whoever runs it can stop, look and go on.
//
// The same options give the same steps, bit for bit, on one instruction set; and so does a run that
// was saved and restored. What is learned, and from what, is a subclass: pronoun.js and its
// neighbours.

/** @import { Engine } from '../api/engine.js' */
/** @import { OptimizerConfig } from '../api/types.js' */

/**
 * A run as plain data. The moments are what the optimiser remembers of each list of parameters;
 * random numbers need no place here, as batches are drawn from the seed in their order.
 *
 * @typedef {object} Saved
 * @property {Record<string, any>} options
 * @property {number} step
 * @property {Record<string, number>[]} curve
 * @property {Record<string, Float32Array>} parameters
 * @property {Record<string, Float32Array[]>} moments
 */

/**
 * @typedef {object} LearnedModel
 * @property {Record<string, Float32Array>} parameters
 * @property {Record<string, readonly number[]>} shapes of the parameters
 * @property {readonly string[]} [words] that it knows, by their numbers
 * @property {() => void} dispose
 */

export class Lesson {
    #optimizer;
    #batches;

    /** How many steps were taken. */
    step = 0;

    /**
     * Of each step the losses of its batch and the norm of the whole gradient, before that step.
     * @type {Record<string, number>[]}
     */
    curve = [];

    /**
     * @param {Engine} engine
     * @param {object} course
     * @param {Record<string, any> & { steps: number }} course.options
     * @param {LearnedModel} course.model
     * @param {Iterator<any>} course.batches without end
     * @param {OptimizerConfig} course.method
     */
    constructor(engine, { options, model, batches, method }) {
        this.options = options;
        this.model = model;
        this.#batches = batches;
        this.#optimizer = engine.optimizer(method);
    }

    get isOver() { return this.step >= this.options.steps; }

    /** The next batch. */
    draw() { return this.#batches.next().value; }

    /** Takes a step; what the curve says of it. */
    next() {
        const { loss, slopes } = this.learn(this.draw());
        let square = 0;
        for (const [name, slope] of Object.entries(slopes)) {
            for (const x of slope) square += x * x;
            this.#optimizer.step(this.model.parameters[name], slope);
        }
        this.step++;
        const record = { step: this.step, ...loss, gradientNorm: Math.sqrt(square) };
        this.curve.push(record);
        return record;
    }

    /** @returns {Saved} copies */
    save() {
        const { parameters } = this.model, moments = {};
        for (const [name, list] of Object.entries(parameters)) {
            moments[name] = this.#optimizer.stateDict(list).averages;
        }
        return structuredClone({
            options: this.options, step: this.step, curve: this.curve, parameters, moments,
        });
    }

    /**
     * Goes on from where another lesson of the same options was saved.
     *
     * @param {Saved} saved
     */
    restore({ step, curve, parameters, moments }) {
        for (const [name, list] of Object.entries(this.model.parameters)) {
            list.set(parameters[name]);
            this.#optimizer.loadStateDict(list, { steps: step, averages: moments[name] });
        }
        for (; this.step < step; this.step++) this.draw();
        this.curve = structuredClone(curve);
    }

    dispose() {
        this.model.dispose();
    }
}
