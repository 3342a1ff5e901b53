// gradients.js: forward(): the output, and from the gradient of the output those of q, k and v.
//
// With P the weights, A = dropout(P) and delta = rowsum(dOutput * output):
//
//     dv = Aᵀ·dOutput      dMasked = P * (dropout(dOutput·vᵀ) - delta) = dBias
//     dq = dS·k            dS = scale * (1 - tanh²(scaled / softcap)) * dMasked
//     dk = dSᵀ·q
//
// Dao et al., "FlashAttention" (2022), appendix B.2. What backward() needs is kept here, outside
// wasm memory: nothing to dispose of, and later edits of inputs or results change nothing.

/** @import { Placed } from './arrays.js' */
/** @import { Host } from './host.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { Call } from './params.js' */
/** @import { Input } from './tensor.js' */
/** @import { BackwardOptions, ForwardResult, Gradients, Shape, TensorLike } from './types.js' */

import { numbers, room } from './arrays.js';
import { attend, outputOf, prepare } from './attend.js';
import { fail } from './errors.js';
import { BACKWARD_OPTIONS, readChoice, readOptions } from './options.js';
import { Result } from './result.js';
import { layoutStride, rowsOf } from './shapes.js';
import { readNumbers, sizeOf } from './tensor.js';

/** attn_op of attention.h. */
const OP_BACKWARD = 1;

/**
 * @typedef {object} Asked
 * @property {Input} dOutput
 * @property {boolean} biasGrad
 */

/**
 * The arguments of backward().
 *
 * @param {TensorLike} dOutput
 * @param {BackwardOptions | undefined} given
 * @param {Shape} expected shape of dOutput
 * @returns {Asked}
 */
export function readBackward(dOutput, given, expected) {
    const options = readOptions(given, BACKWARD_OPTIONS);
    if ((dOutput ?? null) === null) throw fail('missingOne', { argument: 'dOutput' });
    const input = readNumbers(dOutput, 'dOutput'), { name, shape } = input;
    if (String(shape) !== String(expected)) throw fail('shapeDiffers', { name, shape, expected });
    return { dOutput: input, biasGrad: readChoice('biasGrad', options.biasGrad, [false, true]) };
}

/**
 * The gradients. call.arrays hold q, k, v, masks and lse as they were; output the numbers.
 *
 * @param {Instance} instance
 * @param {Call} call
 * @param {Placed} output
 * @param {Asked} asked
 * @returns {Gradients}
 */
function runBackward(instance, call, output, { dOutput, biasGrad }) {
    const { core, memory } = instance, { sizes, layout, biasShape } = call;
    const { queryHeads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
    const { params, cell, addresses, out } = prepare(instance, call);
    const shapes = /** @type {[string, Shape][]} */ (
        [['dq', call.q.shape], ['dk', call.k?.shape], ['dv', call.v?.shape]]);
    if (biasGrad) shapes.push(['dbias', biasShape ?? []]);
    /** @type {Pointers} */
    const results = {};
    for (const [name, shape] of shapes) results[name] = memory.take(sizeOf(shape) * 4);
    const dout = numbers('dout', dOutput), given = instance.place([dout]);
    const gradients = instance.takeZeroed('gradients');
    instance.fill('gradients', gradients, given, results, {
        dout_stride: layoutStride(layout, queryHeads, queryLength, valueDim),
        dq_stride: layoutStride(layout, queryHeads, queryLength, headDim),
        dk_stride: layoutStride(layout, kvHeads, keyLength, headDim),
        dv_stride: layoutStride(layout, kvHeads, keyLength, valueDim),
    });
    instance.check(core.workspace_size(params, OP_BACKWARD, cell), call);
    const bytes = memory.u32[cell / 4], workspace = memory.take(bytes);
    memory.reserve();
    instance.writeAt(call.arrays, addresses);
    instance.write([dout], given);
    output.write(memory, out, core);
    instance.check(core.backward(params, gradients, workspace, bytes, cell), call, cell);
    return /** @type {Gradients} */ (Object.fromEntries(shapes.map(([name, shape]) => (
        [name === 'dbias' ? 'dBias' : name,
            new Result(memory.copyOut(results[name], sizeOf(shape)), shape)]))));
}

/** A tensor by its shape alone. @type {<T extends Input | null>(input: T) => T} */
const shapeOf = (input) => input && { ...input, data: null, nested: null };

/**
 * A call that holds on to nothing of the caller's.
 *
 * @template {Pick<Call, 'q' | 'k' | 'v'> & { options: object }} T
 * @param {T} call
 * @returns {T}
 */
export const withoutData = (call) => (
    { ...call, q: shapeOf(call.q), k: shapeOf(call.k), v: shapeOf(call.v), options: {} });

/**
 * The result of forward().
 *
 * @param {Instance} instance
 * @param {Call} call
 * @param {Host} host
 * @returns {ForwardResult}
 */
export function runForward(instance, call, host) {
    const { memory } = instance, { sizes, rank, outShape, outSize } = call;
    const prepared = prepare(instance, call), { params, addresses, out } = prepared;
    const rows = rowsOf(rank, sizes), lse = memory.take(sizeOf(rows) * 4);
    instance.fill('params', params, { lse });
    attend(instance, call, prepared);
    const [output] = instance.keep([room('out', outSize * 4)], { out });
    const placed = Object.fromEntries(call.arrays.map(({ field }, i) => [field, addresses[i]]));
    const written = [...call.arrays, room('lse', sizeOf(rows) * 4)];
    const arrays = instance.keep(written, { ...placed, lse });
    const kept = { ...withoutData(call), name: 'backward', arrays };
    return {
        output: outputOf(instance, call, out),
        logSumExp: new Result(memory.copyOut(lse, sizeOf(rows)), rows),
        backward: (dOutput, options) => (
            host.run('backward', () => readBackward(dOutput, options, outShape),
                (now, asked) => runBackward(now, kept, output, asked))),
    };
}
