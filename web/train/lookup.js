// lookup.js: one head that learns to look something up, with its scores divided by √d_k or not.
//
// There are sixteen keys of 32 normal numbers, and with each goes one of eight marks. The query is
// one of these keys again; what is asked for is its mark. So W_Q and W_K must learn to make equal
// things fit, W_V and W_O only to hand the mark on. The components of W_Q and W_K begin normal with
// variance 1/32, so that those of queries and keys have variance 1, and the scores d_k. Batches are
// new at each step.

import { exp, log } from './exact.js';
import { Lesson } from './lesson.js';
import { normalFrom, randomFrom } from './random.js';

/** @import { Engine } from '../api/engine.js' */

const WIDTH = 32, KEYS = 16, MARKS = 8, BATCH = 32, HELD_OUT = 256;

export const STEPS = 200;

/** Problems: queries (B, 1, WIDTH), keys (B, KEYS, WIDTH), marks as units (B, KEYS, MARKS). */
function problems(count, random, normal) {
    const query = new Float32Array(count * WIDTH), right = [];
    const key = Float32Array.from({ length: count * KEYS * WIDTH }, normal);
    const value = new Float32Array(count * KEYS * MARKS);
    for (let b = 0; b < count; b++) {
        const asked = Math.floor(random() * KEYS), at = (b * KEYS + asked) * WIDTH;
        query.set(key.subarray(at, at + WIDTH), b * WIDTH);
        for (let n = 0; n < KEYS; n++) {
            const mark = Math.floor(random() * MARKS);
            value[(b * KEYS + n) * MARKS + mark] = 1;
            if (n === asked) right.push(mark);
        }
    }
    return {
        query: { data: query, shape: [count, 1, WIDTH] },
        key: { data: key, shape: [count, KEYS, WIDTH] },
        value: { data: value, shape: [count, KEYS, MARKS] },
        right,
    };
}

function* batchesFrom(random) {
    const normal = normalFrom(random);
    for (;;) yield problems(BATCH, random, normal);
}

/** The head, its parameters as lists of its own. */
class Head {
    #layer;
    #shapes;

    constructor(engine, { seed, headDim, scaled }) {
        this.#layer = engine.multiHeadAttention({
            embedDim: WIDTH, heads: 1, headDim, valueInputDim: MARKS, valueHeadDim: MARKS,
            outputDim: MARKS, bias: false, scale: scaled ? 1 / Math.sqrt(headDim) : 1,
        });
        const normal = normalFrom(randomFrom(seed));
        this.#shapes = Object.entries(this.#layer.stateDict()).map(([name, { shape }]) => (
            [name, shape]));
        this.shapes = Object.fromEntries(this.#shapes);
        this.parameters = Object.fromEntries(this.#shapes.map(([name, [rows, columns]]) => (
            [name, Float32Array.from({ length: rows * columns }, () => (
                normal() / Math.sqrt(columns)))])));
    }

    #load() {
        this.#layer.loadStateDict(Object.fromEntries(this.#shapes.map(([name, shape]) => (
            [name, { data: this.parameters[name], shape }]))));
        this.#layer.zeroGrad();
    }

    /** softmax of the output, (B, MARKS). */
    #shares(output, count) {
        const shares = new Float64Array(count * MARKS);
        for (let b = 0; b < count; b++) {
            const row = shares.subarray(b * MARKS, (b + 1) * MARKS);
            const largest = Math.max(...output.subarray(b * MARKS, (b + 1) * MARKS));
            let total = 0;
            for (let n = 0; n < MARKS; n++) total += row[n] = exp(output[b * MARKS + n] - largest);
            for (let n = 0; n < MARKS; n++) row[n] /= total;
        }
        return shares;
    }

    learn({ query, key, value, right }) {
        this.#load();
        const { output, backward } = this.#layer.train(query, key, value);
        const count = right.length, shares = this.#shares(output.data, count);
        const slope = new Float32Array(count * MARKS);
        let answer = 0;
        for (let b = 0; b < count; b++) {
            answer -= log(shares[b * MARKS + right[b]]) / count;
            for (let n = 0; n < MARKS; n++) {
                slope[b * MARKS + n] = (shares[b * MARKS + n] - Number(n === right[b])) / count;
            }
        }
        backward({ data: slope, shape: [count, 1, MARKS] });
        const slopes = Object.fromEntries(
            Object.entries(this.#layer.grads).map(([name, { data }]) => [name, data]));
        return { answer, slopes };
    }

    /** The share of problems that are solved, and the mean of each row's largest weight. */
    solve({ query, key, value, right }) {
        this.#load();
        const { output, weights } = this.#layer.inspect(query, key, value);
        let solved = 0, largest = 0;
        right.forEach((mark, b) => {
            const row = output.data.subarray(b * MARKS, (b + 1) * MARKS);
            solved += Number(row.indexOf(Math.max(...row)) === mark);
            largest += Math.max(...weights.data.subarray(b * KEYS, (b + 1) * KEYS));
        });
        return { accuracy: solved / right.length, largest: largest / right.length };
    }

    dispose() {
        this.#layer.dispose();
    }
}

const METHODS = {
    adamw: (rate) => ({ kind: 'adamw', lr: rate, beta2: 0.99, weightDecay: 0 }),
    sgd: (rate) => ({ kind: 'sgd', lr: rate }),
};

export class LookupLesson extends Lesson {
    /**
     * @param {Engine} engine
     * @param {object} options
     * @param {number} options.seed
     * @param {number} options.headDim
     * @param {boolean} options.scaled
     * @param {'adamw' | 'sgd'} options.method
     * @param {number} options.rate
     * @param {number} [options.steps]
     */
    constructor(engine, { seed, headDim, scaled, method, rate, steps = STEPS }) {
        super(engine, {
            options: { seed, headDim, scaled, method, rate, steps },
            model: new Head(engine, { seed, headDim, scaled }),
            batches: batchesFrom(randomFrom(seed ^ 0x5eed)),
            method: METHODS[method](rate),
        });
        const random = randomFrom(17);
        this.heldOut = problems(HELD_OUT, random, normalFrom(random));
    }

    learn(batch) {
        const { answer, slopes } = this.model.learn(batch);
        return { loss: { answer }, slopes };
    }

    look() {
        return { numbers: this.model.solve(this.heldOut) };
    }
}
