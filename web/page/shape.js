// The sizes of a document: how long each axis of stages.js is. A matrix with heads is as many
// blocks of columns side by side; the axes feature and channel count within one of them.

/** The words that keys and values belong to. */
export const keysOf = (doc) => doc.keyTokens ?? doc.tokens;

/** Whether a document's Q, K and V follow from X. */
export const isProjected = (doc) => doc.mode === 'projected';

/** Length by axis; undefined where the document has no matrix with that axis. */
export function sizesOf(doc) {
    const { heads, kvHeads } = doc;
    const channel = (doc.v ?? doc.wv)[0].length / kvHeads;
    return {
        none: 1,
        query: doc.tokens.length,
        key: keysOf(doc).length,
        feature: (doc.q ?? doc.wq)[0].length / heads,
        channel,
        joined: channel * heads,
        model: doc.x?.[0].length,
        out: doc.wo?.[0].length,
    };
}

/** The key-value head that a query head reads: neighbours share one. */
export const kvHeadOf = (doc, head) => Math.floor((head * doc.kvHeads) / doc.heads);

/** Columns from..to of every row. */
export const columns = (matrix, from, to) => matrix.map((row) => row.slice(from, to));
