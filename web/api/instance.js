// instance.js: one instance of the wasm module with its memory, and the steps that calls share.
//
// Addresses are given out before the memory behind them exists, so that the structure can be filled
// completely and judged by attn_check() before anything is brought or copied.

/** @import { Placed } from './arrays.js' */
/** @import { Simd } from './bytes.js' */
/** @import { Call } from './params.js' */
/** @import { Tensor } from './types.js' */

import { Memory } from './memory.js';
import { refusal } from './refusals.js';
import { Result } from './result.js';
import { readLayout, writeFields } from './struct.js';
import { instantiate } from './wasm.js';

/** attn_op and attn_isa of attention.h. */
const OP_FORWARD = 0;
const ISA_RELAXED = 3;

/**
 * @typedef {Record<string, number>} Pointers addresses by field name
 * @typedef {{ params: number, cell: number, pointers: Pointers, out: number }} Prepared
 */

export class Instance {
    #paramsLayout;
    #traceLayout;

    /**
     * @param {WebAssembly.Module} module
     * @param {number} maxMemory
     */
    constructor(module, maxMemory) {
        this.core = instantiate(module);
        this.memory = new Memory(this.core.memory, this.core.heap_base() >>> 0, maxMemory);
        this.#paramsLayout = readLayout(this.memory, this.core.params_layout() >>> 0);
        this.#traceLayout = readLayout(this.memory, this.core.trace_layout() >>> 0);
    }

    /**
     * A build holds one instruction set, and attn_check() accepts that one only.
     *
     * @returns {Simd}
     */
    simd() {
        const { core, memory } = this, mark = memory.mark();
        const params = memory.take(this.#paramsLayout.size);
        memory.reserve();
        core.defaults(params, 1, 1, 1, 1);
        writeFields(memory, this.#paramsLayout, params, { isa: ISA_RELAXED });
        memory.release(mark);
        return core.check(params, 0) === 0 ? 'relaxed' : 'simd128';
    }

    /**
     * @param {Placed[]} arrays
     * @returns {Pointers}
     */
    #place(arrays) {
        /** @type {Pointers} */
        const pointers = {};
        for (const { field, bytes } of arrays) pointers[field] = this.memory.take(bytes);
        return pointers;
    }

    /**
     * @param {Placed[]} arrays
     * @param {Pointers} pointers
     */
    #write(arrays, pointers) {
        for (const { field, write } of arrays) write(this.memory, pointers[field]);
    }

    /**
     * Throws for a status that is not 0.
     *
     * @param {number} status
     * @param {Call} call
     * @param {number} [cell] holds the name of the field
     */
    #check(status, call, cell) {
        if (status === 0) return;
        const { core, memory } = this;
        const field = cell === undefined ? call.name : memory.text(memory.u32[cell / 4]);
        throw refusal(status, field, memory.text(core.status_string(status) >>> 0), call);
    }

    /**
     * attn_params, filled and judged.
     *
     * @param {Call} call
     * @returns {Prepared}
     */
    prepare(call) {
        const { core, memory } = this;
        const { batch, queryHeads, queryLength, headDim } = call.sizes;
        const params = memory.take(this.#paramsLayout.size), cell = memory.take(4);
        memory.reserve();
        core.defaults(params, batch, queryHeads, queryLength, headDim);
        const pointers = this.#place(call.arrays), out = memory.take(call.outSize * 4);
        for (const fields of [call.fields, pointers, { out }]) {
            writeFields(memory, this.#paramsLayout, params, fields);
        }
        this.#check(core.check(params, cell), call, cell);
        return { params, cell, pointers, out };
    }

    /**
     * @param {Call} call
     * @param {Prepared} prepared
     */
    forward(call, { params, cell, pointers }) {
        const { core, memory } = this;
        this.#check(core.workspace_size(params, OP_FORWARD, cell), call);
        const bytes = memory.u32[cell / 4], workspace = memory.take(bytes);
        memory.reserve();
        this.#write(call.arrays, pointers);
        this.#check(core.forward(params, workspace, bytes), call);
    }

    /**
     * @param {Call} call
     * @param {Prepared} prepared
     * @param {{ fields: Record<string, number>, arrays: Placed[] }} whatIf
     * @param {Record<string, number>} counts numbers of each stage, by field name
     * @returns {Pointers} of the stages
     */
    trace(call, { params, pointers }, { fields, arrays }, counts) {
        const { core, memory } = this;
        const trace = memory.take(this.#traceLayout.size), given = this.#place(arrays);
        /** @type {Pointers} */
        const stages = {};
        for (const stage in counts) stages[stage] = memory.take(counts[stage] * 4);
        memory.reserve();
        core.trace_defaults(trace);
        for (const part of [fields, given, stages]) {
            writeFields(memory, this.#traceLayout, trace, part);
        }
        this.#write(call.arrays, pointers);
        this.#write(arrays, given);
        this.#check(core.trace(params, trace), call);
        return stages;
    }

    /**
     * The output in an array of the caller.
     *
     * @param {Call} call
     * @param {number} pointer
     * @returns {Tensor}
     */
    output({ options, outShape, outSize }, pointer) {
        if (!options.out) return new Result(this.memory.copyOut(pointer, outSize), outShape);
        options.out.set(this.memory.f32.subarray(pointer / 4, pointer / 4 + outSize));
        return new Result(options.out, outShape);
    }
}
