/*
 * wasm.js: runs cases through the JavaScript package.
 *
 * A past becomes a cache, whose last query stands at its last key. Where the operator says otherwise
 * (positions matter, and there are more or fewer new keys than queries), it is joined to the keys.
 */
import { join } from './tensors.js';

/** The past as a cache, or null where there is none that a cache can stand for. */
function cacheFor(engine, { q, k, v, past, layout, options: { causal, window } }) {
    if (!past) return null;
    const axis = layout === 'BTHD' ? 1 : 2, added = k.shape[axis];
    const isPlaced = causal || window?.some((n) => n >= 0);
    if (isPlaced && q.shape[axis] !== added) return null;
    const [batch, kvHeads, length, headDim] = past.k.shape, [valueHeadDim] = v.shape.slice(-1);
    const capacity = length + added;
    const cache = engine.kvCache({ batch, kvHeads, headDim, valueHeadDim, capacity });
    cache.append(past.k, past.v);
    return cache;
}

/** What forward or trace gives for a case: output, presentKey, presentValue, stage. */
export function attentionBy(engine, call, path) {
    const { q, past, layout, stage } = call, cache = cacheFor(engine, call);
    const { queryOffset, ...others } = call.options;
    const place = cache ? { cache } : { queryOffset };
    const isJoined = past && !cache;
    const [k, v] = ['k', 'v'].map((name) => (
        isJoined ? join(past[name], call[name]) : call[name]));
    try {
        const options = { ...others, ...place, layout };
        const trace = path === 'trace' && engine.inspect(q, k, v, options);
        const output = trace ? trace.output : engine.attention(q, k, v, options);
        const [keys, values] = cache ? [cache.keys(), cache.values()] : [k, v];
        return {
            output: output.data, presentKey: keys.data, presentValue: values.data,
            stage: trace && trace[stage].data,
        };
    } finally {
        cache?.dispose();
    }
}

export function rotaryBy(engine, { x, layout, cos, sin, interleaved }) {
    return { output: engine.rope(x, { layout, cos, sin, interleaved }).data };
}
