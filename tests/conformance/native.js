/*
 * native.js: runs cases through the native library, behind the pipe of runner.c. A past is joined
 * to the keys, masks are written out whole, and layout BTHD is turned.
 */
import { spawnSync } from 'node:child_process';
import { broadcast, join, sizeOf, summed, turn } from './tensors.js';

const OPS = { forward: 0, trace: 1, rope: 2, backward: 3, module: 4 };
const HEADER_COUNT = 26;
const STAGES = ['scaled', 'capped', 'masked', 'weights'];

const floats = (values) => Buffer.from(Float32Array.from(values).buffer);
const integers = (values) => Buffer.from(Int32Array.from(values).buffer);

function attentionRequest({ q, k, v, past, layout, options }, path, isa) {
    const isTurned = layout === 'BTHD', upright = (tensor) => (isTurned ? turn(tensor) : tensor);
    const query = upright(q), [key, value] = [[past?.k, upright(k)], [past?.v, upright(v)]]
        .map(([before, tensor]) => (before ? join(before, tensor) : tensor));
    const [B, Hq, Tq, D] = query.shape, [, Hk, Tk, Dv] = value.shape, full = [B, Hq, Tq, Tk];
    const { mask, bias, keyLengths, queryLengths, queryOffset, causal, window } = options;
    const { scale = 1 / Math.sqrt(D), softcap = 0, alibi, dropout = { p: 0, seed: 0 } } = options;
    const offset = typeof queryOffset === 'number' ? new Array(B).fill(queryOffset) : queryOffset;
    const lists = [mask, bias, keyLengths, queryLengths, offset];
    const header = [
        OPS[path], isa, B, Hq, Hk, Tq, Tk, D, Dv, causal ? 1 : 0,
        ...(window ?? [-1, -1]), ...lists.map((list) => (list ? 1 : 0)), 0, 0,
        alibi ? 1 : 0, dropout.seed, 0, 0, 0, 0, 0,
    ];
    const parts = [integers(header), floats([scale, softcap, dropout.p, 0])];
    parts.push(...[query, key, value].map(({ data }) => floats(data)));
    if (mask) parts.push(Buffer.from(broadcast(mask, full)));
    if (bias) parts.push(floats(broadcast(bias, full)));
    for (const list of lists.slice(2)) if (list) parts.push(integers(list));
    if (alibi) parts.push(floats(alibi));
    const present = { presentKey: key.data, presentValue: value.data };
    return { parts, full, outShape: [B, Hq, Tq, Dv], isTurned, present };
}

/** Takes numbers from an answer, one after another. */
function taker(answer) {
    let at = 0;
    const bytes = (count) => answer.subarray(at, at += count);
    return {
        status: () => bytes(4).readInt32LE(),
        floats: (count) => {
            const part = Uint8Array.from(bytes(4 * count));
            return new Float32Array(part.buffer);
        },
    };
}

/** @param {string[]} runner the program, behind its emulator where it has one */
function ask([command, ...args], requests) {
    const input = Buffer.concat(requests.flatMap(({ parts }) => parts));
    const { status, stdout, error } = spawnSync(command, args, { input, maxBuffer: 2 ** 30 });
    if (status !== 0) throw new Error(`${command}: ${error?.message ?? `ended with ${status}`}`);
    return taker(stdout);
}

/** The instruction sets of the build and this machine, as [number, name]. */
export function isasOf([command, ...args]) {
    const { stdout } = spawnSync(command, [...args, 'isas'], { encoding: 'utf8' });
    return stdout.trim().split('\n').map((line) => line.split(' '))
        .map(([number, name]) => [Number(number), name]);
}

/** What forward or trace give for each case. */
export function attentionNatively(runner, cases, path, isa) {
    const requests = cases.map((one) => attentionRequest(one, path, isa));
    const answer = ask(runner, requests);
    return requests.map(({ full, outShape, isTurned, present }, n) => {
        if (answer.status() !== 0) return {};
        const data = answer.floats(sizeOf(outShape));
        const output = isTurned ? turn({ data, shape: outShape }).data : data;
        if (path === 'forward') return { output, ...present };
        const take = (name) => [name, answer.floats(sizeOf(full))];
        const stages = Object.fromEntries(STAGES.map(take));
        return { output, ...present, stage: stages[cases[n].stage] };
    });
}

