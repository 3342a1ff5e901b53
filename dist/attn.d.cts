/// <reference lib="esnext.disposable" />

export type Simd = 'simd128' | 'relaxed';

/**
 * SHA-256 of each wasm file, as hexadecimal text. (Sources that run as they are do not know it.)
 * @type {{ readonly simd128: string, readonly relaxed: string }}
 */
export declare const WASM_SHA256: {
    readonly simd128: string;
    readonly relaxed: string;
};

/** The keys and values of the tokens so far. */
declare class KVCache {
    #private;
    /**
     * How many keys are present: the columns that a call would see. Batch rows may hold fewer.
     *
     * @returns {number}
     */
    get length(): number;
    /**
     * Where the next token stands: all tokens so far, those that left included.
     *
     * @returns {number}
     */
    get position(): number;
    /**
     * The length of each batch row.
     *
     * @returns {number[]}
     */
    get lengths(): number[];
    /**
     * The position of each batch row.
     *
     * @returns {number[]}
     */
    get positions(): number[];
    /**
     * How many keys each batch row has room for.
     *
     * @returns {number}
     */
    get capacity(): number;
    /**
     * Appends keys and values.
     *
     * @param {TensorLike} k (B, Hk, T, D), (Hk, T, D) or (T, D)
     * @param {TensorLike} v (B, Hk, T, Dv)
     * @param {AppendOptions} [options]
     */
    append(k: TensorLike, v: TensorLike, options?: AppendOptions): void;
    /**
     * Forgets the newest keys of each batch row until at most so many stay.
     *
     * @param {number} length
     */
    truncate(length: number): void;
    /** Forgets everything. */
    reset(): void;
    /**
     * The keys present, oldest first.
     *
     * @returns {Tensor} (B, Hk, length, D)
     */
    keys(): Tensor;
    /**
     * The values present, oldest first.
     *
     * @returns {Tensor} (B, Hk, length, Dv)
     */
    values(): Tensor;
    /** Frees its memory; later calls throw DISPOSED. May be called again. */
    dispose(): void;
    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose](): void;
}

declare class Engine {
    #private;
    /**
     * The build of the core that runs.
     *
     * @returns {{ readonly simd: Simd }}
     */
    get features(): {
        readonly simd: Simd;
    };
    /**
     * softmax(scale · q·kᵀ + masks) · v, for any length: no score matrix is ever held.
     *
     * @param {TensorLike} q (B, Hq, Tq, D), (Hq, Tq, D) or (Tq, D)
     * @param {TensorLike | null} k (B, Hk, Tk, D); Hq is a multiple of Hk. With a cache k and v may
     *     be null
     * @param {TensorLike | null} v (B, Hk, Tk, Dv)
     * @param {AttentionOptions} [options]
     * @returns {Tensor} (B, Hq, Tq, Dv), with the rank of q
     */
    attention(q: TensorLike, k: TensorLike | null, v: TensorLike | null, options?: AttentionOptions): Tensor;
    /**
     * The same by its definition, with every intermediate; for sizes that a person can look at.
     *
     * @param {TensorLike} q as for attention()
     * @param {TensorLike | null} k
     * @param {TensorLike | null} v
     * @param {AttentionOptions} [options]
     * @param {WhatIf} [whatIf] mistakes to look at
     * @returns {Trace}
     */
    inspect(q: TensorLike, k: TensorLike | null, v: TensorLike | null, options?: AttentionOptions, whatIf?: WhatIf): Trace;
    /**
     * attention() with what its gradients need: backward(dOutput) gives dq, dk and dv. It keeps its
     * own copies: nothing to dispose of, and later edits of inputs or results change nothing.
     *
     * @param {TensorLike} q (B, Hq, Tq, D), (Hq, Tq, D) or (Tq, D)
     * @param {TensorLike} k (B, Hk, Tk, D)
     * @param {TensorLike} v (B, Hk, Tk, Dv)
     * @param {ForwardOptions} [options]
     * @returns {ForwardResult}
     */
    forward(q: TensorLike, k: TensorLike, v: TensorLike, options?: ForwardOptions): ForwardResult;
    /**
     * How each weight of a row of the softmax answers to each score: dw_i / ds_j =
     * w_i · ((i = j) - w_j).
     *
     * @param {TensorLike | Float32Array | Float64Array} weightsRow (T)
     * @returns {Tensor} (T, T): weights down, scores across
     */
    softmaxJacobian(weightsRow: TensorLike | Float32Array | Float64Array): Tensor;
    /**
     * Steps of training, for lists of numbers and for modules. There is nothing to dispose of.
     *
     * @param {OptimizerConfig} config
     * @returns {Optimizer}
     */
    optimizer(config: OptimizerConfig): Optimizer;
    /**
     * Multi-head attention with projections. Lives in wasm memory until dispose().
     *
     * @param {MultiHeadConfig} config
     * @returns {MultiHeadAttention}
     */
    multiHeadAttention(config: MultiHeadConfig): MultiHeadAttention;
    /**
     * A cache of keys and values, for generation. Lives in wasm memory until dispose().
     *
     * @param {CacheConfig} config
     * @returns {KVCache}
     */
    kvCache(config: CacheConfig): KVCache;
    /**
     * Rotary position embedding: x turned by its positions.
     *
     * @param {TensorLike} x (B, H, T, D), (H, T, D) or (T, D)
     * @param {RopeOptions} [options]
     * @returns {Tensor} of the shape of x
     */
    rope(x: TensorLike, options?: RopeOptions): Tensor;
    /**
     * Bytes of wasm memory, for whoever hunts a leak.
     *
     * @returns {MemoryReport}
     */
    memory(): MemoryReport;
    /** Gives memory back to the system, unless a call is running or a handle lives. */
    trim(): void;
    /**
     * Ends the engine with all its handles and frees its memory; later calls throw DISPOSED. May be
     * called again.
     */
    dispose(): void;
    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose](): void;
}

