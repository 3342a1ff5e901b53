// host.js: what an engine and its handles share: the instance that runs, and how a call runs on it.
//
// A call reads its arguments first; then its mark is set, and released however it ends. wasm memory
// cannot shrink: after a call that needed much a fresh instance takes over, unless handles live in
// the old one.

/** @import { MemoryReport } from './types.js' */

import { AttnError, fail } from './errors.js';
import { Instance } from './instance.js';

/** A larger memory is given back when nothing lives in it. */
const KEPT_BYTES = 64 * 1024 * 1024;

export class Host {
    #module;
    #maxMemory;
    /** @type {Instance | null} */
    #instance;
    #peak = 0;

    /** How many handles live. */
    handles = 0;

    /**
     * @param {WebAssembly.Module} module
     * @param {number} maxMemory
     */
    constructor(module, maxMemory) {
        this.#module = module;
        this.#maxMemory = maxMemory;
        this.#instance = new Instance(module, maxMemory);
    }

    get disposed() { return this.#instance === null; }

    /** @param {string} call */
    living(call) {
        if (!this.#instance) throw fail('disposed', { call, what: 'engine' });
        return this.#instance;
    }

    /**
     * Runs a call: reads its arguments, which may run foreign code, then works on the memory.
     *
     * @template Call, Result
     * @param {string} name
     * @param {() => Call} read
     * @param {(instance: Instance, call: Call) => Result} work
     * @returns {Result}
     */
    run(name, read, work) {
        this.living(name);
        return this.work(name, read(), work);
    }

    /**
     * Works on the memory for a call whose arguments have been read.
     *
     * @template Call, Result
     * @param {string} name
     * @param {Call} call
     * @param {(instance: Instance, call: Call) => Result} work
     * @returns {Result}
     */
    work(name, call, work) {
        const instance = this.living(name), { memory } = instance, mark = memory.mark();
        try {
            return work(instance, call);
        } finally {
            memory.release(mark);
            if (instance === this.#instance && memory.reserved > KEPT_BYTES) this.trim();
        }
    }

    /** Lets a fresh instance, with the smallest memory, take over, unless something lives. */
    trim() {
        if (!this.#instance?.memory.isIdle) return;
        try {
            const fresh = new Instance(this.#module, this.#maxMemory);
            this.#peak = this.report().peak;
            this.#instance = fresh;
        } catch (error) {
            // A thread that refuses a fresh instance keeps what it has.
            if (!(error instanceof AttnError)) throw error;
        }
    }

    /** @returns {MemoryReport} */
    report() {
        if (!this.#instance) return { used: 0, peak: this.#peak, reserved: 0, handles: 0 };
        const { used, peak, reserved } = this.#instance.memory;
        return { used, peak: Math.max(peak, this.#peak), reserved, handles: this.handles };
    }

    dispose() {
        this.#peak = this.report().peak;
        this.#instance = null;
    }
}
