// calls.js: for each sentence that a call can say, calls that make it say it.
//
// id of the sentence: [code, [message, call], ...]. # stands for a number that depends on the
// build.

import { alibiSlopes, masks, sinusoidal } from '../../../web/api/index.js';
import { refusal } from '../../../web/api/refusals.js';
import { engineOf } from '../builds.js';
import { stub } from './stub.js';

const Q = [[1, 2], [3, 4], [5, 6]];
const zeros = (...shape) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
const withQ = (value) => (attn) => attn.attention(value, Q, Q);
const withOptions = (options) => (attn) => attn.attention(Q, Q, Q, options);
const withShapes = (q, k, v, options) => (attn) => (
    attn.attention(zeros(...q), zeros(...k), zeros(...v), options));
const optimizing = (config) => (attn) => attn.optimizer(config);
const stepping = (params, grads) => (attn) => (
    attn.optimizer({ kind: 'sgd', lr: 1 }).step(params, grads));
const backward = (...given) => (attn) => attn.forward(Q, Q, Q).backward(...given);
const withWhatIf = (whatIf) => (attn) => attn.inspect(Q, Q, Q, {}, whatIf);

function disposed(simd, call) {
    const attn = engineOf(simd);
    attn.dispose();
    return call(attn);
}

const refuse = () => { throw new RangeError('Array buffer allocation failed'); };

const withThousand = withShapes([1000, 100], [1000, 100], [1000, 100]);