export type ErrorCode = 'NO_WASM' | 'NO_SIMD' | 'COMPILE_BLOCKED' | 'FETCH_FAILED' | 'VERSION_MISMATCH' | 'OUT_OF_MEMORY' | 'TOO_LARGE' | 'BAD_SHAPE' | 'BAD_OPTION' | 'BAD_VALUE' | 'CACHE_FULL' | 'ABORTED' | 'DISPOSED';

/** What attn throws, and nothing else. `code` is for programs, `message` for people. */
export declare class AttnError extends Error {
    /** @type {ErrorCode} */
    code: ErrorCode;
    /**
     * @param {ErrorCode} code
     * @param {string} message
     * @param {unknown} [cause]
     */
    constructor(code: ErrorCode, message: string, cause?: unknown);
}

/** softmax(scale · q·kᵀ) · v in several heads, between projections. */
declare class MultiHeadAttention {
    #private;
    /**
     * The attention of query to key and value, each (B, T, width) or (T, width).
     *
     * @param {TensorLike} query
     * @param {TensorLike | null} [key] default query; null only reads the cache
     * @param {TensorLike | null} [value] default key
     * @param {ModuleOptions} [options]
     * @returns {Tensor} (B, Tq, outputDim), with the rank of query
     */
    forward(query: TensorLike, key?: TensorLike | null, value?: TensorLike | null, options?: ModuleOptions): Tensor;
    /**
     * The same with every intermediate; for sizes that a person can look at.
     *
     * @param {TensorLike} query as for forward()
     * @param {TensorLike | null} [key]
     * @param {TensorLike | null} [value]
     * @param {ModuleOptions} [options]
     * @returns {ModuleTrace}
     */
    inspect(query: TensorLike, key?: TensorLike | null, value?: TensorLike | null, options?: ModuleOptions): ModuleTrace;
    /**
     * forward() with what its gradients need, and with the dropout of the config: backward(dOutput)
     * adds the gradients of the weights to grads and returns those of the inputs. It keeps its own
     * copies of these, and is refused once the weights have changed.
     *
     * @param {TensorLike} query as for forward()
     * @param {TensorLike} [key]
     * @param {TensorLike} [value]
     * @param {TrainingOptions} [options]
     * @returns {TrainingResult}
     */
    train(query: TensorLike, key?: TensorLike, value?: TensorLike, options?: TrainingOptions): TrainingResult;
    /**
     * Copies of the sums of the weights' gradients since the last zeroGrad(), named and turned as
     * in stateDict().
     *
     * @returns {Record<string, Tensor>}
     */
    get grads(): Record<string, Tensor>;
    /** Sets every gradient to 0. */
    zeroGrad(): void;
    /**
     * Moves the weights against their gradients, which stay as they are.
     *
     * @param {Optimizer} optimizer
     */
    step(optimizer: Optimizer): void;
    /**
     * Copies of the weights under torch's names, (out, in): in_proj_weight where q, k and v have
     * one width and as many heads, else q_proj_weight, k_proj_weight and v_proj_weight.
     *
     * @returns {Record<string, Tensor>}
     */
    stateDict(): Record<string, Tensor>;
    /**
     * Replaces all weights; those that do not fit are refused before any is replaced.
     *
     * @param {Weights} weights
     */
    loadStateDict(weights: Weights): void;
    /** Frees its memory; later calls throw DISPOSED. May be called again. */
    dispose(): void;
    /** As dispose(). (Where the runtime lacks the symbol, nothing calls this.) */
    [Symbol.dispose](): void;
}

