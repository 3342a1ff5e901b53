// layer.js: the steps of a module's calls on an instance, once their arguments are read.
//
// forward() is one call of the core. inspect() is the same call, which hands out q, k and v, and
// then the definition on these; so its output has the bits of forward().

/** @import { Instance, Pointers } from './instance.js' */
/** @import { Module, ModuleCall } from './module.js' */
/** @import { Field } from './struct.js' */
/** @import { ModuleTrace } from './types.js' */

import { integers } from './arrays.js';
import { beginTrace, outputOf, runTrace } from './attend.js';
import { readRows } from './cache.js';
import { FULL, cacheFull } from './cached.js';
import { Result, swapAxes } from './result.js';
import { makeTable, placeTable } from './rope.js';
import { layoutStride, rowsOf } from './shapes.js';
import { sizeOf } from './tensor.js';

const NO_WHAT_IF = { fields: {}, arrays: [] };

/**
 * attn_mha_params, filled and judged, with the attention inside at `params`.
 *
 * @param {Instance} instance
 * @param {Module} module
 * @param {ModuleCall} call
 * @param {Pointers} weights
 */
export function prepare(instance, module, call, weights) {
    const { core, memory, layouts } = instance, { sizes, attend, newLength } = call;
    const mha = memory.take(layouts.mha.size), cell = memory.take(4);
    memory.reserve();
    core.mha_defaults(mha, sizes.batch, sizes.queryHeads, sizes.queryLength, sizes.headDim);
    const inner = /** @type {Field} */ (layouts.mha.fields.get('attention'));
    const params = mha + inner.word * 4;
    const pointers = instance.place(call.arrays), masks = instance.place(attend.arrays);
    const out = memory.take(call.outSize * 4);
    const { query, key = query, value = key } = pointers;
    instance.fill('mha', mha, weights, call.arrays.length > 0 ? { query, key, value } : {}, {
        out,
        query_width: module.queryWidth,
        key_width: module.keyWidth,
        value_width: module.valueWidth,
        output_width: module.outputWidth,
    });
    instance.fillSizes(params, { ...sizes, keyLength: newLength });
    instance.fill('params', params, attend.fields, masks);
    instance.check(core.mha_check(mha, cell), call, cell);
    return { mha, cell, pointers, masks, out };
}

/**
 * Takes addresses for the tables of a rotation, and returns what makes them there.
 *
 * @param {Instance} instance
 * @param {number} mha
 * @param {NonNullable<ModuleCall['tables']>} tables
 */
function placeTables(instance, mha, { rotation, q, k }) {
    const { dim, interleaved } = rotation;
    instance.fill('mha', mha, { rotary_dim: dim, interleaved: Number(interleaved) });
    const placed = Object.entries({ q, k }).map(([letter, { positions, stride }]) => {
        const table = placeTable(instance, positions, rotation);
        instance.fill('mha', mha, {
            [`${letter}_cos`]: table.cos,
            [`${letter}_sin`]: table.sin,
            [`${letter}_table_stride`]: stride,
        });
        return () => makeTable(instance, positions, rotation, table);
    });
    return () => placed.forEach((make) => make());
}

/**
 * Takes addresses for what prepare() did not, and returns what brings memory and data there.
 *
 * @param {Instance} instance
 * @param {ModuleCall} call
 * @param {ReturnType<typeof prepare>} prepared
 */
export function placeRest(instance, call, { mha, pointers, masks }) {
    const counts = call.lengths ? [integers('lengths', call.lengths)] : [];
    const placed = instance.place(counts);
    const makeTables = call.tables && placeTables(instance, mha, call.tables);
    const bring = () => {
        instance.memory.reserve();
        instance.write(call.arrays, pointers);
        instance.write(call.attend.arrays, masks);
        instance.write(counts, placed);
        makeTables?.();
    };
    return { lengths: placed.lengths ?? 0, bring };
}

