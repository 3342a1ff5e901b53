// handles.js: for each sentence that modules, caches, rope and the tables can say, calls that make
// them say it. The form is that of tensors.js.

import { alibiSlopes, sinusoidal } from '../../../web/api/index.js';
import { engineOf } from '../builds.js';

const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });

/** Makes a handle, uses it, and frees it whatever happens. */
function using(make, use) {
    return (attn, simd) => {
        const handle = make(attn);
        try {
            return use(handle, attn, simd);
        } finally {
            handle.dispose();
        }
    };
}

const making = (config) => (attn) => attn.multiHeadAttention(config);
const withModule = (config, use) => (
    using(making({ embedDim: 8, heads: 4, ...config }), use));
const forward = (config, ...call) => withModule(config, (module) => module.forward(...call));

const train = (config, options, use = () => {}) => withModule(config, (module, attn) => (
    use(module.train(zeros(3, 8), undefined, undefined, options), module, attn)));

const caching = (config) => (attn) => (
    attn.kvCache({ kvHeads: 1, headDim: 2, capacity: 4, ...config }));
const withCache = (config, use) => using(caching(config), use);
const withFour = (config, use) => withCache(config, (cache, attn, simd) => {
    cache.append(zeros(4, 2), zeros(4, 2));
    return use(cache, attn, simd);
});
const attending = (q, k, options) => (cache, attn) => (
    attn.attention(q && zeros(...q), k && zeros(...k), k && zeros(...k), { cache, ...options }));

const rope = (shape, options) => (attn) => attn.rope(zeros(...shape), options);

const EIGHT = { in_proj_weight: zeros(24, 8), in_proj_bias: zeros(24),
    'out_proj.weight': zeros(8, 8), 'out_proj.bias': zeros(8) };

