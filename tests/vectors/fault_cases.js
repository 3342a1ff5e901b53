/*
 * fault_cases.js - writes fault_cases.h, which tests/core reads, from fault_cases.json: small calls
 * out of public fault reports, with answers computed in float64.
 *
 *     node tests/vectors/fault_cases.js            writes the header
 *     node tests/vectors/fault_cases.js --check    fails when the header is not what it would write
 */
import { readFileSync, writeFileSync } from 'node:fs';

const place = (name) => new URL(name, import.meta.url);
const cases = JSON.parse(readFileSync(place('fault_cases.json'), 'utf8'));

const SPECIAL = { NaN: 'NAN', Infinity: 'INFINITY', '-Infinity': '-INFINITY' };
const number = (x) => SPECIAL[x] ?? String(x);

/* A number for a float: one that C would read as an integer or a double says so. */
function single(x) {
    if (SPECIAL[x]) return SPECIAL[x];
    return `${/[.e]/.test(String(x)) ? x : `${x}.0`}f`;
}

function array(type, values, write) {
    return values?.length > 0 ? `(const ${type}[]){${values.map(write).join(', ')}}` : 'NULL';
}

/* Tensors may be given as { fill }. */
function filled(values, count) {
    return values && !Array.isArray(values) ? Array(count).fill(values.fill) : values;
}

function entry({ id, call, expect, tol }) {
    const { B = 1, Hq = 1, Hkv = Hq, Tq, Tk, D } = call;
    const added = call.bias ?? (call.mask?.kind === 'add' ? call.mask : undefined);
    const mask = call.mask?.kind === 'bool' ? call.mask : undefined;
    const fields = {
        id: `"${id}"`,
        size: `{${[B, Hq, Hkv, Tq, Tk, D, D].join(', ')}}`,
        q: array('float', filled(call.q, B * Hq * Tq * D), single),
        k: array('float', filled(call.k, B * Hkv * Tk * D), single),
        v: array('float', filled(call.v, B * Hkv * Tk * D), single),
        scale: call.scale === undefined ? 'NAN' : single(call.scale),
        softcap: single(call.softcap ?? 0),
        dropout: single(call.drop?.p ?? 0),
        causal: call.causal ? 'ATTN_CAUSAL' : 'ATTN_NOT_CAUSAL',
        window: `{${(call.window ?? [-1, -1]).join(', ')}}`,
        key_lengths: array('int32_t', call.keyLen, number),
        mask: array('uint8_t', mask?.data, number),
        mask_dims: `{${(mask?.dims ?? [0]).join(', ')}}`,
        bias: array('float', added?.data, single),
        bias_dims: `{${(added?.dims ?? [0]).join(', ')}}`,
        out: array('double', filled(expect.out, B * Hq * Tq * D), number),
        weights: array('double', expect.weights, number),
        lse: array('double', expect.lse, number),
        keep: array('int', call.drop?.keep, number),
        dout: array('float', call.dout, single),
        dq: array('double', expect.dq, number),
        dk: array('double', expect.dk, number),
        dv: array('double', expect.dv, number),
        dbias: array('double', expect.dbias, number),
        tolerance: number(tol),
    };
    const unset = ['NULL', '{0}', '0', '0.0f'];
    const lines = Object.entries(fields).filter(([, value]) => !unset.includes(String(value)));
    return `    {\n${lines.map(([name, value]) => `        .${name} = ${value},`).join('\n')}\n    },`;
}

const text = `/* fault_cases.h - written by fault_cases.js from fault_cases.json. */
/* clang-format off */
static const fault_case FAULT_CASES[] = {
${cases.map(entry).join('\n')}
};
`;

if (process.argv.includes('--check')) {
    if (readFileSync(place('fault_cases.h'), 'utf8') !== text) {
        console.error('fault_cases.h is stale: run node tests/vectors/fault_cases.js');
        process.exitCode = 1;
    }
} else {
    writeFileSync(place('fault_cases.h'), text);
}