/**
 * The version of attn.
 * @type {string}
 */
export declare const VERSION: string;

/** Masks as data, to combine and to pass as `mask`: 1 = may attend. */
export declare const masks: Readonly<{
    causal: typeof causal;
    window: typeof window;
    lengths: typeof lengths;
    and: typeof and;
    or: typeof or;
    not: typeof not;
    fromTorchModule: typeof fromTorchModule;
}>;

/**
 * The engine. Without options all callers share one; a failed load is tried again by the next call.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Engine>}
 */
export declare function load(options?: LoadOptions): Promise<Engine>;

/**
 * The engine at once: in Node and in workers. Browsers may refuse it on a page's main thread.
 *
 * @param {LoadSyncOptions} [options]
 * @returns {Engine}
 */
export declare function loadSync(options?: LoadSyncOptions): Engine;

export type PositionOptions = {
    offset?: number;
};

/**
 * Key j allowed iff j ≤ p: the last query sees the last key; with offset 0 the first the first.
 *
 * @param {number} queryLength
 * @param {number} [keyLength] default queryLength
 * @param {PositionOptions} [options]
 * @returns {Mask} (Tq, Tk)
 */
declare const causal: (queryLength: number, keyLength?: number, options?: PositionOptions) => Mask;

/**
 * Key j allowed iff p - left ≤ j ≤ p + right; -1 = no bound on that side.
 *
 * @param {number} queryLength
 * @param {number} keyLength
 * @param {readonly [left: number, right: number]} reach
 * @param {PositionOptions} [options]
 * @returns {Mask} (Tq, Tk)
 */
declare function window(queryLength: number, keyLength: number, reach: readonly [left: number, right: number], options?: PositionOptions): Mask;

/**
 * The first keys of each batch row allowed.
 *
 * @param {ArrayLike<number>} keyLengths (B)
 * @param {number} keyLength
 * @returns {Mask} (B, 1, 1, Tk)
 */
declare function lengths(keyLengths: ArrayLike<number>, keyLength: number): Mask;

/**
 * Allowed where every mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
declare const and: (...given: MaskLike[]) => Mask;

/**
 * Allowed where any mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
declare const or: (...given: MaskLike[]) => Mask;

/**
 * Allowed where the mask does not allow.
 *
 * @param {MaskLike} mask
 * @returns {Mask}
 */
declare function not(mask: MaskLike): Mask;

/**
 * A mask of torch.nn.MultiheadAttention or nn.Transformer, where true means "may not attend":
 * attn_mask (Tq, Tk), or (B·heads, Tq, Tk) with { heads }; key_padding_mask (B, Tk), for keyMask.
 * (torch's scaled_dot_product_attention has the polarity of this package: pass its mask as it is.)
 *
 * @param {MaskLike} mask
 * @param {{ heads?: number }} [options] needed for rank 3, which torch means as batch times heads
 * @returns {Mask}
 */
declare function fromTorchModule(mask: MaskLike, options?: {
    heads?: number;
}): Mask;

/** SGD with momentum, or AdamW. */
declare class Optimizer {
    #private;
    /**
     * Moves parameters against their gradients, in place. Averages are kept for each list of
     * parameters: give the same array each time, or a view of the same part of a buffer.
     *
     * @param {NumberList} params
     * @param {NumberList} grads as many
     */
    step(params: NumberList, grads: NumberList): void;
    /**
     * Copies of what is remembered of a list of parameters, so that training can go on elsewhere:
     * how many steps it took, and its averages: velocity, or m and v.
     *
     * @param {NumberList} params
     * @returns {OptimizerState}
     */
    stateDict(params: NumberList): OptimizerState;
    /**
     * Goes on from what stateDict() gave, of as many parameters and an optimiser of the same kind.
     *
     * @param {NumberList} params
     * @param {OptimizerState} state
     */
    loadStateDict(params: NumberList, state: OptimizerState): void;
}

