// The cost of a call that is hardly any work (T 4, D 2), in microseconds: with options, with an
// array of the caller for the output, and as a loop in JavaScript; and the size from which the
// engine is quicker than the loop.

import { loadSync } from '../../dist/attn.js';
import { ENGINES } from './engines.js';
import { tensorsOf } from './problem.js';

const spec = { heads: 1, length: 4, dim: 2 };

function microseconds(run, calls = 20000) {
    const times = [];
    for (let n = 0; n < 5 * calls; n++) run();
    for (let round = 0; round < 15; round++) {
        const start = performance.now();
        for (let n = 0; n < calls; n++) run();
        times.push(((performance.now() - start) / calls) * 1000);
    }
    return times.sort((a, b) => a - b)[times.length >> 1];
}

/** The first T at which a call of the engine is quicker than the loop, heads of 16. */
function crossover(engine) {
    return [4, 6, 8, 12, 16, 24, 32, 48, 64].find((length) => {
        const own = { heads: 1, length, dim: 16 }, { q, k, v } = tensorsOf(own);
        const tensors = [q, k, v].map((data) => ({ data, shape: [length, 16] }));
        const out = new Float32Array(q.length);
        const ours = microseconds(() => engine.attention(...tensors, { out }), 2000);
        return ours < microseconds(ENGINES['plain JS'](own), 2000);
    });
}

export function tinyOf({ simd = 'auto' }) {
    const engine = loadSync({ simd }), { q, k, v } = tensorsOf(spec);
    const tensors = [q, k, v].map((data) => ({ data, shape: [4, 2] }));
    const out = new Float32Array(8);
    return {
        options: microseconds(() => engine.attention(...tensors, { causal: true })),
        out: microseconds(() => engine.attention(...tensors, { out })),
        plain: microseconds(ENGINES['plain JS'](spec)),
        crossover: crossover(engine),
    };
}
