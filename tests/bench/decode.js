// One token against a cache in wasm memory, and how fast wasm reads as many bytes at all: a step of
// decoding does little more with a key and a value than to read them once.

import { loadSync } from '../../dist/attn.js';
import { ADD, LOAD, STORE, at, get, i32, leb, moduleOf, set } from './encode.js';
import { tensorsOf } from './problem.js';

const PAGE = 65536, SUMS = 8;

/** (func (export "run") (param $end i32)): sums of the vectors from the second page on. */
function sumOver(pages) {
    const [end, from] = [0, 1], sum = (n) => 2 + n;
    const all = (make) => Array.from({ length: SUMS }, (_, n) => make(n)).flat();
    const body = [
        ...i32(PAGE), ...set(from),
        0x03, 0x40,
        ...all((n) => [...get(sum(n)), ...get(from), ...LOAD, ...at(16 * n), ...ADD, ...set(sum(n))]),
        ...get(from), ...i32(16 * SUMS), 0x6a, ...set(from),
        ...get(from), ...get(end), 0x49, 0x0d, 0x00, // br_if while from < end
        0x0b,
        ...all((n) => [...i32(0), ...get(sum(n)), ...STORE, ...at(16 * n)]),
        0x0b,
    ];
    return moduleOf([[1, 0x7f], [...leb(SUMS), 0x7b]], body, pages + 1);
}

/** Gigabytes in a second: the median of calls until the time is over. */
function rateOf(bytes, seconds, run) {
    const times = [];
    for (let warm = 0; warm < 20; warm++) run();
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
        const start = performance.now();
        run();
        times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return bytes / times[times.length >> 1] / 1e6;
}

export function decodeOf({ simd: build = 'auto', heads = 8, keys = 4096, dim = 64, seconds = 1 }) {
    const engine = loadSync({ simd: build }), shape = [1, heads, 1, dim];
    const cache = engine.kvCache({ kvHeads: heads, headDim: dim, capacity: keys });
    const past = tensorsOf({ heads, length: keys, dim });
    cache.append(...[past.k, past.v].map((data) => ({ data, shape: past.shape })));
    const { q } = tensorsOf({ heads, length: 1, dim }), out = new Float32Array(q.length);
    const bytes = 2 * past.k.byteLength, pages = Math.ceil(bytes / PAGE);
    const { run, mem } = new WebAssembly.Instance(new WebAssembly.Module(sumOver(pages))).exports;
    /* Memory that was never written is one page of zeros, read from the first cache. */
    new Float32Array(mem.buffer).fill(1);
    const decode = () => engine.attention({ data: q, shape }, null, null, { cache, out });
    /* In turns, so that neither has the quieter moment. */
    const rounds = Array.from({ length: 5 }, () => [
        rateOf(bytes, seconds / 10, () => run(PAGE + bytes)), rateOf(bytes, seconds / 10, decode),
    ]);
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[rounds.length >> 1];
    return { stream: median(([stream]) => stream), decode: median(([, step]) => step) };
}
