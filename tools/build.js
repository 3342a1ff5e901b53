/*
 * build.js - npm run build [-- --out DIR]: everything in dist/, in order.
 *
 *     wasm.js     attn.wasm and attn.relaxed.wasm from the C core, by the pinned toolchain
 *     package.js  the JavaScript package and its types
 *     page.js     the page
 *
 * Each step can be run alone; the later ones read what the earlier ones wrote.
 */
import { mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
const out = resolve(values.out);
mkdirSync(out, { recursive: true });

const STEPS = [['wasm.js'], ['package.js', '--wasm', out], ['page.js', '--wasm', out]];
for (const [script, ...args] of STEPS) {
    console.log(`$ node tools/${script} --out ${out}`);
    const { status } = spawnSync(process.execPath, [`tools/${script}`, '--out', out, ...args], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
}
