// The tensors of a shape: standard normal numbers from a seed, the same for every engine, and how
// many floating-point operations a call counts as.

/** mulberry32, by Tommy Ettinger: uniform in [0, 1). */
function uniform(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

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
    const random = uniform(seed), count = heads * length * dim;
    const [q, k, v] = [spread, 1, 1].map((size) => normals(count, size, random));
    return { shape: [1, heads, length, dim], q, k, v };
}

/** 4 · H · T² · D, and half of it under a causal mask: two products of T × T × D. */
export const operationsOf = ({ heads, length, dim, causal }) =>
    4 * heads * length * length * dim * (causal ? 0.5 : 1);
