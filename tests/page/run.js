// Runs every test of this folder in every browser and by every way that browsers.js lists, and
// those that open no browser once.
//
//     node tests/page/run.js [chromium | firefox] [file | http] [name of a test file ...]
//
// The lines that node --test prints stand under a heading for each run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { RUNS } from './browsers.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const asked = process.argv.slice(2);
const all = readdirSync(folder).filter((name) => name.endsWith('.test.js'));
const known = [...all, ...RUNS.flatMap(Object.values)];
const unknown = asked.find((word) => !known.includes(word));
if (unknown) {
    console.error(`expected some of ${[...new Set(known)].join(', ')}, got '${unknown}'`);
    process.exit(2);
}

const chosen = (values) => values.filter((value) => asked.includes(value));
const names = chosen(all).length ? chosen(all) : all;
const opensBrowser = (name) => /from '\.\/browsers?\.js'/.test(readFileSync(folder + name, 'utf8'));
/** What prints times has the machine for itself; the others share it. */
const isTimed = (name) => name === 'pace.test.js';
/** A test waits for its browser half of the time. */
const JOBS = availableParallelism() + 2;
const isAsked = (run) => {
    const of = (key) => chosen(RUNS.map((other) => other[key]));
    return ['browser', 'over'].every((key) => !of(key).length || of(key).includes(run[key]));
};

async function runTests(title, files, env, jobs = 1) {
    if (!files.length) return true;
    console.log(`\n== ${title}`);
    const paths = files.map((name) => folder + name);
    const args = ['--test', `--test-concurrency=${jobs}`, ...paths];
    const child = spawn(process.execPath, args, {
        stdio: 'inherit',
        env: { ...process.env, ...env },
    });
    const [code] = await once(child, 'close');
    return code === 0;
}

const results = [
    await runTests(
        'without a browser',
        names.filter((name) => !opensBrowser(name)),
    ),
];
for (const run of RUNS.filter(isAsked)) {
    const env = { ATTN_BROWSER: run.browser, ATTN_OVER: run.over };
    const title = `${run.browser} by ${run.over}`;
    const tests = names.filter(opensBrowser);
    results.push(await runTests(title, tests.filter(isTimed), env));
    results.push(await runTests(title, tests.filter((name) => !isTimed(name)), env, JOBS));
}
process.exit(results.every(Boolean) ? 0 : 1);
