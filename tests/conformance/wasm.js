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

/** What backward() gives for a case. */
export function gradientsBy(engine, { q, k, v, options, dOutput }) {
    const { backward } = engine.forward(q, k, v, options);
    const slopes = backward(dOutput, { biasGrad: options.bias !== undefined });
    return Object.fromEntries(Object.entries(slopes).map(([name, { data }]) => [name, data]));
}

/** What backward() of a module gives for a case, the gradients of the weights by their names. */
export function moduleGradientsBy(engine, { config, inputs, options, dOutput }) {
    const module = engine.multiHeadAttention(config);
    try {
        const slopes = module.train(...inputs, options).backward(dOutput), { grads } = module;
        const { heads, kvHeads = heads, headDim, valueHeadDim } = config, result = {};
        for (const [name, { data }] of Object.entries(slopes)) result[name] = data;
        for (const [letter, o] of Object.entries({ weight: '.weight', bias: '.bias' })) {
            if (grads[`out_proj${o}`]) result[`o_proj${o}`] = grads[`out_proj${o}`].data;
            let row = 0;
            for (const [x, rows] of [['q', heads * headDim], ['k', kvHeads * headDim],
                ['v', kvHeads * valueHeadDim]]) {
                const whole = grads[`in_proj_${letter}`], width = whole?.shape[1] ?? 1;
                const part = whole?.data.subarray(row * width, (row + rows) * width)
                    ?? grads[`${x}_proj_weight`]?.data;
                if (part && (whole || letter === 'weight')) result[`${x}_proj${o}`] = part;
                row += rows;
            }
        }
        return result;
    } finally {
        module.dispose();
    }
}
