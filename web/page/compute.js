// From state to everything shown: memoised steps over the engine. Matrices are the engine's numbers;
// whatever is worked out here is one float64 operation on them and is written beside its result: e^s
// from a masked score, a row's sum as e^logSumExp, the total of its weights, a contribution as
// weight × value.

import { computed, signal } from '@preact/signals';
import { GRIDS } from './stages.js';
import { state } from './state.js';

export const engine = signal(null);

/** Above this |score|, e^s is shown as e^(s − max), which is what the engine sums. */
const PLAIN_POWER = 20;

const memo = (make) => {
    const known = new WeakMap();
    return (key) => {
        if (!known.has(key)) known.set(key, make(key));
        return known.get(key);
    };
};

/** Whether query i may attend to key j: the preset, unless the cell was painted. */
const allowedOf = memo(({ tokens, q, mask }) =>
    q.map((_, i) =>
        tokens.map(
            (_, j) => mask.painted[`${i},${j}`] ?? (mask.preset === 'causal' ? j <= i : true),
        ),
    ),
);

const isFree = (allowed) => allowed.every((row) => row.every(Boolean));

function divisorOf(doc) {
    const dk = doc.q[0].length;
    return doc.scale === 'off'
        ? { value: 1, short: ['1'] }
        : { value: Math.sqrt(dk), short: [`√${dk}`] };
}

function rowOf(trace, masked, weights, i) {
    const max = trace.rowMax.data[i];
    const empty = max === -Infinity;
    const finite = masked[i].filter(Number.isFinite);
    const shift = finite.some((s) => Math.abs(s) > PLAIN_POWER) ? max : null;
    const sum = empty ? 0 : Math.exp(trace.logSumExp.data[i] - (shift ?? 0));
    return { empty, shift, sum, total: weights[i].reduce((a, b) => a + b, 0) };
}

const modelOf = memo((doc) => {
    const allowed = allowedOf(doc);
    const options = {};
    if (!isFree(allowed)) options.mask = allowed;
    if (doc.scale === 'off') options.scale = 1;
    const trace = engine.value.inspect(doc.q, doc.k, doc.v, options);
    const grids = { tokens: [doc.tokens], Q: doc.q, K: doc.k, V: doc.v };
    grids.mask = allowed.map((row) => row.map((may) => (may ? 0 : -Infinity)));
    for (const id of ['scores', 'scaled', 'masked', 'weights', 'output'])
        grids[id] = trace[id].toNested();
    const rows = doc.q.map((_, i) => rowOf(trace, grids.masked, grids.weights, i));
    return {
        doc,
        queries: doc.tokens,
        keys: doc.tokens,
        allowed,
        hidden: allowed.flat().filter((may) => !may).length,
        grids,
        rows,
        divisor: divisorOf(doc),
        exponential: (i, j) => Math.exp(grids.masked[i][j] - (rows[i].shift ?? 0)),
        contribution: (i, j) => doc.v[j].map((x) => grids.weights[i][j] * x),
    };
});

const doc = computed(() => state.value.doc);
const beforeDoc = computed(() => state.value.before);

export const model = computed(() => modelOf(doc.value));
export const before = computed(() => (beforeDoc.value ? modelOf(beforeDoc.value) : null));

/** The old number of a cell that the last edit moved, else undefined. */
export function moved(grid, i, j) {
    const old = before.value?.grids[grid][i]?.[j];
    return old === undefined || Object.is(old, model.value.grids[grid][i][j]) ? undefined : old;
}

/** How many results the last edit moved. */
export const followers = computed(() =>
    ['scores', 'scaled', 'masked', 'weights', 'output'].reduce(
        (n, grid) =>
            n +
            model.value.grids[grid].reduce(
                (m, row, i) => m + row.filter((_, j) => moved(grid, i, j) !== undefined).length,
                0,
            ),
        0,
    ),
);

const largest = (...matrices) =>
    Math.max(1, ...matrices.flat(2).filter(Number.isFinite).map(Math.abs));

/**
 * The end of the signed colour scale. It covers the matrices before the edit too, so that a cell
 * which did not change keeps its colour; an output cannot leave the range of its values.
 */
export const extents = computed(() => {
    const all = [model.value, before.value].filter(Boolean).map((m) => m.grids);
    return {
        scores: largest(...all.flatMap((g) => [g.scores, g.scaled])),
        values: largest(...all.map((g) => g.V)),
    };
});

/** A cell's query, key, feature and channel; the pinned ones where it has none of its own. */
function locate(cell, query, key) {
    const at = { ...cell, query, key, feature: 0, channel: 0 };
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
