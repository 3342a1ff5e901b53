// engine.js: the calls on the core, and what lives between them.
//
// A call goes: arguments to a Call (params.js), structure filled and judged, memory brought, data
// copied in, run, copied out; its mark is released however it ends. Results are copies.
//
// wasm memory cannot shrink: after a call that needed much, a fresh instance takes over.

/** @import { Simd } from './bytes.js' */
/** @import { Pointers } from './instance.js' */
/** @import { Call } from './params.js' */
/** @import {
 *     AttentionOptions, MemoryReport, Tensor, TensorLike, Trace, WhatIf,
 * } from './types.js' */

import { AttnError, fail } from './errors.js';
import { Instance } from './instance.js';
import { readCall, readWhatIf } from './params.js';
import { Result } from './result.js';
import { rowsOf } from './shapes.js';
import { sizeOf } from './tensor.js';

/** A larger memory is given back when no call runs. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Stages with one number for each query and key, as they are called here and in C. */
const SCORE_STAGES = ['scores', 'scaled', 'capped', 'masked', 'weights', 'dropped'];

/** Stages with one number for each query, and their fields in attn_trace_params. */
const ROW_STAGES = Object.entries({
    rowMax: 'row_max', rowSum: 'row_sum', logSumExp: 'lse', entropy: 'entropy',
});

/**
 * How many numbers each stage has, by field name.
 *
 * @param {Call} call
 */
function countsOf({ sizes: { batch, queryHeads, queryLength, keyLength } }) {
    const rows = batch * queryHeads * queryLength;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const stage of SCORE_STAGES) counts[stage] = rows * keyLength;
    for (const [, field] of ROW_STAGES) counts[field] = rows;
    return counts;
}

/**
 * Every intermediate as a copy.
 *
 * @param {Instance} instance
 * @param {Call} call
 * @param {Pointers} inputs
 * @param {Pointers} stages
 * @param {number} out
 * @returns {Trace}
 */
function traceOf(instance, call, inputs, stages, out) {
    const { q, k, v, sizes } = call;
    /** @type {Record<string, Tensor>} */
    const trace = {};
    /** @type {(name: string, pointer: number, shape: readonly number[]) => void} */
    const add = (name, pointer, shape) => {
        trace[name] = new Result(instance.memory.copyOut(pointer, sizeOf(shape)), shape);
    };
    for (const { name, shape } of [q, k, v]) add(name, inputs[name], shape);
    for (const stage of SCORE_STAGES) add(stage, stages[stage], rowsOf(q, sizes, sizes.keyLength));
    trace.output = instance.output(call, out);
    for (const [name, field] of ROW_STAGES) add(name, stages[field], rowsOf(q, sizes));
    return /** @type {Trace} */ (/** @type {unknown} */ (trace));
}

export class Engine {
    #module;
    #maxMemory;
    /** @type {Instance | null} */
    #instance;
    #simd;
    #peak = 0;

    /**
     * @internal
     * @param {WebAssembly.Module} module
     * @param {number} maxMemory
     */
    constructor(module, maxMemory) {
        this.#module = module;
        this.#maxMemory = maxMemory;
        this.#instance = new Instance(module, maxMemory);
        this.#simd = this.#instance.simd();
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
        return this.#instance === null;
    }

    /** @param {string} call */
    #living(call) {
        if (!this.#instance) throw fail('disposed', { call });
        return this.#instance;
    }

    /** A fresh instance, with the smallest memory. A thread that refuses one keeps what it has. */
    #replace() {
        try {
            const fresh = new Instance(this.#module, this.#maxMemory);
            this.#peak = this.memory().peak;
            this.#instance = fresh;
        } catch (error) {
            if (!(error instanceof AttnError)) throw error;
        }
    }

    /**
     * Releases what a call took, and a memory that grew large.
     *
     * @param {Instance} instance
     * @param {number} mark
     */
    #finish(instance, mark) {
        const { memory } = instance;
        memory.release(mark);
        const isIdle = instance === this.#instance && memory.used === 0;
        if (isIdle && memory.reserved > KEPT_BYTES) this.#replace();
    }

    /**
     * softmax(scale · q·kᵀ + masks) · v, for any length: no score matrix is ever held.
     *
     * @param {TensorLike} q (B, Hq, Tq, D), (Hq, Tq, D) or (Tq, D)
     * @param {TensorLike} k (B, Hk, Tk, D); Hq is a multiple of Hk
     * @param {TensorLike} v (B, Hk, Tk, Dv)
     * @param {AttentionOptions} [options]
     * @returns {Tensor} (B, Hq, Tq, Dv), with the rank of q
     */
    attention(q, k, v, options) {
        this.#living('attention');
        const call = readCall('attention', q, k, v, options);
        const instance = this.#living('attention'), mark = instance.memory.mark();
        try {
            const prepared = instance.prepare(call);
            instance.forward(call, prepared);
            return instance.output(call, prepared.out);
        } finally {
            this.#finish(instance, mark);
        }
    }

    /**
     * The same by its definition, with every intermediate; for sizes that a person can look at.
     *
     * @param {TensorLike} q as for attention()
     * @param {TensorLike} k
     * @param {TensorLike} v
     * @param {AttentionOptions} [options]
     * @param {WhatIf} [whatIf] mistakes to look at
     * @returns {Trace}
     */
    inspect(q, k, v, options, whatIf) {
        this.#living('inspect');
        const call = readCall('inspect', q, k, v, options);
        const asked = readWhatIf(whatIf, call), counts = countsOf(call);
        const instance = this.#living('inspect'), { memory } = instance, mark = memory.mark();
        try {
            const prepared = instance.prepare(call);
            const numbers = Object.values(counts).reduce((sum, count) => sum + count, 0);
            const needed = memory.needed + 4 * numbers, { limit } = memory;
            if (needed > limit) {
                const { batch, queryHeads, queryLength, keyLength } = call.sizes;
                const scores = [batch, queryHeads, queryLength, keyLength];
                const arrays = SCORE_STAGES.length;
                throw fail('tooLargeToInspect', { arrays, scores, needed, limit });
            }
            const stages = instance.trace(call, prepared, asked, counts);
            return traceOf(instance, call, prepared.pointers, stages, prepared.out);
        } finally {
            this.#finish(instance, mark);
        }
    }

    /**
     * Bytes of wasm memory, for whoever hunts a leak.
     *
     * @returns {MemoryReport}
     */
    memory() {
        if (!this.#instance) return { used: 0, peak: this.#peak, reserved: 0, handles: 0 };
        const { used, peak, reserved } = this.#instance.memory;
        return { used, peak: Math.max(peak, this.#peak), reserved, handles: 0 };
    }

    /** Gives memory back to the system, unless a call is running. */
    trim() {
        if (this.#living('trim').memory.used === 0) this.#replace();
    }

    /** Ends the engine and frees its memory; later calls throw DISPOSED. May be called again. */
    dispose() {
        this.#peak = this.memory().peak;
        this.#instance = null;
    }

    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose]() {
        this.dispose();
    }
}
