// One call of the engine for a document, all heads in it, and from it the matrices of one head. The
// engine computes in [heads, rows, columns]; a head's numbers are a stretch of each result, and its
// rows are kept as arrays. A row that an edit did not move is the very array of the model before,
// so that a view can tell at a glance that it has nothing to do.

import { optionsOf, whatIfOf } from './calls.js';
import { allowedOf } from './mask.js';
import { placed } from './positions.js';
import { columns, keysOf, kvHeadOf, sizesOf } from './shape.js';

/** Results that come from the call with the temperature in it. */
const SHARP = new Set(['weights', 'dropped', 'output']);

/** The blocks of columns that belong to the heads. */
function split(matrix, heads) {
    const width = matrix[0].length / heads;
    return Array.from({ length: heads }, (_, h) => columns(matrix, h * width, (h + 1) * width));
}

/** What the engine makes of a document: `plain` without the temperature, `sharp` with it. */
export function traceOf(engine, doc, { q, k, v }) {
    const { query, key, feature } = sizesOf(doc);
    const allowed = allowedOf(doc, query, key);
    const options = optionsOf(doc, allowed, feature);
    const whatIf = whatIfOf(doc, query, key);
    const heads = { q: split(q, doc.heads), k: split(k, doc.kvHeads), v: split(v, doc.kvHeads) };
    const used = placed(engine, doc, heads);
    const call = (chosen) => engine.inspect(used.q, used.k, heads.v, chosen, whatIf);
    const plain = call(options.plain);
    const sharp = doc.temperature === 1 ? plain : call(options.sharpened);
    return { ...heads, used, allowed, plain, sharp };
}

/** The numbers of one head of a result, in row order, not copied. */
export function stretch(traces, id, head, call = SHARP.has(id) ? 'sharp' : 'plain') {
    const tensor = traces[call][id];
    const [rows, cols] = tensor.shape.slice(-2);
    return { data: tensor.data.subarray(head * rows * cols, (head + 1) * rows * cols), rows, cols };
}

/** Rows of a stretch; those equal to `known` are the known arrays, and so is the whole if all are. */
export function rowsOf({ data, rows, cols }, known = null) {
    const made = Array.from({ length: rows }, (_, i) => {
        const old = known?.[i];
        return old?.length === cols && matches(data, i * cols, old)
            ? old
            : Array.from(data.subarray(i * cols, (i + 1) * cols));
    });
    return keptAll(made, known);
}

function matches(data, at, row) {
    for (let n = 0; n < row.length; n++) if (!Object.is(data[at + n], row[n])) return false;
    return true;
}

/** The known array, where it holds the same. */
export function kept(row, known) {
    return row.length === known?.length && matches(row, 0, known) ? known : row;
}

/** The known matrix, where its rows are the same arrays. */
export const keptAll = (rows, known) =>
    rows.length === known?.length && rows.every((row, i) => row === known[i]) ? known : rows;

/** The words of rows and columns, and the key-value head that a head reads. */
export const sidesOf = (doc, head) => ({
    queries: doc.tokens,
    keys: keysOf(doc),
    shared: kvHeadOf(doc, head),
});

/** The outputs of all heads side by side. */
export function concatOf({ sharp }, { heads }) {
    const { data, shape } = sharp.output;
    const [rows, cols] = shape.slice(-2);
    return Array.from({ length: rows }, (_, i) =>
        Array.from({ length: heads }, (_, h) =>
            Array.from(data.subarray((h * rows + i) * cols, (h * rows + i + 1) * cols)),
        ).flat(),
    );
}
