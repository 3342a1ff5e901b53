/*
 * test.js - npm test: everything this machine can run, and one summary at the end.
 *
 * Stages are data: a title, what to run, and perhaps why that cannot be done here. Every stage runs whatever
 * became of the others; counts are read from what the test programs themselves print. Arguments choose stages by name:
 * npm test -- core api.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { armMissing } from './arm.js';
import { RELAXED_FLAGS } from './machine.js';
import { ensureSystemPackages } from './system.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const JOBS = String(availableParallelism?.() ?? cpus().length);

/** The test files of a folder, for node --test. */
function testFiles(folder) {
    return readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.test.js')).sort()
        .map((name) => `${folder}/${name}`);
}

function ctest(preset) {
    return [
        ['cmake', '--preset', preset],
        ['cmake', '--build', '--preset', preset, '--parallel', JOBS],
        ['ctest', '--preset', preset, '--parallel', JOBS],
    ];
}

function nodeTest(folder, ...flags) {
    return [[process.execPath, ...flags, '--test', '--test-concurrency=1', ...testFiles(folder)]];
}

const STAGES = [
    { name: 'core', title: 'C core, optimised', commands: () => ctest('release') },
    { name: 'sanitize', title: 'C core, address and undefined-behaviour sanitizers', commands: () => ctest('sanitize') },
    { name: 'arm', title: 'C core for Arm with NEON, under QEMU', commands: () => ctest('aarch64'), missing: armMissing },
    { name: 'types', title: 'types of the sources', commands: () => [['npx', '--no-install', 'tsc', '-p', 'web/api']], single: true },
    { name: 'api', title: 'JavaScript package', commands: () => nodeTest('tests/api', ...RELAXED_FLAGS) },
    { name: 'package', title: 'packed tarball in other hands', commands: () => nodeTest('tests/package') },
    { name: 'page', title: 'page in the browsers', commands: () => [[process.execPath, 'tests/page/run.js']] },
    { name: 'docs', title: 'README and versions', commands: () => nodeTest('tests/docs') },
    { name: 'conformance', title: 'vectors of other suites', commands: () => [[process.execPath, 'tools/conformance.js']] },
];

/** Runs one command, passing its output on and keeping it. */
function run([command, ...args]) {
    return new Promise((resolve) => {
        const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) {
            stream.on('data', (chunk) => {
                output += chunk;
                process.stdout.write(chunk);
            });
        }
        child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
        child.on('close', (code) => resolve({ code: code ?? 1, output }));
    });
}

/** Rows of the table that tools/conformance.js prints. */
const CONFORMANCE = /^.+ (\d+) \/ (\d+) +[\d.]+ %$/gm;

/** Counts of passed, failed and skipped tests, from the closing lines of node --test, of ctest, or from our table. */
function countsOf(output) {
    const node = (word) => [...output.matchAll(new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, 'gm'))]
        .reduce((sum, match) => sum + Number(match[1]), 0);
    const counts = { passed: node('pass'), failed: node('fail') + node('cancelled'), skipped: node('skipped') };
    const ctestLine = output.match(/(\d+) tests failed out of (\d+)/);
    if (ctestLine) {
        const skipped = (output.match(/\(Skipped\)|\*\*\*Skipped/g) ?? []).length;
        const listed = new Set((output.match(/^\s*\d+ - .* \(Skipped\)$/gm) ?? [])).size || skipped;
        counts.failed += Number(ctestLine[1]);
        counts.skipped += listed;
        counts.passed += Number(ctestLine[2]) - Number(ctestLine[1]) - listed;
    }
    for (const [, passed, all] of output.matchAll(CONFORMANCE)) {
        counts.passed += Number(passed);
        counts.failed += all - passed;
    }
    counts.skipped += (output.match(/^skipped: /gm) ?? []).length;
    return counts;
}

async function runStage(stage) {
    console.log(`\n== ${stage.title} (${stage.name})`);
    const started = Date.now();
    const counts = { passed: 0, failed: 0, skipped: 0 };
    let table = [];
    const reason = stage.missing?.();
    if (reason) {
        console.log(`skipped: ${reason}`);
        counts.skipped = 1;
    }
    for (const command of reason ? [] : stage.commands()) {
        console.log(`$ ${command.map((part) => (part === process.execPath ? 'node' : part)).join(' ')}`);
        const { code, output } = await run(command);
        const seen = countsOf(output);
        if (stage.single && code === 0) seen.passed += 1;
        table = table.concat(output.match(CONFORMANCE) ?? []);
        for (const key of Object.keys(counts)) counts[key] += seen[key];
        if (code !== 0) {
            if (seen.failed === 0) {
                counts.failed += 1;
                console.log(`${command.join(' ')}: ended with ${code}`);
            }
            break;
        }
    }
    if (counts.passed + counts.failed + counts.skipped === 0) {
        counts.failed = 1;
        console.log(`${stage.name}: no test was run`);
    }
    return { ...counts, table, seconds: (Date.now() - started) / 1000 };
}

/** npm ci, unless what is installed is what the lock file names. */
function installDependencies() {
    const installed = join(ROOT, 'node_modules/.package-lock.json'), lock = join(ROOT, 'package-lock.json');
    if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
    console.log('$ npm ci');
    return spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STAGES.some((stage) => stage.name === name));
if (unknown.length > 0) {
    console.error(`attn: unknown stage '${unknown[0]}': expected some of ${STAGES.map((stage) => stage.name).join(', ')}`);
    process.exit(2);
}
const missing = ensureSystemPackages();
if (missing) {
    console.error(`attn: ${missing}`);
    process.exit(1);
}
if (!installDependencies()) {
    console.error('attn: npm ci failed');
    process.exit(1);
}

const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const results = [];
for (const stage of STAGES) {
    if (asked.length === 0 || asked.includes(stage.name)) results.push({ stage, ...(await runStage(stage)) });
}

console.log(`\n== Summary of attn ${version}, Node ${process.versions.node}`);
for (const { stage, passed, failed, skipped, seconds } of results) {
    const cells = [stage.name.padEnd(11), `${passed} passed`.padStart(12), `${failed} failed`.padStart(10),
        `${skipped} skipped`.padStart(11), `${seconds.toFixed(1)} s`.padStart(9)];
    console.log(`${cells.join('')}  ${stage.title}`);
}
const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
results.flatMap(({ table }) => table).forEach((row) => console.log(row));
console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exit(total('failed') === 0 ? 0 : 1);
