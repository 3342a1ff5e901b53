// The declarations under the strictest settings, in old and new TypeScript: a program of the whole
// API compiles, and each of its mistakes is found.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { installedFolder } from './tarball.js';
import { TYPESCRIPT_VERSIONS, run, toolFolder } from './tools.js';

const PROGRAM = `
import {
    AttnError, VERSION, WASM_SHA256, alibiSlopes, isSupported, load, loadSync, masks, sinusoidal,
    type AttentionOptions, type Engine, type ErrorCode, type F32, type ForwardResult,
    type Gradients, type InputGradients, type KVCache, type ModuleTrace, type MultiHeadAttention,
    type MultiHeadConfig, type Optimizer, type Tensor, type TensorLike, type Trace,
    type TrainingResult,
} from 'attn';
import { load as loadSlim } from 'attn/slim';
import wasm from 'attn/attn.wasm';
import relaxedWasm from 'attn/attn.relaxed.wasm';

const engine: Engine = loadSync({ simd: 'simd128', maxMemory: 2 ** 30, wasm: new Uint8Array(8) });
export const loaded: Promise<Engine>[] = [
    load(), load({ wasm: 'https://example.org/attn.wasm', simd: 'auto' }), loadSlim({ wasm }),
    load({ wasm: Promise.resolve(new ArrayBuffer(8)) }), loadSlim({ wasm: relaxedWasm }),
];

const nested: TensorLike = [[1, 2], [3, 4]];
const flat: TensorLike = { data: new Float32Array(4), shape: [2, 2] };
const onnx: TensorLike = { data: new Float64Array(4), dims: [2, 2] };
const strided: TensorLike = { data: [1, 2, 3, 4], shape: [2, 2], stride: [1, 2], offset: 0 };
const frozen = [[1, 2], [3, 4]] as const;

const options: AttentionOptions = {
    mask: [[true, false], [true, true]], keyMask: masks.lengths([2], 2), bias: flat,
    causal: 'top-left', window: [2, 0], keyLengths: [2], queryLengths: Int32Array.of(2),
    queryOffset: 0, scale: 0.5, softcap: 0, alibi: false, dropout: { p: 0, seed: 1 },
    layout: 'BHTD', out: new Float32Array(4),
};

const output: Tensor = engine.attention(nested, flat, onnx, options);
const again: Tensor = engine.attention(output, strided, frozen);
const trace: Trace = engine.inspect(nested, nested, again, { causal: true }, {
    scores: [[NaN, 1], [2, 3]], softmaxAxis: 'queries', maskOrder: 'after',
});
const data: F32 = trace.weights.data;
data[0] = 1;
export const shape: readonly number[] = trace.logSumExp.shape;
const both = masks.and(masks.causal(2), masks.not([[true, false]]), masks.window(2, 2, [1, 0]));
export const bytes: Uint8Array = both.data;
export const torch = masks.or(masks.fromTorchModule({ data: bytes, shape: [2, 2] }, { heads: 1 }));

const lesson: ForwardResult = engine.forward(nested, nested, nested, { bias: flat });
const grads: Gradients = lesson.backward(lesson.output, { biasGrad: true });
const optimizer: Optimizer = engine.optimizer({ kind: 'adamw', lr: 0.001, beta1: 0.9 });
optimizer.step([1, 2], Float64Array.of(1, 2));
const remembered: Float32Array[] = optimizer.stateDict([1, 2]).averages;
optimizer.loadStateDict([1, 2], { steps: 1, averages: remembered });
optimizer.step(grads.dq, grads.dBias ?? new Float32Array(4));
export const jacobian: Tensor = engine.softmaxJacobian(data.subarray(0, 2));

const config: MultiHeadConfig = {
    embedDim: 8, heads: 4, kvHeads: 2, rope: { base: 10000, interleaved: true }, alibi: true, seed: 1,
};
const module: MultiHeadAttention = engine.multiHeadAttention(config);
const cache: KVCache = engine.kvCache({ kvHeads: 2, headDim: 2, capacity: 16, window: [3, 0] });
const step: Tensor = module.forward(nested, undefined, undefined, { causal: true, cache });
const whole: ModuleTrace = module.inspect(step, nested, nested);
const weights: Record<string, Tensor> = module.stateDict();
module.loadStateDict(weights);
const trained: TrainingResult = module.train(nested, nested, undefined, { bias: flat, seed: 1 });
const inputs: InputGradients = trained.backward(trained.output);
module.step(optimizer);
module.zeroGrad();
export const named: Tensor[] = [inputs.dQuery, inputs.dKey, ...Object.values(module.grads)];
engine.attention(whole.heads, null, null, { cache });
cache.append(cache.keys(), cache.values(), { lengths: [1] });
export const turned: Tensor = engine.rope(sinusoidal(4, 8), { positions: [[0, 1, 2, 3]] });
export const slopes: F32 = alibiSlopes(cache.length + cache.position + cache.capacity);

try {
    engine.trim();
} catch (error) {
    const code: ErrorCode | undefined = error instanceof AttnError ? error.code : undefined;
    if (code === 'DISPOSED') throw error;
}
export const texts: string[] = [VERSION, WASM_SHA256.simd128, engine.features.simd];
export const flags: boolean = isSupported().relaxedSimd;
export const used: number = engine.memory().used;

{
    using scoped = loadSync();
    scoped.attention(nested, nested, nested);
    using short = scoped.kvCache({ kvHeads: 1, headDim: 2, capacity: 4 });
    short.truncate(0);
}
engine.dispose();

// @ts-expect-error no gradient passes through a cache
engine.forward(nested, nested, nested, { cache });
// @ts-expect-error momentum is of SGD
engine.optimizer({ kind: 'adamw', lr: 1, momentum: 0.9 });
// @ts-expect-error unknown option
engine.attention(nested, nested, nested, { is_causal: true });
// @ts-expect-error numbers are no mask
engine.attention(nested, nested, nested, { mask: [[1, 0]] });
// @ts-expect-error a window has two sides
engine.attention(nested, nested, nested, { window: 3 });
// @ts-expect-error v is missing
engine.attention(nested, nested);
// @ts-expect-error a module drops nothing
module.forward(nested, nested, nested, { dropout: { p: 0.5, seed: 1 } });
// @ts-expect-error no gradient passes through a cache
module.train(nested, nested, nested, { cache });
// @ts-expect-error a cache has a capacity
engine.kvCache({ kvHeads: 1, headDim: 2 });
// @ts-expect-error a typed array has no shape
engine.attention(new Float32Array(4), nested, nested);
// @ts-expect-error loadSync cannot fetch
loadSync({ wasm: 'https://example.org/attn.wasm' });
// @ts-expect-error results are not reshaped in place
output.shape = [4];
`;

