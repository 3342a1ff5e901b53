/*
 * bench.js - npm run bench: attn beside its peers and beside what the machine can do, in one run.
 *
 *     npm run bench -- [--quick] [--json FILE] [--node 24]
 *
 * Every figure is the median of fresh processes that alternate: ours, peer, ours, peer. The limits
 * are measured in the same run. Peers are installed into tests/bench when they are missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GOALS, nameOf, rateOf, ratiosOf, SHAPES } from '../tests/bench/plan.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BENCH = `${ROOT}tests/bench`;
const NATIVE = `${ROOT}build/release/tests/bench/attn_bench`;

const { values: options } = parseArgs({
    options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
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
    if (!existsSync(`${BENCH}/node_modules/onnxruntime-web`)) {
        console.log('Installing the peers into tests/bench');
        must('npm', ['ci', '--no-audit', '--no-fund'], BENCH);
    }
    must('cmake', ['--preset', 'release', '--log-level=WARNING'], ROOT);
    must('cmake', ['--build', '--preset', 'release', '--target', 'attn_bench'], ROOT);
}

const node = `${BENCH}/node_modules/node${options.node}/bin/node`;

/** One fresh process; its line of JSON, or null where it failed (a peer may run out of memory). */
function measure(command, args) {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) return JSON.parse(stdout.trim().split('\n').at(-1));
    console.log(`  failed: ${args.join(' ')}: ${stderr.trim().split('\n').at(-1)}`);
    return null;
}

const child = (spec) =>
    measure(node, [`${BENCH}/child.js`, JSON.stringify({ seconds: SECONDS, ...spec })]);

const native = (what, spec) => measure(NATIVE, [
    what, ...Object.entries({ seconds: SECONDS, ...spec }).map(([key, value]) =>
        `${key}=${value === true ? 1 : value}`),
]);

const best = () => {
    const isas = measure(NATIVE, ['isa']);
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
    return {
        P7: forward / threads(2) / (limit(2) / limit(1)),
        P8: child({ engine: 'memory' })?.mebibytes,
        'P9 options': tiny?.options,
        'P9 out': tiny?.out,
        P10: bytes / step / 1e9 / native('stream', cache)?.gigabytes,
        P11: native('backward', { ...long, isa })?.median / forward,
    };
}

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
    const peers = JSON.parse(readFileSync(`${BENCH}/package.json`, 'utf8')).dependencies;
    const report = {
        machine, versions: peers, date: new Date().toISOString(), rounds: ROUNDS, limits,
        shapes: results, ratios,
    };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`\n${options.json} written`);
}
