// attend.js: the steps of attention() and inspect() on an instance, once their arguments are read.
//
// Filled and judged, memory brought, data copied in, a cache appended to, run, copied out.

/** @import { Placed } from './arrays.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { Call } from './params.js' */
/** @import { Refused } from './refusals.js' */
/** @import { Sizes } from './shapes.js' */
/** @import { Input } from './tensor.js' */
/** @import { Shape, Tensor, Trace } from './types.js' */

import { readRows } from './cache.js';
import { appendNow } from './cached.js';
import { fail } from './errors.js';
import { Result, swapAxes } from './result.js';
import { rowsOf } from './shapes.js';
import { writeFields } from './struct.js';
import { sizeOf } from './tensor.js';

/** attn_op of attention.h. */
const OP_FORWARD = 0;

/** Stages with one number for each query and key, as they are called here and in C. */
const SCORE_STAGES = ['scores', 'scaled', 'capped', 'masked', 'weights', 'dropped'];

/** Stages with one number for each query, and their fields in attn_trace_params. */
const ROW_STAGES = Object.entries({
    rowMax: 'row_max', rowSum: 'row_sum', logSumExp: 'lse', entropy: 'entropy',
});

/**
 * @typedef {object} Prepared
 * @property {number} params
 * @property {number} cell
 * @property {number} bytes of the workspace
 * @property {readonly number[]} addresses of the arrays of the call
 * @property {Pointers | null} appended
 * @property {number} out
 */

/**
 * @typedef {{ fields: Record<string, number>, arrays: Placed[] }} WhatIfFields
 * @typedef {{ trace: number, given: Pointers, stages: Pointers, whatIf: WhatIfFields }} Tracing
 */

/**
 * attn_params, filled and judged, and the bytes of the workspace.
 *
 * @param {Instance} instance
 * @param {Call} call
 * @returns {Prepared}
 */
export function prepare(instance, call) {
    const { core, memory, layouts } = instance;
    const { batch, queryHeads, queryLength, headDim } = call.sizes;
    const params = memory.take(layouts.params.size), cell = memory.take(4);
    memory.reserve();
    core.defaults(params, batch, queryHeads, queryLength, headDim);
    instance.fillSizes(params, call.sizes);
    writeFields(memory, layouts.params, params, call.fields);
    const addresses = instance.placeIn('params', params, call.arrays);
    const out = memory.take(call.outSize * 4);
    memory.u32[params / 4 + layouts.params.words.out] = out;
    const appended = call.append && instance.place(call.append.arrays);
    /* This judges too; the name of a field is asked for only where one is wrong. */
    const status = core.workspace_size(params, OP_FORWARD, cell), bytes = memory.u32[cell / 4];
    if (status !== 0) instance.check(core.check(params, cell), call, cell);
    instance.check(status, call);
    return { params, cell, bytes, addresses, appended, out };
}

/**
 * @param {Instance} instance
 * @param {Call} call
 * @param {Prepared} prepared
 */
function bring(instance, { arrays, append }, { addresses, appended }) {
    instance.memory.reserve();
    instance.writeAt(arrays, addresses);
    if (!append || !appended) return;
    instance.write(append.arrays, appended);
    appendNow(instance, append, appended);
}

/**
 * The output, in an array of the caller where one was given.
 *
 * @param {Instance} instance
 * @param {Pick<Call, 'outShape' | 'outSize'> & { options: Pick<Call['options'], 'out'> }} call
 * @param {number} pointer
 * @returns {Tensor}
 */
export function outputOf({ memory }, { options, outShape, outSize }, pointer) {
    const { out } = options;
    if (!out) return new Result(memory.copyOut(pointer, outSize), outShape);
    /* A getter of a later option may have made it shorter than it was when it was checked. */
    if (outSize > 0 && out[outSize - 1] === undefined) {
        throw fail('badCount', { name: 'out', shape: outShape, got: out.length });
    }
    memory.copyTo(out, pointer, outSize);
    return new Result(out, outShape);
}

/**
 * Brings what was prepared, and runs.
 *
 * @param {Instance} instance
 * @param {Call} call
 * @param {Prepared} prepared
 */
export function attend(instance, call, prepared) {
    const { core, memory } = instance, { params, bytes } = prepared;
    const workspace = memory.take(bytes);
    bring(instance, call, prepared);
    core.forward(params, workspace);
}