/**
 * Sinusoidal position encodings: row p holds sin(p / base^(2k/dim)) and the cosine of the same, for
 * k = 0, 1, ...; an odd dim ends with a sine.
 *
 * @param {number} length positions 0 to length - 1
 * @param {number} dim
 * @param {number} [base] default 10000
 * @returns {Tensor} (length, dim)
 */
export declare function sinusoidal(length: number, dim: number, base?: number): Tensor;

/**
 * The slopes of ALiBi for any number n of heads: 2^(-8(h + 1)/n) where n is a power of two;
 * otherwise those of the power of two below, then every other one of the power above.
 *
 * @param {number} heads
 * @returns {F32}
 */
export declare function alibiSlopes(heads: number): F32;

export type F32 = ReturnType<Float32ArrayConstructor['from']>;

export type Shape = readonly number[];

export type NestedNumbers = readonly number[] | readonly NestedNumbers[];

export type NestedBooleans = readonly boolean[] | readonly NestedBooleans[];

export type TensorLike = {
    readonly data: ArrayLike<number>;
    readonly shape: Shape;
    readonly stride?: Shape;
    readonly strides?: Shape;
    readonly offset?: number;
} | {
    readonly data: ArrayLike<number>;
    readonly dims: Shape;
} | NestedNumbers;

export type Tensor = {
    readonly data: F32;
    readonly shape: Shape;
    readonly dtype: 'float32';
    toNested(): NestedNumbers;
};

export type MaskLike = {
    readonly data: Uint8Array | readonly boolean[];
    readonly shape: Shape;
} | {
    readonly data: Uint8Array | readonly boolean[];
    readonly dims: Shape;
} | NestedBooleans;

export type Mask = {
    data: Uint8Array;
    shape: Shape;
};

export type WasmModule = typeof globalThis extends {
    WebAssembly: {
        Module: {
            prototype: infer M;
        };
    };
} ? M & object : object;

export type WasmResponse = typeof globalThis extends {
    Response: {
        prototype: infer R;
    };
} ? R : {
    arrayBuffer(): Promise<ArrayBuffer>;
};

export type WasmUrl = typeof globalThis extends {
    URL: {
        prototype: infer U;
    };
} ? U : {
    readonly href: string;
};

export type WasmCode = ArrayBuffer | ArrayBufferView | WasmModule;

export type WasmSource = WasmCode | WasmResponse | WasmUrl | string;

export type SimdChoice = 'auto' | 'simd128' | 'relaxed';

export type LoadOptions = {
    /**
     * the module, its bytes, or where to fetch
     * them; default: the wasm inside this package
     */
    wasm?: WasmSource | PromiseLike<WasmSource>;
    /**
     * default 'auto'
     */
    simd?: SimdChoice;
    /**
     * bytes that the wasm memory may reach; default 2 GiB, at most 4 GiB
     */
    maxMemory?: number;
};

export type LoadSyncOptions = {
    /**
     * the module or its bytes; default: the wasm inside this package
     */
    wasm?: WasmCode;
    /**
     * default 'auto'
     */
    simd?: SimdChoice;
    /**
     * bytes that the wasm memory may reach; default 2 GiB, at most 4 GiB
     */
    maxMemory?: number;
};

