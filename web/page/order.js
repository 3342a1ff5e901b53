// The order experiment: the same words in another order, once for each way to tell
// positions, and how far the output of any word then is from what it was. Numbers that belong to
// cells and not to words, and dropout, stay out of it.

import { computed } from '@preact/signals';
import { engine, model, sourcesOf } from './compute.js';
import { integers } from './random.js';
import { FIELDS } from './schema.js';
import { now } from './state.js';
import { rowsOf, stretch, traceOf } from './trace.js';

/** Another order of n things: the other way round, or shuffled from a seed. */
function orderOf(n, seed) {
    const order = Array.from({ length: n }, (_, i) => n - 1 - i);
    const next = integers(seed);
    for (let i = n - 1; seed && i > 0; i--) {
        const j = next() % (i + 1);
        [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
}

const WORDS = ['tokens', 'q', 'k', 'v', 'x'];

function outputsOf(doc, head) {
    return rowsOf(stretch(traceOf(engine.value, doc, sourcesOf(doc)), 'output', head));
}

/** Per method: each word's output here and in the other order, and the largest difference. */
export const experiment = computed(() => {
    const { doc, head } = model.value;
    if (doc.keyTokens) return null;
    const order = orderOf(doc.tokens.length, now.shuffle.value);
    const plain = {
        ...doc,
        mask: { ...doc.mask, painted: {} },
        bias: {},
        scoreEdits: {},
        dropout: null,
    };
    const rows = FIELDS.positions.of.map((positions) => {
        const here = { ...plain, positions };
        const there = { ...here };
        for (const field of WORDS) if (here[field]) there[field] = order.map((n) => here[field][n]);
        const [a, b] = [outputsOf(here, head), outputsOf(there, head)];
        const pairs = a.map((row, n) => [row, b[order.indexOf(n)]]);
        const gap = Math.max(...pairs.flatMap(([x, y]) => x.map((o, d) => Math.abs(o - y[d]))));
        return { positions, pairs, gap };
    });
    const isReversed = order.every((n, at) => n === order.length - 1 - at);
    return { order, words: order.map((n) => doc.tokens[n]), isReversed, rows };
});