/**
 * Brings memory and data, and runs. What else the call needs has been taken before.
 *
 * @param {Instance} instance
 * @param {ModuleCall} call
 * @param {ReturnType<typeof prepare>} prepared
 */
export function runModule(instance, call, prepared) {
    const { core, memory } = instance, { cache, newLength } = call, { mha, cell } = prepared;
    const structure = cache?.structure ?? 0;
    const { lengths, bring } = placeRest(instance, call, prepared);
    instance.check(core.mha_workspace_size(mha, structure, cell), call);
    const bytes = memory.u32[cell / 4], workspace = memory.take(bytes);
    bring();
    const status = core.mha_forward(mha, structure, lengths, workspace, bytes);
    if (cache && status === FULL) throw cacheFull(cache, newLength, call.lengths);
    instance.check(status, call);
}

/**
 * The projected tensors, as the core writes them: (B, T, H, D).
 *
 * @param {ModuleCall} call
 * @returns {[name: string, length: number, heads: number, dim: number][]}
 */
export function projectionsOf({ sizes, newLength }) {
    const { queryHeads, kvHeads, queryLength, headDim, valueDim } = sizes;
    return [
        ['q', queryLength, queryHeads, headDim],
        ['k', newLength, kvHeads, headDim],
        ['v', newLength, kvHeads, valueDim],
    ];
}

/**
 * The result of inspect().
 *
 * @param {Instance} instance
 * @param {Module} module
 * @param {ModuleCall} call
 * @param {Pointers} weights
 * @returns {ModuleTrace}
 */
export function runModuleInspection(instance, module, call, weights) {
    const { core, memory, layouts } = instance, { sizes, attend, rank, cache } = call;
    const { batch, queryHeads, queryLength, headDim, valueDim } = sizes;
    const prepared = prepare(instance, module, call, weights), projections = projectionsOf(call);
    /** @type {Pointers} */
    const projected = {};
    for (const [name, length, heads, dim] of projections) {
        projected[name] = memory.take(batch * length * heads * dim * 4);
    }
    const params = memory.take(layouts.params.size);
    const headsShape = rowsOf(rank, sizes, valueDim), headsSize = sizeOf(headsShape);
    const out = memory.take(headsSize * 4);
    const tracing = beginTrace(instance, sizes, NO_WHAT_IF);
    instance.fill('mha', prepared.mha, projected);
    runModule(instance, call, prepared);

    core.defaults(params, batch, queryHeads, queryLength, headDim);
    const strides = Object.fromEntries(projections.map(([name, length, heads, dim]) => (
        [`${name}_stride`, layoutStride('BTHD', heads, length, dim)])));
    const own = { q_stride: strides.q_stride, q: projected.q };
    const source = cache ? own : { ...strides, ...projected };
    instance.fillSizes(params, sizes);
    instance.fill('params', params, attend.fields, prepared.masks, source, { out });
    const { scoreStages, rowStages } = runTrace(instance, call, params, tracing);
    const [q, k, v] = projections.map(([name, length, heads, dim]) => {
        if (cache && name !== 'q') {
            const { data, shape } = readRows(instance, cache, name === 'k' ? 'k' : 'v');
            return new Result(data, shape.slice(4 - rank));
        }
        const rows = memory.copyOut(projected[name], batch * length * heads * dim);
        const shape = [batch, heads, length, dim].slice(4 - rank);
        return new Result(swapAxes(rows, length, heads, dim), shape);
    });
    const heads = new Result(memory.copyOut(out, headsSize), headsShape);
    const output = outputOf(instance, call, prepared.out), { data } = heads;
    const concat = swapAxes(data, queryHeads, queryLength, valueDim);
    return /** @type {ModuleTrace} */ ({
        q, k, v, ...scoreStages, output, ...rowStages, heads, projected: output,
        concat: new Result(concat, [...call.q.shape.slice(0, -1), queryHeads * valueDim]),
    });
}
