// optimizer.js: steps of training, in the core; what an optimiser remembers lies here, by what it
// has stepped, so that there is nothing to dispose of.

/** @import { Host } from './host.js' */
/** @import { Instance } from './instance.js' */
/** @import { Input } from './tensor.js' */
/** @import { F32, NumberList, OptimizerConfig, OptimizerState } from './types.js' */

import { writeNumbers } from './elements.js';
import { fail } from './errors.js';
import { bindMethods } from './handle.js';
import { typedKind } from './kinds.js';
import { readChoice, readNumber, readOptions } from './options.js';
import { readNumbers } from './tensor.js';

/** attn_status of attention.h. */
const RANGE = 6;

/** @type {readonly (keyof OptimizerState)[]} */
const STATE = ['steps', 'averages'];

const FROM_0 = 'a finite number from 0', BELOW_1 = 'a number from 0, below 1 in float32';

/**
 * What each kind takes besides lr: its default, and what it may be.
 * @type {Record<string, Record<string, [otherwise: number | undefined, expected: string]>>}
 */
const RATES = {
    sgd: { lr: [undefined, FROM_0], momentum: [0, BELOW_1], weightDecay: [0, FROM_0] },
    adamw: {
        lr: [undefined, FROM_0],
        beta1: [0.9, BELOW_1],
        beta2: [0.999, BELOW_1],
        epsilon: [1e-8, 'a finite number above 0 in float32'],
        weightDecay: [0.01, FROM_0],
    },
};

/**
 * @typedef {{ kind: 'sgd' | 'adamw', rates: Record<string, number> }} Method
 * @typedef {{ averages: F32[], steps: number }} Remembered
 * @typedef {{ key: object, part: string }} Place of what is remembered
 */

/**
 * One step of the core over `count` numbers; averages are velocity, or m and v.
 *
 * @param {Instance} instance
 * @param {Method} method
 * @param {number} count
 * @param {number} params
 * @param {number} grads
 * @param {number[]} averages
 * @param {number} steps from 1
 */
function stepNow({ core }, { kind, rates }, count, params, grads, averages, steps) {
    if (kind === 'sgd') {
        const { lr, momentum, weightDecay } = rates;
        return core.sgd(count, params, grads, averages[0], lr, momentum, weightDecay);
    }
    const { lr, beta1, beta2, epsilon, weightDecay } = rates;
    return core.adamw(count, params, grads, averages[0], averages[1], steps, lr, beta1, beta2,
        epsilon, weightDecay);
}

/**
 * Every rate is judged by the core, alone among harmless ones.
 *
 * @param {Instance} instance
 * @param {OptimizerConfig} given
 * @returns {Method}
 */
function readMethod(instance, given) {
    const kinds = /** @type {OptimizerConfig['kind'][]} */ (Object.keys(RATES));
    const name = 'config', known = ['kind', ...new Set(Object.values(RATES).flatMap(Object.keys))];
    const { kind: asked } = readOptions(given, known, name);
    if (asked === undefined) {
        throw fail('badOption', { name: 'kind', got: asked, expected: "'sgd' or 'adamw'" });
    }
    const kind = readChoice('kind', asked, kinds);
    const config = /** @type {Record<string, any>} */ (
        readOptions(given, ['kind', ...Object.keys(RATES[kind])], name));
    /** @type {Record<string, number>} */
    const rates = {};
    const harmless = { lr: 0, momentum: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0 };
    for (const [rate, [otherwise, expected]] of Object.entries(RATES[kind])) {
        const { [rate]: value = otherwise } = config;
        if (value === undefined) throw fail('badNumber', { name: rate, got: value, expected });
        rates[rate] = readNumber(rate, value) ?? 0;
        const alone = { kind, rates: { ...harmless, [rate]: rates[rate] } };
        if (stepNow(instance, alone, 0, 0, 0, [0, 0], 1) !== RANGE) continue;
        throw fail('badNumber', { name: rate, got: value, expected });
    }
    return { kind, rates };
}

/**
 * A list of numbers by itself, or the data of a tensor.
 *
 * @param {any} value
 * @param {string} name
 * @returns {Input}
 */
function readList(value, name) {
    const data = Array.isArray(value) || ArrayBuffer.isView(value) ? value : value?.data;
    if (!Array.isArray(data) && !/^Float(32|64)Array$/.test(typedKind(data) ?? '')) {
        const expected = 'a Float32Array, a Float64Array, an array of numbers, or a tensor of '
            + 'these';
        throw fail('badOption', { name, got: value, expected });
    }
    const { length } = /** @type {number[]} */ (data);
    return readNumbers({ data, shape: [length] }, name);
}

/**
 * What is remembered of a list is kept by its buffer, if it has one, and the part of it.
 *
 * @param {Input} input
 * @returns {Place}
 */
function placeOf({ size, data }) {
    const { buffer = data, byteOffset = 0 } = /** @type {any} */ (data);
    return { key: buffer, part: partOf(byteOffset, size) };
}

/** @type {(start: number, count: number) => string} */
const partOf = (start, count) => `${start}, ${count}`;

