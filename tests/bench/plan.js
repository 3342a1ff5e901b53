// What is measured and what follows from it: rows of data that tools/bench.js runs and prints. A
// path is a name and a way to start one fresh process of it.

import { operationsOf } from './problem.js';

/** Time of a call as a rate, for the shape it was measured at. */
export const rateOf = (shape, seconds) => operationsOf(shape) / seconds / 1e9;

const full = (length, heads = 8) => ({ length, heads, dim: 64 });
const causal = (length) => ({ ...full(length), causal: true });

const WASM = ['attn relaxed', 'attn simd128'];
const PEERS = ['onnxruntime-web', 'onnxruntime-node'];

/** Every shape, with the paths that are timed at it. Quick runs take those marked. */
export const SHAPES = [
    { shape: full(128), paths: [...WASM, ...PEERS, 'native', 'native avx2'] },
    {
        shape: full(512),
        paths: [...WASM, ...PEERS, 'native', 'native avx2', 'plain JS', 'tfjs wasm', 'attn definition'],
    },
    { shape: full(1024), paths: [...WASM, ...PEERS, 'native', 'native avx2'], quick: true },
    { shape: full(2048), paths: [...WASM, ...PEERS, 'native', 'native avx2'] },
    { shape: full(4096, 1), paths: [...WASM, ...PEERS, 'native'] },
    { shape: causal(1024), paths: [...WASM, ...PEERS, 'native'], quick: true },
    { shape: causal(2048), paths: [...WASM, ...PEERS, 'native'] },
    { shape: { ...full(1024), variant: 'spread', spread: 200 }, paths: WASM.slice(0, 1) },
    { shape: { ...full(1024), variant: 'padded' }, paths: WASM.slice(0, 1) },
    { shape: { ...full(1024), variant: 'softcap' }, paths: WASM.slice(0, 1) },
    { shape: { ...full(1024), variant: 'bias' }, paths: WASM.slice(0, 1) },
    { shape: full(63), paths: ['attn relaxed', 'native'] },
    { shape: full(64), paths: ['attn relaxed', 'native'] },
    { shape: full(65), paths: ['attn relaxed', 'native'] },
    { shape: full(129), paths: ['attn relaxed', 'native'] },
    ...[40, 48, 80, 96, 111, 112, 128, 256].map((dim) => ({
        shape: { ...full(512), dim }, paths: ['attn relaxed', 'native'],
    })),
];

/** How time and memory grow with T, one head: each path as far as it goes in seconds. */
export const GROWTH = {
    'attn relaxed': [128, 256, 512, 1024, 2048, 4096, 8192, 16384],
    'attn definition': [128, 256, 512, 1024, 2048, 4096],
    'onnxruntime-web': [128, 256, 512, 1024, 2048, 4096, 8192],
    'plain JS': [128, 256, 512, 1024, 2048],
};
export const growthShape = (length) => full(length, 1);

/** Versions of Node whose wasm compilers differ, and the shape that each is asked for. */
export const NODES = { versions: ['20', '22', '24', '26'], shape: full(1024), paths: WASM };

export const nameOf = ({ length, heads, dim, causal: isCausal, variant }) =>
    [`T ${length}`, `H ${heads}`, `D ${dim}`, isCausal && 'causal', variant].filter(Boolean).join(', ');

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * The ratios of a run. `at(shape, path)` is the rate of a path, or undefined; `limit(name)` that of
 * bare multiply-adds; other measures stand in `more`.
 */
export function ratiosOf({ at, limit, more }) {
    const over = (shape, path, peer) => at(shape, path) / at(shape, peer);
    const many = (shapes, ratio) => median(shapes.map(ratio).filter(Number.isFinite));
    const long = [full(512), full(1024), full(2048)];
    const masked = [causal(1024), causal(2048)];
    const timed = (variant) => {
        const plain = 1 / at(full(1024), 'attn relaxed');
        return 1 / at({ ...full(1024), ...variant }, 'attn relaxed') / plain;
    };
    const cliff = (path) => {
        const lengths = [[63, 64], [65, 64], [129, 128]];
        const dims = [[40, 48], [80, 96], [111, 112], [96, 112], [128, 128], [256, 256]];
        return Math.min(
            ...lengths.map(([n, next]) => at(full(n), path) / at(full(next), path)),
            ...dims.map(([dim, next]) =>
                at({ ...full(512), dim }, path) / at({ ...full(512), dim: next }, path)),
        );
    };
    return {
        P1: many(long, (shape) => over(shape, 'attn relaxed', 'onnxruntime-web')),
        'P1 T 128': over(full(128), 'attn relaxed', 'onnxruntime-web'),
        P2: many(masked, (shape) => over(shape, 'attn relaxed', 'onnxruntime-web')),
        P3: many(long, (shape) => over(shape, 'attn simd128', 'onnxruntime-web')),
        'P3 limit': many(long, (shape) => at(shape, 'attn simd128') / limit('simd128')),
        P4: many(long, (shape) => at(shape, 'attn relaxed') / limit('relaxed')),
        P5: many(long, (shape) => over(shape, 'native', 'onnxruntime-node')),
        'P5 causal': many(masked, (shape) => over(shape, 'native', 'onnxruntime-node')),
        P6: many(long, (shape) => at(shape, 'native') / limit('native')),
        'P6 avx2': many(long, (shape) => at(shape, 'native avx2') / limit('native avx2')),
        ...more,
        'P12 spread 200': timed({ variant: 'spread', spread: 200 }),
        'P12 padded': timed({ variant: 'padded' }),
        'P12 causal': timed({ causal: true }) / 2,
        'P12 softcap': timed({ variant: 'softcap' }),
        'P12 bias': timed({ variant: 'bias' }),
        'P15 wasm': cliff('attn relaxed'),
        'P15 native': cliff('native'),
    };
}

/** What each ratio is to reach; `most` where less is better. */
export const GOALS = {
    P1: { least: 2.2 }, 'P1 T 128': { least: 2 }, P2: { least: 4.5 }, P3: { least: 1.6 },
    'P3 limit': { least: 0.92 }, P4: { least: 0.82 }, P5: { least: 1.6 },
    'P5 causal': { least: 6.5 }, P6: { least: 0.78 }, 'P6 avx2': { least: 0.85 },
    P7: { least: 0.92 }, P8: { most: 16 }, 'P9 options': { most: 2 }, 'P9 out': { most: 1 },
    P10: { least: 0.85 },
    'P10 wasm': { least: 0.85 }, P11: { most: 3 }, 'P12 spread 200': { most: 1 },
    'P12 padded': { most: 1 }, 'P12 causal': { most: 1 }, 'P12 softcap': { most: 1.5 },
    'P12 bias': { most: 1.5 }, 'P15 wasm': { least: 0.5 }, 'P15 native': { least: 0.5 },
};
