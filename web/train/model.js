// model.js: a small model of two layers of self-attention, and its gradients.
//
//     x0 = embedding[token] + position      x1 = x0 + layer1(x0)      x2 = x1 + layer2(x1)
//     probability of each word = softmax(x2·R + r), read at "it" or at every word
//
// There are no other parts: no normalisation, no feed-forward layers. The attention is the
// engine's; sums and the readout are a few loops here. Parameters are lists of
// the model's own, so that they can be kept and brought back; the modules compute with copies.
//
// Only rows that are read are computed of layer 2 in training.

import { exp, log } from './exact.js';
import { LENGTH, PLACE_OF, WORDS } from './grammar.js';
import { randomFrom } from './random.js';

/** @import { Engine } from '../api/engine.js' */
/** @import { Sentence } from './grammar.js' */

const WIDTH = 32, HEADS = 4, HEAD_WIDTH = WIDTH / HEADS, VOCABULARY = WORDS.length;

/** The head of layer 2 that the auxiliary loss teaches to point. */
export const POINTER = 0;

/** @typedef {Record<string, Float32Array>} Lists parameters, or gradients of the same names */

/** What is learned from: words, and those that are right at the rows that are read. */
/** @typedef {{ tokens: number[], targets: number[], referent?: number }} Lesson */

/**
 * Parameters, from a seed.
 *
 * @param {number} seed
 * @param {Record<string, import('../api/types.js').Tensor>[]} layers as the engine begins them
 * @returns {Lists}
 */
function initialParameters(seed, layers) {
    const random = randomFrom(seed);
    const uniform = (count, limit) => (
        Float32Array.from({ length: count }, () => limit * (2 * random() - 1)));
    const lists = {
        embedding: uniform(VOCABULARY * WIDTH, 0.5),
        position: uniform(LENGTH * WIDTH, 0.5),
        readout: uniform(VOCABULARY * WIDTH, Math.sqrt(6 / (VOCABULARY + WIDTH))),
        readoutBias: new Float32Array(VOCABULARY),
    };
    layers.forEach((layer, n) => {
        for (const [name, { data }] of Object.entries(layer)) lists[`layer${n + 1}.${name}`] = data;
    });
    return lists;
}

/** Adds a list to another. */
function add(to, from) {
    for (let n = 0; n < from.length; n++) to[n] += from[n];
}

export class Model {
    #layers;
    #pointer;
    #causal;
    #from;
    #count;
    #shapes;

