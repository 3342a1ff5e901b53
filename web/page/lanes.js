// The three ways to hide a key, for the pinned row: the same columns, of which only the two
// operators change their places. Each lane is the engine's own run of the document in that way.

import { computed } from '@preact/signals';
import { model, modelFor, query } from './compute.js';

const ORDERS = ['before', 'after', 'bias'];

/** The document with no key hidden: what the softmax makes of it before a mask comes too late. */
const open = (doc) => ({
    ...doc,
    mask: { ...doc.mask, preset: 'none', inverted: false, painted: {} },
});

/** Per order: the scaled scores, what stands between the operators, the weights, their sum. */
export const lanes = computed(() => {
    const { doc, head } = model.value;
    const i = query.value;
    return ORDERS.map((order) => {
        const m = modelFor({ ...doc, maskOrder: order, softmaxAxis: 'keys' }, head);
        const between =
            order === 'after'
                ? modelFor({ ...open(doc), maskOrder: 'before', softmaxAxis: 'keys' }, head).grids
                      .weights
                : m.grids.masked;
        return {
            order,
            m,
            scaled: m.grids.capped[i],
            between: between[i],
            weights: m.grids.weights[i],
            total: m.rows[i].total,
            output: m.grids.output[i],
        };
    });
});
