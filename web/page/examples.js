// Inputs to start from. `sentence` is the worked example: q(sat) = [1, 2] meets the keys of the, cat
// and sat; its output is [0.454, 2.786]. `future` has a key to hide: the scaled scores of sat are
// 2, 1, 3 and 5, and the last key is in its future. `cross` looks from one sentence at another.

import { fourHeads } from './heads.js';
import { MASK } from './mask.js';

export const examples = {
    future: {
        tokens: ['the', 'cat', 'sat', 'down'],
        q: [
            [2, -1, 1, 0],
            [0, 1, 1, -1],
            [1, 2, 2, 2],
            [1, 0, 0, 1],
        ],
        k: [
            [2, 1, 0, 0],
            [0, 1, 0, 0],
            [0, 1, 2, 0],
            [0, 2, 1, 2],
        ],
        v: [
            [2, 0],
            [0, 4],
            [1, 1],
            [-1, 2],
        ],
        mask: { ...MASK, preset: 'causal' },
        query: 2,
        key: 3,
        focus: { grid: 'weights', row: 2, col: 3 },
    },
    sentence: {
        tokens: ['the', 'cat', 'sat'],
        q: [
            [2, -1],
            [-1, 1],
            [1, 2],
        ],
        k: [
            [1, 0],
            [0, 2],
            [1, 1],
        ],
        v: [
            [2, 0],
            [0, 4],
            [1, 1],
        ],
    },
    animal: fourHeads,
    cross: {
        tokens: ['le', 'chat', 'dort'],
        keyTokens: ['the', 'cat', 'is', 'asleep'],
        q: [
            [2, -1],
            [-1, 2],
            [-2, -1],
        ],
        k: [
            [2, 0],
            [0, 2],
            [-1, 0.5],
            [-1.5, -1.5],
        ],
        v: [
            [1, 0],
            [0, 3],
            [0.5, 1],
            [3, -1],
        ],
        query: 2,
        key: 3,
        focus: { grid: 'weights', row: 2, col: 3 },
    },
};