    /**
     * @param {Engine} engine
     * @param {object} options
     * @param {number} options.seed
     * @param {boolean} [options.causal] no word sees a later one
     * @param {number} [options.from] the first row that is read
     * @param {number} [options.count] how many rows are
     */
    constructor(engine, { seed, causal = false, from = PLACE_OF.it, count = 1 }) {
        this.#causal = causal;
        this.#from = from;
        this.#count = count;
        this.#layers = [1, 2].map((n) => (
            engine.multiHeadAttention({ embedDim: WIDTH, heads: HEADS, seed: seed * 2 + n })));
        const states = this.#layers.map((layer) => layer.stateDict());
        this.#shapes = states.map((state) => (
            Object.entries(state).map(([name, { shape }]) => ({ name, shape }))));
        /** @type {Lists} */
        this.parameters = initialParameters(seed, states);
        // One head by itself, whose values are the unit vectors: its output is its weights.
        this.#pointer = engine.multiHeadAttention({
            embedDim: WIDTH, heads: 1, headDim: HEAD_WIDTH, keyInputDim: WIDTH,
            valueInputDim: LENGTH, valueHeadDim: LENGTH, outputProjection: false,
        });
    }

    get words() { return WORDS; }

    /** The shapes of the parameters; those of the layers are torch's. */
    get shapes() {
        const layers = this.#shapes.flatMap((all, n) => (
            all.map(({ name, shape }) => [`layer${n + 1}.${name}`, shape])));
        return {
            embedding: [VOCABULARY, WIDTH], position: [LENGTH, WIDTH],
            readout: [VOCABULARY, WIDTH], readoutBias: [VOCABULARY],
            ...Object.fromEntries(layers),
        };
    }

    /** How many numbers are learned. */
    get count() {
        return Object.values(this.parameters).reduce((sum, { length }) => sum + length, 0);
    }

    dispose() {
        for (const module of [...this.#layers, this.#pointer]) module.dispose();
    }

    /** The parameters, as the modules' own. */
    #load() {
        this.#layers.forEach((layer, n) => {
            layer.loadStateDict(Object.fromEntries(this.#shapes[n].map(({ name, shape }) => (
                [name, { data: this.parameters[`layer${n + 1}.${name}`], shape }]))));
            layer.zeroGrad();
        });
    }

    /** The rows of q or k (0 or 1) of the pointing head in layer 2's in_proj. */
    #rowsOf(which) {
        const start = which * WIDTH + POINTER * HEAD_WIDTH;
        return [start, start + HEAD_WIDTH];
    }

    #loadPointer() {
        const { parameters } = this, cut = (name, which, width) => {
            const [start, end] = this.#rowsOf(which);
            return parameters[`layer2.${name}`].subarray(start * width, end * width);
        };
        const unit = Float32Array.from({ length: LENGTH * LENGTH }, (_, n) => (
            Number(n % (LENGTH + 1) === 0)));
        const biases = new Float32Array(2 * HEAD_WIDTH + LENGTH);
        [0, 1].forEach((which) => biases.set(cut('in_proj_bias', which, 1), which * HEAD_WIDTH));
        this.#pointer.loadStateDict({
            q_proj_weight: { data: cut('in_proj_weight', 0, WIDTH), shape: [HEAD_WIDTH, WIDTH] },
            k_proj_weight: { data: cut('in_proj_weight', 1, WIDTH), shape: [HEAD_WIDTH, WIDTH] },
            v_proj_weight: { data: unit, shape: [LENGTH, LENGTH] },
            in_proj_bias: { data: biases, shape: [biases.length] },
        });
        this.#pointer.zeroGrad();
    }

    /** x0 of sentences that are equally long, (B, T, WIDTH). */
    #embed(batch) {
        const { embedding, position } = this.parameters, { length } = batch[0].tokens;
        const x = new Float32Array(batch.length * length * WIDTH);
        batch.forEach(({ tokens }, b) => tokens.forEach((token, t) => {
            const at = (b * length + t) * WIDTH;
            for (let d = 0; d < WIDTH; d++) {
                x[at + d] = embedding[token * WIDTH + d] + position[t * WIDTH + d];
            }
        }));
        return { data: x, shape: [batch.length, length, WIDTH] };
    }

    /** Some rows of each sentence, (B, count, WIDTH). */
    #rows({ data, shape: [size, length] }, from, count) {
        const rows = new Float32Array(size * count * WIDTH);
        for (let b = 0; b < size; b++) {
            const at = (b * length + from) * WIDTH;
            rows.set(data.subarray(at, at + count * WIDTH), b * count * WIDTH);
        }
        return { data: rows, shape: [size, count, WIDTH] };
    }

    /** softmax(x2·R + r), (rows, VOCABULARY). */
    #read(x2, count) {
        const { readout, readoutBias } = this.parameters;
        const probabilities = new Float64Array(count * VOCABULARY);
        for (let b = 0; b < count; b++) {
            const row = probabilities.subarray(b * VOCABULARY, (b + 1) * VOCABULARY);
            let largest = -Infinity, total = 0;
            for (let w = 0; w < VOCABULARY; w++) {
                let logit = readoutBias[w];
                for (let d = 0; d < WIDTH; d++) logit += readout[w * WIDTH + d] * x2[b * WIDTH + d];
                row[w] = logit;
                largest = Math.max(largest, logit);
            }
            for (let w = 0; w < VOCABULARY; w++) total += row[w] = exp(row[w] - largest);
            for (let w = 0; w < VOCABULARY; w++) row[w] /= total;
        }
        return probabilities;
    }

    /**
     * The mean loss over rows, -log of the probability of the right word, and the gradient of every
     * parameter; with `auxiliary` > 0 also so many times -log of the weight that the pointing head
     * of "it" has on the noun that it refers to.
     *
     * @param {readonly Lesson[]} batch
     * @param {number} [auxiliary]
     */
    learn(batch, auxiliary = 0) {
        const { parameters } = this, [layer1, layer2] = this.#layers, causal = this.#causal;
        const from = this.#from, perSentence = this.#count, count = batch.length * perSentence;
        const place = { causal, queryOffset: from };
        /** @type {Lists} */
        const slopes = Object.fromEntries(Object.entries(parameters).map(([name, { length }]) => (
            [name, new Float32Array(length)])));
        this.#load();
        const x0 = this.#embed(batch), first = layer1.train(x0, undefined, undefined, { causal });
        const x1 = { data: first.output.data.slice(), shape: x0.shape };
        add(x1.data, x0.data);
        const it = this.#rows(x1, from, perSentence);
        const second = layer2.train(it, x1, undefined, place);
        const x2 = second.output.data.slice();
        add(x2, it.data);

        const loss = { answer: 0, pointing: 0 }, probabilities = this.#read(x2, count);
        const dx2 = new Float32Array(count * WIDTH);
        batch.flatMap(({ targets }) => targets).forEach((right, b) => {
            loss.answer -= log(probabilities[b * VOCABULARY + right]) / count;
            for (let w = 0; w < VOCABULARY; w++) {
                const slope = (probabilities[b * VOCABULARY + w] - Number(w === right)) / count;
                slopes.readoutBias[w] += slope;
                for (let d = 0; d < WIDTH; d++) {
                    slopes.readout[w * WIDTH + d] += slope * x2[b * WIDTH + d];
                    dx2[b * WIDTH + d] += slope * parameters.readout[w * WIDTH + d];
                }
            }
        });
        const back = second.backward({ data: dx2, shape: it.shape });
        const dIt = dx2, dx1 = back.dKey.data;
        add(dx1, back.dValue.data);
        add(dIt, back.dQuery.data);
        if (auxiliary > 0) {
            const pointed = this.#point(batch, it, x1, place, auxiliary, slopes);
            loss.pointing = pointed.loss;
            add(dIt, pointed.dQuery.data);
            add(dx1, pointed.dKey.data);
        }
        const [, length] = x0.shape, block = perSentence * WIDTH;
        batch.forEach((_, b) => {
            const at = (b * length + from) * WIDTH;
            add(dx1.subarray(at, at + block), dIt.subarray(b * block, (b + 1) * block));
        });
        const { dQuery, dKey, dValue } = first.backward({ data: dx1, shape: x0.shape });
        for (const share of [dQuery, dKey, dValue]) add(dx1, share.data);
        batch.forEach(({ tokens }, b) => tokens.forEach((token, t) => {
            const row = dx1.subarray((b * length + t) * WIDTH, (b * length + t + 1) * WIDTH);
            add(slopes.embedding.subarray(token * WIDTH, (token + 1) * WIDTH), row);
            add(slopes.position.subarray(t * WIDTH, (t + 1) * WIDTH), row);
        }));
        this.#layers.forEach((layer, n) => {
            for (const [name, { data }] of Object.entries(layer.grads)) {
                add(slopes[`layer${n + 1}.${name}`], data);
            }
        });
        return { loss, slopes };
    }

    /** The auxiliary loss, and its gradients: of rows of layer 2's weights into slopes. */
    #point(batch, it, x1, place, auxiliary, slopes) {
        const count = batch.length, units = new Float32Array(count * LENGTH * LENGTH);
        for (let n = 0; n < count * LENGTH; n++) units[n * LENGTH + n % LENGTH] = 1;
        const dWeights = new Float32Array(count * LENGTH);
        this.#loadPointer();
        const { output, backward } = this.#pointer.train(it, x1,
            { data: units, shape: [count, LENGTH, LENGTH] }, place);
        let loss = 0;
        batch.forEach(({ referent }, b) => {
            const weight = output.data[b * LENGTH + referent];
            loss -= log(weight) / count;
            dWeights[b * LENGTH + referent] = -auxiliary / (count * weight);
        });
        const inputs = backward({ data: dWeights, shape: [count, 1, LENGTH] });
        const { q_proj_weight: q, k_proj_weight: k, in_proj_bias: bias } = this.#pointer.grads;
        [q, k].forEach(({ data }, which) => {
            const [start, end] = this.#rowsOf(which);
            add(slopes['layer2.in_proj_weight'].subarray(start * WIDTH, end * WIDTH), data);
            add(slopes['layer2.in_proj_bias'].subarray(start, end),
                bias.data.subarray(which * HEAD_WIDTH, (which + 1) * HEAD_WIDTH));
        });
        return { loss, ...inputs };
    }

    /**
     * What the model answers for sentences at one row: the likeliest word, all probabilities, and
     * x2, which they are read from.
     *
     * @param {readonly { tokens: number[] }[]} batch
     * @param {number} [from] the row
     */
    answer(batch, from = this.#from) {
        const causal = this.#causal;
        this.#load();
        const x0 = this.#embed(batch), [layer1, layer2] = this.#layers;
        const x1 = layer1.forward(x0, undefined, undefined, { causal });
        add(x1.data, x0.data);
        const it = this.#rows(x1, from, 1);
        const x2 = layer2.forward(it, x1, undefined, { causal, queryOffset: from });
        add(x2.data, it.data);
        const probabilities = this.#read(x2.data, batch.length);
        return batch.map((_, b) => {
            const row = probabilities.subarray(b * VOCABULARY, (b + 1) * VOCABULARY);
            return {
                word: WORDS[row.indexOf(Math.max(...row))], probabilities: row,
                output: x2.data.subarray(b * WIDTH, (b + 1) * WIDTH),
            };
        });
    }

    /**
     * The attention maps of one sentence: of each layer (heads, T, T).
     *
     * @param {Sentence} sentence
     */
    maps(sentence) {
        const causal = this.#causal;
        this.#load();
        const x = this.#embed([sentence]);
        return this.#layers.map((layer) => {
            const { weights, output } = layer.inspect(x, undefined, undefined, { causal });
            add(x.data, output.data);
            return { data: weights.data, shape: weights.shape.slice(1) };
        });
    }
}
