// types.js: the shapes of what goes in and comes out, as types. Nothing here exists at run time.
//
// B batch, Hq and Hk query and key/value heads, Tq and Tk lengths, D and Dv head sizes. Objects are
// recognised by their structure, so the types are structural too; the three types of the platform
// are looked up, so that a project without the DOM library compiles.

/** @import { KVCache } from './cache.js' */

/**
 * A Float32Array: Float32Array<ArrayBuffer> to newer compilers, older ones know no parameter.
 * @typedef {ReturnType<Float32ArrayConstructor['from']>} F32
 */

/** @typedef {readonly number[]} Shape */

/** @typedef {readonly number[] | readonly NestedNumbers[]} NestedNumbers */

/** @typedef {readonly boolean[] | readonly NestedBooleans[]} NestedBooleans */

/**
 * Numbers with a shape: nested arrays; an object with `data` and `shape` (a result of attn, an
 * ndarray, an array of numpy-ts; strides and offset count elements); or one with `data` and `dims`.
 * @typedef {{ readonly data: ArrayLike<number>, readonly shape: Shape, readonly stride?: Shape,
 *     readonly strides?: Shape, readonly offset?: number }
 *     | { readonly data: ArrayLike<number>, readonly dims: Shape }
 *     | NestedNumbers} TensorLike
 */

/**
 * A result: numbers in row order and their shape. The array is yours, never a view of wasm memory.
 * @typedef {{ readonly data: F32, readonly shape: Shape, readonly dtype: 'float32',
 *     toNested(): NestedNumbers }} Tensor
 */

/**
 * Booleans or bytes with a shape; true, or a byte that is not 0, means "may attend".
 * @typedef {{ readonly data: Uint8Array | readonly boolean[], readonly shape: Shape }
 *     | { readonly data: Uint8Array | readonly boolean[], readonly dims: Shape }
 *     | NestedBooleans} MaskLike
 */

/**
 * What the functions of `masks` return: bytes 1 = may attend, 0 = may not.
 * @typedef {{ data: Uint8Array, shape: Shape }} Mask
 */

/**
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
 *     ? M & object : object} WasmModule
 * @typedef {typeof globalThis extends { Response: { prototype: infer R } }
 *     ? R : { arrayBuffer(): Promise<ArrayBuffer> }} WasmResponse
 * @typedef {typeof globalThis extends { URL: { prototype: infer U } }
 *     ? U : { readonly href: string }} WasmUrl
 */

/** @typedef {ArrayBuffer | ArrayBufferView | WasmModule} WasmCode */

/** @typedef {WasmCode | WasmResponse | WasmUrl | string} WasmSource */

/**
 * `auto` takes relaxed SIMD where the runtime has it; `simd128` gives the same bits everywhere.
 * @typedef {'auto' | 'simd128' | 'relaxed'} SimdChoice
 */

/**
 * @typedef {object} LoadOptions
 * @property {WasmSource | PromiseLike<WasmSource>} [wasm] the module, its bytes, or where to fetch
 *     them; default: the wasm inside this package
 * @property {SimdChoice} [simd] default 'auto'
 * @property {number} [maxMemory] bytes that the wasm memory may reach; default 2 GiB, at most 4 GiB
 */

/**
 * @typedef {object} LoadSyncOptions
 * @property {WasmCode} [wasm] the module or its bytes; default: the wasm inside this package
 * @property {SimdChoice} [simd] default 'auto'
 * @property {number} [maxMemory] bytes that the wasm memory may reach; default 2 GiB, at most 4 GiB
 */

/**
 * A key is seen when mask, keyMask, bias, causal, window and lengths all allow it.
 *
 * @typedef {object} AttentionOptions
 * @property {MaskLike} [mask] true = may attend; broadcasts to (B, Hq, Tq, Tk), rank 2 is (Tq, Tk)
 * @property {MaskLike} [keyMask] true = may be attended; broadcasts to (B, Tk)
 * @property {TensorLike} [bias] added to the scores before the softmax, -Infinity masks; broadcasts
 *     as mask does
 * @property {boolean | 'top-left'} [causal] true: the last query sees the last key; 'top-left': the
 *     first query sees the first key
 * @property {readonly [left: number, right: number]} [window] a query at position p sees the keys
 *     from p - left to p + right; -1 = no bound on that side
 * @property {ArrayLike<number>} [keyLengths] (B) keys that exist
 * @property {ArrayLike<number>} [queryLengths] (B) queries that exist; rows beyond give 0
 * @property {number | ArrayLike<number>} [queryOffset] position of the first query, one or (B);
 *     default keyLengths - queryLengths
 * @property {number} [scale] default 1/√D
 * @property {number} [softcap] caps scores at ±softcap by tanh; 0 = off
 * @property {boolean | ArrayLike<number>} [alibi] true = the published slopes, or (Hq) slopes
 * @property {{ p: number, seed: number }} [dropout] on the weights
 * @property {'BHTD' | 'BTHD'} [layout] axes of q, k, v and the output; default 'BHTD'
 * @property {KVCache} [cache] k and v are appended to it, then q attends to all that it holds; with
 *     k and v null q only reads. queryLengths: the tokens that are real
 * @property {F32} [out] receives the output; may be an input's own array
 */

