// training.js: train() of a module and its backward(), on an instance.
//
// With X a projected input, W its weights and dY the gradient of X·W + b:
//
//     dW = Xᵀ·dY      db = sum of dY over all rows      dX = dY·Wᵀ
//
// between which stand the gradients of attention (gradients.js) and the rotation turned back.

/** @import { Placed } from './arrays.js' */
/** @import { Asked } from './gradients.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { Module, ModuleCall } from './module.js' */
/** @import { F32, InputGradients, Shape } from './types.js' */
/** @import { Part } from './weights.js' */

import { numbers, room } from './arrays.js';
import { outputOf } from './attend.js';
import { withoutData } from './gradients.js';
import { placeRest, prepare, projectionsOf, runModule } from './layer.js';
import { Result } from './result.js';
import { sizeOf } from './tensor.js';
import { countOf } from './weights.js';

/** What backward() will need: the call with copies of its arrays, and what the core wrote. */
/** @typedef {{ call: ModuleCall, written: Placed[] }} Kept */

/** @type {Record<string, keyof InputGradients>} */
const NAMES = { dquery: 'dQuery', dkey: 'dKey', dvalue: 'dValue', dbias: 'dBias' };

/**
 * The output, and what backward() will need.
 *
 * @param {Instance} instance
 * @param {Module} module
 * @param {ModuleCall} call
 * @param {Pointers} weights
 */
export function runTraining(instance, module, call, weights) {
    const { sizes, attend } = call, { batch, queryHeads, queryLength, valueDim } = sizes;
    const prepared = prepare(instance, module, call, weights), { mha, out } = prepared;
    const rows = batch * queryHeads * queryLength;
    const asked = [
        ...projectionsOf(call).map(([name, length, heads, dim]) => (
            room(name, batch * length * heads * dim * 4))),
        room('concat', rows * valueDim * 4),
        room('lse', rows * 4),
    ];
    const places = instance.place(asked);
    instance.fill('mha', mha, places);
    runModule(instance, call, prepared);
    const written = instance.keep([...asked, room('out', call.outSize * 4)], { ...places, out });
    const arrays = instance.keep(call.arrays, prepared.pointers);
    const masks = instance.keep(attend.arrays, prepared.masks);
    const kept = {
        ...withoutData(call), name: 'backward', arrays, attend: { ...attend, arrays: masks },
    };
    return { output: outputOf(instance, call, out), kept: { call: kept, written } };
}

/**
 * The gradients of the inputs; those of the weights are added to `sums`.
 *
 * @param {Instance} instance
 * @param {Module} module
 * @param {Kept} kept
 * @param {Pointers} weights
 * @param {Asked} asked
 * @param {readonly Part[]} parts
 * @param {F32} sums
 * @returns {InputGradients}
 */
export function runModuleBackward(instance, module, kept, weights, asked, parts, sums) {
    const { core, memory } = instance, { call, written } = kept;
    const prepared = prepare(instance, module, call, weights), { mha, cell, out } = prepared;
    const places = { ...instance.place(written.filter(({ field }) => field !== 'out')), out };
    const shapes = /** @type {[string, Shape][]} */ (
        [['dquery', call.q.shape], ['dkey', call.k?.shape], ['dvalue', call.v?.shape]]);
    if (asked.biasGrad) shapes.push(['dbias', call.attend.biasShape ?? []]);
    /** @type {Pointers} */
    const results = {};
    for (const [name, shape] of shapes) results[name] = memory.take(sizeOf(shape) * 4);
    const count = countOf(parts), slopes = memory.take(count * 4);
    const dout = numbers('dout', asked.dOutput), given = instance.place([dout]);
    const gradients = instance.takeZeroed('mha_gradients');
    instance.fill('mha', mha, places);
    instance.fill('mha_gradients', gradients, given, results, Object.fromEntries(
        parts.map(({ field, offset }) => [`d${field}`, slopes + offset * 4])));
    const { bring } = placeRest(instance, call, prepared);
    instance.check(core.mha_backward_workspace_size(mha, cell), call);
    const bytes = memory.u32[cell / 4], workspace = memory.take(bytes);
    bring();
    instance.write(written, places);
    instance.write([dout], given);
    instance.check(core.mha_backward(mha, gradients, workspace, bytes, cell), call, cell);
    const copies = shapes.map(([name, shape]) => (
        [NAMES[name], new Result(memory.copyOut(results[name], sizeOf(shape)), shape)]));
    const added = memory.f32.subarray(slopes / 4, slopes / 4 + count);
    for (let n = 0; n < count; n++) sums[n] += added[n];
    return /** @type {InputGradients} */ (Object.fromEntries(copies));
}