/** SGD with momentum, or AdamW. */
export class Optimizer {
    #host;
    #method;
    /**
     * By what was stepped, an array, a buffer or a module, and the part of it.
     * @type {WeakMap<object, Map<string, Remembered>>}
     */
    #remembered = new WeakMap();

    /**
     * @internal
     * @param {Host} host
     * @param {OptimizerConfig} config
     */
    constructor(host, config) {
        this.#host = host;
        this.#method = readMethod(host.living('optimizer'), config);
        bindMethods(this);
    }

    /**
     * Moves parameters against their gradients, in place. Averages are kept for each list of
     * parameters: give the same array each time, or a view of the same part of a buffer.
     *
     * @param {NumberList} params
     * @param {NumberList} grads as many
     */
    step(params, grads) {
        this.#host.run('step', () => {
            const input = readList(params, 'params'), slope = readList(grads, 'grads');
            if (input.size > 0 && Object.isFrozen(input.data)) {
                const expected = 'an array that is not frozen';
                throw fail('badOption', { name: 'params', got: params, expected });
            }
            if (slope.size === input.size) return { input, slope };
            throw fail('badCount', { name: 'grads', shape: [input.size], got: slope.size });
        }, (instance, { input, slope }) => {
            const { memory } = instance, { size, data } = input;
            const at = memory.take(size * 4), from = memory.take(size * 4);
            memory.reserve();
            writeNumbers(input, memory, at);
            writeNumbers(slope, memory, from);
            Optimizer.move(this, instance, placeOf(input), size, at, from);
            const moved = memory.f32.subarray(at / 4, at / 4 + size);
            for (let n = 0; n < size; n++) data[n] = moved[n];
        });
    }

    /**
     * Copies of what is remembered of a list of parameters, so that training can go on elsewhere:
     * how many steps it took, and its averages: velocity, or m and v.
     *
     * @param {NumberList} params
     * @returns {OptimizerState}
     */
    stateDict(params) {
        this.#host.living('stateDict');
        const input = readList(params, 'params');
        const { steps, averages } = this.#recall(placeOf(input), input.size);
        return { steps, averages: averages.map((list) => list.slice()) };
    }

    /**
     * Goes on from what stateDict() gave, of as many parameters and an optimiser of the same kind.
     *
     * @param {NumberList} params
     * @param {OptimizerState} state
     */
    loadStateDict(params, state) {
        this.#host.living('loadStateDict');
        const input = readList(params, 'params'), { size } = input, { length } = this.#none(0);
        const { steps, averages } = /** @type {any} */ (readOptions(state, STATE, 'state'));
        if (!Number.isSafeInteger(steps) || steps < 0) {
            const expected = 'an integer from 0';
            throw fail('badNumber', { name: 'state.steps', got: steps, expected });
        }
        if (!Array.isArray(averages) || averages.length !== length) {
            const expected = length === 1 ? 'one list, of sgd' : 'two lists, of adamw';
            throw fail('badOption', { name: 'state.averages', got: averages, expected });
        }
        const copies = averages.map((list, n) => {
            const name = `state.averages[${n}]`, given = readList(list, name);
            if (given.size !== size) {
                throw fail('badCount', { name, shape: [size], got: given.size });
            }
            const copy = new Float32Array(size);
            writeNumbers(given, { f32: copy }, 0);
            return copy;
        });
        this.#keep(placeOf(input), { averages: copies, steps });
    }

    /** @param {number} count */
    #none(count) {
        const length = this.#method.kind === 'sgd' ? 1 : 2;
        return Array.from({ length }, () => new Float32Array(count));
    }

    /**
     * @param {Place} place
     * @param {number} count
     * @returns {Remembered}
     */
    #recall({ key, part }, count) {
        return this.#remembered.get(key)?.get(part) ?? { averages: this.#none(count), steps: 0 };
    }

    /**
     * @param {Place} place
     * @param {Remembered} now
     */
    #keep({ key, part }, now) {
        const parts = this.#remembered.get(key) ?? new Map();
        parts.set(part, now);
        this.#remembered.set(key, parts);
    }

    /**
     * A step over numbers that lie in wasm memory, within a call.
     *
     * @internal
     * @param {Optimizer} optimizer
     * @param {Instance} instance
     * @param {Place} place of what is remembered
     * @param {number} count
     * @param {number} params
     * @param {number} grads
     */
    static move(optimizer, instance, place, count, params, grads) {
        const { memory } = instance, { averages, steps } = optimizer.#recall(place, count);
        const places = averages.map(() => memory.take(count * 4));
        memory.reserve();
        averages.forEach((list, n) => memory.f32.set(list, places[n] / 4));
        stepNow(instance, optimizer.#method, count, params, grads, places, steps + 1);
        const after = places.map((at) => memory.copyOut(at, count));
        optimizer.#keep(place, { averages: after, steps: steps + 1 });
    }

    /**
     * Throws unless it is an optimiser.
     *
     * @internal
     * @param {any} optimizer
     */
    static check(optimizer) {
        if (typeof optimizer === 'object' && optimizer && #method in optimizer) return;
        const expected = 'what optimizer() returned';
        throw fail('badOption', { name: 'optimizer', got: optimizer, expected });
    }
}
