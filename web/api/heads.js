// heads.js: multi-head attention with projections, whose weights live in wasm memory.
//
// forward() is one call of the core. inspect() is the same call, which hands out q, k and v, and
// then the definition on these; so its output has the bits of forward().

/** @import { Host } from './host.js' */
/** @import { Instance, Pointers } from './instance.js' */
/** @import { Module, ModuleCall } from './module.js' */
/** @import { Field } from './struct.js' */
/** @import {
 *     ModuleOptions, ModuleTrace, MultiHeadConfig, Tensor, TensorLike, Weights,
 * } from './types.js' */

import { integers } from './arrays.js';
import { beginTrace, outputOf, runTrace } from './attend.js';
import { readRows } from './cache.js';
import { FULL, cacheFull } from './cached.js';
import { Handle, bindMethods } from './handle.js';
import { emptyCall, readModule, readModuleCall } from './module.js';
import { Result, swapAxes } from './result.js';
import { makeTable, placeTable } from './rope.js';
import { layoutStride, rowsOf } from './shapes.js';
import { sizeOf } from './tensor.js';
import { readSeed } from './values.js';
import {
    countOf, initialWeights, partsOf, readWeights, storeWeights, weightsUnderNames,
} from './weights.js';

const NO_WHAT_IF = { fields: {}, arrays: [] };

/**
 * attn_mha_params, filled and judged, with the attention inside at `params`.
 *
 * @param {Instance} instance
 * @param {Module} module
 * @param {ModuleCall} call
 * @param {Pointers} weights
 */
function prepare(instance, module, call, weights) {
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
    instance.fill('params', params, attend.fields, { key_length: newLength }, masks);
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
 * Brings memory and data, and runs. What else the call needs has been taken before.
 *
 * @param {Instance} instance
 * @param {ModuleCall} call
 * @param {ReturnType<typeof prepare>} prepared
 */
function run(instance, call, { mha, cell, pointers, masks }) {
    const { core, memory } = instance, { cache, lengths, tables, newLength } = call;
    const structure = cache?.structure ?? 0;
    const counts = lengths ? [integers('lengths', lengths)] : [], placed = instance.place(counts);
    const makeTables = tables && placeTables(instance, mha, tables);
    instance.check(core.mha_workspace_size(mha, structure, cell), call);
    const bytes = memory.u32[cell / 4], workspace = memory.take(bytes);
    memory.reserve();
    instance.write(call.arrays, pointers);
    instance.write(call.attend.arrays, masks);
    instance.write(counts, placed);
    makeTables?.();
    const status = core.mha_forward(mha, structure, placed.lengths ?? 0, workspace, bytes);
    if (cache && status === FULL) throw cacheFull(cache, newLength, lengths);
    instance.check(status, call);
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
function inspect(instance, module, call, weights) {
    const { core, memory, layouts } = instance, { sizes, attend, rank, newLength, cache } = call;
    const { batch, queryHeads, kvHeads, queryLength, headDim, valueDim } = sizes;
    const prepared = prepare(instance, module, call, weights);
    /**
     * The projected tensors, as the core writes them: (B, T, H, D).
     * @type {[name: string, length: number, heads: number, dim: number][]}
     */
    const projections = [
        ['q', queryLength, queryHeads, headDim],
        ['k', newLength, kvHeads, headDim],
        ['v', newLength, kvHeads, valueDim],
    ];
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
    run(instance, call, prepared);

    core.defaults(params, batch, queryHeads, queryLength, headDim);
    const strides = Object.fromEntries(projections.map(([name, length, heads, dim]) => (
        [`${name}_stride`, layoutStride('BTHD', heads, length, dim)])));
    const own = { q_stride: strides.q_stride, q: projected.q };
    const source = cache ? own : { ...strides, ...projected };
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

/** softmax(scale · q·kᵀ) · v in several heads, between projections. */
export class MultiHeadAttention {
    #host;
    #module;
    #parts;
    #handle;
    /** @type {Pointers} */
    #weights;

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
            run(instance, call, prepared);
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
            inspect(instance, this.#module, call, this.#weights)));
    }

    /**
     * Copies of the weights under torch's names, (out, in): in_proj_weight where q, k and v have
     * one width and as many heads, else q_proj_weight, k_proj_weight and v_proj_weight.
     *
     * @returns {Record<string, Tensor>}
     */
    stateDict() {
        const { heads, kvHeads, queryWidth, keyWidth, valueWidth } = this.#module;
        const { instance, pointer } = this.#handle.living('stateDict');
        const isStacked = heads === kvHeads && queryWidth === keyWidth && keyWidth === valueWidth;
        return weightsUnderNames(instance.memory, pointer, this.#parts, isStacked);
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
