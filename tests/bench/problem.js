// The tensors of a shape: standard normal numbers from a seed, the same for every engine, and how
// many floating-point operations a call counts as.

import { randomFrom } from '../../web/train/random.js';

function normals(count, spread, random) {
    const out = new Float32Array(count);
    for (let n = 0; n < count; n++) {
        const radius = Math.sqrt(-2 * Math.log(1 - random()));
        out[n] = spread * radius * Math.cos(2 * Math.PI * random());
    }
    return out;
}

/**
 * q, k and v of shape (1, H, T, D) as flat arrays. `spread` is the standard deviation of the scaled
 * scores.
 */
export function tensorsOf({ heads, length, dim, spread = 1, seed = 1 }) {
    const random = randomFrom(seed), count = heads * length * dim;
    const [q, k, v] = [spread, 1, 1].map((size) => normals(count, size, random));
    return { shape: [1, heads, length, dim], q, k, v };
}

/** 4 · H · T² · D, and half of it under a causal mask: two products of T × T × D. */
export const operationsOf = ({ heads, length, dim, causal }) =>
    4 * heads * length * length * dim * (causal ? 0.5 : 1);
