// From state to everything shown: memoised steps over the engine. Matrices are the engine's numbers;
// whatever is worked out here is one float64 operation on them and is written beside its result: e^s
// from a masked score, a row's sum as e^logSumExp, a total of weights, a contribution as weight ×
// value.

import { computed, signal } from '@preact/signals';
import { HABIT, divisorOf } from './calls.js';
import { GRIDS } from './matrices.js';
import { memo } from './memo.js';
import { stepsOf } from './stages.js';
import { gridsBetween } from './difference.js';
import { product, projectionsOf, sourcesIn, wordsOf } from './project.js';
import { editsOf } from './scores.js';
import { isProjected } from './shape.js';
import { sameSize, state } from './state.js';
import { kept, keptAll, concatOf, rowsOf, sidesOf, stretch, traceOf } from './trace.js';

export const engine = signal(null);

/** Above this |score|, e^s is shown as e^(s − max), which is what the engine sums. */
const PLAIN_POWER = 20;

const total = (numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * What the exponents of a row are shown less of, and what they sum to; `empty` without a key. When
 * the masked scores hold every key, a row that hides them all is empty only by its weights. A row
 * is `beyond` when a score of it overflowed and the weights have no value.
 */
function rowOf({ rowMax, logSumExp, entropy }, at, exponents, weights) {
    const max = rowMax.data[at];
    const empty = max === -Infinity;
    const shift = isLarge(exponents) ? max : null;
    const sum = empty ? 0 : Math.exp(logSumExp.data[at] - (shift ?? 0));
    const all = total(weights);
    const beyond = Number.isNaN(all);
    return { empty, beyond, shift, sum, total: all, entropy: entropy.data[at] };
}

/** The same for a column, when the softmax runs over the queries: e^x summed down, in float64. */
function columnOf(exponents, weights, j) {
    const column = exponents.map((row) => row[j]);
    const max = Math.max(...column);
    const shift = isLarge(column) ? max : null;
    const sum = max === -Infinity ? 0 : total(column.map((x) => Math.exp(x - (shift ?? 0))));
    return { shift, sum, total: total(weights.map((row) => row[j])) };
}

const isLarge = (exponents) => {
    for (const s of exponents) if (Math.abs(s) > PLAIN_POWER && Number.isFinite(s)) return true;
    return false;
};

/** What the rows of weights sum to: 'rows' to 1, 'empty' to 1 or nothing, else to anything or NaN. */
function sumsOf({ softmaxAxis, maskOrder }, rows, hidden) {
    if (softmaxAxis === 'queries') return 'columns';
    if (maskOrder === 'after' && hidden) return 'lost';
    if (rows.some((row) => row.beyond)) return 'beyond';
    return rows.some((row) => row.empty) ? 'empty' : 'rows';
}

/** What the mask adds to a row of scores; one that comes after the softmax has −∞ for a sign. */
const maskRow = memo((may) => may.map((is) => (is ? 0 : -Infinity)));

function maskOf(allowed, { bias, maskOrder }) {
    const isHabit = maskOrder === 'bias';
    if (!isHabit && Object.keys(bias).length === 0) return allowed.map(maskRow);
    const added = (i, j) => bias[`${i},${j}`] ?? 0;
    const hidden = (i, j) => (isHabit ? HABIT + added(i, j) : -Infinity);
    return allowed.map((may, i) => may.map((is, j) => (is ? added : hidden)(i, j)));
}

/** Q, K and V with their heads side by side: given, or made of X by the engine. */
export const sourcesOf = memo((doc) =>
    isProjected(doc)
        ? projectionsOf(engine.value, doc)
        : { q: doc.q, k: doc.k, v: doc.v },
);

const tracesOf = memo((doc) => traceOf(engine.value, doc, sourcesOf(doc)));

/** The outputs of all heads side by side, and what W_O makes of them. */
const joinedOf = memo((doc) => concatOf(tracesOf(doc), doc));
const projectedOf = memo((doc) => product(engine.value, joinedOf(doc), doc.wo));

const modelsOf = memo(() => new Map());

/** The model made last, whose unmoved rows the next one keeps. */
let latest = null;

/** A document as one head shows it. */
export function modelFor(doc, head) {
    const models = modelsOf(doc);
    if (!models.has(head)) models.set(head, makeModel(doc, head));
    return models.get(head);
}

function makeModel(doc, head) {
    const traces = tracesOf(doc);
    const { queries, keys, shared } = sidesOf(doc, head);
    const known = latest?.grids ?? {};
    const keep = (grid, rows) =>
        keptAll(
            rows.map((row, i) => kept(row, known[grid]?.[i])),
            known[grid],
        );
    const allowed = keptAll(
        traces.allowed.map((row, i) => kept(row, latest?.allowed[i])),
        latest?.allowed,
    );
    const grids = {
        tokens: [queries],
        keyTokens: [keys],
        Q: keep('Q', traces.q[head]),
        K: keep('K', traces.k[shared]),
        V: keep('V', traces.v[shared]),
        mask: keep('mask', maskOf(allowed, doc)),
    };
    for (const [id, source] of Object.entries(sourcesIn(doc, head, shared)))
        grids[id] = keep(id, source);
    const steps = stepsOf(doc);
    for (const { id } of steps) grids[id] = rowsOf(stretch(traces, id, head), known[id]);
    if (doc.wo) {
        grids.WO = keep('WO', doc.wo);
        grids.concat = keep('concat', joinedOf(doc));
        grids.projected = keep('projected', projectedOf(doc));
    }
    grids.capped ??= grids.scaled;
    grids.dropped ??= grids.weights;
    const { plain, sharp } = traces;
    const exponents =
        sharp === plain ? grids.masked : rowsOf(stretch(traces, 'masked', head, 'sharp'));
    const rows = queries.map((_, i) =>
        rowOf(sharp, head * queries.length + i, exponents[i], grids.weights[i]),
    );
    const overQueries = doc.softmaxAxis === 'queries';
    const hidden = allowed.reduce((n, row) => n + row.reduce((m, may) => m + !may, 0), 0);
    const sums = sumsOf(doc, rows, hidden);
    const hasColumns = sums === 'columns' || sums === 'lost';
    const columns = hasColumns ? keys.map((_, j) => columnOf(exponents, grids.weights, j)) : null;
    /** The row, or in a what-if the column, that cell (i, j) is shared out in. */
    const pool = (i, j) => (overQueries ? columns[j] : rows[i]);
    const made = {
        doc,
        head,
        shared,
        traces,
        queries,
        keys,
        allowed,
        hidden,
        edits: editsOf(doc, head),
        /** Queries, keys and words with their positions in them. */
        used: { Q: traces.used.q[head], K: traces.used.k[shared], ...wordsOf(doc) },
        steps,
        added: Object.keys(doc.bias).length,
        grids,
        rows,
        columns,
        pool,
        sums,
        dk: grids.Q[0].length,
        divisor: divisorOf(doc, grids.Q[0].length),
        exponential: (i, j) => Math.exp(exponents[i][j] - (pool(i, j).shift ?? 0)),
        contribution: (i, j) => grids.V[j].map((x) => grids.dropped[i][j] * x),
    };
    latest = made;
    return made;
}

const doc = computed(() => state.value.doc);
const beforeDoc = computed(() => state.value.before);

const head = computed(() => state.value.head);

const baseline = computed(() => state.value.baseline);
const compare = computed(() => state.value.compare);

/** What is shown: the page as it is now, or its baseline. */
export const model = computed(() =>
    modelFor(compare.value === 'before' ? baseline.value : doc.value, head.value),
);

/** The page before the last edit, while it is marked what that moved. */
export const before = computed(() =>
    beforeDoc.value && compare.value === 'now' ? modelFor(beforeDoc.value, head.value) : null,
);

export const mayCompare = computed(
    () => baseline.value !== null && sameSize(baseline.value, doc.value),
);

/** Matrices whose differences share one colour scale. */
const familyOf = (grid) =>
    GRIDS[grid].kind === 'weights' ? 'weights' : (GRIDS[grid].extent ?? grid);

/**
 * The baseline's model and every matrix less its own, while the difference is shown; the colour
 * scale of each ends at the largest difference.
 */
export const difference = computed(() => {
    if (compare.value !== 'difference') return null;
    const base = modelFor(baseline.value, head.value);
    const grids = gridsBetween(model.value, base);
    const ends = {};
    for (const grid of Object.keys(grids).filter((id) => GRIDS[id].kind !== 'word'))
        ends[familyOf(grid)] = largest(ends[familyOf(grid)] ?? 0, grids[grid]);
    return { base, grids, extentOf: (grid) => ends[familyOf(grid)] || 1 };
});

/** The matrices that follow from those that are given. */
const resultsOf = ({ steps, grids }) => [
    ...steps.map(({ id }) => id),
    ...(grids.projected ? ['projected'] : []),
];

/** How many results differ from the baseline. */
export const differing = computed(() =>
    difference.value
        ? resultsOf(model.value).reduce(
              (n, id) => n + difference.value.grids[id].flat().filter(Boolean).length,
              0,
          )
        : 0,
);

/** The old number of a cell that the last edit moved, else undefined. */
export function moved(grid, i, j) {
    const old = before.value?.grids[grid]?.[i]?.[j];
    return old === undefined || Object.is(old, model.value.grids[grid][i][j]) ? undefined : old;
}

/** How many results the last edit moved, in the head that is shown. */
export const followers = computed(() => {
    const old = before.value?.grids;
    let count = 0;
    for (const id of old ? resultsOf(model.value) : []) {
        model.value.grids[id].forEach((row, i) => {
            if (!old[id] || row === old[id][i]) return;
            row.forEach((x, j) => (count += !Object.is(x, old[id][i][j])));
        });
    }
    return count;
});

/** The largest finite number of a matrix, whatever its sign. */
const sizeOf = memo((matrix) => {
    let most = 0;
    for (const row of matrix)
        for (let n = 0; n < row.length; n++) {
            const x = Math.abs(row[n]);
            if (x > most && x < Infinity) most = x;
        }
    return most;
});

const largest = (least, ...matrices) => Math.max(least, ...matrices.map(sizeOf));

/**
 * The end of the signed colour scale. It covers the matrices before the edit too, so that a cell
 * which did not change keeps its colour; an output cannot leave the range of its values.
 */
export const extents = computed(() => {
    const all = [model.value, before.value].filter(Boolean).map((m) => m.grids);
    return {
        scores: largest(1, ...all.flatMap((g) => [g.scores, g.scaled])),
        values: largest(1, ...all.map((g) => g.V)),
        inputs: largest(1, ...all.flatMap((g) => [g.Q, g.K, g.V])),
    };
});

/** A cell's query, key, feature and channel; the pinned ones where it has none of its own. */
function locate(cell, query, key) {
    const at = { ...cell, query, key, feature: 0, channel: 0, model: 0, joined: 0, out: 0 };
    const [rows, cols] = GRIDS[cell.grid].axes;
    at[rows] = cell.row;
    at[cols] = cell.col;
    return at;
}

const pinned = computed(() => state.value.focus);
const pointed = computed(() => state.value.hover ?? state.value.focus);
export const query = computed(() => state.value.query);
export const key = computed(() => state.value.key);
export const pin = computed(() => locate(pinned.value, query.value, key.value));
export const point = computed(() => locate(pointed.value, query.value, key.value));
export const previewing = computed(() => point.value.query !== query.value);

/** What focusing a cell writes: the cell, and the query and key that it belongs to. */
export function pinPatch(cell) {
    const { query, key } = locate(cell, state.peek().query, state.peek().key);
    return { focus: cell, query, key };
}

/** One letter per cell of a row: h the pointed-at cell, s a cell it is made of or makes, . none. */
export function litRow(grid, row, width) {
    const at = point.value;
    const rule = GRIDS[at.grid].lights[grid];
    let out = '';
    for (let col = 0; col < width; col++) {
        const hit = at.grid === grid && at.row === row && at.col === col;
        const lit =
            rule && [row, col].every((n, axis) => rule[axis] === '*' || at[rule[axis]] === n);
        out += hit ? 'h' : lit ? 's' : '.';
    }
    return out;
}