/** What backward gives for each case, behind the forward pass that it needs. */
export function gradientsNatively(runner, cases, isa) {
    const requests = cases.map((one) => {
        const request = attentionRequest(one, 'backward', isa);
        request.parts.push(floats(one.dOutput.data));
        return request;
    });
    const answer = ask(runner, requests);
    return requests.map(({ full, outShape }, n) => {
        if (answer.status() !== 0) return {};
        const { q, k, v, options: { bias } } = cases[n];
        answer.floats(sizeOf(outShape));
        const [dq, dk, dv] = [q, k, v].map(({ shape }) => answer.floats(sizeOf(shape)));
        if (!bias) return { dq, dk, dv };
        return { dq, dk, dv, dBias: summed(answer.floats(sizeOf(full)), full, bias.shape) };
    });
}

/** (X, Y) to (Y, X); a list stays as it is. */
function turnWeight(data, shape) {
    if (shape.length === 1) return data;
    const [rows, columns] = shape;
    return Float32Array.from({ length: data.length }, (_, n) => (
        data[(n % rows) * columns + Math.floor(n / rows)]));
}

/** What backward of a module gives for each case; the runner has weights (in, out). */
export function moduleGradientsNatively(runner, cases, isa) {
    const requests = cases.map(({ config, inputs, options, dOutput }) => {
        const { heads, kvHeads, headDim, valueHeadDim, embedDim, rope, weights } = config;
        const { softcap = 0, dropout = 0 } = config;
        const [{ shape: [B, Tq] }, { shape: [, Tk] }] = inputs;
        const header = [
            OPS.module, isa, B, heads, kvHeads, Tq, Tk, headDim, valueHeadDim,
            options.causal ? 1 : 0, -1, -1, 0, 0, 0, 0, 0, rope ? headDim : 0,
            rope?.interleaved ? 1 : 0, 0, options.seed ?? 0, embedDim, config.keyInputDim,
            config.valueInputDim, config.outputDim, config.bias ? 1 : 0,
        ];
        const numbers = [1 / Math.sqrt(headDim), softcap, dropout, rope?.base ?? 0];
        const parts = [integers(header), floats(numbers)];
        parts.push(...inputs.map(({ data }) => floats(data)));
        for (const { data, shape } of Object.values(weights)) {
            parts.push(floats(turnWeight(data, shape)));
        }
        parts.push(floats(dOutput.data));
        return { parts };
    });
    const answer = ask(runner, requests);
    return cases.map(({ inputs, config: { weights } }) => {
        if (answer.status() !== 0) return {};
        const [dQuery, dKey, dValue] = inputs.map(({ data }) => answer.floats(data.length));
        const grads = Object.entries(weights).map(([name, { data, shape }]) => (
            [name, turnWeight(answer.floats(data.length), [...shape].reverse())]));
        return { dQuery, dKey, dValue, ...Object.fromEntries(grads) };
    });
}

export function rotaryNatively(runner, cases) {
    const requests = cases.map(({ x, layout, cos, sin, interleaved }) => {
        const isTurned = layout === 'BTHD', upright = isTurned ? turn(x) : x;
        const [B, H, T, D] = upright.shape, half = cos.shape[2];
        const header = new Array(HEADER_COUNT).fill(0);
        header.splice(0, 9, OPS.rope, 0, B, H, H, T, T, D, D);
        header.splice(17, 2, 2 * half, interleaved ? 1 : 0);
        const parts = [integers(header), floats([0, 0, 0, 0])];
        parts.push(...[upright, cos, sin].map(({ data }) => floats(data)));
        return { parts, shape: upright.shape, isTurned };
    });
    const answer = ask(runner, requests);
    return requests.map(({ shape, isTurned }) => {
        if (answer.status() !== 0) return {};
        const data = answer.floats(sizeOf(shape));
        return { output: isTurned ? turn({ data, shape }).data : data };
    });
}
