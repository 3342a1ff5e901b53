// Every engine that attention is timed in, by name: `prepare(spec)` gives a function that makes one
// call from flat arrays to an output, as a program would that uses the engine by its public API.

import { createRequire } from 'node:module';
import { loadSync } from '../../dist/attn.js';
import { attentionModel } from './onnx.js';
import { tensorsOf } from './problem.js';

/** What a spec adds to a plain call of attn, as options. */
function optionsOf({ causal, variant, length, heads }, out) {
    const keep = Math.ceil(length / 10);
    return {
        causal: Boolean(causal),
        out,
        ...(variant === 'padded' && { keyLengths: [keep] }),
        ...(variant === 'softcap' && { softcap: 30 }),
        ...(variant === 'bias' && { bias: biasOf(heads, length) }),
    };
}

const biasOf = (heads, length) => ({
    data: new Float32Array(heads * length * length).fill(0.5),
    shape: [1, heads, length, length],
});

const attn = (simd) => (spec) => {
    const engine = loadSync({ simd }), { shape, q, k, v } = tensorsOf(spec);
    const tensors = [q, k, v].map((data) => ({ data, shape }));
    const out = new Float32Array(q.length), options = optionsOf(spec, out);
    return () => engine.attention(...tensors, options).data;
};

/** The definition, which holds every score: what a call costs that does not go by tiles. */
function definition(spec) {
    const engine = loadSync({ simd: 'relaxed' }), { shape, q, k, v } = tensorsOf(spec);
    const tensors = [q, k, v].map((data) => ({ data, shape }));
    return () => engine.inspect(...tensors).output.data;
}

async function onnxruntime(runtime, spec) {
    const { shape, q, k, v } = tensorsOf(spec), { InferenceSession, Tensor } = runtime;
    const session = await InferenceSession.create(attentionModel(shape, spec.causal), {
        intraOpNumThreads: spec.threads ?? 1,
        graphOptimizationLevel: 'all',
    });
    const feeds = Object.fromEntries(
        Object.entries({ q, k, v }).map(([name, data]) => [name, new Tensor('float32', data, shape)]),
    );
    return async () => (await session.run(feeds)).y.data;
}

async function tensorflow({ ...spec }) {
    const tf = await import('@tensorflow/tfjs-core');
    const { setThreadsCount, setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
    const entry = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
    setWasmPaths(new URL('.', `file://${entry}`).pathname);
    setThreadsCount(1);
    await tf.setBackend('wasm');
    await tf.ready();
    const { shape, q, k, v } = tensorsOf(spec), scale = 1 / Math.sqrt(spec.dim);
    return () => tf.tidy(() => {
        const [a, b, c] = [q, k, v].map((data) => tf.tensor4d(data, shape));
        const weights = tf.softmax(tf.mul(tf.matMul(a, b, false, true), scale));
        return tf.matMul(weights, c).dataSync();
    });
}

/** The formula as loops over typed arrays: what a program has without any engine. */
function plain({ ...spec }) {
    const { q, k, v } = tensorsOf(spec), { heads, length, dim, causal } = spec;
    const out = new Float32Array(q.length), scores = new Float64Array(length);
    const scale = 1 / Math.sqrt(dim);
    return () => {
        for (let h = 0; h < heads; h++) {
            for (let i = 0; i < length; i++) {
                const row = (h * length + i) * dim, keys = causal ? i + 1 : length;
                let max = -Infinity, sum = 0;
                for (let j = 0; j < keys; j++) {
                    const at = (h * length + j) * dim;
                    let s = 0;
                    for (let d = 0; d < dim; d++) s += q[row + d] * k[at + d];
                    scores[j] = s * scale;
                    if (scores[j] > max) max = scores[j];
                }
                out.fill(0, row, row + dim);
                for (let j = 0; j < keys; j++) sum += scores[j] = Math.exp(scores[j] - max);
                for (let j = 0; j < keys; j++) {
                    const weight = scores[j] / sum, at = (h * length + j) * dim;
                    for (let d = 0; d < dim; d++) out[row + d] += weight * v[at + d];
                }
            }
        }
        return out;
    };
}

export const ENGINES = {
    'attn relaxed': attn('relaxed'),
    'attn simd128': attn('simd128'),
    'attn definition': definition,
    'onnxruntime-web': async (spec) => {
        const runtime = (await import('onnxruntime-web')).default;
        runtime.env.wasm.numThreads = 1;
        return onnxruntime(runtime, spec);
    },
    'onnxruntime-node': async (spec) => onnxruntime((await import('onnxruntime-node')).default, spec),
    'tfjs wasm': tensorflow,
    'plain JS': plain,
};
