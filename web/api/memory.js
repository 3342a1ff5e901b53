// memory.js: JavaScript owns the wasm memory from the heap base up; the core never allocates.
//
// A call marks the top, takes addresses above it, reserves the memory behind them in one step, and
// releases to its mark when it ends, however it ends. Calls may nest (a getter of an input may call
// the engine), so nothing belongs to a call but what lies above its own mark.
// Only reserve() grows the memory, and only it makes views: read them from here each time, since
// growing detaches the old ones.

import { fail } from './errors.js';

const PAGE = 65536;
const ALIGNMENT = 16;

/** @param {number} n */
const align = (n) => Math.ceil(n / ALIGNMENT) * ALIGNMENT;

export class Memory {
    /** Views of the whole memory. */
    u8 = new Uint8Array(0);
    i32 = new Int32Array(0);
    u32 = new Uint32Array(0);
    f32 = new Float32Array(0);

    #memory;
    #base;
    #top;
    #peak = 0;
    #limit;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {number} heapBase the first byte that is ours
     * @param {number} limit bytes that the whole memory may reach
     */
    constructor(memory, heapBase, limit) {
        this.#memory = memory;
        this.#base = this.#top = align(heapBase);
        this.#limit = limit;
        this.#view();
    }

    #view() {
        const { buffer } = this.#memory;
        this.u8 = new Uint8Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.f32 = new Float32Array(buffer);
    }

    /** Bytes of the whole memory. */
    get reserved() { return this.#memory.buffer.byteLength; }

    /** Bytes of data now, and at most so far. */
    get used() { return this.#top - this.#base; }
    get peak() { return this.#peak; }

    /** Bytes that the whole memory must have for all that was taken, and that it may have. */
    get needed() { return this.#top; }
    get limit() { return this.#limit; }

    mark() { return this.#top; }

    /** @param {number} mark */
    release(mark) { this.#top = mark; }

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
