// How much memory a long call takes in wasm beyond its tensors: T 32,768, one head of 64, in MiB.

import { loadSync } from '../../dist/attn.js';
import { tensorsOf } from './problem.js';

export function memoryOf({ length = 32768, dim = 64 }) {
    const engine = loadSync({ simd: 'auto', maxMemory: 2147483648 });
    const { shape, q, k, v } = tensorsOf({ heads: 1, length, dim });
    const out = new Float32Array(q.length);
    engine.attention(...[q, k, v].map((data) => ({ data, shape })), { out });
    const tensors = 4 * q.byteLength;
    return { mebibytes: (engine.memory().peak - tensors) / 1048576 };
}
