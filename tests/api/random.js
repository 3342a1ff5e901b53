// random.js: calls of attention() with any shapes and options, for fast-check.
//
// fast-check chooses sizes and options; the numbers come from a seed that is one of its choices.

import fc from 'fast-check';
import { numbersFrom } from './oracle.js';

/** ATTN_SEED repeats a run. */
export const SEED = Number(process.env.ATTN_SEED ?? 20240607);

const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
const length = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 70 }));
const width = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 40 }));

export const calls = fc.record({
    rank: fc.constantFrom(2, 3, 4),
    batch: fc.integer({ min: 0, max: 3 }),
    Hk: fc.integer({ min: 1, max: 2 }),
    group: fc.integer({ min: 1, max: 3 }),
    Tq: length,
    Tk: length,
    D: width,
    Dv: width,
    seed: fc.integer(),
    spread: fc.constantFrom(0.1, 1, 2),
    layout: fc.constantFrom(undefined, 'BHTD', 'BTHD'),
    causal: fc.constantFrom(undefined, false, true, 'top-left'),
    window: maybe(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 }))),
    scale: maybe(fc.constantFrom(0.5, 0.25, 0, -0.3)),
    softcap: fc.constantFrom(undefined, 0, 0.7, 3),
    alibi: fc.constantFrom(undefined, false, true, 'slopes'),
    dropout: maybe(fc.record({
        p: fc.constantFrom(0, 0.1, 0.5, 0.9, 1),
        seed: fc.integer({ min: 0, max: 4294967295 }),
    })),
    mask: maybe(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })),
    maskRank: fc.constantFrom(2, 3, 4),
    keyMask: fc.boolean(),
    bias: maybe(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })),
    keyLengths: fc.boolean(),
    queryLengths: fc.boolean(),
    queryOffset: fc.constantFrom(undefined, 'one', 'each'),
});

/** A tensor that has 1 on some axes of full. */
function broadcastable(full, isOne, rank, element) {
    const shape = full.map((extent, axis) => (isOne[axis] ? 1 : extent)).slice(4 - rank);
    return { data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, element), shape };
}

/** From what fast-check chose to a call whose options do not contradict each other. */
export function makeCall(chosen) {
    const { rank, Tq, Tk, D, Dv, spread, causal, window, scale, softcap, dropout } = chosen;
    const B = rank === 4 ? chosen.batch : 1, Hk = rank > 2 ? chosen.Hk : 1;
    const Hq = rank > 2 ? Hk * chosen.group : 1;
    const next = numbersFrom(chosen.seed), full = [B, Hq, Tq, Tk];
    const tensor = (count) => Float32Array.from({ length: count }, () => next() * spread);
    const below = (n) => Math.floor((next() + 1) / 2 * (n + 1));
    const call = {
        B, Hq, Hk, Tq, Tk, D, Dv, causal, window, scale, softcap, dropout,
        alibi: chosen.alibi === 'slopes' ? Array.from({ length: Hq }, next) : chosen.alibi,
        q: tensor(B * Hq * Tq * D), k: tensor(B * Hk * Tk * D), v: tensor(B * Hk * Tk * Dv),
    };
    if (chosen.mask) {
        call.mask = broadcastable(full, chosen.mask, chosen.maskRank, () => next() > -0.5);
    }
    if (chosen.keyMask) {
        const data = Uint8Array.from({ length: B * Tk }, () => (next() > -0.6 ? 7 : 0));
        call.keyMask = { data, shape: [B, Tk] };
    }
    if (chosen.bias) {
        const element = () => (next() > 0.7 ? -Infinity : next() * 2);
        call.bias = broadcastable(full, chosen.bias, 4, element);
    }
    const counts = Array.from({ length: B }, () => [below(Tk), below(Tq), Math.floor(next() * 9)]);
    if (chosen.keyLengths) call.keyLengths = counts.map(([keys]) => keys);
    if (chosen.queryLengths) call.queryLengths = counts.map(([, queries]) => queries);
    if (chosen.queryOffset && causal !== 'top-left') {
        const each = counts.map(([, , offset]) => offset);
        call.queryOffset = chosen.queryOffset === 'one' ? below(8) - 3 : each;
    }
    const isPlaced = call.queryLengths || call.queryOffset !== undefined;
    if (call.keyLengths && Tq === Tk && !isPlaced) {
        call.queryLengths = counts.map(([, queries]) => queries);
    }
    return call;
}

/** (B, H, T, D) to (B, T, H, D). */
export function swapAxes(data, B, H, T, D) {
    const swapped = new Float32Array(data.length);
    for (let n = 0; n < data.length; n++) {
        const d = n % D, t = Math.floor(n / D) % T, h = Math.floor(n / D / T) % H;
        const b = Math.floor(n / D / T / H);
        swapped[((b * T + t) * H + h) * D + d] = data[n];
    }
    return swapped;
}

export const optionNames = [
    'mask', 'keyMask', 'bias', 'causal', 'window', 'scale', 'softcap', 'alibi', 'dropout',
    'keyLengths', 'queryLengths', 'queryOffset',
];

/** The arguments of attention() for a call. */
export function argumentsFor(call, { rank, layout }) {
    const isSwapped = layout === 'BTHD' && rank > 2;
    const tensor = (data, H, T, D) => ({
        data: isSwapped ? swapAxes(data, call.B, H, T, D) : data,
        shape: (isSwapped ? [call.B, T, H, D] : [call.B, H, T, D]).slice(rank === 2 ? 2 : 4 - rank),
    });
    const { q, k, v, Hq, Hk, Tq, Tk, D, Dv } = call;
    const options = Object.fromEntries(optionNames.map((name) => [name, call[name]]));
    options.layout = layout;
    return [tensor(q, Hq, Tq, D), tensor(k, Hk, Tk, D), tensor(v, Hk, Tk, Dv), options];
}
