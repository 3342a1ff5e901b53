// Between the two ways to edit: Q, K and V themselves, or X and the matrices that make them. Either
// way what is on the page stays: X begins as one number per word, so that W_Q, W_K and W_V begin as
// Q, K and V; back again, Q, K and V are what the engine made of them.

import { sourcesOf } from './compute.js';
import { state, update } from './state.js';

const unit = (n) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));

/** Rows of zeros under a matrix. */
const below = (matrix, count) => [
    ...matrix,
    ...Array.from({ length: count }, () => matrix[0].map(() => 0)),
];

const above = (matrix, count) => [
    ...Array.from({ length: count }, () => matrix[0].map(() => 0)),
    ...matrix,
];

export function setMode(mode) {
    const { doc } = state.peek();
    if (mode === doc.mode) return;
    const change = { kind: 'mode', from: doc.mode, to: mode };
    if (mode === 'direct') {
        const { q, k, v } = sourcesOf(doc);
        const gone = { x: null, keyX: null, wq: null, wk: null, wv: null, wo: null };
        update({ mode, q, k, v, ...gone }, { change });
        return;
    }
    const gone = { q: null, k: null, v: null };
    const [queries, keys] = [doc.q.length, doc.keyTokens ? doc.k.length : 0];
    const all = unit(queries + keys);
    const cross = keys > 0;
    update(
        {
            mode,
            x: all.slice(0, queries),
            keyX: cross ? all.slice(queries) : null,
            wq: cross ? below(doc.q, keys) : doc.q,
            wk: cross ? above(doc.k, queries) : doc.k,
            wv: cross ? above(doc.v, queries) : doc.v,
            ...gone,
        },
        { change },
    );
}

/** W_Q = W_K = I: queries and keys are the words themselves, so scores are symmetric. */
export function setIdentity() {
    const { doc } = state.peek();
    const width = doc.x[0].length;
    const eye = unit(width).map((row) => Array.from({ length: doc.heads }, () => row).flat());
    const keyEye = unit(width).map((row) => Array.from({ length: doc.kvHeads }, () => row).flat());
    update({ wq: eye, wk: keyEye }, { change: { kind: 'identity' } });
}