/**
 * The result of attention().
 *
 * @param {Instance} instance
 * @param {Call} call
 */
export function runAttention(instance, call) {
    const prepared = prepare(instance, call);
    attend(instance, call, prepared);
    return outputOf(instance, call, prepared.out);
}

/**
 * Takes addresses for a trace, and sees that all of it will fit.
 *
 * @param {Instance} instance
 * @param {Sizes} sizes
 * @param {WhatIfFields} whatIf
 * @returns {Tracing}
 */
export function beginTrace(instance, { batch, queryHeads, queryLength, keyLength }, whatIf) {
    const { memory, layouts } = instance, rows = batch * queryHeads * queryLength;
    const trace = memory.take(layouts.trace.size), given = instance.place(whatIf.arrays);
    /** @type {Pointers} */
    const stages = {};
    for (const stage of SCORE_STAGES) stages[stage] = memory.take(rows * keyLength * 4);
    for (const [, field] of ROW_STAGES) stages[field] = memory.take(rows * 4);
    const { needed, limit } = memory;
    if (needed <= limit) return { trace, given, stages, whatIf };
    const scores = [batch, queryHeads, queryLength, keyLength];
    throw fail('tooLargeToInspect', { arrays: SCORE_STAGES.length, scores, needed, limit });
}

/**
 * Computes the definition, and copies every stage.
 *
 * @param {Instance} instance
 * @param {Pick<Call, 'name' | 'sizes' | 'rank'> & Refused} call
 * @param {number} params
 * @param {Tracing} tracing
 */
export function runTrace(instance, call, params, { trace, given, stages, whatIf }) {
    const { core, memory } = instance, { sizes, rank } = call;
    instance.write(whatIf.arrays, given);
    core.trace_defaults(trace);
    instance.fill('trace', trace, whatIf.fields, given, stages);
    instance.check(core.trace(params, trace), call);
    /** @type {(field: string, shape: Shape) => Tensor} */
    const copy = (field, shape) => new Result(memory.copyOut(stages[field], sizeOf(shape)), shape);
    const scores = rowsOf(rank, sizes, sizes.keyLength), rows = rowsOf(rank, sizes);
    return {
        scoreStages: Object.fromEntries(SCORE_STAGES.map((name) => [name, copy(name, scores)])),
        rowStages: Object.fromEntries(ROW_STAGES.map(([name, field]) => [name, copy(field, rows)])),
    };
}

/**
 * The keys or values that a call attended to: as given, or those present in the cache, with the
 * rank and layout of q.
 *
 * @param {Instance} instance
 * @param {Call} call
 * @param {'k' | 'v'} which
 * @param {number} pointer to what was given
 * @returns {Tensor}
 */
function sourceOf(instance, call, which, pointer) {
    const { cache, rank, layout } = call;
    if (!cache) {
        const { size, shape } = /** @type {Input} */ (call[which]);
        return new Result(instance.memory.copyOut(pointer, size), shape);
    }
    const { data, shape: [batch, heads, length, dim] } = readRows(instance, cache, which);
    const isTurned = layout === 'BTHD' && rank > 2;
    const shape = isTurned ? [batch, length, heads, dim] : [batch, heads, length, dim];
    const turned = isTurned ? swapAxes(data, heads, length, dim) : data;
    return new Result(turned, shape.slice(4 - rank));
}

/**
 * The result of inspect().
 *
 * @param {Instance} instance
 * @param {Call & { whatIf: WhatIfFields }} call
 * @returns {Trace}
 */
export function runInspection(instance, call) {
    const prepared = prepare(instance, call), { params, addresses: [q, k, v], out } = prepared;
    const tracing = beginTrace(instance, call.sizes, call.whatIf);
    bring(instance, call, prepared);
    const { scoreStages, rowStages } = runTrace(instance, call, params, tracing);
    return /** @type {Trace} */ ({
        q: new Result(instance.memory.copyOut(q, call.q.size), call.q.shape),
        k: sourceOf(instance, call, 'k', k),
        v: sourceOf(instance, call, 'v', v),
        ...scoreStages,
        output: outputOf(instance, call, out),
        ...rowStages,
    });
}
