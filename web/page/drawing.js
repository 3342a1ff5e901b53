// The lines of wires.js for the page as it is: which layout, which row, and where everything stands.

import { computed } from '@preact/signals';
import { model, point, query } from './compute.js';
import { geometry, inMap } from './geometry.js';
import { form, title } from './layout.js';
import { narrow } from './media.js';
import { now } from './state.js';
import { narrowWires, wideWires } from './wires.js';

/** Between a change and its measuring a rectangle may be missing: then there are no lines. */
const UNMEASURED = Symbol('unmeasured');
const NOTHING = { under: [], over: [] };

export const drawing = computed(() => {
    if (!geometry.value) return NOTHING;
    const { rects, width } = geometry.value;
    const m = model.value;
    const frame = {
        m,
        i: query.value,
        j: point.value.key,
        allRows: now.allRows.value,
        sparse: narrow.value && m.keys.length > 3,
        mini: form.value === 'figure',
        wraps: title.value.wraps,
        long: title.value.long,
    };
    const maybe = (name) => rects.get(name) ?? inMap(rects, name);
    const rect = (name) => {
        const found = maybe(name);
        if (!found) throw UNMEASURED;
        return found;
    };
    rect.maybe = maybe;
    if (narrow.value && frame.mini) return NOTHING;
    try {
        return narrow.value ? narrowWires(rect, frame) : wideWires(rect, frame, width);
    } catch (reason) {
        if (reason === UNMEASURED) return NOTHING;
        throw reason;
    }
});
