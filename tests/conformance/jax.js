/*
 * jax.js: the calls of tests/vectors/jax_cases.py and jax_gradients.py, with the answers of JAX in
 * float64.
 *
 * JAX counts positions from 0 whatever the lengths; the inputs come from the seed of a case.
 */
import { readFileSync } from 'node:fs';
import { numbersFrom } from '../api/oracle.js';
import { sizeOf } from './tensors.js';

const read = (name) => (
    JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')));

/** Numbers written as the bytes of float32 in base64. */
function numbersIn(text) {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    return Array.from(new Float32Array(bytes.buffer));
}

const numbersInAll = (record) => (
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, numbersIn(text)])));

/** Draws tensors from a seed. */
function drawerOf(seed) {
    const next = numbersFrom(seed);
    return (shape) => ({ data: Float32Array.from({ length: sizeOf(shape) }, next), shape });
}

/** Tensors and options, and what draws the tensors that follow. */
function callOf(one) {
    const { seed, B, Hq, Hk, Tq, Tk, D, Dv = D, causal, window, scale, softcap, alibi } = one;
    const { keyLengths, queryLengths, dropout } = one, tensor = drawerOf(seed);
    const [q, k, v] = [[B, Hq, Tq, D], [B, Hk, Tk, D], [B, Hk, Tk, Dv]].map(tensor);
    const options = {
        causal, window, scale, softcap, alibi, dropout, keyLengths, queryLengths, queryOffset: 0,
    };
    if (one.mask) {
        const { data, shape } = tensor(one.mask);
        options.mask = { data: Uint8Array.from(data, (x) => Number(x > -0.5)), shape };
    }
    if (one.bias) options.bias = tensor(one.bias);
    return { q, k, v, options, tensor };
}

function caseOf(one, index) {
    const { q, k, v, options } = callOf(one);
    return {
        name: `case ${index}`, q, k, v, layout: 'BHTD', options, stage: 'weights', tolerance: 1e-5,
        expected: { output: numbersIn(one.output) },
    };
}

function gradientCaseOf(one, index) {
    const { q, k, v, options, tensor } = callOf(one);
    return {
        name: `gradients ${index}`, q, k, v, layout: 'BHTD', options, tolerance: 1e-5,
        dOutput: tensor([one.B, one.Hq, one.Tq, v.shape[3]]), expected: numbersInAll(one.slopes),
    };
}

function moduleCaseOf(one, index) {
    const { seed, B, Hq, Hk, Tq, Tk, D, Dv, widths: [Wx, Wy, Wz, Wo], causal, softcap } = one;
    const { bias, rope, dropout } = one, tensor = drawerOf(seed), weights = {};
    const inputs = [[B, Tq, Wx], [B, Tk, Wy], [B, Tk, Wz]].map(tensor);
    const shapes = { q: [Hq * D, Wx], k: [Hk * D, Wy], v: [Hk * Dv, Wz], o: [Wo, Hq * Dv] };
    for (const [letter, shape] of Object.entries(shapes)) {
        weights[`${letter}_proj.weight`] = tensor(shape);
        if (bias) weights[`${letter}_proj.bias`] = tensor(shape.slice(0, 1));
    }
    const config = {
        embedDim: Wx, heads: Hq, kvHeads: Hk, headDim: D, valueHeadDim: Dv, keyInputDim: Wy,
        valueInputDim: Wz, outputDim: Wo, bias, rope, softcap, dropout: dropout?.p, weights,
    };
    return {
        name: `module ${index}`, config, inputs, tolerance: 2e-5,
        options: { causal, queryOffset: 0, seed: dropout?.seed },
        dOutput: tensor([B, Tq, Wo]), expected: numbersInAll(one.slopes),
    };
}

export const readJax = () => read('jax_cases.json').cases.map(caseOf);

/** Calls whose gradients are known, and modules. */
export function readJaxGradients() {
    const { calls, modules } = read('jax_gradients.json');
    return { calls: calls.map(gradientCaseOf), modules: modules.map(moduleCaseOf) };
}