export const HANDLE_CASES = {
    missing: ['BAD_VALUE',
        ['k is missing: attention takes q, k and v (for self-attention of one tensor, pass it '
            + 'three times)',
        withCache({}, (cache, attn) => attn.attention(zeros(1, 2), null, zeros(1, 2), { cache }))],
        ['k is missing: attention takes q, k and v (for self-attention of one tensor, pass it '
            + 'three times)', (attn) => attn.attention(zeros(1, 2), null, null)],
    ],
    missingOne: ['BAD_VALUE',
        ['query is missing', forward({})],
        ['key is missing', forward({}, zeros(3, 8), null)],
        ['value is missing', forward({}, zeros(3, 8), zeros(3, 8), null)],
        ['sin is missing', rope([3, 4], { cos: zeros(3, 2) })],
    ],
    weightsChanged: ['BAD_VALUE', ['backward: the weights have changed since train(), by step() or '
        + 'loadStateDict(): call train() again',
    train({}, {}, ({ backward }, module, attn) => {
        module.step(attn.optimizer({ kind: 'sgd', lr: 0 }));
        backward(zeros(3, 8));
    })]],
    noBias: ['BAD_OPTION', ['biasGrad is true, but the forward call was given no bias',
        train({}, {}, ({ backward }) => backward(zeros(3, 8), { biasGrad: true }))]],
    notWeights: ['BAD_VALUE',
        ['weights is []: expected an object from names to tensors, as stateDict() returns',
            making({ embedDim: 8, heads: 4, weights: [] })],
        ['weights is null: expected an object from names to tensors, as stateDict() returns',
            withModule({}, (module) => module.loadStateDict(null))],
    ],
    notTensor: ['BAD_VALUE', ['out_proj.bias is 0: expected nested arrays of numbers, or '
        + '{ data, shape }',
    withModule({}, (module) => module.loadStateDict({ ...EIGHT, 'out_proj.bias': 0 }))]],
    notNumber: ['BAD_VALUE', ["in_proj_bias.data[0] is '1': expected a number",
        withModule({}, (module) => module.loadStateDict(
            { ...EIGHT, in_proj_bias: { data: ['1', ...new Array(23).fill(0)], shape: [24] } }))]],
    weightUnknown: ['BAD_OPTION',
        ["weights has no use for 'bias_k': expected in_proj_weight, q_proj_weight, k_proj_weight, "
            + 'v_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias, q_proj.weight, '
            + 'q_proj.bias, k_proj.weight, k_proj.bias, v_proj.weight, v_proj.bias, o_proj.weight, '
            + 'o_proj.bias',
        making({ embedDim: 8, heads: 4, weights: { ...EIGHT, bias_k: zeros(1, 1, 8) } })],
        ["weights has no use for 'in_proj_weight': expected q_proj_weight, k_proj_weight, "
            + 'v_proj_weight, q_proj.weight, k_proj.weight, v_proj.weight',
        making({ embedDim: 8, heads: 4, keyInputDim: 6, bias: false, outputProjection: false,
            weights: { in_proj_weight: zeros(24, 8) } })],
    ],
    weightMissing: ['BAD_OPTION',
        ["weights lacks 'in_proj_weight' or 'q_proj_weight' or 'q_proj.weight'",
            making({ embedDim: 8, heads: 4, weights: {} })],
        ["weights lacks 'out_proj.bias' or 'o_proj.bias'",
            withModule({}, (module) => module.loadStateDict(
                Object.fromEntries(Object.entries(EIGHT).slice(0, 3))))],
    ],
    weightTwice: ['BAD_OPTION', ["weights gives 'q_proj.weight' and 'in_proj_weight', which are "
        + 'the same',
    withModule({}, (module) => module.loadStateDict({ ...EIGHT, 'q_proj.weight': zeros(8, 8) }))]],
    shapeDiffers: ['BAD_SHAPE',
        ['in_proj_weight is [24,9], expected [24,8]',
            making({ embedDim: 8, heads: 4, weights: { ...EIGHT, in_proj_weight: zeros(24, 9) } })],
        ['dOutput is [3,2], expected [3,8]',
            train({}, {}, ({ backward }) => backward(zeros(3, 2)))],
        ['sin is [3,1], expected [3,2]',
            rope([3, 4], { cos: zeros(3, 2), sin: zeros(3, 1) })],
    ],
    badWidth: ['BAD_SHAPE',
        ['query is [3,6]: its last dimension must be embedDim = 8', forward({}, zeros(3, 6))],
        ['key is [3,8]: its last dimension must be keyInputDim = 6',
            forward({ keyInputDim: 6 }, zeros(3, 8))],
        ['value is [5,6]: its last dimension must be valueInputDim = 2',
            forward({ keyInputDim: 6, valueInputDim: 2 }, zeros(3, 8), zeros(5, 6))],
    ],
    badDivision: ['BAD_SHAPE',
        ['embedDim must be a multiple of heads: 512 = 6·85 + 2',
            making({ embedDim: 512, heads: 6 })],
        ['heads must be a multiple of kvHeads: 8 = 3·2 + 2',
            making({ embedDim: 64, heads: 8, kvHeads: 3 })],
    ],
    badShape: ['BAD_SHAPE',
        ['query is [8]: expected [T,embedDim] or [B,T,embedDim]', forward({}, zeros(8))],
        ['positions is [2]: expected [3] or [1,3]', rope([3, 4], { positions: [0, 1] })],
        ['cos is [3,3]: expected [3,n] or [1,3,n], n from 1 to 2 pairs',
            rope([3, 4], { cos: zeros(3, 3), sin: zeros(3, 3) })],
        ['x is [4]: expected [T,D], [H,T,D] or [B,H,T,D]', rope([4])],
    ],
    zeroExtent: ['BAD_SHAPE', ['x is [0,3,4]: the number of heads must be at least 1',
        rope([0, 3, 4])]],
    rankDiffers: ['BAD_SHAPE', ['key is [3,8], query is [1,3,8]: they must have the same number of '
        + 'dimensions', forward({}, zeros(1, 3, 8), zeros(3, 8))]],
    sizesDiffer: ['BAD_SHAPE',
        ['key is [2,5,8], query is [1,3,8]: batches differ (2 ≠ 1)',
            forward({}, zeros(1, 3, 8), zeros(2, 5, 8))],
        ['value is [4,8], key is [5,8]: lengths differ (4 ≠ 5)',
            forward({}, zeros(3, 8), zeros(5, 8), zeros(4, 8))],
        ['v is [3,2], k is [4,2]: lengths differ (3 ≠ 4)',
            withCache({}, (cache) => cache.append(zeros(4, 2), zeros(3, 2)))],
    ],
    badCount: ['BAD_SHAPE', ['out: expected 3·8 = 24 numbers, got 3',
        forward({}, zeros(3, 8), undefined, undefined, { out: new Float32Array(3) })]],
    badListCount: ['BAD_SHAPE',
        ['alibi: expected 4 numbers, one for each query head, got 1',
            making({ embedDim: 8, heads: 4, alibi: [1] })],
        ['lengths: expected 1 number, one for each batch row, got 2',
            withCache({}, (cache) => cache.append(zeros(1, 2), zeros(1, 2), { lengths: [1, 1] }))],
    ],
    badBroadcast: ['BAD_SHAPE', ['mask is [1,4], which does not broadcast to [1,1,1,3]: keys is 4, '
        + 'expected 1 or 3',
    withCache({}, (cache, attn) => {
        cache.append(zeros(2, 2), zeros(2, 2));
        const mask = [[true, true, true, true]];
        attending([1, 2], [1, 2], { mask })(cache, attn);
    })]],
    cacheDiffers: ['BAD_SHAPE',
        ['the cache has headDim 2, q has 3', withCache({}, attending([1, 3], [1, 3]))],
        ['the cache has batch 2, q has 1', withCache({ batch: 2 }, attending([1, 2], [1, 2]))],
        ['the cache has kvHeads 1, k has 2', withCache({}, attending([2, 1, 2], [2, 1, 2]))],
        ['the cache has valueHeadDim 3, v has 2',
            withCache({ valueHeadDim: 3 }, attending([1, 2], [1, 2]))],
        ['the cache has headDim 2, k has 3',
            withCache({}, (cache) => cache.append(zeros(1, 3), zeros(1, 2)))],
        ['the cache has kvHeads 1, the module has 4', withCache({}, (cache, attn) => (
            forward({}, zeros(1, 8), undefined, undefined, { cache })(attn)))],
        ['the cache has batch 3, query has 1',
            withCache({ batch: 3, kvHeads: 4 }, (cache, attn) => (
                forward({}, zeros(1, 8), undefined, undefined, { cache })(attn)))],
    ],
    cacheFull: ['CACHE_FULL',
        ['the cache has no room: 4 present + 2 new = 6 keys in batch row 0, capacity is 4',
            withFour({}, attending([2, 2], [2, 2]))],
        ['the cache has no room: 4 present + 1 new = 5 keys in batch row 0, capacity is 4',
            withFour({}, (cache) => cache.append(zeros(1, 2), zeros(1, 2)))],
        ['the cache has no room: 0 present + 5 new = 5 keys in batch row 1, capacity is 4',
            withCache({ batch: 2 }, (cache) => (
                cache.append(zeros(2, 1, 5, 2), zeros(2, 1, 5, 2), { lengths: [3, 5] })))],
        ['the cache has no room: 4 present + 1 new = 5 keys in batch row 0, capacity is 4',
            withFour({}, (cache, attn) => (
                forward({ embedDim: 2, heads: 1 }, zeros(1, 2), undefined, undefined, { cache })(
                    attn)))],
    ],
    cacheTooMany: ['CACHE_FULL', ['the cache has no room: 5 new keys in batch row 0, capacity is 4',
        withCache({ window: [1, 0] }, (cache) => cache.append(zeros(5, 2), zeros(5, 2)))]],
    cacheTooSmall: ['CACHE_FULL', ['the cache has no room for a call: 3 keys that the first query '
        + 'sees + 2 new = 5 in batch row 0, capacity is 4: give fewer tokens at once',
    withFour({ window: [3, 0] }, attending([2, 2], [2, 2]))]],
    truncateTooFar: ['BAD_VALUE', ['truncate(1) would keep fewer keys than the 2 that the window '
        + 'sees back, and in batch row 0 the older ones have left: use reset()',
    withFour({ window: [2, 0] }, (cache) => {
        cache.append(zeros(1, 2), zeros(1, 2));
        cache.truncate(2);
        cache.truncate(1);
    })]],
    notWithCache: ['BAD_OPTION',
        ['keyLengths cannot be given with a cache, which knows its own lengths and positions',
            withCache({}, attending([1, 2], [1, 2], { keyLengths: [1] }))],
        ['queryOffset cannot be given with a cache, which knows its own lengths and positions',
            withCache({}, attending([1, 2], [1, 2], { queryOffset: 0 }))],
        ["causal 'top-left' cannot be given with a cache, which knows its own lengths and "
            + 'positions',
        withCache({}, attending([1, 2], [1, 2], { causal: 'top-left' }))],
    ],
    paddedApart: ['BAD_OPTION', ['queryLengths with a cache says how many tokens of each batch row '
        + 'are real, in q and in k alike, but q has length 1 and k 3: append k and v first, by '
        + 'cache.append(k, v, { lengths })',
    withCache({}, attending([1, 2], [3, 2], { queryLengths: [1] }))]],
    windowTooWide: ['BAD_OPTION',
        ['window is [2,0], but the cache lets keys go that its own window [1,0] does not see: '
            + 'expected 0 to 1 on the left',
        withCache({ window: [1, 0] }, attending([1, 2], [1, 2], { window: [2, 0] }))],
        ['window is [-1,0], but the cache lets keys go that its own window [1,0] does not see: '
            + 'expected 0 to 1 on the left',
        withCache({ window: [1, 0] }, attending([1, 2], [1, 2], { window: [-1, 0] }))],
    ],
    badCacheWindow: ['BAD_OPTION', ['window is [-1,0]: a cache lets go of the keys on the left '
        + 'that no query sees any more: expected [left, right] with left from 0 and right from -1',
    caching({ window: [-1, 0] })]],
    windowOverCapacity: ['BAD_OPTION', ["window sees 4 keys back and the query's own: 4 + 1 = 5, "
        + 'capacity is 4', caching({ window: [4, 0] })]],
    windowIsNumber: ['BAD_OPTION', ['window is 4: expected [left, right]; a window of 4 keys that '
        + 'ends at the query is [3, 0]', caching({ window: 4 })]],
    notTogether: ['BAD_OPTION',
        ['base cannot be given with cos and sin',
            rope([3, 4], { base: 100, cos: zeros(3, 2), sin: zeros(3, 2) })],
        ['offset cannot be given with positions',
            rope([3, 4], { offset: 1, positions: [0, 1, 2] })],
        ['seed cannot be given with weights',
            making({ embedDim: 8, heads: 4, seed: 1, weights: EIGHT })],
        ['outputDim cannot be given with outputProjection: false',
            making({ embedDim: 8, heads: 4, outputProjection: false, outputDim: 8 })],
    ],
    cacheElsewhere: ['BAD_OPTION', ['cache is of another engine: make it by kvCache() of this one',
        (attn, simd) => {
            const cache = caching({})(engineOf(simd));
            return attending([1, 2], [1, 2])(cache, attn);
        }]],
    unknownOption: ['BAD_OPTION',
        ["unknown option 'config.num_heads': did you mean 'heads'?",
            making({ embedDim: 8, num_heads: 4 })],
        ["unknown option 'scale': it belongs to the module: give it to multiHeadAttention()",
            forward({}, zeros(3, 8), undefined, undefined, { scale: 1 })],
        ["unknown option 'dropout': forward() and inspect() of a module drop no weights, train() "
            + 'does',
        forward({}, zeros(3, 8), undefined, undefined, { dropout: { p: 0.5, seed: 1 } })],
        ["unknown option 'seed': forward() and inspect() of a module drop no weights, train() does",
            forward({}, zeros(3, 8), undefined, undefined, { seed: 1 })],
        ["unknown option 'dropout': it belongs to the module: give it to multiHeadAttention()",
            train({}, { dropout: { p: 0.5, seed: 1 } })],
        ["unknown option 'cache': no gradient passes through a cache: give keys and values",
            train({}, { cache: undefined })],
        ["unknown option 'theta': expected any of base, dim, interleaved, offset, positions, cos, "
            + 'sin, inverse, layout', rope([3, 4], { theta: 10000 })],
        ["unknown option 'config.max_length': expected any of batch, kvHeads, headDim, "
            + 'valueHeadDim, capacity, window', caching({ max_length: 8 })],
    ],
    badOption: ['BAD_OPTION',
        ["dropout is '1': expected a number", making({ embedDim: 8, heads: 4, dropout: '1' })],
        ['optimizer is undefined: expected what optimizer() returned',
            withModule({}, (module) => module.step())],
        ['optimizer is an object: expected what optimizer() returned',
            withModule({}, (module) => module.step({ step() {} }))],
        ['bias is 1: expected true or false', making({ embedDim: 8, heads: 4, bias: 1 })],
        ['rope is 1: expected true, false or an object with any of base, dim, interleaved',
            making({ embedDim: 8, heads: 4, rope: 1 })],
        ['inverse is 1: expected false or true', rope([3, 4], { inverse: 1 })],
        ["layout is 'HTD': expected 'BHTD' or 'BTHD'",
            withCache({}, (cache) => cache.append(zeros(1, 2), zeros(1, 2), { layout: 'HTD' }))],
    ],
    badNumber: ['BAD_VALUE',
        ['heads is undefined: expected an integer from 1 to 2147483647', making({ embedDim: 8 })],
        ['kvHeads is null: expected an integer from 1 to 2147483647',
            making({ embedDim: 8, heads: 4, kvHeads: null })],
        ['dropout is 1.5: expected a number from 0 to 1',
            making({ embedDim: 8, heads: 4, dropout: 1.5 })],
        ['seed is undefined: expected an integer from 0 to 4294967295', train({ dropout: 0.5 })],
        ['seed is -1: expected an integer from 0 to 4294967295', train({}, { seed: -1 })],
        ['seed is null: expected an integer from 0 to 4294967295',
            making({ embedDim: 8, heads: 4, seed: null })],
        ['batch is null: expected an integer from 0 to 2147483647', caching({ batch: null })],
        ['offset is null: expected an integer from -2147483648 to 2147483647',
            rope([3, 4], { offset: null })],
        ['scale is NaN: expected a finite float32', making({ embedDim: 8, heads: 4, scale: NaN })],
        ['softcap is -1: expected a finite number, positive, or 0 for none',
            making({ embedDim: 8, heads: 4, softcap: -1 })],
        ['seed is -1: expected an integer from 0 to 4294967295',
            making({ embedDim: 8, heads: 4, seed: -1 })],
        ['dim is 3: expected an even integer from 2 to the head size, which is 4',
            rope([3, 4], { dim: 3 })],
        ['dim is 1: expected pairs to rotate, but the head size is 1',
            making({ embedDim: 4, heads: 4, rope: true })],
        ['base is 0: expected a finite number from 1e-270 up', rope([3, 4], { base: 0 })],
        ['base is -1: expected a finite number from 1e-270 up', () => sinusoidal(2, 4, -1)],
        ['positions[1] is 0.5: expected an integer from -2147483648 to 2147483647',
            rope([2, 4], { positions: [0, 0.5] })],
        ['length is -1: expected an integer from 0 to 2147483647', () => sinusoidal(-1, 4)],
        ['dim is 0: expected an integer from 1 to 2147483647', () => sinusoidal(2, 0)],
        ['heads is 0: expected an integer from 1 to 2147483647', () => alibiSlopes(0)],
        ['capacity is 0: expected an integer from 1 to 2147483647', caching({ capacity: 0 })],
        ['window[0] is 0.5: expected an integer from 0, or -1 for no bound',
            caching({ window: [0.5, 0] })],
        ['lengths[0] is 2: expected an integer from 0 to 1',
            withCache({}, (cache) => cache.append(zeros(1, 2), zeros(1, 2), { lengths: [2] }))],
        ['length is -1: expected an integer from 0 to 2147483647',
            withCache({}, (cache) => cache.truncate(-1))],
    ],
    disposed: ['DISPOSED',
        ['forward: this multi-head attention was disposed', (attn) => {
            const module = making({ embedDim: 8, heads: 4 })(attn);
            module.dispose();
            return module.forward(zeros(3, 8));
        }],
        ['attention: this cache was disposed', (attn) => {
            const cache = caching({})(attn);
            cache.dispose();
            return attending([1, 2], [1, 2])(cache, attn);
        }],
        ['stateDict: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd), module = making({ embedDim: 8, heads: 4 })(other);
            other.dispose();
            return module.stateDict();
        }],
        ['kvCache: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd);
            other.dispose();
            return caching({})(other);
        }],
    ],
    outOfMemory: ['OUT_OF_MEMORY', ['the call needs # bytes (# MiB) of memory, maxMemory is '
        + '1048576 bytes (1 MiB)',
    (attn, simd) => caching({ capacity: 1000000 })(engineOf(simd, { maxMemory: 1048576 }))]],
};
