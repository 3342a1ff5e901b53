// handle.js: what lives between calls: a block of wasm memory, counted, until it is disposed of.

/** @import { Host } from './host.js' */
/** @import { Instance } from './instance.js' */

import { fail } from './errors.js';

/**
 * Makes the methods of an object work by themselves too: const { attention } = await load().
 *
 * @param {object} object whose class has the methods
 */
export function bindMethods(object) {
    const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
    for (const [name, { value }] of Object.entries(methods)) {
        if (typeof value !== 'function' || name === 'constructor') continue;
        Object.defineProperty(object, name, { value: value.bind(object), configurable: true });
    }
}

export class Handle {
    #host;
    #instance;
    #what;
    /** @type {number | null} */
    #pointer;

    /**
     * @param {Host} host
     * @param {string} call that makes it
     * @param {string} what it is called in sentences
     * @param {number} bytes
     */
    constructor(host, call, what, bytes) {
        this.#host = host;
        this.#what = what;
        this.#instance = host.living(call);
        this.#pointer = this.#instance.memory.keep(bytes);
        host.handles++;
    }

    /**
     * The address of the block and the instance that it lies in, while both live.
     *
     * @param {string} call
     * @returns {{ instance: Instance, pointer: number }}
     */
    living(call) {
        if (this.#pointer === null) throw fail('disposed', { call, what: this.#what });
        this.#host.living(call);
        return { instance: this.#instance, pointer: this.#pointer };
    }

    /**
     * Runs a call that needs the handle.
     *
     * @template Call, Result
     * @param {string} name
     * @param {() => Call} read
     * @param {(instance: Instance, call: Call) => Result} work
     * @returns {Result}
     */
    run(name, read, work) {
        this.living(name);
        return this.#host.run(name, read, (_, call) => work(this.living(name).instance, call));
    }

    /** @param {Host} host */
    isOf(host) { return host === this.#host; }

    dispose() {
        if (this.#pointer === null) return;
        this.#instance.memory.free(this.#pointer);
        this.#pointer = null;
        this.#host.handles--;
    }
}