export type AttentionOptions = {
    /**
     * true = may attend; broadcasts to (B, Hq, Tq, Tk), rank 2 is (Tq, Tk)
     */
    mask?: MaskLike;
    /**
     * true = may be attended; broadcasts to (B, Tk)
     */
    keyMask?: MaskLike;
    /**
     * added to the scores before the softmax, -Infinity masks; broadcasts
     * as mask does
     */
    bias?: TensorLike;
    /**
     * true: the last query sees the last key; 'top-left': the
     * first query sees the first key
     */
    causal?: boolean | 'top-left';
    /**
     * a query at position p sees the keys
     * from p - left to p + right; -1 = no bound on that side
     */
    window?: readonly [left: number, right: number];
    /**
     * (B) keys that exist
     */
    keyLengths?: ArrayLike<number>;
    /**
     * (B) queries that exist; rows beyond give 0
     */
    queryLengths?: ArrayLike<number>;
    /**
     * position of the first query, one or (B);
     * default keyLengths - queryLengths
     */
    queryOffset?: number | ArrayLike<number>;
    /**
     * default 1/√D
     */
    scale?: number;
    /**
     * caps scores at ±softcap by tanh; 0 = off
     */
    softcap?: number;
    /**
     * true = the published slopes, or (Hq) slopes
     */
    alibi?: boolean | ArrayLike<number>;
    /**
     * on the weights
     */
    dropout?: {
        p: number;
        seed: number;
    };
    /**
     * axes of q, k, v and the output; default 'BHTD'
     */
    layout?: 'BHTD' | 'BTHD';
    /**
     * k and v are appended to it, then q attends to all that it holds; with
     * k and v null q only reads. queryLengths: the tokens that are real
     */
    cache?: KVCache;
    /**
     * receives the output; may be an input's own array
     */
    out?: F32;
};

export type CacheConfig = {
    /**
     * default 1
     */
    batch?: number;
    kvHeads: number;
    headDim: number;
    /**
     * default headDim
     */
    valueHeadDim?: number;
    /**
     * keys that each batch row has room for
     */
    capacity: number;
    /**
     * of the calls with this cache: when it
     * is full, the oldest keys leave. Without it a full cache refuses more
     */
    window?: readonly [left: number, right: number];
};

export type AppendOptions = {
    /**
     * (B) rows that are real; the others are not written
     */
    lengths?: ArrayLike<number>;
    /**
     * axes of k and v; default 'BHTD'
     */
    layout?: 'BHTD' | 'BTHD';
};

export type RopeConfig = {
    /**
     * default 10000
     */
    base?: number;
    /**
     * dimensions that turn, even; the others pass. Default: all
     */
    dim?: number;
    /**
     * pairs (2k, 2k + 1) instead of (k, k + dim/2)
     */
    interleaved?: boolean;
};

export type RopeSource = {
    /**
     * position of the first row; default 0
     */
    offset?: number;
    /**
     * (T) or (B, T), instead of offset + row
     */
    positions?: TensorLike;
    /**
     * (T, n) or (B, T, n), with sin: 2n dimensions turn
     */
    cos?: TensorLike;
    sin?: TensorLike;
    /**
     * turns back
     */
    inverse?: boolean;
    /**
     * axes of x; default 'BHTD'
     */
    layout?: 'BHTD' | 'BTHD';
};

export type RopeOptions = RopeConfig & RopeSource;

export type Weights = {
    readonly [name: string]: TensorLike;
};

export type MultiHeadConfig = {
    /**
     * width of the query
     */
    embedDim: number;
    heads: number;
    /**
     * default heads; fewer are shared (GQA), 1 by all (MQA)
     */
    kvHeads?: number;
    /**
     * default embedDim / heads
     */
    headDim?: number;
    /**
     * default headDim
     */
    valueHeadDim?: number;
    /**
     * width of the key, default embedDim
     */
    keyInputDim?: number;
    /**
     * width of the value, default keyInputDim
     */
    valueInputDim?: number;
    /**
     * default embedDim
     */
    outputDim?: number;
    /**
     * default true
     */
    bias?: boolean;
    /**
     * default true; without it the heads' concatenation is the
     * result
     */
    outputProjection?: boolean;
    /**
     * turns q and k by their positions
     */
    rope?: boolean | RopeConfig;
    /**
     * as in AttentionOptions
     */
    alibi?: boolean | ArrayLike<number>;
    /**
     * default 1/√headDim
     */
    scale?: number;
    /**
     * 0 = off
     */
    softcap?: number;
    /**
     * the share of the softmax's weights that train() drops; default 0
     */
    dropout?: number;
    /**
     * default: uniform in ±√(6 / (in + out)), biases 0
     */
    weights?: Weights;
    /**
     * of the default weights; default 0
     */
    seed?: number;
};

export type ModuleOptions = Pick<AttentionOptions, 'mask' | 'keyMask' | 'bias' | 'causal' | 'window' | 'keyLengths' | 'queryLengths' | 'queryOffset' | 'cache' | 'out'>;

export type TrainingOptions = Omit<ModuleOptions, 'cache'> & {
    seed?: number;
};

