// Decoding: the same attention one query at a time over the engine's key-value cache, beside
// the full causal call. A window lets the oldest keys leave the cache.

import { computed } from '@preact/signals';
import { decodingOf } from './calls.js';
import { engine, model } from './compute.js';
import { now, update } from './state.js';

const rowOf = (heads, t) => heads.map((rows) => [rows[t]]);

/** Per word: what the cache holds after it, its output, and how far from the full call's it is. */
export const decoding = computed(() => {
    const m = model.value;
    const { doc, head, traces } = m;
    if (doc.keyTokens) return null;
    const { used, v } = traces;
    const [T, D, Dv] = [doc.tokens.length, m.dk, m.grids.V[0].length];
    const { options, window } = decodingOf(doc, m.dk);
    const full = engine.value
        .attention(used.q, used.k, v, { ...options, causal: true, ...(window && { window }) })
        .toNested();
    const cache = engine.value.kvCache({
        kvHeads: doc.kvHeads,
        headDim: D,
        valueHeadDim: Dv,
        capacity: window ? window[0] + 1 : T,
        ...(window && { window }),
    });
    try {
        return doc.tokens.map((_, t) => {
            const [q, k, values] = [used.q, used.k, v].map((heads) => rowOf(heads, t));
            const out = engine.value.attention(q, k, values, { ...options, cache }).toNested();
            const gap = Math.max(
                ...out.flatMap(([row], h) => row.map((x, d) => Math.abs(x - full[h][t][d]))),
            );
            const [shared, first] = [m.shared, t + 1 - cache.length];
            return {
                first,
                keys: cache.keys().toNested()[0][shared],
                values: cache.values().toNested()[0][shared],
                output: out[head][0],
                full: full[head][t],
                gap,
            };
        });
    } finally {
        cache.dispose();
    }
});

export const setDecoded = (decoded) => update({ decoded, notice: { kind: 'decoded' } });

/** How many words have been read, of a sentence that may have grown shorter. */
export const decodedOf = () => Math.min(now.decoded.value, now.doc.value.tokens.length);
