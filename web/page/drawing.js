// The lines of wires.js and arcs.js for the page as it is: which layout, which row, and where
// everything stands. An edit of a small line moves its arcs alone.

import { computed } from '@preact/signals';
import { arcs } from './arcs.js';
import { model, point, query } from './compute.js';
import { geometry, inMap } from './geometry.js';
import { form, title } from './layout.js';
import { narrow } from './media.js';
import { now, sameSize } from './state.js';
import { still } from './still.js';
import { narrowWires, wideWires } from './wires.js';

/** Between a change and its measuring a rectangle may be missing: then there are no lines. */
const UNMEASURED = Symbol('unmeasured');
const NOTHING = { under: [], over: [] };

const frame = still(() => ({
    i: query.value,
    j: point.value.key,
    allRows: now.allRows.value,
    sparse: narrow.value && model.value.keys.length > 3,
    narrow: narrow.value,
    mini: form.value === 'figure',
    wraps: title.value.wraps,
    long: title.value.long,
}));

const isLike = (a, b) =>
    a.steps === b.steps && a.queries === b.queries && a.keys === b.keys && sameSize(a.doc, b.doc);

let latest = null;

/** The model that the lines are drawn by; where they say no numbers, any with the same places. */
const places = computed(() => {
    const m = model.value;
    if (!frame.value.mini || !latest || !isLike(latest, m)) latest = m;
    return latest;
});

/** What `make` draws, given where everything is; `nothing` where that is unknown or no line is. */
function drawnBy(make, nothing) {
    if (!geometry.value || (frame.value.narrow && frame.value.mini)) return nothing;
    const { rects, width } = geometry.value;
    const maybe = (name) => rects.get(name) ?? inMap(rects, name);
    const rect = (name) => {
        const found = maybe(name);
        if (!found) throw UNMEASURED;
        return found;
    };
    rect.maybe = maybe;
    try {
        return make(rect, width);
    } catch (reason) {
        if (reason === UNMEASURED) return nothing;
        throw reason;
    }
}

/** The lines that stand whatever the weights are. */
export const lines = computed(() =>
    drawnBy((rect, width) => {
        const at = { ...frame.value, m: places.value };
        return at.narrow ? narrowWires(rect, at) : wideWires(rect, at, width);
    }, NOTHING),
);

/** The arcs over the words; those of words that wrap are no lines. */
export const bows = computed(() =>
    lines.value === NOTHING || frame.value.wraps
        ? NOTHING.under
        : drawnBy((rect) => arcs(rect, model.value, frame.value), NOTHING.under),
);
