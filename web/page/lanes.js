// The three ways to hide a key, for the pinned row: the same columns, of which only the two
// operators change their places. Each lane is the engine's own run of the document in that way. Of
// many keys those stand there that would count most if none was hidden; sums are over all.

import { computed } from '@preact/signals';
import { model, modelFor, query } from './compute.js';

const ORDERS = ['before', 'after', 'bias'];

/** Keys that have room beside one another. */
const ROOM = 5;

/** The document with no key hidden: what the softmax makes of it before a mask comes too late. */
const open = (doc) => ({
    ...doc,
    mask: { ...doc.mask, preset: 'none', inverted: false, painted: {} },
});

const plain = (doc, maskOrder) => ({ ...doc, maskOrder, softmaxAxis: 'keys' });

/** The weights of the pinned row with no key hidden. */
const unmasked = computed(() => {
    const { doc, head } = model.value;
    return modelFor(plain(open(doc), 'before'), head).grids.weights[query.value];
});

/** The keys that are shown, in the order of the sentence. */
export const shownKeys = computed(() => {
    const weights = unmasked.value;
    return weights
        .map((_, j) => j)
        .sort((a, b) => weights[b] - weights[a] || a - b)
        .slice(0, ROOM)
        .sort((a, b) => a - b);
});

/** What a weight is that no eye tells from another. */
const NEAR = 5e-4;

/**
 * Where the three ways part: the first key in sight whose weights differ, else any; null where
 * they are the same. `hides` says whether the pinned row hides any key at all.
 */
export const parting = computed(() => {
    const all = lanes.value;
    const [{ weights, m }] = all;
    const hides = m.allowed[query.value].includes(false);
    const differs = (j) =>
        all.some((lane) => Math.abs(lane.weights[j] - weights[j]) >= NEAR);
    const col = shownKeys.value.find(differs) ?? weights.findIndex((_, j) => differs(j));
    return { hides, col, weights: col < 0 ? null : all.map((lane) => lane.weights[col]) };
});

/** Per order: the scaled scores, what stands between the operators, the weights, their sum. */
export const lanes = computed(() => {
    const { doc, head } = model.value;
    const i = query.value;
    return ORDERS.map((order) => {
        const m = modelFor(plain(doc, order), head);
        return {
            order,
            m,
            scaled: m.grids.capped[i],
            between: order === 'after' ? unmasked.value : m.grids.masked[i],
            weights: m.grids.weights[i],
            total: m.rows[i].total,
            output: m.grids.output[i],
        };
    });
});
