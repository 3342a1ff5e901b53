// How fast this machine multiplies and adds in wasm: the best of several bare micro-kernels, each a
// block of MR rows × NV vectors held in registers over an inner loop of 64, written here as bytes.

import {
    ADD, MUL, LOAD, SPLAT, STORE, at, get, i32, leb, moduleOf, set, simd,
} from './encode.js';

const INNER = 64, A = 0, B = 16384, OUT = 65536 - 4096;

const MADD = simd(0x105);

/** (func (export "run") (param $times i32)): the block, so many times over. */
function kernelOf(rows, vectors, isRelaxed) {
    const [times, k, a] = [0, 1, 2];
    const b = (v) => 3 + v, acc = (r, v) => 3 + vectors + 1 + r * vectors + v;
    const splat = 3 + vectors;
    const locals = 1 + vectors + rows * vectors;
    const multiply = (r, v) => (isRelaxed
        ? [...get(splat), ...get(b(v)), ...get(acc(r, v)), ...MADD, ...set(acc(r, v))]
        : [...get(acc(r, v)), ...get(splat), ...get(b(v)), ...MUL, ...ADD, ...set(acc(r, v))]);
    const all = (make) => Array.from({ length: rows }, (_, r) =>
        Array.from({ length: vectors }, (_, v) => make(r, v))).flat(2);
    const step = [
        ...Array.from({ length: vectors }, (_, v) =>
            [...get(k), ...LOAD, ...at(B + 16 * v), ...set(b(v))]).flat(),
        ...Array.from({ length: rows }, (_, r) => [
            ...get(a), ...SPLAT, ...at(A + 4 * INNER * r), ...set(splat),
            ...Array.from({ length: vectors }, (_, v) => multiply(r, v)).flat(),
        ]).flat(),
    ];
    const advance = (local, bytes) => [...get(local), ...i32(bytes), 0x6a, ...set(local)];
    const body = [
        0x03, 0x40, // loop: the block once
        ...i32(0), ...set(k), ...i32(0), ...set(a),
        0x03, 0x40, // loop: one step of the inner dimension
        ...step, ...advance(k, 16 * vectors), ...advance(a, 4),
        ...get(a), ...i32(4 * INNER), 0x48, 0x0d, 0x00, // br_if while a < 4 INNER
        0x0b,
        ...advance(times, -1), ...get(times), 0x0d, 0x00, 0x0b,
        ...all((r, v) => [...i32(0), ...get(acc(r, v)), ...STORE, ...at(OUT + 16 * (r * vectors + v))]),
        0x0b,
    ];
    return moduleOf([[2, 0x7f], [...leb(locals), 0x7b]], body, 1);
}

const SHAPES = [[4, 2], [2, 4], [3, 3], [6, 2], [5, 2], [4, 3]];

/** GFLOP/s of the best shape: what no kernel of these instructions can pass by much. */
export function limitOf({ simd: build, seconds = 1 }) {
    const runs = SHAPES.map(([rows, vectors]) => {
        const { run } = new WebAssembly.Instance(
            new WebAssembly.Module(kernelOf(rows, vectors, build === 'relaxed')),
        ).exports;
        run(20000);
        return { shape: `${rows}x${vectors}`, work: 8 * rows * vectors * INNER, run, best: 0 };
    });
    const times = 100000;
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) {
        for (const one of runs) {
            const start = performance.now();
            one.run(times);
            const rate = (times * one.work) / (performance.now() - start) / 1e6;
            one.best = Math.max(one.best, rate);
        }
    }
    const best = runs.reduce((a, b) => (b.best > a.best ? b : a));
    return { gflops: best.best, shape: best.shape };
}
