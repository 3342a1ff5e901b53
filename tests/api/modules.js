// modules.js: multi-head attention written down a second time: X·Wᵀ + b, rotation, the oracle's
// attention, concatenation, the output projection; in float64, or rounded after every operation.

import { oracle } from './oracle.js';

/** rows (n, in) times the transpose of weight (out, in), plus bias (out). */
export function project(rows, n, weight, [outs, ins], bias, round) {
    const result = [];
    for (let i = 0; i < n; i++) {
        for (let o = 0; o < outs; o++) {
            let sum = bias ? bias[o] : 0;
            for (let d = 0; d < ins; d++) {
                sum = round(sum + round(rows[i * ins + d] * weight[o * ins + d]));
            }
            result.push(sum);
        }
    }
    return result;
}

/** (B, T, H·D) to (B, H, T, D), by a real transpose. */
function split(rows, B, T, H, D) {
    const heads = [];
    for (let b = 0; b < B; b++) {
        for (let h = 0; h < H; h++) {
            for (let t = 0; t < T; t++) {
                for (let d = 0; d < D; d++) heads.push(rows[((b * T + t) * H + h) * D + d]);
            }
        }
    }
    return heads;
}

/** (B, H, T, D) to (B, T, H·D). */
function merge(heads, B, H, T, D) {
    const rows = [];
    for (let b = 0; b < B; b++) {
        for (let t = 0; t < T; t++) {
            for (let h = 0; h < H; h++) {
                for (let d = 0; d < D; d++) rows.push(heads[((b * H + h) * T + t) * D + d]);
            }
        }
    }
    return rows;
}

/** Rotates x (B, H, T, D); row t of batch b stands at positions[b][t]. */
export function rotate(x, [B, H, T, D], positions, options, round = (n) => n) {
    const { base = 10000, dim = D, interleaved = false, inverse = false } = options;
    const turned = Array.from(x);
    for (let row = 0; row < B * H * T; row++) {
        const p = positions[Math.floor(row / T / H)][row % T];
        for (let pair = 0; pair < dim / 2; pair++) {
            const angle = p * base ** (-2 * pair / dim) * (inverse ? -1 : 1);
            const [c, s] = [round(Math.cos(angle)), round(Math.sin(angle))];
            const first = row * D + (interleaved ? 2 * pair : pair);
            const second = interleaved ? first + 1 : first + dim / 2;
            const [a, b] = [x[first], x[second]];
            turned[first] = round(round(a * c) - round(b * s));
            turned[second] = round(round(a * s) + round(b * c));
        }
    }
    return turned;
}

/**
 * @param c as for oracle(), with x, y, z (query, key, value rows), widths Wx, Wy, Wz, Wo, weights
 *     { q, k, v, o: { weight, bias } } as (out, in), and rope
 * @returns the stages of the oracle, with q, k, v, heads (its output), concat and projected
 */
export function moduleOracle(c, round = (n) => n) {
    const { B, Hq, Hk, Tq, Tk, D, Dv, Wx, Wy, Wz, Wo, weights, rope } = c;
    const make = (letter, rows, T, H, dim, width) => {
        const { weight, bias } = weights[letter];
        return split(project(rows, B * T, weight, [H * dim, width], bias, round), B, T, H, dim);
    };
    const tensors = {
        q: make('q', c.x, Tq, Hq, D, Wx), k: make('k', c.y, Tk, Hk, D, Wy),
        v: make('v', c.z, Tk, Hk, Dv, Wz),
    };
    if (rope) {
        const start = (b) => (
            c.causal === 'top-left' ? 0 : (c.keyLengths?.[b] ?? Tk) - (c.queryLengths?.[b] ?? Tq));
        const positions = (T, offset) => Array.from({ length: B }, (_, b) => (
            Array.from({ length: T }, (__, t) => t + offset(b))));
        const options = rope === true ? {} : rope;
        tensors.q = rotate(tensors.q, [B, Hq, Tq, D], positions(Tq, start), options, round);
        tensors.k = rotate(tensors.k, [B, Hk, Tk, D], positions(Tk, () => 0), options, round);
    }
    const stages = oracle({ ...c, ...tensors }, round);
    const concat = merge(stages.output, B, Hq, Tq, Dv);
    const projected = weights.o
        ? project(concat, B * Tq, weights.o.weight, [Wo, Hq * Dv], weights.o.bias, round) : concat;
    return { ...stages, ...tensors, heads: stages.output, concat, projected, output: projected };
}
