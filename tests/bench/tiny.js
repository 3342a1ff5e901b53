// The cost of a call that is hardly any work (T 4, D 2), in microseconds: with options, with an
// array of the caller for the output, and as a loop in JavaScript.

import { loadSync } from '../../dist/attn.js';
import { ENGINES } from './engines.js';
import { tensorsOf } from './problem.js';

const spec = { heads: 1, length: 4, dim: 2 };

function microseconds(run) {
    const CALLS = 20000, times = [];
    for (let n = 0; n < 5 * CALLS; n++) run();
    for (let round = 0; round < 15; round++) {
        const start = performance.now();
        for (let n = 0; n < CALLS; n++) run();
        times.push(((performance.now() - start) / CALLS) * 1000);
    }
    return times.sort((a, b) => a - b)[times.length >> 1];
}

export function tinyOf({ simd = 'auto' }) {
    const engine = loadSync({ simd }), { q, k, v } = tensorsOf(spec);
    const tensors = [q, k, v].map((data) => ({ data, shape: [4, 2] }));
    const out = new Float32Array(8);
    return {
        options: microseconds(() => engine.attention(...tensors, { causal: true })),
        out: microseconds(() => engine.attention(...tensors, { out })),
        plain: microseconds(ENGINES['plain JS'](spec)),
    };
}
