/*
 * jax.js: the calls of tests/vectors/jax_cases.py, with the answers of JAX in float64.
 *
 * JAX counts positions from 0 whatever the lengths; the inputs come from the seed of a case.
 */
import { readFileSync } from 'node:fs';
import { numbersFrom } from '../api/oracle.js';
import { sizeOf } from './tensors.js';

const FILE = new URL('../vectors/jax_cases.json', import.meta.url);

function caseOf(one, index) {
    const { seed, B, Hq, Hk, Tq, Tk, D, causal, window, scale, keyLengths, queryLengths } = one;
    const next = numbersFrom(seed);
    const tensor = (shape) => (
        { data: Float32Array.from({ length: sizeOf(shape) }, next), shape });
    const [q, k, v] = [[B, Hq, Tq, D], [B, Hk, Tk, D], [B, Hk, Tk, D]].map(tensor);
    const options = { causal, window, scale, keyLengths, queryLengths, queryOffset: 0 };
    if (one.mask) {
        const { data, shape } = tensor(one.mask);
        options.mask = { data: Uint8Array.from(data, (x) => Number(x > -0.5)), shape };
    }
    if (one.bias) options.bias = tensor(one.bias);
    const bytes = Uint8Array.from(Buffer.from(one.output, 'base64'));
    return {
        name: `case ${index}`, q, k, v, layout: 'BHTD', options, stage: 'weights', tolerance: 1e-5,
        expected: { output: Array.from(new Float32Array(bytes.buffer)) },
    };
}

export const readJax = () => JSON.parse(readFileSync(FILE, 'utf8')).cases.map(caseOf);
