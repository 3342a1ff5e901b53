// instance.js: one instance of the wasm module with its memory, and the steps that calls share.
//
// Addresses are given out before the memory behind them exists, so that the structure can be filled
// completely and judged by the core before anything is brought or copied.

/** @import { Placed } from './arrays.js' */
/** @import { Simd } from './bytes.js' */
/** @import { Refused } from './refusals.js' */
/** @import { Sizes } from './shapes.js' */
/** @import { Field, Layout } from './struct.js' */

import { Memory } from './memory.js';
import { refusal } from './refusals.js';
import { readLayout, writeFields } from './struct.js';
import { instantiate } from './wasm.js';

/** attn_isa of attention.h. */
const ISA_RELAXED = 3;

const STRUCTURES = /** @type {const} */ ([
    'params', 'trace', 'rope', 'cache', 'mha', 'gradients', 'mha_gradients',
]);

/**
 * @typedef {typeof STRUCTURES[number]} Structure
 * @typedef {Record<string, number>} Pointers addresses by field name
 */

export class Instance {
    /**
     * @param {WebAssembly.Module} module
     * @param {number} maxMemory
     */
    constructor(module, maxMemory) {
        this.core = instantiate(module);
        this.memory = new Memory(this.core.memory, this.core.heap_base() >>> 0, maxMemory);
        this.layouts = /** @type {Record<Structure, Layout>} */ (Object.fromEntries(
            STRUCTURES.map((name) => (
                [name, readLayout(this.memory, this.core[`${name}_layout`]() >>> 0)]))));
    }

    /**
     * A build holds one instruction set, and attn_check() accepts that one only.
     *
     * @returns {Simd}
     */
    simd() {
        const { core, memory } = this, mark = memory.mark();
        const params = memory.take(this.layouts.params.size);
        memory.reserve();
        core.defaults(params, 1, 1, 1, 1);
        this.fill('params', params, { isa: ISA_RELAXED });
        memory.release(mark);
        return core.check(params, 0) === 0 ? 'relaxed' : 'simd128';
    }

    /**
     * Writes the fields of a structure.
     *
     * @param {Structure} structure
     * @param {number} pointer
     * @param {Record<string, number | readonly number[]>[]} parts
     */
    fill(structure, pointer, ...parts) {
        const { memory, layouts } = this;
        for (const fields of parts) writeFields(memory, layouts[structure], pointer, fields);
    }

    /**
     * Gives an address to each, and writes it into the field of a structure. This and writeAt() are
     * place() and write() for the shortest calls: a list costs less than names.
     *
     * @param {Structure} structure
     * @param {number} pointer
     * @param {readonly Placed[]} arrays
     */
    placeIn(structure, pointer, arrays) {
        const { memory } = this, { fields } = this.layouts[structure], at = pointer / 4;
        const addresses = new Array(arrays.length);
        for (let i = 0; i < arrays.length; i++) {
            const { word } = /** @type {Field} */ (fields.get(arrays[i].field));
            addresses[i] = memory.take(arrays[i].bytes);
            memory.u32[at + word] = addresses[i];
        }
        return addresses;
    }

    /**
     * @param {readonly Placed[]} arrays
     * @param {readonly number[]} addresses
     */
    writeAt(arrays, addresses) {
        for (let i = 0; i < arrays.length; i++) arrays[i].write(this.memory, addresses[i], this.core);
    }

    /**
     * Writes the sizes that attn_defaults() takes from others.
     *
     * @param {number} pointer to attn_params
     * @param {Pick<Sizes, 'kvHeads' | 'keyLength' | 'valueDim'>} sizes
     */
    fillSizes(pointer, { kvHeads, keyLength, valueDim }) {
        const { u32 } = this.memory, { words } = this.layouts.params, at = pointer / 4;
        u32[at + words.kv_heads] = kvHeads;
        u32[at + words.key_length] = keyLength;
        u32[at + words.value_dim] = valueDim;
    }

    /**
     * Gives an address to each.
     *
     * @param {readonly Placed[]} arrays
     * @returns {Pointers}
     */
    place(arrays) {
        /** @type {Pointers} */
        const pointers = {};
        for (const { field, bytes } of arrays) pointers[field] = this.memory.take(bytes);
        return pointers;
    }

    /**
     * @param {readonly Placed[]} arrays
     * @param {Pointers} pointers
     */
    write(arrays, pointers) {
        for (const placed of arrays) placed.write(this.memory, pointers[placed.field], this.core);
    }

    /**
     * Copies of arrays that were written, each of which writes itself again.
     *
     * @param {readonly Placed[]} arrays
     * @param {Pointers} pointers
     * @returns {Placed[]}
     */
    keep(arrays, pointers) {
        return arrays.map(({ field, bytes }) => {
            const copy = this.memory.copyBytes(pointers[field], bytes);
            return { field, bytes, write: ({ u8 }, pointer) => u8.set(copy, pointer) };
        });
    }

    /**
     * An address for a structure that begins with its size, all else being 0.
     *
     * @param {Structure} structure
     */
    takeZeroed(structure) {
        const { memory, layouts } = this, { size } = layouts[structure];
        const pointer = memory.take(size);
        memory.reserve();
        memory.u8.fill(0, pointer, pointer + size);
        this.fill(structure, pointer, { size });
        return pointer;
    }

    /**
     * Throws for a status that is not 0.
     *
     * @param {number} status
     * @param {Refused} call
     * @param {number} [cell] holds the name of the field
     */
    check(status, call, cell) {
        if (status === 0) return;
        const { core, memory } = this;
        const field = cell === undefined ? call.name : memory.text(memory.u32[cell / 4]);
        throw refusal(status, field, memory.text(core.status_string(status) >>> 0), call);
    }
}
