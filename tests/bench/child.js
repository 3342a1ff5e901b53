// One engine, one shape, one fresh process: warms up, times each call, prints a line of JSON.
//
//     node tests/bench/child.js '{"engine":"attn relaxed","heads":8,"length":512,"dim":64}'

import { decodeOf } from './decode.js';
import { ENGINES } from './engines.js';
import { limitOf } from './limit.js';
import { memoryOf } from './memory.js';
import { tinyOf } from './tiny.js';

const spec = JSON.parse(process.argv[2]);
const { engine, seconds = 1 } = spec;

/** Bytes of memory that the process has, and the most it ever had. */
const resident = () => process.memoryUsage.rss();
const mostResident = () => 1024 * process.resourceUsage().maxRSS;

async function timesOf(run) {
    const times = [], end = performance.now() + 1000 * seconds, before = resident();
    let checksum;
    for (let warm = 0; warm < 3; warm++) checksum = await run();
    do {
        const start = performance.now();
        checksum = await run();
        times.push((performance.now() - start) / 1000);
    } while (performance.now() < end || times.length < 3);
    if (!checksum.every(Number.isFinite)) throw new Error(`${engine}: the output is not finite`);
    times.sort((a, b) => a - b);
    const memory = Math.max(0, mostResident() - before);
    return { min: times[0], median: times[times.length >> 1], calls: times.length, memory };
}

const special = { decode: decodeOf, limit: limitOf, memory: memoryOf, tiny: tinyOf };
const result = special[engine]
    ? await special[engine](spec)
    : await timesOf(await ENGINES[engine](spec));
console.log(JSON.stringify(result));
process.exit(0);
