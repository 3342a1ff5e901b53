/*
 * onnx.js: the cases of the ONNX operators Attention and RotaryEmbedding as calls of ours.
 *
 * A mask that is shorter than the keys is padded, a tensor (B, T, H·D) is one of layout BTHD, and
 * without past and lengths the operator counts positions from 0. softmax_precision says how the
 * reference computed and is ignored; float16 cases are as exact as their numbers are.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sizeOf } from './tensors.js';

const STAGES = ['scaled', 'capped', 'masked', 'weights'];
const TOLERANCE = { float32: 1e-5, float16: 2e-3 };

/** A tensor of a case, or undefined where the operator was given none. */
function reader({ node_inputs: names, inputs }) {
    return (position) => {
        const given = inputs.find(({ name }) => name === names[position]);
        return given && { data: given.data.map(Number), shape: given.dims, dtype: given.dtype };
    };
}

/** Rank 1 means the keys; a last axis shorter than the keys is padded by what forbids them. */
function padMask({ data, shape, dtype }, keys) {
    const [length] = shape.slice(-1), rows = sizeOf(shape) / length;
    const isBool = dtype === 'bool', fill = isBool ? 0 : -Infinity;
    const padded = Array.from({ length: rows }, (_, row) => [
        ...data.slice(row * length, (row + 1) * length), ...new Array(keys - length).fill(fill),
    ]).flat();
    const full = shape.length === 1 ? [1, keys] : [...shape.slice(0, -1), keys];
    return isBool ? { mask: { data: Uint8Array.from(padded), shape: full } }
        : { bias: { data: padded, shape: full } };
}

function outputsOf({ node_outputs: names, outputs }, keys) {
    const named = (position) => outputs.find(({ name }) => name !== '' && name === names[position]);
    return Object.fromEntries(keys.flatMap((key, position) => {
        const output = named(position);
        return output ? [[key, output.data.map(Number)]] : [];
    }));
}

/** { name, q, k, v, past, layout, options, expected, stage, tolerance } */
function attentionCase(one) {
    const at = reader(one), { attributes } = one;
    const heads = { 0: attributes.q_num_heads, 1: attributes.kv_num_heads };
    const split = (tensor, position) => {
        if (tensor.shape.length === 4) return tensor;
        const [B, T, width] = tensor.shape, H = heads[Math.min(position, 1)];
        return { data: tensor.data, shape: [B, T, H, width / H] };
    };
    const layout = at(0).shape.length === 3 ? 'BTHD' : 'BHTD';
    const [q, k, v] = [0, 1, 2].map((position) => split(at(position), position));
    const lengthAxis = layout === 'BTHD' ? 1 : 2;
    const past = at(4) && { k: at(4), v: at(5) }, lengths = at(6);
    const T = q.shape[lengthAxis], keys = k.shape[lengthAxis] + (past ? past.k.shape[2] : 0);
    const options = {
        causal: attributes.is_causal === 1,
        window: [attributes.left_window_size ?? -1, attributes.right_window_size ?? -1],
        softcap: attributes.softcap ?? 0,
        scale: attributes.scale,
        ...(at(3) && padMask(at(3), keys)),
    };
    if (lengths) options.keyLengths = lengths.data;
    const offset = past ? past.k.shape[2] : 0;
    options.queryOffset = lengths ? lengths.data.map((n) => n - T) : offset;
    const stage = STAGES[attributes.qk_matmul_output_mode ?? 0];
    const keysOf = ['output', 'presentKey', 'presentValue', 'stage'];
    return {
        name: one.name, q, k, v, past, layout, options, stage,
        expected: outputsOf(one, keysOf), tolerance: TOLERANCE[at(0).dtype],
    };
}

/** { name, x, layout, cos, sin, interleaved, expected, tolerance } */
function rotaryCase(one) {
    const at = reader(one), { attributes } = one, x = at(0), positions = at(3);
    const isMerged = x.shape.length === 3, H = attributes.num_heads;
    const shape = isMerged ? [...x.shape.slice(0, 2), H, x.shape[2] / H] : x.shape;
    const [B, T] = isMerged ? shape : [shape[0], shape[2]];
    const table = ({ data, shape: own }) => {
        const half = own[own.length - 1];
        if (!positions) return { data, shape: [B, T, half] };
        const rows = positions.data.flatMap((p) => data.slice(p * half, (p + 1) * half));
        return { data: rows, shape: [B, T, half] };
    };
    return {
        name: one.name, x: { data: x.data, shape }, layout: isMerged ? 'BTHD' : 'BHTD',
        cos: table(at(1)), sin: table(at(2)), interleaved: attributes.interleaved === 1,
        expected: outputsOf(one, ['output']), tolerance: TOLERANCE[x.dtype],
    };
}

/** The cases in a folder by operator, or null where there is none. */
export function readOnnx(folder) {
    if (!existsSync(folder)) return null;
    const all = readdirSync(folder).filter((name) => name.endsWith('.json')).sort()
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    const of = (op, make) => all.filter((one) => one.op === op).map(make);
    return { attention: of('Attention', attentionCase), rotary: of('RotaryEmbedding', rotaryCase) };
}