const COMMON_JS = `
import attn = require('attn');
import slim = require('attn/slim');
import wasm = require('attn/attn.wasm');
const engine: attn.Engine = attn.loadSync();
const output: attn.Tensor = engine.attention([[1]], [[1]], [[1]]);
const other: Promise<slim.Engine> = slim.load({ wasm });
`;

const folder = installedFolder('types', { 'program.mts': PROGRAM, 'common.cts': COMMON_JS });

const RESOLUTIONS = {
    nodenext: { module: 'nodenext', files: ['program.mts', 'common.cts'] },
    bundler: { module: 'esnext', files: ['program.mts'] },
};

const LIBRARIES = { 'with DOM': ['es2022', 'dom'], 'without DOM': ['es2022'] };

const STRICT = {
    target: 'es2022',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
};

for (const version of TYPESCRIPT_VERSIONS) {
    for (const [moduleResolution, { module, files }] of Object.entries(RESOLUTIONS)) {
        for (const [title, lib] of Object.entries(LIBRARIES)) {
            test(`TypeScript ${version}, ${moduleResolution}, ${title}`, () => {
                const compilerOptions = { ...STRICT, module, moduleResolution, lib };
                const config = JSON.stringify({ compilerOptions, files });
                writeFileSync(join(folder, 'tsconfig.json'), config);
                const tsc = join(toolFolder('typescript', version), 'bin/tsc');
                assert.equal(run(process.execPath, [tsc, '-p', '.'], { cwd: folder }), '');
            });
        }
    }
}
