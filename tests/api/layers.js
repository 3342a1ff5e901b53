// layers.js: modules of any sizes and options with their calls, for fast-check, as random.js has calls
// of attention().

import fc from 'fast-check';
import { numbersFrom } from './oracle.js';

const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
const between = (min, max) => fc.integer({ min, max });

export const calls = fc.record({
    rank: fc.constantFrom(2, 3),
    batch: between(0, 3),
    Hk: between(1, 3),
    group: between(1, 3),
    Tq: between(0, 19),
    Tk: maybe(between(0, 19)),
    half: between(1, 5),
    Dv: between(1, 9),
    widths: fc.tuple(between(1, 9), maybe(between(1, 9)), maybe(between(1, 9)), between(1, 9)),
    bias: fc.boolean(),
    outputProjection: fc.boolean(),
    spelling: fc.constantFrom('torch', 'plain'),
    rope: fc.constantFrom(undefined, true, { base: 100, dim: 2, interleaved: true }),
    alibi: fc.constantFrom(undefined, true),
    softcap: fc.constantFrom(undefined, 2),
    scale: fc.constantFrom(undefined, 0.5),
    causal: fc.constantFrom(undefined, true, 'top-left'),
    window: fc.constantFrom(undefined, [3, 1]),
    mask: fc.boolean(),
    lengths: fc.boolean(),
    seed: fc.integer(),
});

/** From what was chosen to the sizes, numbers and options of a call. */
export function makeCall(chosen) {
    const B = chosen.rank === 3 ? chosen.batch : 1, { Hk, Tq, Dv, rope, causal } = chosen;
    const Tk = chosen.Tk ?? Tq, Hq = Hk * chosen.group, D = 2 * chosen.half;
    const [Wx, keyWidth, valueWidth, Wo] = chosen.widths;
    const isSelf = chosen.Tk === undefined && keyWidth === undefined && valueWidth === undefined;
    const Wy = keyWidth ?? Wx, Wz = valueWidth ?? Wy, next = numbersFrom(chosen.seed);
    const floats = (count) => Float32Array.from({ length: count }, next);
    const linear = (outs, ins) => (
        { weight: floats(outs * ins), bias: chosen.bias ? floats(outs) : undefined });
    const call = {
        B, Hq, Hk, Tq, Tk, D, Dv, Wx, Wy, Wz, Wo, rope, causal, window: chosen.window,
        alibi: chosen.alibi, softcap: chosen.softcap, scale: chosen.scale, isSelf,
        weights: {
            q: linear(Hq * D, Wx), k: linear(Hk * D, Wy), v: linear(Hk * Dv, Wz),
            o: chosen.outputProjection ? linear(Wo, Hq * Dv) : undefined,
        },
    };
    call.x = floats(B * Tq * Wx);
    call.y = isSelf ? call.x : floats(B * Tk * Wy);
    call.z = isSelf ? call.x : floats(B * Tk * Wz);
    if (chosen.mask) {
        const data = Uint8Array.from({ length: Hq * Tq * Tk }, () => Number(next() > -0.6));
        call.mask = { data, shape: [Hq, Tq, Tk] };
    }
    const below = (n) => Math.floor((next() + 1) / 2 * (n + 1));
    if (chosen.lengths) {
        call.keyLengths = Array.from({ length: B }, () => below(Tk));
        call.queryLengths = Array.from({ length: B }, () => below(Tq));
    }
    return call;
}

/** The weights under torch's names, or under the plain ones. */
function namedWeights({ weights, Hq, Hk, D, Dv, Wx, Wy, Wz, Wo }, spelling) {
    const { q, k, v, o } = weights, named = {};
    const shapes = { q: [Hq * D, Wx], k: [Hk * D, Wy], v: [Hk * Dv, Wz], o: [Wo, Hq * Dv] };
    const put = (name, data, shape) => { if (data) named[name] = { data, shape }; };
    const join = (parts) => Float32Array.from(parts.flatMap((part) => Array.from(part)));
    if (spelling === 'plain') {
        for (const letter of o ? ['q', 'k', 'v', 'o'] : ['q', 'k', 'v']) {
            const { weight, bias } = weights[letter], shape = shapes[letter];
            put(`${letter}_proj.weight`, weight, shape);
            put(`${letter}_proj.bias`, bias, shape.slice(0, 1));
        }
        return named;
    }
    const rows = shapes.q[0] + shapes.k[0] + shapes.v[0];
    if (Wx === Wy && Wy === Wz) {
        put('in_proj_weight', join([q.weight, k.weight, v.weight]), [rows, Wx]);
    } else {
        put('q_proj_weight', q.weight, shapes.q);
        put('k_proj_weight', k.weight, shapes.k);
        put('v_proj_weight', v.weight, shapes.v);
    }
    put('in_proj_bias', q.bias && join([q.bias, k.bias, v.bias]), [rows]);
    put('out_proj.weight', o?.weight, shapes.o);
    put('out_proj.bias', o?.bias, [Wo]);
    return named;
}

export function configOf(call, chosen) {
    const { Hq, Hk, D, Dv, Wx, Wy, Wz, Wo, rope, alibi, softcap, scale } = call;
    return {
        embedDim: Wx, heads: Hq, kvHeads: Hk, headDim: D, valueHeadDim: Dv, keyInputDim: Wy,
        valueInputDim: Wz, outputDim: chosen.outputProjection ? Wo : undefined,
        outputProjection: chosen.outputProjection, bias: chosen.bias, rope, alibi, softcap, scale,
        weights: namedWeights(call, chosen.spelling),
    };
}

export function argumentsFor(call, rank) {
    const { B, Tq, Tk, Wx, Wy, Wz, causal, window, mask, keyLengths, queryLengths } = call;
    const rows = (data, T, width) => ({ data, shape: [B, T, width].slice(3 - rank) });
    const options = { causal, window, mask, keyLengths, queryLengths };
    const query = rows(call.x, Tq, Wx);
    return call.isSelf ? [query, undefined, undefined, options]
        : [query, rows(call.y, Tk, Wy), rows(call.z, Tk, Wz), options];
}
