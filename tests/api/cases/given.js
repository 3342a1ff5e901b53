// What the cases of calls are made of: calls with one thing in them that is wrong.

import { engineOf } from '../builds.js';

export const Q = [[1, 2], [3, 4], [5, 6]];
export const zeros = (...shape) => (
    { data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
export const withQ = (value) => (attn) => attn.attention(value, Q, Q);
export const withOptions = (options) => (attn) => attn.attention(Q, Q, Q, options);
export const withShapes = (q, k, v, options) => (attn) => (
    attn.attention(zeros(...q), zeros(...k), zeros(...v), options));
export const optimizing = (config) => (attn) => attn.optimizer(config);
export const stepping = (params, grads) => (attn) => (
    attn.optimizer({ kind: 'sgd', lr: 1 }).step(params, grads));
export const backward = (...given) => (attn) => attn.forward(Q, Q, Q).backward(...given);
export const withWhatIf = (whatIf) => (attn) => attn.inspect(Q, Q, Q, {}, whatIf);

export function disposed(simd, call) {
    const attn = engineOf(simd);
    attn.dispose();
    return call(attn);
}

export const refuse = () => { throw new RangeError('Array buffer allocation failed'); };

export const withThousand = withShapes([1000, 100], [1000, 100], [1000, 100]);