export const CALL_CASES = {
    missing: ['BAD_VALUE',
        ['k is missing: attention takes q, k and v (for self-attention of one tensor, '
            + 'pass it three times)', (attn) => attn.attention(Q)],
        ['v is missing: inspect takes q, k and v (for self-attention of one tensor, '
            + 'pass it three times)', (attn) => attn.inspect(Q, Q, null)],
    ],
    missingOne: ['BAD_VALUE', ['dOutput is missing', backward()]],
    noBias: ['BAD_OPTION', ['biasGrad is true, but the forward call was given no bias',
        backward(Q, { biasGrad: true })]],
    notTensor: ['BAD_VALUE',
        ["q is 'abc': expected nested arrays of numbers, or { data, shape }",
            withQ('abc')],
        ['k is an object: expected nested arrays of numbers, or { data, shape }',
            (attn) => attn.attention(Q, { causal: true })],
        ['q is a function: expected nested arrays of numbers, or { data, shape }',
            withQ(() => Q)],
    ],
    withoutShape: ['BAD_SHAPE', ['q is a Float32Array without a shape: pass { data, shape }',
        withQ(new Float32Array(6))]],
    notNumbers: ['BAD_VALUE',
        ['q.data is a function: expected an array of numbers',
            withQ({ data: () => [], shape: [3, 2] })],
        ['q.data is a BigInt64Array: expected an array of numbers',
            withQ({ data: new BigInt64Array(6), dims: [3, 2] })],
    ],
    notNumber: ['BAD_VALUE',
        ["q[1][0] is '3': expected a number", withQ([[1, 2], ['3', 4], [5, 6]])],
        ['q[2][1] is [6]: expected a number', withQ([[1, 2], [3, 4], [5, [6]]])],
        ['q.data[4] is undefined: expected a number',
            withQ({ data: [1, 2, 3, 4, undefined, 6], shape: [3, 2] })],
        ['q[0][1] is a BigInt: expected a number', withQ([[1, 2n], [3, 4], [5, 6]])],
        ['bias[0][0] is true: expected a number', withOptions({ bias: [[true]] })],
    ],
    halfFloatBits: ['BAD_VALUE', ['q.data holds the bits of float16 numbers in a Uint16Array: '
        + 'convert it to numbers first',
    withQ({ data: new Uint16Array(6), dims: [3, 2], type: 'float16' })]],
    badExtent: ['BAD_SHAPE',
        ['q: shape [3,-2] holds -2: expected integers from 0 to 2147483647',
            withQ({ data: [], shape: [3, -2] })],
        ['q: shape [0,2147483648] holds 2147483648: expected integers from 0 to '
            + '2147483647', withQ({ data: [], shape: [0, 2147483648] })],
        ["q: shape [3,'2'] holds '2': expected integers from 0 to 2147483647",
            withQ({ data: [], shape: [3, '2'] })],
    ],
    badStride: ['BAD_SHAPE',
        ['q: expected one integer as stride for each dimension of [3,2], and an '
            + 'integer as offset',
        withQ({ data: new Float32Array(6), shape: [3, 2], stride: [2] })],
        ['q: expected one integer as stride for each dimension of [3,2], and an '
            + 'integer as offset',
        withQ({ data: new Float32Array(6), shape: [3, 2], stride: [2, 1], offset: 0.5 })],
    ],
    strideOutside: ['BAD_SHAPE',
        ['q: shape [3,2] with its strides reaches element 6, data has 6',
            withQ({ data: new Float32Array(6), shape: [3, 2], stride: [2, 1], offset: 1 })],
        ['q: shape [3,2] with its strides reaches element -4, data has 6',
            withQ({ data: new Float32Array(6), shape: [3, 2], stride: [-2, 1] })],
    ],
    badCount: ['BAD_SHAPE',
        ['k: expected 2·4·128·64 = 65536 numbers, got 65472',
            (attn) => attn.attention(
                zeros(2, 4, 128, 64),
                { data: new Float32Array(65472), shape: [2, 4, 128, 64] },
                zeros(2, 4, 128, 64),
            )],
        ['grads: expected 2 numbers, got 3', stepping([1, 2], [1, 2, 3])],
        ['out: expected 3·2 = 6 numbers, got 5',
            withOptions({ out: new Float32Array(5) })],
    ],
    ragged: ['BAD_SHAPE',
        ['q[1] has length 1, q[0] has length 2: rows must be equally long',
            withQ([[1, 2], [3], [5, 6]])],
        ['q[1][0] has length 3, q[0][0] has length 2: rows must be equally long',
            withQ([[[1, 2]], [[3, 4, 5]]])],
    ],
    raggedDepth: ['BAD_SHAPE', ['q[2] is 5, q[0] is an array of length 2: rows must be equally '
        + 'deep', withQ([[1, 2], [3, 4], 5])]],
    badShape: ['BAD_SHAPE',
        ['q is [1,1,1,1,1,1,1,1,1]: expected at most 4 dimensions', (attn) => {
            const endless = [];
            endless.push(endless);
            attn.attention(endless, Q, Q);
        }],
        ['q is [1,1,1,1,1,1,1,1,1]: expected at most 4 dimensions',
            withQ({ data: [1], shape: new Array(1e9).fill(1, 0, 20) })],
        ['weightsRow is [1,2]: expected [T], one row',
            (attn) => attn.softmaxJacobian([[0.5, 0.5]])],
        ['q is [3]: expected [T,D], [H,T,D] or [B,H,T,D]', withQ([1, 2, 3])],
        ['q is [1,1,1,1,1]: expected [T,D], [T,H,D] or [B,T,H,D]',
            withShapes([1, 1, 1, 1, 1], [1, 1], [1, 1], { layout: 'BTHD' })],
    ],
    rankDiffers: ['BAD_SHAPE', ['k is [3,2], q is [1,3,2]: they must have the same number of '
        + 'dimensions', withShapes([1, 3, 2], [3, 2], [3, 2])]],
    sizesDiffer: ['BAD_SHAPE',
        ['k is [1,8,16,64], q is [1,8,10,32]: last dimensions differ (64 ≠ 32)',
            withShapes([1, 8, 10, 32], [1, 8, 16, 64], [1, 8, 16, 64])],
        ['k is [2,1,3,4], q is [1,1,3,4]: batches differ (2 ≠ 1)',
            withShapes([1, 1, 3, 4], [2, 1, 3, 4], [2, 1, 3, 4])],
        ['v is [1,1,3,4], k is [2,1,3,4]: batches differ (1 ≠ 2)',
            withShapes([2, 1, 3, 4], [2, 1, 3, 4], [1, 1, 3, 4])],
        ['v is [4,3,5], k is [2,3,5]: heads differ (4 ≠ 2)',
            withShapes([4, 3, 5], [2, 3, 5], [4, 3, 5])],
        ['v is [4,2], k is [3,2]: lengths differ (4 ≠ 3)',
            withShapes([3, 2], [3, 2], [4, 2])],
    ],
    zeroExtent: ['BAD_SHAPE',
        ['q is [0,3,2]: the number of heads must be at least 1',
            withShapes([0, 3, 2], [1, 3, 2], [1, 3, 2])],
        ['k is [0,3,2]: the number of heads must be at least 1',
            withShapes([1, 3, 2], [0, 3, 2], [0, 3, 2])],
        ['q is [3,0]: the last dimension must be at least 1',
            withShapes([3, 0], [3, 0], [3, 2])],
        ['v is [3,0]: the last dimension must be at least 1',
            withShapes([3, 2], [3, 2], [3, 0])],
    ],
    badHeads: ['BAD_SHAPE', ['q has 6 heads, k has 4: query heads must be a multiple of key heads '
        + '(6 = 4·1 + 2)', withShapes([6, 3, 2], [4, 3, 2], [4, 3, 2])]],
    tooLargeToAddress: ['TOO_LARGE',
        ['the output: 40000·20000 = 800000000 numbers are more than wasm can address',
            withShapes([40000, 1], [1, 1], [1, 20000])],
        ['masks.causal: the mask: 70000·70000 = 4900000000 numbers are more than wasm can address',
            () => masks.causal(70000)],
        ['sinusoidal: 2147483647·4 = 8589934588 numbers are more than wasm can address',
            () => sinusoidal(2147483647, 4)],
        ['alibiSlopes: 2147483647 numbers are more than wasm can address',
            () => alibiSlopes(2147483647)],
        ['the weights: 1000000·1000000 = 1000000000000 numbers are more than wasm can address',
            (attn) => attn.multiHeadAttention({ embedDim: 1e6, heads: 2, seed: 1 })],
    ],

    notMask: ['BAD_VALUE',
        ['mask is false: expected nested arrays of true and false, or { data, shape }',
            withOptions({ mask: false })],
        ['keyMask is null: expected nested arrays of true and false, or '
            + '{ data, shape }', withOptions({ keyMask: null })],
    ],
    numbersAsMask: ['BAD_VALUE',
        ['mask: numbers are ambiguous: use true / false (or a Uint8Array), or pass '
            + 'them as bias to add them', withOptions({ mask: [[1, 0], [1, 1]] })],
        ['mask: numbers are ambiguous: use true / false (or a Uint8Array), or pass '
            + 'them as bias to add them',
        withOptions({ mask: { data: new Float32Array(9), shape: [3, 3] } })],
        ['keyMask: numbers are ambiguous: use true / false (or a Uint8Array), or pass '
            + 'them as bias to add them', withOptions({ keyMask: [true, 0, true] })],
    ],
    notBoolean: ['BAD_VALUE', ['mask[0][2] is null: expected true or false',
        withOptions({ mask: [[true, false, null]] })]],
    badBias: ['BAD_VALUE',
        ['bias[0][2] is NaN: expected a finite number, or -Infinity to mask',
            withOptions({ bias: [[0, -Infinity, NaN]] })],
        ['bias[1][0] is Infinity: expected a finite number, or -Infinity to mask',
            withOptions({ bias: { data: [0, 1e39, 0], shape: [3, 1] } })],
    ],
    badBroadcast: ['BAD_SHAPE',
        ['mask is [3,4], which does not broadcast to [1,1,3,3]: keys is 4, expected 1 '
            + 'or 3', withOptions({ mask: { data: new Uint8Array(12), shape: [3, 4] } })],
        ['bias is [2,3,3], which does not broadcast to [1,1,3,3]: heads is 2, '
            + 'expected 1', withOptions({ bias: zeros(2, 3, 3) })],
        ['keyMask is [2,3], which does not broadcast to [1,3]: batch is 2, expected 1',
            withOptions({ keyMask: { data: new Uint8Array(6), shape: [2, 3] } })],
    ],
    badBroadcastRank: ['BAD_SHAPE', ['mask is [3]: expected 2 to 4 dimensions that broadcast to '
        + '[1,1,3,3] (batch, heads, queries, keys)', withOptions({ mask: [true, true, false] })]],

    badListCount: ['BAD_SHAPE',
        ['keyLengths: expected 1 number, one for each batch row, got 2',
            withOptions({ keyLengths: [1, 2] })],
        ['queryLengths: expected 2 numbers, one for each batch row, got 1',
            withShapes([2, 1, 3, 4], [2, 1, 3, 4], [2, 1, 3, 4], { queryLengths: [1] })],
        ['alibi: expected 1 number, one for each query head, got 2',
            withOptions({ alibi: [0.5, 0.25] })],
    ],
    badNumber: ['BAD_VALUE',
        ['keyLengths[0] is 4: expected an integer from 0 to 3',
            withOptions({ keyLengths: [4] })],
        ['queryLengths[0] is -1: expected an integer from 0 to 3',
            withOptions({ queryLengths: [-1] })],
        ['queryOffset[0] is 0.5: expected an integer from -2147483648 to 2147483647',
            withOptions({ queryOffset: [0.5] })],
        ['queryOffset is NaN: expected an integer from -2147483648 to 2147483647',
            withOptions({ queryOffset: NaN })],
        ['window[0] is -2: expected an integer from 0, or -1 for no bound',
            withOptions({ window: [-2, 0] })],
        ['window[1] is -7: expected an integer from 0, or -1 for no bound',
            withOptions({ window: [0, -7] })],
        ['window[1] is Infinity: expected an integer from 0, or -1 for no bound',
            withOptions({ window: [0, Infinity] })],
        ['lr is undefined: expected a finite number from 0', optimizing({ kind: 'sgd' })],
        ['lr is -1: expected a finite number from 0', optimizing({ kind: 'adamw', lr: -1 })],
        ['weightDecay is Infinity: expected a finite number from 0',
            optimizing({ kind: 'sgd', lr: 1, weightDecay: Infinity })],
        ['momentum is 1: expected a number from 0, below 1 in float32',
            optimizing({ kind: 'sgd', lr: 1, momentum: 1 })],
        ['beta2 is 0.99999999: expected a number from 0, below 1 in float32',
            optimizing({ kind: 'adamw', lr: 1, beta2: 0.99999999 })],
        ['epsilon is 0: expected a finite number above 0 in float32',
            optimizing({ kind: 'adamw', lr: 1, epsilon: 0 })],
        ['scale is NaN: expected a finite float32', withOptions({ scale: NaN })],
        ['scale is 1e+39: expected a finite float32', withOptions({ scale: 1e39 })],
        ['softcap is -1: expected a finite number, positive, or 0 for none',
            withOptions({ softcap: -1 })],
        ['dropout.p is 1.5: expected a number from 0 to 1',
            withOptions({ dropout: { p: 1.5, seed: 1 } })],
        ['alibi[0] is NaN: expected a finite float32', withOptions({ alibi: [NaN] })],
        ['dropout.seed is undefined: expected an integer from 0 to 4294967295',
            withOptions({ dropout: { p: 0.5 } })],
        ['masks.causal: queryLength is -1: expected an integer from 0', () => masks.causal(-1)],
        ['masks.causal: queryLength is undefined: expected an integer from 0',
            () => masks.causal()],
        ['masks.window: keyLength is [1,0]: expected an integer from 0',
            () => masks.window(2, [1, 0])],
        ['masks.causal: offset is 0.5: expected an integer',
            () => masks.causal(2, 2, { offset: 0.5 })],
        ['masks.window: left is -2: expected an integer from 0, or -1 for no bound',
            () => masks.window(2, 2, [-2, 0])],
        ['masks.lengths: keyLengths[1] is 5: expected an integer from 0 to 4',
            () => masks.lengths([1, 5], 4)],
    ],
    badOption: ['BAD_OPTION',
        ["causal is 1: expected false, true or 'top-left'", withOptions({ causal: 1 })],
        ["layout is 'bhtd': expected 'BHTD' or 'BTHD'",
            withOptions({ layout: 'bhtd' })],
        ["kind is 'adam': expected 'sgd' or 'adamw'", optimizing({ kind: 'adam', lr: 1 })],
        ["kind is undefined: expected 'sgd' or 'adamw'", optimizing()],
        ["lr is '1': expected a number", optimizing({ kind: 'sgd', lr: '1' })],
        ['params is an Int32Array: expected a Float32Array, a Float64Array, an array of numbers, '
            + 'or a tensor of these', stepping(new Int32Array(1), [1])],
        ['params is [1]: expected an array that is not frozen', stepping(Object.freeze([1]), [1])],
        ['biasGrad is 1: expected false or true', backward(Q, { biasGrad: 1 })],
        ["scale is '8': expected a number", withOptions({ scale: '8' })],
        ['softcap is null: expected a number', withOptions({ softcap: null })],
        ['window is [3]: expected [left, right], two integers', withOptions({ window: [3] })],
        ['window is NaN: expected [left, right], two integers', withOptions({ window: NaN })],
        ['window is -1: expected [left, right], two integers', withOptions({ window: -1 })],
        ['queryOffset is null: expected an integer, or an array with one integer for each batch '
            + 'row', withOptions({ queryOffset: null })],
        ['keyLengths is 3: expected an array with one integer for each batch row',
            withOptions({ keyLengths: 3 })],
        ['dropout is 0.1: expected { p, seed }',
            withOptions({ dropout: 0.1 })],
        ['dropout.p is undefined: expected a number from 0 to 1',
            withOptions({ dropout: { seed: 1 } })],
        ['alibi is 2: expected true, false or an array with one slope for each query '
            + 'head', withOptions({ alibi: 2 })],
        ['out is an array: expected a Float32Array of 6 numbers',
            withOptions({ out: [0, 0, 0, 0, 0, 0] })],
        ['options is true: expected an object with any of mask, keyMask, bias, causal, '
            + 'window, keyLengths, queryLengths, queryOffset, scale, softcap, alibi, dropout, '
            + 'layout, cache, out', withOptions(true)],
        ['options is a Map: expected an object with offset',
            () => masks.causal(2, 2, new Map([['offset', 0]]))],
        ["softmaxAxis is 'rows': expected 'keys' or 'queries'",
            withWhatIf({ softmaxAxis: 'rows' })],
        ["maskOrder is 2: expected 'before' or 'after'", withWhatIf({ maskOrder: 2 })],
        ['masks.window: the third argument is undefined: expected [left, right], two integers',
            () => masks.window(2, 2)],
        ['masks.lengths: keyLengths is 3: expected an array with one integer for each batch row',
            () => masks.lengths(3, 4)],
        ['cache is an object: expected what kvCache() returned', withOptions({ cache: {} })],
        ['cache is null: expected what kvCache() returned', withOptions({ cache: null })],
    ],
    windowIsNumber: ['BAD_OPTION',
        ['window is 4: expected [left, right]; a window of 4 keys that ends at the '
            + 'query is [3, 0]', withOptions({ window: 4 })],
        ['masks.window: the third argument is 1: expected [left, right]; a window of 1 key that '
            + 'ends at the query is [0, 0]', () => masks.window(2, 2, 1)],
    ],
    unknownOption: ['BAD_OPTION',
        ["unknown option 'is_causal': did you mean 'causal'?",
            withOptions({ is_causal: true })],
        ["unknown option 'cache': no gradient passes through a cache: give keys and values",
            (attn) => attn.forward(Q, Q, Q, { cache: undefined })],
        ["unknown option 'bias_grad': did you mean 'biasGrad'?", backward(Q, { bias_grad: true })],
        ["unknown option 'config.betas': did you mean 'beta1'?",
            optimizing({ kind: 'adamw', lr: 1, betas: [0.9, 0.999] })],
        ["unknown option 'config.beta1': expected any of kind, lr, momentum, weightDecay",
            optimizing({ kind: 'sgd', lr: 1, beta1: 0.9 })],
        ["unknown option 'casual': did you mean 'causal'?",
            withOptions({ casual: true })],
        ["unknown option 'attn_mask': did you mean 'mask'?",
            withOptions({ attn_mask: [[true]] })],
        ["unknown option 'attn_mask': did you mean 'bias'? Numbers are added to the "
            + 'scores', withOptions({ attn_mask: [[0, -Infinity]] })],
        ["unknown option 'attn_mask': did you mean 'bias'? Numbers are added to the "
            + 'scores', withOptions({ attn_mask: zeros(3, 3) })],
        ["unknown option 'key_padding_mask': did you mean 'keyMask'? There true = may be attended, "
            + 'the opposite of torch: masks.fromTorchModule() turns one into the other',
        withOptions({ key_padding_mask: [[true]] })],
        ["unknown option 'key_lengths': did you mean 'keyLengths'?",
            withOptions({ key_lengths: [1] })],
        ["unknown option 'softmax_scale': did you mean 'scale'?",
            withOptions({ softmax_scale: 1 })],
        ["unknown option 'past_key_values': expected any of mask, keyMask, bias, "
            + 'causal, window, keyLengths, queryLengths, queryOffset, scale, softcap, alibi, dropout, '
            + 'layout, cache, out', withOptions({ past_key_values: {} })],
        ["unknown option 'temperature': expected any of mask, keyMask, bias, causal, "
            + 'window, keyLengths, queryLengths, queryOffset, scale, softcap, alibi, dropout, '
            + 'layout, cache, out', withOptions({ temperature: 1 })],
        ["unknown option 'whatIf.axis': expected any of scores, softmaxAxis, maskOrder",
            withWhatIf({ axis: 1 })],
        ["unknown option 'dropout.rate': expected any of p, seed",
            withOptions({ dropout: { rate: 0.1, seed: 1 } })],
        ["unknown option 'whatIf.softmax_axis': did you mean 'softmaxAxis'?",
            withWhatIf({ softmax_axis: 'queries' })],
    ],
    openPadding: ['BAD_OPTION',
        ['keyLengths with causal, window or alibi and as many queries as keys does not say '
            + 'where the queries stand: add queryLengths (the same lengths, when the queries are '
            + 'padded too), or queryOffset', withOptions({ causal: true, keyLengths: [2] })],
        ['keyLengths with causal, window or alibi and as many queries as keys does not say '
            + 'where the queries stand: add queryLengths (the same lengths, when the queries are '
            + 'padded too), or queryOffset', withOptions({ window: [1, 0], keyLengths: [2] })],
        ['keyLengths with causal, window or alibi and as many queries as keys does not say '
            + 'where the queries stand: add queryLengths (the same lengths, when the queries are '
            + 'padded too), or queryOffset', withOptions({ alibi: true, keyLengths: [2] })],
    ],
    offsetTwice: ['BAD_OPTION', ["causal 'top-left' puts the first query at position 0, so "
        + 'queryOffset cannot be given: use causal: true',
    withOptions({ causal: 'top-left', queryOffset: 1 })]],
    refusedByCore: ['BAD_OPTION', ['isa: the instruction set is not in this build', () => {
        throw refusal(8, 'isa', 'the instruction set is not in this build', {});
    }]],
    shapeDiffers: ['BAD_SHAPE',
        ['scores is [2,3], expected [3,3]', withWhatIf({ scores: [[1, 2, 3], [1, 2, 3]] })],
        ['dOutput is [2,3], expected [3,2]', backward([[1, 2, 3], [1, 2, 3]])],
    ],

    disposed: ['DISPOSED',
        ['attention: this engine was disposed',
            (attn, simd) => disposed(simd, withOptions({}))],
        ['inspect: this engine was disposed',
            (attn, simd) => disposed(simd, (gone) => gone.inspect(Q, Q, Q))],
        ...['forward', 'softmaxJacobian', 'optimizer'].map((name) => (
            [`${name}: this engine was disposed`,
                (attn, simd) => disposed(simd, (gone) => gone[name](Q, Q, Q))])),
        ['backward: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd), result = other.forward(Q, Q, Q);
            other.dispose();
            result.backward(Q);
        }],
        ['step: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd), optimizer = other.optimizer({ kind: 'sgd', lr: 1 });
            other.dispose();
            optimizer.step([1], [1]);
        }],
        ['trim: this engine was disposed',
            (attn, simd) => disposed(simd, (gone) => gone.trim())],
    ],
    outOfMemory: ['OUT_OF_MEMORY', ['the call needs # bytes (# MiB) of memory, maxMemory is '
        + '1048576 bytes (1 MiB)',
    (attn, simd) => withThousand(engineOf(simd, { maxMemory: 1048576 }))]],
    memoryRefused: ['OUT_OF_MEMORY', ['the call needs # bytes (# MiB) of memory, which the runtime '
        + 'did not give', (attn, simd) => (
        stub(WebAssembly.Memory.prototype, 'grow', refuse, () => withThousand(engineOf(simd))))]],
    resultRefused: ['OUT_OF_MEMORY',
        ...[withOptions({}), (attn) => attn.forward(Q, Q, Q)].map((call) => (
            ['a result needs an array of 24 bytes, which the runtime did not give', (attn) => (
                stub(Object.getPrototypeOf(Float32Array.prototype), 'slice', refuse,
                    () => call(attn)))])),
        ['a result needs an array of # bytes (# PiB), which the runtime did not give',
            (attn) => attn.softmaxJacobian({ data: new Uint8Array(5e7), shape: [5e7] })],
    ],
    tooLargeToInspect: ['TOO_LARGE', ['inspect: 6 arrays of 1·1·20000·20000 = 400000000 scores, '
        + 'and the rest, need # bytes (# GiB), maxMemory is 2147483648 bytes (2 GiB): use '
        + 'attention(), which never holds a whole score matrix',
        (attn) => attn.inspect(zeros(20000, 1), zeros(20000, 1), zeros(20000, 1))]],

    noMasks: ['BAD_VALUE', ['masks.and: expected at least one mask, got none',
        () => masks.and()]],
    masksDiffer: ['BAD_SHAPE', ['masks.or: mask 1 is [1,4], which does not broadcast with [2,3]',
        () => masks.or(masks.causal(2, 3), [[true, true, true, false]])]],
    badTorchHeads: ['BAD_OPTION',
        ['heads is undefined: torch means batch·heads by the first axis of [4,2,2]: '
            + 'expected a divisor of 4',
        () => masks.fromTorchModule({ data: new Uint8Array(16), shape: [4, 2, 2] })],
        ['heads is 3: torch means batch·heads by the first axis of [4,2,2]: expected a '
            + 'divisor of 4',
        () => masks.fromTorchModule({ data: new Uint8Array(16), shape: [4, 2, 2] }, { heads: 3 })],
    ],
};
