/*
 * bench.js - npm run bench: attn beside its peers and beside what the machine can do, in one run.
 *
 *     npm run bench -- [--quick] [--json FILE] [--plot FILE.svg] [--node 24]
 *
 * Every figure is the median of fresh processes that alternate: ours, peer, ours, peer. The limits
 * are measured in the same run. Peers are installed into tests/bench when they are missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
    GOALS, GROWTH, NODES, SHAPES, growthShape, nameOf, rateOf, ratiosOf,
} from '../tests/bench/plan.js';
import { plotOf } from '../tests/bench/plot.js';
import { inNode, natively } from '../tests/bench/processes.js';
import { exponentOf } from '../web/page/lab/exponent.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = `${ROOT}tests/bench`;

const packages = JSON.parse(readFileSync(`${BENCH}/package.json`, 'utf8'));

const { values: options } = parseArgs({
    options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        plot: { type: 'string' },
        node: { type: 'string', default: '24' },
    },
});
/** Processes of each path, and seconds that each of them measures. */
const [ROUNDS, SECONDS] = options.quick ? [1, 0.4] : [3, 0.7];

function must(command, args, where) {
    const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' };
    const { status } = spawnSync(command, args, { cwd: where, stdio: 'inherit', env });
    if (status === 0) return;
    console.error(`attn: ${command} ${args.join(' ')} ended with ${status}`);
    process.exit(1);
}

function prepare() {
    const { dependencies, optionalDependencies } = packages;
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    if (!names.every((name) => existsSync(`${BENCH}/node_modules/${name}`))) {
        console.log('Installing the peers into tests/bench');
        must('npm', ['ci', '--no-audit', '--no-fund'], BENCH);
    }
    must('cmake', ['--preset', 'release', '--log-level=WARNING'], ROOT);
    must('cmake', ['--build', '--preset', 'release', '--target', 'attn_bench'], ROOT);
}

const child = (spec, version = options.node) => inNode(version, { seconds: SECONDS, ...spec });
const native = (what, spec) => natively(what, { seconds: SECONDS, ...spec });

const best = () => {
    const isas = natively('isa');
    return ['avx512', 'avx2', 'neon', 'scalar'].find((isa) => isas[isa]);
};

