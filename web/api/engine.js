// engine.js: one instance of the wasm module, and the calls on it.
//
// A call goes: arguments to a Call (params.js), addresses for all its arrays, the structure filled,
// attn_check(), memory brought, data copied in, run, copied out; its mark is released however it ends.
//
// wasm memory cannot shrink: after a call that needed much, the instance is replaced by a fresh one.

/** @import { AttentionOptions, MemoryReport, Tensor, TensorLike, Trace, WhatIf } from './types.js' */
/** @import { Call, Placed } from './params.js' */
/** @import { Simd } from './bytes.js' */

import * as errors from './errors.js';
import { Memory } from './memory.js';
import { readCall, readWhatIf } from './params.js';
import { refusal } from './refusals.js';
import { rowsOf } from './shapes.js';
import { readLayout, writeFields } from './struct.js';
import { Result, sizeOf } from './tensor.js';
import { instantiate } from './wasm.js';

/** attn_op and attn_isa of attention.h. */
const OP_FORWARD = 0;
const ISA_RELAXED = 3;

/** A larger memory is given back when no call runs. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Names of the stages, here and in attn_trace_params. */
const SCORE_STAGES = /** @type {const} */ (['scores', 'scaled', 'capped', 'masked', 'weights', 'dropped']);
const ROW_STAGES = /** @type {const} */ ({
    rowMax: 'row_max', rowSum: 'row_sum', logSumExp: 'lse', entropy: 'entropy',
});

export class Engine {
    #module;
    #limit;
    #peak = 0;
    /** @type {ReturnType<typeof instantiate> | null} */
    #core = null;
    /** @type {Memory} */
    #memory;
    #params;
    #trace;
    #features;

    /** @internal @param {WebAssembly.Module} module @param {number} maxMemory */
    constructor(module, maxMemory) {
        this.#module = module;
        this.#limit = maxMemory;
        this.#memory = this.#start();
        const core = this.#living('load');
        this.#params = readLayout(this.#memory, core.params_layout() >>> 0);
        this.#trace = readLayout(this.#memory, core.trace_layout() >>> 0);
        this.#features = Object.freeze({ simd: this.#simd() });
    }

