/*
 * conformance.js - npm run conformance [-- --json]: the vectors of others on every path of ours.
 *
 * The calls that JAX answered or differentiated are in tests/vectors. The ONNX cases are read from
 * the folder that ATTN_VECTORS names, or ../shared/vectors beside the checkout, and never copied.
 * What cannot run here is named with its reason. --json prints
 * { "suite": { "path": { "passed": n, "total": n } } } and nothing else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { vectors } from '../tests/api/vectors.js';
import { readJax, readJaxGradients } from '../tests/conformance/jax.js';
import {
    attentionNatively, gradientsNatively, isasOf, moduleGradientsNatively, rotaryNatively,
} from '../tests/conformance/native.js';
import { readOnnx } from '../tests/conformance/onnx.js';
import {
    attentionBy, gradientsBy, moduleGradientsBy, rotaryBy,
} from '../tests/conformance/wasm.js';
import { loadSync } from '../web/api/index.js';
import { EMULATOR, armMissing } from './arm.js';
import { RELAXED_FLAGS } from './machine.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = process.env.ATTN_DIST ?? join(ROOT, 'dist');
const WASM = { simd128: 'attn.wasm', relaxed: 'attn.relaxed.wasm' };

/** The builds of the library: the machine's own, and that for Arm of which only NEON is of interest. */
const NATIVE = [
    { preset: 'release', prefix: 'native', emulator: [], missing: () => null },
    { preset: 'aarch64', prefix: 'arm', emulator: EMULATOR, missing: armMissing, only: 'neon' },
];

const { values: { json } } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const say = (line) => { if (!json) console.log(line); };

RELAXED_FLAGS.forEach((flag) => setFlagsFromString(flag));

/** The first expected number that is not there: |a - b| ≤ t + t |b|, or null. */
function differenceIn(ours, { expected, tolerance: t }, isTrace) {
    for (const [name, numbers] of Object.entries(expected)) {
        if (name === 'stage' && !isTrace) continue;
        if (!ours[name]) return `${name} is missing`;
        if (ours[name].length !== numbers.length) return `${name} has length ${ours[name].length}`;
        const bad = numbers.findIndex((b, n) => {
            const a = ours[name][n];
            return !Object.is(a, b) && !(Math.abs(a - b) <= t + t * Math.abs(b));
        });
        if (bad >= 0) return `${name}[${bad}] is ${ours[name][bad]}, expected ${numbers[bad]}`;
    }
    return null;
}

const report = {};

function judge(suite, path, cases, results) {
    const faults = cases.flatMap((one, n) => {
        const difference = differenceIn(results[n], one, path.endsWith('trace'));
        return difference ? [`${suite}, ${path}: ${one.name}: ${difference}`] : [];
    });
    faults.forEach((fault) => console.error(fault));
    report[suite] ??= {};
    report[suite][path] = { passed: cases.length - faults.length, total: cases.length };
}

/** The same for one case: an exception is a difference, not an end. */
function attempt(run) {
    try {
        return run();
    } catch (error) {
        console.error(error.message);
        return {};
    }
}

/**
 * Suites by what they ask for: attention, rotary, gradients, modules.
 *
 * @param {Record<string, Record<string, object[]>>} suites
 */
function runWasm({ attention, rotary, gradients, modules }) {
    for (const [simd, file] of Object.entries(WASM)) {
        const bytes = readFileSync(join(DIST, file));
        if (!WebAssembly.validate(bytes)) {
            say(`skipped: wasm ${simd}: Node ${process.versions.node} does not validate ${file}`);
            continue;
        }
        const engine = loadSync({ wasm: bytes });
        for (const [suite, cases] of Object.entries(attention)) {
            for (const path of ['forward', 'trace']) {
                const results = cases.map((one) => attempt(() => attentionBy(engine, one, path)));
                judge(suite, `wasm ${simd} ${path}`, cases, results);
            }
        }
        for (const [suite, cases] of Object.entries(rotary)) {
            const results = cases.map((one) => attempt(() => rotaryBy(engine, one)));
            judge(suite, `wasm ${simd} rope`, cases, results);
        }
        for (const [suites, by] of [[gradients, gradientsBy], [modules, moduleGradientsBy]]) {
            for (const [suite, cases] of Object.entries(suites)) {
                const results = cases.map((one) => attempt(() => by(engine, one)));
                judge(suite, `wasm ${simd} backward`, cases, results);
            }
        }
    }
}

/** Builds the runner of a preset; why it cannot be, or null. */
function buildRunner(preset, program) {
    const commands = [['cmake', '--preset', preset],
        ['cmake', '--build', '--preset', preset, '--target', 'attn_conformance']];
    for (const [command, ...args] of commands) {
        const { status, error, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
        if (status !== 0) return error?.message ?? stderr.trim();
    }
    return existsSync(program) ? null : `${program} was not built`;
}

function runNatively({ attention, rotary, gradients, modules }, { preset, prefix, emulator, missing, only }) {
    const program = join(ROOT, 'build', preset, 'tests/conformance/attn_conformance');
    const reason = missing() ?? buildRunner(preset, program);
    if (reason) {
        say(`skipped: ${prefix}: ${reason}`);
        return;
    }
    const runner = [...emulator, program];
    const isas = isasOf(runner).filter(([, name]) => !only || name === only);
    for (const [suite, cases] of Object.entries(attention)) {
        for (const [isa, name] of isas) {
            const results = attentionNatively(runner, cases, 'forward', isa);
            judge(suite, `${prefix} ${name} forward`, cases, results);
        }
        judge(suite, `${prefix} trace`, cases, attentionNatively(runner, cases, 'trace', 0));
    }
    for (const [suite, cases] of Object.entries(rotary)) {
        judge(suite, `${prefix} rope`, cases, rotaryNatively(runner, cases));
    }
    for (const [suites, natively] of [[gradients, gradientsNatively],
        [modules, moduleGradientsNatively]]) {
        for (const [suite, cases] of Object.entries(suites)) {
            for (const [isa, name] of isas) {
                const results = natively(runner, cases, isa);
                judge(suite, `${prefix} ${name} backward`, cases, results);
            }
        }
    }
}

function printTable() {
    const rows = Object.entries(report).flatMap(([suite, paths]) => (
        Object.entries(paths).map(([path, { passed, total }]) => (
            [suite, path, `${passed} / ${total}`, `${(100 * passed / total).toFixed(1)} %`]))));
    const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
    for (const [suite, path, count, share] of rows) {
        console.log([suite.padEnd(widths[0]), path.padEnd(widths[1]), count.padStart(widths[2]),
            share.padStart(widths[3])].join('  '));
    }
}

const jax = readJaxGradients();
const suites = {
    attention: { JAX: readJax() }, rotary: {}, gradients: { 'JAX gradients': jax.calls },
    modules: { 'JAX module gradients': jax.modules },
};
const folder = vectors('onnx'), onnx = readOnnx(folder.path);
if (onnx) {
    suites.attention['ONNX Attention'] = onnx.attention;
    suites.rotary['ONNX RotaryEmbedding'] = onnx.rotary;
} else {
    say(`skipped: ONNX: ${folder.reason}`);
}
runWasm(suites);
for (const build of NATIVE) runNatively(suites, build);
if (!json) printTable();
if (json) console.log(JSON.stringify(report, null, 4));
const all = Object.values(report).flatMap((paths) => Object.values(paths));
process.exitCode = all.every(({ passed, total }) => passed === total) ? 0 : 1;
