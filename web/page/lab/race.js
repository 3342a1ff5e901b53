// A race of the two paths on the reader's machine: the tiles, which never hold the scores, and the
// definition, which keeps every one of them. One head of 64; T doubles until a call takes too long,
// or too much memory. Measured like a lesson, step by step, so that it can be stopped.

import { loadSync } from '../../api/index.js';
import { RACE_HEAD as HEAD } from './cost.js';

const FIRST = 64;

/** Bytes that a call may need. */
const MOST_BYTES = 2 ** 28;

/** Seconds that are measured at once, coarse as a clock may be here, and altogether. */
const AT_ONCE = 0.005, ALTOGETHER = 0.06;

function timeOf(run, calls) {
    const start = performance.now();
    for (let n = 0; n < calls; n++) run();
    return (performance.now() - start) / 1000;
}

/** Seconds of a call: the least of several times, as all else only adds to it. */
function secondsOf(run) {
    let calls = 1, time = timeOf(run, 1);
    while (time < AT_ONCE) time = timeOf(run, calls *= 2);
    let least = time;
    for (let spent = time; spent < ALTOGETHER; spent += time) {
        time = timeOf(run, calls);
        least = Math.min(least, time);
    }
    return least / calls;
}

/** Numbers of no pattern, the same each time. */
const numbers = (count, step) =>
    Float32Array.from({ length: count }, (_, n) => Math.sin(step * (n + 1) ** 1.5));

/** The definition holds six T × T arrays, and copies them out. */
const bytesOf = { tiles: () => 0, definition: (length) => 12 * 4 * length ** 2 };

export class Race {
    /** Each step is worth telling. */
    every = 1;
    step = 0;
    curve = [];

    #engines;
    #longest;
    #length = FIRST;
    /** Paths that still run; at this length, those still to come. */
    #paths = ['definition', 'tiles'];
    #waiting = [...this.#paths];

    /** `longest`: seconds that a call may take. */
    constructor(engine, { longest = 0.8 }, wasm) {
        this.options = {};
        this.#longest = longest;
        const build = () => loadSync({ wasm, simd: 'simd128' });
        this.#engines = { tiles: build(), definition: build() };
    }

    get isOver() { return this.#paths.length === 0; }

    /** Measures one path at one length. */
    next() {
        const path = this.#waiting.shift(), length = this.#length, engine = this.#engines[path];
        const tensors = [0.1, 0.2, 0.3].map((step) => (
            { data: numbers(length * HEAD, step), shape: [length, HEAD] }));
        const call = { tiles: engine.attention, definition: engine.inspect }[path];
        const run = () => call(...tensors);
        const seconds = secondsOf(run);
        const bytes = engine.memory().peak - 4 * tensors[0].data.byteLength;
        this.step++;
        this.curve.push({ step: this.step, path, length, seconds, bytes });
        const isLast = 4 * seconds > this.#longest || bytesOf[path](2 * length) > MOST_BYTES;
        if (isLast) this.#paths = this.#paths.filter((other) => other !== path);
        if (this.#waiting.length) return;
        this.#length *= 2;
        this.#waiting = [...this.#paths];
    }

    /** Nothing but the curve. */
    look() { return { numbers: {} }; }

    dispose() {
        for (const engine of Object.values(this.#engines)) engine.dispose();
    }
}