function start(path, shape, isa) {
    if (path === 'native') return native('forward', { ...shape, isa });
    if (path === 'native avx2') return native('forward', { ...shape, isa: 'avx2' });
    return child({ engine: path, ...shape });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

prepare();
const isa = best();
const results = [], limits = {};
const LIMITS = {
    relaxed: () => child({ engine: 'limit', simd: 'relaxed' }),
    simd128: () => child({ engine: 'limit', simd: 'simd128' }),
    native: () => native('limit', { isa }),
    'native avx2': () => native('limit', { isa: 'avx2' }),
};

function probe() {
    for (const [name, run] of Object.entries(LIMITS)) {
        const { gflops } = run() ?? { gflops: NaN };
        limits[name] = Math.max(limits[name] ?? 0, gflops);
    }
}

console.log(`\nGFLOP/s: median of ${ROUNDS} fresh processes, Node ${options.node}, native ${isa}\n`);
for (const { shape, paths } of SHAPES.filter(({ quick }) => !options.quick || quick)) {
    probe();
    const seen = Object.fromEntries(paths.map((path) => [path, []]));
    for (let round = 0; round < ROUNDS; round++) {
        for (const path of paths) {
            const time = start(path, shape, isa);
            if (time) seen[path].push(rateOf(shape, time.median));
        }
    }
    const gflops = Object.fromEntries(
        Object.entries(seen).filter(([, rates]) => rates.length).map(([path, rates]) =>
            [path, { median: median(rates), max: Math.max(...rates), processes: rates.length }]),
    );
    results.push({ name: nameOf(shape), shape, gflops, limit: { ...limits } });
    console.log(nameOf(shape).padEnd(26), Object.entries(gflops)
        .map(([path, rate]) => `${path} ${rate.median.toFixed(1)}`).join('   '));
}

/** The other compilers of wasm, each with its own habits. */
function inOtherNodes() {
    return NODES.versions.map((version) => {
        const rates = Object.fromEntries(NODES.paths.map((path) => {
            const times = Array.from({ length: ROUNDS }, () =>
                child({ engine: path, ...NODES.shape }, version)).filter(Boolean);
            return [path, median(times.map((time) => rateOf(NODES.shape, time.median)))];
        }));
        console.log(`Node ${version}, ${nameOf(NODES.shape)}`.padEnd(26), Object.entries(rates)
            .map(([path, rate]) => `${path} ${rate?.toFixed(1)}`).join('   '));
        return { version, gflops: rates };
    });
}

/** Time and memory against T, and how they grow. */
function growth() {
    const grown = {};
    for (const [path, lengths] of Object.entries(GROWTH)) {
        grown[path] = lengths.flatMap((length) => {
            const seen = child({ engine: path, ...growthShape(length), seconds: 0.3 });
            return seen ? [{ length, seconds: seen.median, memory: seen.memory }] : [];
        });
        const exponent = (of) => exponentOf(grown[path].map((point) => [point.length, of(point)]));
        console.log(`growth of ${path}`.padEnd(28), `time T^${exponent((p) => p.seconds).toFixed(2)}`,
            `  memory T^${exponent((p) => Math.max(1, p.memory)).toFixed(2)}`);
    }
    return grown;
}

const at = (shape, path) =>
    results.find(({ name }) => name === nameOf(shape))?.gflops[path]?.median;

/** What is no rate at a shape: threads, memory, tiny calls, decoding, gradients. */
function more() {
    const long = { heads: 8, length: 1024, dim: 64 };
    const threads = (n) => native('forward', { ...long, isa, threads: n })?.median;
    const limit = (n) => native('limit', { isa, threads: n })?.gflops;
    const forward = threads(1), tiny = child({ engine: 'tiny' });
    const cache = { heads: 8, keys: 4096, dim: 64 };
    const bytes = 2 * 4 * 8 * 4096 * 64;
    const step = native('forward', { ...cache, length: 1, isa })?.median;
    const decode = child({ engine: 'decode' });
    console.log(`tiny call, T 4, D 2          with options ${tiny?.options.toFixed(2)} µs   with out `
        + `${tiny?.out.toFixed(2)}   plain JS ${tiny?.plain.toFixed(2)}   quicker from T ${tiny?.crossover}, D 16`);
    return {
        P7: forward / threads(2) / (limit(2) / limit(1)),
        P8: child({ engine: 'memory' })?.mebibytes,
        'P9 options': tiny?.options,
        'P9 out': tiny?.out,
        P10: bytes / step / 1e9 / native('stream', cache)?.gigabytes,
        'P10 wasm': decode?.decode / decode?.stream,
        P11: native('backward', { ...long, isa })?.median / forward,
    };
}

const nodes = options.quick ? [] : inOtherNodes();
const grown = options.quick && !options.plot ? null : growth();
const ratios = Object.fromEntries(
    Object.entries(ratiosOf({ at, limit: (name) => limits[name], more: options.quick ? {} : more() }))
        .filter(([, value]) => Number.isFinite(value)),
);

console.log(`\nlimit  ${Object.entries(limits).map(([name, x]) => `${name} ${x.toFixed(1)}`).join('   ')}\n`);
for (const [id, value] of Object.entries(ratios)) {
    const { least, most } = GOALS[id];
    const met = least === undefined ? value <= most : value >= least;
    const goal = least === undefined ? `at most ${most}` : `at least ${least}`;
    console.log(`${id.padEnd(16)} ${value.toFixed(3).padStart(8)}   ${goal}${met ? '' : '   missed'}`);
}

const machine = {
    cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem(), isa, node: options.node,
};
if (options.json) {
    const report = {
        machine, versions: packages.dependencies, date: new Date().toISOString(), rounds: ROUNDS, limits,
        shapes: results, nodes, growth: grown, ratios,
    };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`\n${options.json} written`);
}
if (options.plot) {
    writeFileSync(options.plot, plotOf(grown));
    console.log(`\n${options.plot} written`);
}
