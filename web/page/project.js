// Q, K and V from X and the matrices W, by the engine's own module. Its weights lie as torch has them,
// (out, in); the page's W are (in, out), as in X·W_Q, and are turned here and nowhere else.

import { withPositions } from './positions.js';
import { columns, isProjected, sizesOf } from './shape.js';

const turned = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

/** [heads][rows][columns] as rows with the heads side by side. */
const joined = (heads) => heads[0].map((_, i) => heads.flatMap((head) => head[i]));

/** X and the columns of each W that belong to a head, as matrices to show. */
export function sourcesIn(doc, head, shared) {
    if (!isProjected(doc)) return {};
    const { feature, channel } = sizesOf(doc);
    return {
        X: doc.x,
        ...(doc.keyX && { keyX: doc.keyX }),
        WQ: columns(doc.wq, head * feature, (head + 1) * feature),
        WK: columns(doc.wk, shared * feature, (shared + 1) * feature),
        WV: columns(doc.wv, shared * channel, (shared + 1) * channel),
    };
}

/** X as it meets the matrices W: sinusoidal positions are added to the words. */
export function wordsOf(doc) {
    if (!isProjected(doc)) return null;
    const add = doc.positions === 'sinusoidal' ? (x) => x && withPositions(x) : (x) => x;
    return { X: add(doc.x), keyX: add(doc.keyX) };
}

/** Rows times a matrix, by the engine: the one projection of a module with one head. */
export function product(engine, rows, matrix) {
    const module = engine.multiHeadAttention({
        embedDim: rows[0].length,
        heads: 1,
        headDim: matrix[0].length,
        bias: false,
        outputProjection: false,
        weights: Object.fromEntries(
            ['q', 'k', 'v'].map((name) => [`${name}_proj.weight`, turned(matrix)]),
        ),
    });
    try {
        return module.inspect(rows, rows).q.toNested()[0];
    } finally {
        module.dispose();
    }
}

export function projectionsOf(engine, doc) {
    const { feature, channel, model } = sizesOf(doc);
    const module = engine.multiHeadAttention({
        embedDim: model,
        heads: doc.heads,
        kvHeads: doc.kvHeads,
        headDim: feature,
        valueHeadDim: channel,
        bias: false,
        outputProjection: false,
        weights: {
            'q_proj.weight': turned(doc.wq),
            'k_proj.weight': turned(doc.wk),
            'v_proj.weight': turned(doc.wv),
        },
    });
    try {
        const x = wordsOf(doc);
        const { q, k, v } = module.inspect(x.X, x.keyX ?? x.X);
        return { q: joined(q.toNested()), k: joined(k.toNested()), v: joined(v.toNested()) };
    } finally {
        module.dispose();
    }
}