/**
 * @typedef {object} CacheConfig
 * @property {number} [batch] default 1
 * @property {number} kvHeads
 * @property {number} headDim
 * @property {number} [valueHeadDim] default headDim
 * @property {number} capacity keys that each batch row has room for
 * @property {readonly [left: number, right: number]} [window] of the calls with this cache: when it
 *     is full, the oldest keys leave. Without it a full cache refuses more
 */

/**
 * @typedef {object} AppendOptions
 * @property {ArrayLike<number>} [lengths] (B) rows that are real; the others are not written
 * @property {'BHTD' | 'BTHD'} [layout] axes of k and v; default 'BHTD'
 */

/**
 * Rotary position embedding by angles that are computed.
 *
 * @typedef {object} RopeConfig
 * @property {number} [base] default 10000
 * @property {number} [dim] dimensions that turn, even; the others pass. Default: all
 * @property {boolean} [interleaved] pairs (2k, 2k + 1) instead of (k, k + dim/2)
 */

/**
 * How rope() turns a tensor: by base, dim and positions, or by cos and sin.
 *
 * @typedef {object} RopeSource
 * @property {number} [offset] position of the first row; default 0
 * @property {TensorLike} [positions] (T) or (B, T), instead of offset + row
 * @property {TensorLike} [cos] (T, n) or (B, T, n), with sin: 2n dimensions turn
 * @property {TensorLike} [sin]
 * @property {boolean} [inverse] turns back
 * @property {'BHTD' | 'BTHD'} [layout] axes of x; default 'BHTD'
 */

/** @typedef {RopeConfig & RopeSource} RopeOptions */

/**
 * Weights by their names in torch.nn.MultiheadAttention, or q_proj.weight, q_proj.bias and so on
 * for q, k, v, o; each (out, in), as torch has them.
 * @typedef {{ readonly [name: string]: TensorLike }} Weights
 */

/**
 * @typedef {object} MultiHeadConfig
 * @property {number} embedDim width of the query
 * @property {number} heads
 * @property {number} [kvHeads] default heads; fewer are shared (GQA), 1 by all (MQA)
 * @property {number} [headDim] default embedDim / heads
 * @property {number} [valueHeadDim] default headDim
 * @property {number} [keyInputDim] width of the key, default embedDim
 * @property {number} [valueInputDim] width of the value, default keyInputDim
 * @property {number} [outputDim] default embedDim
 * @property {boolean} [bias] default true
 * @property {boolean} [outputProjection] default true; without it the heads' concatenation is the
 *     result
 * @property {boolean | RopeConfig} [rope] turns q and k by their positions
 * @property {boolean | ArrayLike<number>} [alibi] as in AttentionOptions
 * @property {number} [scale] default 1/√headDim
 * @property {number} [softcap] 0 = off
 * @property {number} [dropout] the share of the softmax's weights that train() drops; default 0
 * @property {Weights} [weights] default: uniform in ±√(6 / (in + out)), biases 0
 * @property {number} [seed] of the default weights; default 0
 */

/**
 * Of a module: masks, lengths and positions as in AttentionOptions.
 * @typedef {Pick<AttentionOptions, 'mask' | 'keyMask' | 'bias' | 'causal' | 'window' | 'keyLengths'
 *     | 'queryLengths' | 'queryOffset' | 'cache' | 'out'>} ModuleOptions
 */

/**
 * Of train(): those of forward() without a cache, and the seed of the dropout, which a module with
 * dropout needs: another one for each step of training.
 * @typedef {Omit<ModuleOptions, 'cache'> & { seed?: number }} TrainingOptions
 */

/**
 * The gradients of what went into a module, each of its shape. Arguments that were left out have
 * theirs too, so that in self-attention the gradient of the one tensor is the sum of all three.
 *
 * @typedef {object} InputGradients
 * @property {Tensor} dQuery
 * @property {Tensor} dKey
 * @property {Tensor} dValue
 * @property {Tensor} [dBias] of the option bias, as in Gradients; with biasGrad only
 */

/**
 * @typedef {object} TrainingResult
 * @property {Tensor} output (B, Tq, outputDim), with the rank of query
 * @property {(dOutput: TensorLike, options?: BackwardOptions) => InputGradients} backward from the
 *     gradient of the output; adds those of the weights to grads. Each call adds again
 */

