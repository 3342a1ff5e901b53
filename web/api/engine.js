// engine.js: the calls, and what lives between them.
//
// A call goes: arguments read (params.js), structure filled and judged, memory brought, data copied
// in, run, copied out (attend.js); its mark is released however it ends (host.js). Results are
// copies.

/** @import { Simd } from './bytes.js' */
/** @import {
 *     AttentionOptions, CacheConfig, ForwardOptions, ForwardResult, MemoryReport, MultiHeadConfig,
 *     OptimizerConfig, RopeOptions, Tensor, TensorLike, Trace, WhatIf,
 * } from './types.js' */

import { runAttention, runInspection } from './attend.js';
import { KVCache } from './cache.js';
import { runForward } from './gradients.js';
import { bindMethods } from './handle.js';
import { MultiHeadAttention } from './heads.js';
import { Host } from './host.js';
import { jacobianOf } from './jacobian.js';
import { Optimizer } from './optimizer.js';
import { FORWARD_OPTIONS } from './options.js';
import { readCall, readWhatIf } from './params.js';
import { readRope, runRope } from './rope.js';

export class Engine {
    #host;
    #simd;

    /**
     * @internal
     * @param {WebAssembly.Module} module
     * @param {number} maxMemory
     */
    constructor(module, maxMemory) {
        this.#host = new Host(module, maxMemory);
        this.#simd = this.#host.living('load').simd();
        bindMethods(this);
    }

    /**
     * The build of the core that runs.
     *
     * @returns {{ readonly simd: Simd }}
     */
    get features() {
        return { simd: this.#simd };
    }

    /** @internal */
    get disposed() {
        return this.#host.disposed;
    }

    /**
     * softmax(scale · q·kᵀ + masks) · v, for any length: no score matrix is ever held.
     *
     * @param {TensorLike} q (B, Hq, Tq, D), (Hq, Tq, D) or (Tq, D)
     * @param {TensorLike | null} k (B, Hk, Tk, D); Hq is a multiple of Hk. With a cache k and v may
     *     be null
     * @param {TensorLike | null} v (B, Hk, Tk, Dv)
     * @param {AttentionOptions} [options]
     * @returns {Tensor} (B, Hq, Tq, Dv), with the rank of q
     */
    attention(q, k, v, options) {
        const host = this.#host;
        host.living('attention');
        const call = readCall(host, 'attention', q, k, v, options);
        return host.work('attention', call, runAttention);
    }

    /**
     * The same by its definition, with every intermediate; for sizes that a person can look at.
     *
     * @param {TensorLike} q as for attention()
     * @param {TensorLike | null} k
     * @param {TensorLike | null} v
     * @param {AttentionOptions} [options]
     * @param {WhatIf} [whatIf] mistakes to look at
     * @returns {Trace}
     */
    inspect(q, k, v, options, whatIf) {
        const read = () => {
            const call = readCall(this.#host, 'inspect', q, k, v, options);
            return { ...call, whatIf: readWhatIf(whatIf, call) };
        };
        return this.#host.run('inspect', read, runInspection);
    }

    /**
     * attention() with what its gradients need: backward(dOutput) gives dq, dk and dv. It keeps its
     * own copies: nothing to dispose of, and later edits of inputs or results change nothing.
     *
     * @param {TensorLike} q (B, Hq, Tq, D), (Hq, Tq, D) or (Tq, D)
     * @param {TensorLike} k (B, Hk, Tk, D)
     * @param {TensorLike} v (B, Hk, Tk, Dv)
     * @param {ForwardOptions} [options]
     * @returns {ForwardResult}
     */
    forward(q, k, v, options) {
        const host = this.#host;
        const read = () => readCall(host, 'forward', q, k, v, options, FORWARD_OPTIONS);
        return host.run('forward', read, (instance, call) => runForward(instance, call, host));
    }

    /**
     * How each weight of a row of the softmax answers to each score: dw_i / ds_j =
     * w_i · ((i = j) - w_j).
     *
     * @param {TensorLike | Float32Array | Float64Array} weightsRow (T)
     * @returns {Tensor} (T, T): weights down, scores across
     */
    softmaxJacobian(weightsRow) {
        this.#host.living('softmaxJacobian');
        return jacobianOf(weightsRow);
    }

    /**
     * Steps of training, for lists of numbers and for modules. There is nothing to dispose of.
     *
     * @param {OptimizerConfig} config
     * @returns {Optimizer}
     */
    optimizer(config) {
        return new Optimizer(this.#host, config);
    }

    /**
     * Multi-head attention with projections. Lives in wasm memory until dispose().
     *
     * @param {MultiHeadConfig} config
     * @returns {MultiHeadAttention}
     */
    multiHeadAttention(config) {
        return new MultiHeadAttention(this.#host, config);
    }

    /**
     * A cache of keys and values, for generation. Lives in wasm memory until dispose().
     *
     * @param {CacheConfig} config
     * @returns {KVCache}
     */
    kvCache(config) {
        return new KVCache(this.#host, config);
    }

    /**
     * Rotary position embedding: x turned by its positions.
     *
     * @param {TensorLike} x (B, H, T, D), (H, T, D) or (T, D)
     * @param {RopeOptions} [options]
     * @returns {Tensor} of the shape of x
     */
    rope(x, options) {
        return this.#host.run('rope', () => readRope(x, options), runRope);
    }

    /**
     * Bytes of wasm memory, for whoever hunts a leak.
     *
     * @returns {MemoryReport}
     */
    memory() {
        return this.#host.report();
    }

    /** Gives memory back to the system, unless a call is running or a handle lives. */
    trim() {
        this.#host.living('trim');
        this.#host.trim();
    }

    /**
     * Ends the engine with all its handles and frees its memory; later calls throw DISPOSED. May be
     * called again.
     */
    dispose() {
        this.#host.dispose();
    }

    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose]() {
        this.dispose();
    }
}
