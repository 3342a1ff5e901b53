// Heads that share keys and values, the output projection, and how many numbers are learned.

import { isProjected, kvHeadOf, sizesOf } from './shape.js';
import { state, update } from './state.js';

/** What belongs to the key-value heads. */
const FIELDS = ['k', 'v', 'wk', 'wv'];

/** The numbers of key-value heads that divide the heads, most first. */
export const groupings = ({ heads }) =>
    Array.from({ length: heads }, (_, n) => heads - n).filter((n) => heads % n === 0);

/** MHA: a key-value head for each head; MQA: one for all; GQA: one for some. */
export const kindOf = (heads, kvHeads) =>
    kvHeads === heads ? 'mha' : kvHeads === 1 ? 'mqa' : 'gqa';

/** The query heads that read a key-value head. */
export const readersOf = (doc, shared) =>
    Array.from({ length: doc.heads }, (_, h) => h).filter((h) => kvHeadOf(doc, h) === shared);

/** Key-value heads for other groups: each is the mean of those that its queries read before. */
function pooled(matrix, doc, kvHeads) {
    const width = matrix[0].length / doc.kvHeads;
    const next = { heads: doc.heads, kvHeads };
    return matrix.map((row) =>
        Array.from({ length: kvHeads }, (_, shared) => {
            const old = readersOf(next, shared).map((h) => kvHeadOf(doc, h) * width);
            return Array.from(
                { length: width },
                (_, c) => old.reduce((sum, at) => sum + row[at + c], 0) / old.length,
            );
        }).flat(),
    );
}

/** The last document with so many key-value heads, if nothing else was changed since. */
function earlier(kvHeads) {
    const { past, change: last } = state.peek();
    let change = last;
    for (const step of past.toReversed()) {
        if (change?.kind !== 'kvHeads') return null;
        if (step.doc.kvHeads === kvHeads) return step.doc;
        change = step.change;
    }
    return null;
}

/** Whoever only compared the ways to share gets the keys and values back that were there before. */
export function setKvHeads(kvHeads) {
    const { doc } = state.peek();
    if (kvHeads === doc.kvHeads) return;
    const known = earlier(kvHeads);
    const patch = { kvHeads };
    for (const field of FIELDS)
        if (doc[field]) patch[field] = known?.[field] ?? pooled(doc[field], doc, kvHeads);
    const isBack = known !== null;
    update(patch, { change: { kind: 'kvHeads', from: doc.kvHeads, to: kvHeads, isBack } });
}

/** W_O begins by passing on what the heads give, as far as a word has numbers. */
export function setOutput(on) {
    const { joined, model } = sizesOf(state.peek().doc);
    const eye = () =>
        Array.from({ length: joined }, (_, i) =>
            Array.from({ length: model }, (_, j) => Number(i === j)),
        );
    update({ wo: on ? eye() : null }, { change: { kind: 'output', on } });
}

/** The learned matrices of a document: rows, columns and how many numbers. */
export function parametersOf(doc) {
    if (!isProjected(doc)) return [];
    return ['wq', 'wk', 'wv', 'wo']
        .filter((field) => doc[field])
        .map((field) => ({ field, rows: doc[field].length, cols: doc[field][0].length }));
}