/**
 * What inspect() can do differently, to show what goes wrong then.
 *
 * @typedef {object} WhatIf
 * @property {TensorLike} [scores] used instead of q·kᵀ where not NaN; has the shape of `scores`
 * @property {'keys' | 'queries'} [softmaxAxis] 'queries' normalises columns; default 'keys'
 * @property {'before' | 'after'} [maskOrder] 'after' zeroes weights after the softmax; default
 *     'before'
 */

/**
 * Every intermediate. scores to dropped are (Tq, Tk) and rowMax to entropy (Tq), with the leading
 * axes of q.
 *
 * @typedef {object} Trace
 * @property {Tensor} q
 * @property {Tensor} k
 * @property {Tensor} v
 * @property {Tensor} scores q·kᵀ
 * @property {Tensor} scaled scale · scores
 * @property {Tensor} capped softcap · tanh(scaled / softcap), or scaled
 * @property {Tensor} masked capped + bias - slope·|p - j|, -Infinity where not allowed
 * @property {Tensor} weights softmax of masked
 * @property {Tensor} dropped weights after dropout
 * @property {Tensor} output dropped · v
 * @property {Tensor} rowMax largest masked score of the row, -Infinity when it is empty
 * @property {Tensor} rowSum sum of exp(masked - rowMax), 0 when the row is empty
 * @property {Tensor} logSumExp rowMax + log(rowSum), -Infinity when the row is empty
 * @property {Tensor} entropy of the weights, in nats, 0 when the row is empty
 */

/**
 * Every intermediate of a module. q, k and v are projected, and rotated, (B, H, T, D); heads is
 * dropped · v, (B, H, Tq, Dv), concat the same as (B, Tq, H·Dv), and output what forward() returns:
 * concat · W_O + b_O, which is projected, too.
 * @typedef {Trace & { heads: Tensor, concat: Tensor, projected: Tensor }} ModuleTrace
 */

/**
 * The gradients of a loss, each of the shape of what it belongs to.
 *
 * @typedef {object} Gradients
 * @property {Tensor} dq
 * @property {Tensor} dk summed over the query heads that share a key head
 * @property {Tensor} dv likewise
 * @property {Tensor} [dBias] of the bias as it was given, summed over the axes that it is repeated
 *     along; with biasGrad only
 */

/**
 * @typedef {object} BackwardOptions
 * @property {boolean} [biasGrad] whether the gradient of the bias is wanted; default false
 */

/** The options of forward(). @typedef {Omit<AttentionOptions, 'cache'>} ForwardOptions */

/**
 * The result of forward(). It keeps its own copies: there is nothing to dispose of, and later edits
 * of inputs or results change nothing.
 *
 * @typedef {object} ForwardResult
 * @property {Tensor} output (B, Hq, Tq, Dv), with the rank of q
 * @property {Tensor} logSumExp (B, Hq, Tq), with the leading axes of q; -Infinity for a row without
 *     any allowed key
 * @property {(dOutput: TensorLike, options?: BackwardOptions) => Gradients} backward from the
 *     gradient of the output, of its shape. May be called again
 */

/**
 * Gradient descent: params -= lr · velocity, velocity = momentum · velocity + grads + weightDecay ·
 * params.
 *
 * @typedef {object} SgdConfig
 * @property {'sgd'} kind
 * @property {number} lr
 * @property {number} [momentum] from 0, below 1; default 0
 * @property {number} [weightDecay] default 0
 */

/**
 * AdamW: m and v are running means of grads and grads², corrected for their start at 0;
 * params -= lr · (m / (√v + epsilon) + weightDecay · params). Loshchilov and Hutter (2019).
 *
 * @typedef {object} AdamWConfig
 * @property {'adamw'} kind
 * @property {number} lr
 * @property {number} [beta1] from 0, below 1; default 0.9
 * @property {number} [beta2] likewise; default 0.999
 * @property {number} [epsilon] above 0; default 1e-8
 * @property {number} [weightDecay] default 0.01
 */

/** @typedef {SgdConfig | AdamWConfig} OptimizerConfig */

/**
 * What an optimiser remembers of a list of parameters: the steps that it took, and sgd's velocity
 * or adamw's m and v.
 * @typedef {{ steps: number, averages: Float32Array[] }} OptimizerState
 */

/**
 * Parameters or gradients: a list of numbers, or a result of attn, whose data it is.
 * @typedef {Float32Array | Float64Array | number[] | Tensor} NumberList
 */

/**
 * Bytes of wasm memory: used by data now, used at most so far, reserved from the system; and how
 * many objects live in it.
 * @typedef {{ used: number, peak: number, reserved: number, handles: number }} MemoryReport
 */

export {};
