// Where a word stands, and how attention gets to know: sinusoidal positions are added to the words
// (or to queries and keys, where those are given), RoPE turns queries and keys, ALiBi takes from
// each score what its distance says. All numbers are the engine's.

import { alibiSlopes, sinusoidal } from '../api/tables.js';
import { placeOf } from './mask.js';
import { keysOf } from './shape.js';

/** A matrix with the positions of its rows added; `blocks` of columns get the same. */
export function withPositions(matrix, blocks = 1) {
    const width = matrix[0].length / blocks;
    const waves = sinusoidal(matrix.length, width).data;
    return matrix.map((row, i) => row.map((x, j) => x + waves[i * width + (j % width)]));
}

/** The even part of a head that RoPE turns. */
const turning = (width) => width - (width % 2);

/** [heads][rows][columns] with every row turned by its place. */
function turned(engine, heads, places) {
    const dim = turning(heads[0][0].length);
    return dim ? engine.rope(heads, { dim, positions: places }).toNested() : heads;
}

/** Queries and keys of all heads as the scores take them. */
export function placed(engine, doc, { q, k }) {
    if (doc.positions === 'rope') {
        const sizes = { queries: q[0].length, keys: k[0].length };
        const places = q[0].map((_, i) => placeOf(doc.mask, i, sizes));
        return { q: turned(engine, q, places), k: turned(engine, k, k[0].map((_, j) => j)) };
    }
    if (doc.positions !== 'sinusoidal' || doc.mode === 'projected') return { q, k };
    return { q: q.map((head) => withPositions(head)), k: k.map((head) => withPositions(head)) };
}

/** What ALiBi adds to score (i, j) in a head. */
export function slopeOf(doc, head, i, j) {
    const sizes = { queries: doc.tokens.length, keys: keysOf(doc).length };
    return { slope: alibiSlopes(doc.heads)[head], far: Math.abs(placeOf(doc.mask, i, sizes) - j) };
}

/** The method as a matrix: waves by place, cosines and sines by place, or what scores lose. */
export function pictureOf(engine, doc, head, width) {
    const keys = keysOf(doc).length;
    if (doc.positions === 'sinusoidal') return sinusoidal(keys, width).toNested();
    if (doc.positions === 'alibi')
        return doc.tokens.map((_, i) =>
            Array.from({ length: keys }, (_, j) => {
                const { slope, far } = slopeOf(doc, head, i, j);
                return far === 0 ? 0 : -slope * far;
            }),
        );
    const dim = turning(width);
    const ones = Array.from({ length: dim }, (_, n) => Number(n < dim / 2));
    return dim && doc.positions === 'rope'
        ? engine.rope([Array.from({ length: keys }, () => ones)], { dim }).toNested()[0]
        : null;
}
