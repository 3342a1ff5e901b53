// memory.js: JavaScript owns the wasm memory from the heap base up; the core never allocates.
//
// Blocks that stay (caches, weights) lie below: first fit, and what is freed merges with the room
// beside it. A call marks the top above them, takes addresses, reserves the memory behind them in
// one step, and releases to its mark when it ends, however it ends. Calls may nest (a getter of an
// input may call the engine): nothing belongs to a call but what lies above its own mark, and a
// block that is kept while calls run lies above all of theirs.
// Only reserve() grows the memory, and only it makes views: read them from here each time, since
// growing detaches the old ones.

import { fail } from './errors.js';

const PAGE = 65536;
const ALIGNMENT = 16;

/** So many numbers are copied one by one: quicker than a view of them and set(). */
export const FEW = 64;

/** @param {number} n */
const align = (n) => n + (-n & (ALIGNMENT - 1));

export class Memory {
    /** Views of the whole memory. */
    u8 = new Uint8Array(0);
    i32 = new Int32Array(0);
    u32 = new Uint32Array(0);
    f32 = new Float32Array(0);

    /** Bytes of the whole memory. */
    reserved = 0;

    #memory;
    #base;
    #top;
    /** The end of the highest block that stays, and the bytes of all that stay. */
    #floor;
    #kept = 0;
    #calls = 0;
    #peak = 0;
    #limit;

    /**
     * What stays, by address.
     * @type {{ pointer: number, end: number }[]}
     */
    #blocks = [];

    /**
     * @param {WebAssembly.Memory} memory
     * @param {number} heapBase the first byte that is ours
     * @param {number} limit bytes that the whole memory may reach
     */
    constructor(memory, heapBase, limit) {
        this.#memory = memory;
        this.#base = this.#floor = this.#top = align(heapBase);
        this.#limit = limit;
        this.#view();
    }

    #view() {
        const { buffer } = this.#memory;
        this.reserved = buffer.byteLength;
        this.u8 = new Uint8Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.f32 = new Float32Array(buffer);
    }

    /** @param {{ pointer: number, end: number }[]} blocks */
    #stay(blocks) {
        this.#blocks = blocks;
        this.#floor = blocks.at(-1)?.end ?? this.#base;
        this.#kept = blocks.reduce((sum, { pointer, end }) => sum + end - pointer, 0);
    }

    /** Bytes of data now, and at most so far. */
    get used() { return this.#kept + this.#top - this.#floor; }
    get peak() { return this.#peak; }

    /** Whether no call runs and nothing stays. */
    get isIdle() { return this.#calls === 0 && this.#blocks.length === 0; }

    /** Bytes that the whole memory must have for all that was taken, and that it may have. */
    get needed() { return this.#top; }
    get limit() { return this.#limit; }

    /** Begins a call; release() with this mark ends it. */
    mark() {
        this.#calls++;
        return this.#top;
    }

    /** @param {number} mark */
    release(mark) {
        this.#calls--;
        this.#top = this.#calls === 0 ? this.#floor : Math.max(mark, this.#floor);
    }

    /**
     * An address for so many bytes. The memory behind it is there only after reserve().
     *
     * @param {number} bytes
     */
    take(bytes) {
        const pointer = this.#top;
        this.#top = pointer + align(bytes);
        return pointer;
    }

    /**
     * An address for so many bytes that stay until they are freed, with the memory behind it.
     *
     * @param {number} bytes
     */
    keep(bytes) {
        const size = Math.max(align(bytes), ALIGNMENT), top = this.#top, isBusy = this.#calls > 0;
        const starts = [this.#base, ...this.#blocks.map(({ end }) => end)];
        const next = (/** @type {number} */ i) => this.#blocks[i]?.pointer ?? Infinity;
        const at = isBusy ? this.#blocks.length
            : starts.findIndex((start, i) => start + size <= next(i));
        const pointer = isBusy ? top : starts[at];
        const blocks = this.#blocks, block = { pointer, end: pointer + size };
        this.#stay([...blocks.slice(0, at), block, ...blocks.slice(at)]);
        this.#top = Math.max(top, pointer + size);
        try {
            this.reserve();
        } catch (error) {
            this.#stay(blocks);
            this.#top = top;
            throw error;
        }
        return pointer;
    }

    /** @param {number} pointer that keep() gave */
    free(pointer) {
        this.#stay(this.#blocks.filter((block) => block.pointer !== pointer));
        if (this.#calls === 0) this.#top = this.#floor;
    }

    /** Brings the memory behind all that was taken, or throws. */
    reserve() {
        const needed = this.#top, missing = needed - this.reserved;
        if (missing > 0) {
            if (needed > this.#limit) throw fail('outOfMemory', { needed, limit: this.#limit });
            try {
                this.#memory.grow(Math.ceil(missing / PAGE));
            } catch (cause) {
                throw fail('memoryRefused', { needed }, cause);
            }
            this.#view();
        }
        this.#peak = Math.max(this.#peak, this.used);
    }

    /**
     * The caller's own copy of numbers at an address.
     *
     * @param {number} pointer
     * @param {number} count
     */
    copyOut(pointer, count) {
        try {
            return this.f32.slice(pointer / 4, pointer / 4 + count);
        } catch (cause) {
            throw fail('resultRefused', { needed: count * 4 }, cause);
        }
    }

    /**
     * Copies numbers at an address to the front of an array.
     *
     * @param {Float32Array} to
     * @param {number} pointer
     * @param {number} count
     */
    copyTo(to, pointer, count) {
        const { f32 } = this, from = pointer / 4;
        if (count > FEW) {
            to.set(f32.subarray(from, from + count));
            return;
        }
        for (let i = 0; i < count; i++) to[i] = f32[from + i];
    }

    /**
     * The caller's own copy of bytes at an address.
     *
     * @param {number} pointer
     * @param {number} count
     */
    copyBytes(pointer, count) {
        try {
            return this.u8.slice(pointer, pointer + count);
        } catch (cause) {
            throw fail('resultRefused', { needed: count }, cause);
        }
    }

    /**
     * The text at an address, up to its closing 0.
     *
     * @param {number} pointer
     */
    text(pointer) {
        let text = '';
        for (let i = pointer; this.u8[i] !== 0; i++) text += String.fromCharCode(this.u8[i]);
        return text;
    }
}
