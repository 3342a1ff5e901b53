// Fresh processes: each measures one thing and prints a line of JSON. What fails is said and is null,
// since a peer may run out of memory where we do not.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { relaxedFlagsOf } from '../../tools/machine.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NATIVE = fileURLToPath(new URL('../../build/release/tests/bench/attn_bench', import.meta.url));

function lineOf(command, args) {
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) return JSON.parse(stdout.trim().split('\n').at(-1));
    const lines = stderr.trim().split('\n');
    const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    console.log(`  failed: ${args.at(-1)}: ${reason}`);
    return null;
}

/** By child.js, in a version of Node. */
export const inNode = (version, spec) => lineOf(
    `${HERE}node_modules/node${version}/bin/node`,
    [...relaxedFlagsOf(version), `${HERE}child.js`, JSON.stringify(spec)],
);

/** By native.c. */
export const natively = (what, spec = {}) => lineOf(NATIVE, [
    what,
    ...Object.entries(spec).map(([key, value]) => `${key}=${value === true ? 1 : value}`),
]);