    /** The build of the core that runs. @returns {{ readonly simd: Simd }} */
    get features() { return this.#features; }

    /** A fresh instance and the memory of it. */
    #start() {
        const core = instantiate(this.#module);
        this.#core = core;
        return new Memory(core.memory, core.heap_base() >>> 0, this.#limit);
    }

    /** @param {string} call */
    #living(call) {
        if (!this.#core) throw errors.disposed(call);
        return this.#core;
    }

    /** A build holds one instruction set, and attn_check() accepts that one only. @returns {Simd} */
    #simd() {
        const core = this.#living('load'), memory = this.#memory, mark = memory.mark();
        const params = memory.take(this.#params.size);
        memory.reserve();
        core.defaults(params, 1, 1, 1, 1);
        writeFields(memory, this.#params, params, { isa: ISA_RELAXED });
        memory.release(mark);
        return core.check(params, 0) === 0 ? 'relaxed' : 'simd128';
    }

    /** Addresses for arrays: their pointers by field name. @param {Placed[]} arrays */
    #place(arrays) {
        /** @type {Record<string, number>} */
        const pointers = {};
        for (const { field, bytes } of arrays) pointers[field] = this.#memory.take(bytes);
        return pointers;
    }

    /** The structure, filled and judged; `out` is the address of the output. @param {Call} call */
    #prepare(call) {
        const core = this.#living('attention'), memory = this.#memory;
        const { batch, queryHeads, queryLength, headDim } = call.sizes;
        const params = memory.take(this.#params.size);
        const cell = memory.take(4);
        memory.reserve();
        core.defaults(params, batch, queryHeads, queryLength, headDim);
        const pointers = this.#place(call.arrays);
        const out = memory.take(call.outSize * 4);
        writeFields(memory, this.#params, params, call.fields);
        writeFields(memory, this.#params, params, { ...pointers, out });
        const status = core.check(params, cell);
        if (status !== 0) throw this.#refusal(status, memory.u32[cell / 4], call);
        return { core, params, cell, pointers, out };
    }

    /** @param {number} status @param {number} field a C string @param {Call} call */
    #refusal(status, field, call) {
        const words = this.#memory.text(this.#living('attention').status_string(status) >>> 0);
        return refusal(status, this.#memory.text(field), words, call);
    }

    /** @param {Placed[]} arrays @param {Record<string, number>} pointers */
    #write(arrays, pointers) {
        for (const { field, write } of arrays) write(this.#memory, pointers[field]);
    }

    /** The output as the caller's own array. @param {Call} call @param {number} pointer */
    #output({ options, outShape, outSize }, pointer) {
        if (!options.out) return new Result(this.#memory.copyOut(pointer, outSize), outShape);
        options.out.set(this.#memory.f32.subarray(pointer / 4, pointer / 4 + outSize));
        return new Result(options.out, outShape);
    }

    /** Releases what a call took, and gives back a memory that grew large. @param {number} mark */
    #finish(mark) {
        const memory = this.#memory;
        memory.release(mark);
        if (memory.used === 0 && memory.reserved > KEPT_BYTES) this.#replace();
    }

    /** A fresh instance with the smallest memory, unless this thread refuses one: then all stays as it is. */
    #replace() {
        const old = this.#memory;
        try {
            this.#memory = this.#start();
            this.#peak = Math.max(this.#peak, old.peak);
        } catch (error) {
            if (!(error instanceof errors.AttnError)) throw error;
        }
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
        const memory = this.#memory, mark = memory.mark();
        try {
            const { core, params, cell, pointers, out } = this.#prepare(call);
            const sized = core.workspace_size(params, OP_FORWARD, cell);
            if (sized !== 0) throw this.#refusal(sized, 0, call);
            const bytes = memory.u32[cell / 4];
            const workspace = memory.take(bytes);
            memory.reserve();
            this.#write(call.arrays, pointers);
            const status = core.forward(params, workspace, bytes);
            if (status !== 0) throw this.#refusal(status, 0, call);
            return this.#output(call, out);
        } finally {
            this.#finish(mark);
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
        const asked = readWhatIf(whatIf, call);
        const { batch, queryHeads, queryLength, keyLength } = call.sizes;
        const rows = batch * queryHeads * queryLength, cells = rows * keyLength;
        const memory = this.#memory, mark = memory.mark();
        try {
            const { core, params, pointers, out } = this.#prepare(call);
            const trace = memory.take(this.#trace.size);
            const given = this.#place(asked.arrays);
            /** @type {Record<string, number>} */
            const stages = {};
            for (const stage of SCORE_STAGES) stages[stage] = memory.take(cells * 4);
            for (const stage of Object.values(ROW_STAGES)) stages[stage] = memory.take(rows * 4);
            if (memory.needed > memory.limit) {
                const scores = [batch, queryHeads, queryLength, keyLength];
                throw errors.tooLargeToInspect(scores, SCORE_STAGES.length, memory.needed, memory.limit);
            }
            memory.reserve();
            core.trace_defaults(trace);
            writeFields(memory, this.#trace, trace, { ...asked.fields, ...given, ...stages });
            this.#write(call.arrays, pointers);
            this.#write(asked.arrays, given);
            const status = core.trace(params, trace);
            if (status !== 0) throw this.#refusal(status, 0, call);
            return this.#traceOf(call, pointers, stages, out);
        } finally {
            this.#finish(mark);
        }
    }

    /** @param {Call} call @param {Record<string, number>} inputs @param {Record<string, number>} stages
     *  @param {number} out @returns {Trace} */
    #traceOf(call, inputs, stages, out) {
        const memory = this.#memory, { q, sizes } = call;
        /** @type {(pointer: number, shape: readonly number[]) => Tensor} */
        const tensor = (pointer, shape) => new Result(memory.copyOut(pointer, sizeOf(shape)), shape);
        /** @type {Record<string, Tensor>} */
        const trace = {};
        for (const input of [call.q, call.k, call.v]) trace[input.name] = tensor(inputs[input.name], input.shape);
        for (const stage of SCORE_STAGES) trace[stage] = tensor(stages[stage], rowsOf(q, sizes, sizes.keyLength));
        trace.output = this.#output(call, out);
        for (const [name, stage] of Object.entries(ROW_STAGES)) trace[name] = tensor(stages[stage], rowsOf(q, sizes));
        return /** @type {Trace} */ (/** @type {unknown} */ (trace));
    }

    /** Bytes of wasm memory, for whoever hunts a leak. @returns {MemoryReport} */
    memory() {
        const { used, peak, reserved } = this.#memory;
        return { used, peak: Math.max(peak, this.#peak), reserved: this.#core ? reserved : 0, handles: 0 };
    }

    /** Gives memory back to the system, as far as nothing lives in it. */
    trim() {
        this.#living('trim');
        if (this.#memory.used === 0) this.#replace();
    }

    /** @internal */
    get disposed() { return this.#core === null; }

    /** Ends the engine: later calls throw DISPOSED. A second dispose() does nothing. */
    dispose() {
        this.#core = null;
    }

    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose]() {
        this.dispose();
    }
}
