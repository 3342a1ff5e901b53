// heads.js: multi-head attention with projections, whose weights live in wasm memory.

/** @import { Host } from './host.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { ModuleCall } from './module.js' */
/** @import {
 *     F32, ModuleOptions, ModuleTrace, MultiHeadConfig, Tensor, TensorLike, TrainingOptions,
 *     TrainingResult, Weights,
 * } from './types.js' */

import { outputOf } from './attend.js';
import { fail } from './errors.js';
import { readBackward } from './gradients.js';
import { Handle, bindMethods } from './handle.js';
import { prepare, runModule, runModuleInspection } from './layer.js';
import { emptyCall, readModule, readModuleCall } from './module.js';
import { Optimizer } from './optimizer.js';
import { runModuleBackward, runTraining } from './training.js';
import { readSeed } from './values.js';
import {
    countOf, initialWeights, isStacked, partsOf, readWeights, storeWeights, weightsUnderNames,
} from './weights.js';

/** softmax(scale · q·kᵀ) · v in several heads, between projections. */
export class MultiHeadAttention {
    #host;
    #module;
    #parts;
    #handle;
    /** @type {Pointers} */
    #weights;
    /**
     * Sums of gradients, as the weights lie, once there are any.
     * @type {F32 | null}
     */
    #sums = null;
    /** Grows with every change of the weights. */
    #version = 0;

    /**
     * @internal
     * @param {Host} host
     * @param {MultiHeadConfig} given
     */
    constructor(host, given) {
        const name = 'multiHeadAttention';
        host.living(name);
        const module = readModule(given), { config } = module;
        host.run(name, () => emptyCall(module, name), (instance, call) => {
            prepare(instance, module, call, {});
        });
        this.#host = host;
        this.#module = module;
        this.#parts = partsOf(module);
        const seed = readSeed(config.seed);
        const weights = config.weights === undefined ? initialWeights(this.#parts, seed)
            : readWeights(this.#parts, config.weights);
        this.#handle = new Handle(host, name, 'multi-head attention', countOf(this.#parts) * 4);
        const { instance, pointer } = this.#handle.living(name);
        this.#weights = Object.fromEntries(this.#parts.map(({ field, offset }) => (
            [field, pointer + offset * 4])));
        storeWeights(instance.memory, pointer, weights);
        bindMethods(this);
    }

    #slopes() {
        this.#sums ??= new Float32Array(countOf(this.#parts));
        return this.#sums;
    }

    /**
     * @template T
     * @param {string} name
     * @param {TensorLike} query
     * @param {TensorLike | null | undefined} key
     * @param {TensorLike | null | undefined} value
     * @param {ModuleOptions | undefined} options
     * @param {(instance: Instance, call: ModuleCall) => T} work
     */
    #run(name, query, key, value, options, work) {
        return this.#handle.run(name, () => (
            readModuleCall(this.#module, this.#host, name, query, key, value, options)), work);
    }

    /**
     * The attention of query to key and value, each (B, T, width) or (T, width).
     *
     * @param {TensorLike} query
     * @param {TensorLike | null} [key] default query; null only reads the cache
     * @param {TensorLike | null} [value] default key
     * @param {ModuleOptions} [options]
     * @returns {Tensor} (B, Tq, outputDim), with the rank of query
     */
    forward(query, key, value, options) {
        return this.#run('forward', query, key, value, options, (instance, call) => {
            const prepared = prepare(instance, this.#module, call, this.#weights);
            runModule(instance, call, prepared);
            return outputOf(instance, call, prepared.out);
        });
    }

    /**
     * The same with every intermediate; for sizes that a person can look at.
     *
     * @param {TensorLike} query as for forward()
     * @param {TensorLike | null} [key]
     * @param {TensorLike | null} [value]
     * @param {ModuleOptions} [options]
     * @returns {ModuleTrace}
     */
    inspect(query, key, value, options) {
        return this.#run('inspect', query, key, value, options, (instance, call) => (
            runModuleInspection(instance, this.#module, call, this.#weights)));
    }

    /**
     * forward() with what its gradients need, and with the dropout of the config: backward(dOutput)
     * adds the gradients of the weights to grads and returns those of the inputs. It keeps its own
     * copies of these, and is refused once the weights have changed.
     *
     * @param {TensorLike} query as for forward()
     * @param {TensorLike} [key]
     * @param {TensorLike} [value]
     * @param {TrainingOptions} [options]
     * @returns {TrainingResult}
     */
    train(query, key, value, options) {
        const module = this.#module, version = this.#version;
        const read = () => (
            readModuleCall(module, this.#host, 'train', query, key, value, options, true));
        return this.#handle.run('train', read, (instance, call) => {
            const { kept, ...results } = runTraining(instance, module, call, this.#weights);
            return {
                ...results,
                backward: (dOutput, asked) => this.#handle.run('backward', () => (
                    readBackward(dOutput, asked, call.outShape)), (now, given) => {
                    if (version !== this.#version) throw fail('weightsChanged');
                    return runModuleBackward(now, module, kept, this.#weights, given, this.#parts,
                        this.#slopes());
                }),
            };
        });
    }

    /**
     * Copies of the sums of the weights' gradients since the last zeroGrad(), named and turned as
     * in stateDict().
     *
     * @returns {Record<string, Tensor>}
     */
    get grads() {
        this.#handle.living('grads');
        return weightsUnderNames({ f32: this.#slopes() }, 0, this.#parts, isStacked(this.#module));
    }

    /** Sets every gradient to 0. */
    zeroGrad() {
        this.#handle.living('zeroGrad');
        this.#sums = null;
    }

    /**
     * Moves the weights against their gradients, which stay as they are.
     *
     * @param {Optimizer} optimizer
     */
    step(optimizer) {
        this.#handle.run('step', () => Optimizer.check(optimizer), (instance) => {
            const { memory } = instance, slopes = this.#slopes(), { length } = slopes;
            const { pointer } = this.#handle.living('step'), grads = memory.take(length * 4);
            memory.reserve();
            memory.f32.set(slopes, grads / 4);
            Optimizer.move(optimizer, instance, { key: this, part: '' }, length, pointer, grads);
            this.#version++;
        });
    }

    /**
     * Copies of the weights under torch's names, (out, in): in_proj_weight where q, k and v have
     * one width and as many heads, else q_proj_weight, k_proj_weight and v_proj_weight.
     *
     * @returns {Record<string, Tensor>}
     */
    stateDict() {
        const { instance, pointer } = this.#handle.living('stateDict');
        return weightsUnderNames(instance.memory, pointer, this.#parts, isStacked(this.#module));
    }

    /**
     * Replaces all weights; those that do not fit are refused before any is replaced.
     *
     * @param {Weights} weights
     */
    loadStateDict(weights) {
        this.#handle.living('loadStateDict');
        const read = readWeights(this.#parts, weights);
        const { instance, pointer } = this.#handle.living('loadStateDict');
        storeWeights(instance.memory, pointer, read);
        this.#version++;
    }

    /** Frees its memory; later calls throw DISPOSED. May be called again. */
    dispose() {
        this.#handle.dispose();
    }

    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose]() {
        this.dispose();
    }
}