export type InputGradients = {
    dQuery: Tensor;
    dKey: Tensor;
    dValue: Tensor;
    /**
     * of the option bias, as in Gradients; with biasGrad only
     */
    dBias?: Tensor;
};

export type TrainingResult = {
    /**
     * (B, Tq, outputDim), with the rank of query
     */
    output: Tensor;
    /**
     * from the
     * gradient of the output; adds those of the weights to grads. Each call adds again
     */
    backward: (dOutput: TensorLike, options?: BackwardOptions) => InputGradients;
};

export type WhatIf = {
    /**
     * used instead of q·kᵀ where not NaN; has the shape of `scores`
     */
    scores?: TensorLike;
    /**
     * 'queries' normalises columns; default 'keys'
     */
    softmaxAxis?: 'keys' | 'queries';
    /**
     * 'after' zeroes weights after the softmax; default
     * 'before'
     */
    maskOrder?: 'before' | 'after';
};

export type Trace = {
    q: Tensor;
    k: Tensor;
    v: Tensor;
    /**
     * q·kᵀ
     */
    scores: Tensor;
    /**
     * scale · scores
     */
    scaled: Tensor;
    /**
     * softcap · tanh(scaled / softcap), or scaled
     */
    capped: Tensor;
    /**
     * capped + bias - slope·|p - j|, -Infinity where not allowed
     */
    masked: Tensor;
    /**
     * softmax of masked
     */
    weights: Tensor;
    /**
     * weights after dropout
     */
    dropped: Tensor;
    /**
     * dropped · v
     */
    output: Tensor;
    /**
     * largest masked score of the row, -Infinity when it is empty
     */
    rowMax: Tensor;
    /**
     * sum of exp(masked - rowMax), 0 when the row is empty
     */
    rowSum: Tensor;
    /**
     * rowMax + log(rowSum), -Infinity when the row is empty
     */
    logSumExp: Tensor;
    /**
     * of the weights, in nats, 0 when the row is empty
     */
    entropy: Tensor;
};

export type ModuleTrace = Trace & {
    heads: Tensor;
    concat: Tensor;
    projected: Tensor;
};

export type Gradients = {
    dq: Tensor;
    /**
     * summed over the query heads that share a key head
     */
    dk: Tensor;
    /**
     * likewise
     */
    dv: Tensor;
    /**
     * of the bias as it was given, summed over the axes that it is repeated
     * along; with biasGrad only
     */
    dBias?: Tensor;
};

export type BackwardOptions = {
    /**
     * whether the gradient of the bias is wanted; default false
     */
    biasGrad?: boolean;
};

export type ForwardOptions = Omit<AttentionOptions, 'cache'>;

export type ForwardResult = {
    /**
     * (B, Hq, Tq, Dv), with the rank of q
     */
    output: Tensor;
    /**
     * (B, Hq, Tq), with the leading axes of q; -Infinity for a row without
     * any allowed key
     */
    logSumExp: Tensor;
    /**
     * from the
     * gradient of the output, of its shape. May be called again
     */
    backward: (dOutput: TensorLike, options?: BackwardOptions) => Gradients;
};

export type SgdConfig = {
    kind: 'sgd';
    lr: number;
    /**
     * from 0, below 1; default 0
     */
    momentum?: number;
    /**
     * default 0
     */
    weightDecay?: number;
};

export type AdamWConfig = {
    kind: 'adamw';
    lr: number;
    /**
     * from 0, below 1; default 0.9
     */
    beta1?: number;
    /**
     * likewise; default 0.999
     */
    beta2?: number;
    /**
     * above 0; default 1e-8
     */
    epsilon?: number;
    /**
     * default 0.01
     */
    weightDecay?: number;
};

export type OptimizerConfig = SgdConfig | AdamWConfig;

export type OptimizerState = {
    steps: number;
    averages: Float32Array[];
};

export type NumberList = Float32Array | Float64Array | number[] | Tensor;

export type MemoryReport = {
    used: number;
    peak: number;
    reserved: number;
    handles: number;
};

/** What this runtime can do. attn needs `wasm` and `simd`; `relaxedSimd` makes it faster. */
export declare function isSupported(): {
    wasm: boolean;
    simd: boolean;
    relaxedSimd: boolean;
};

export type { KVCache, Engine, MultiHeadAttention, Optimizer };
