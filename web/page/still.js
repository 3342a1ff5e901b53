// What a view reads of the model, so that it is drawn again only when that differs: an edit moves
// some numbers, and most of the page has nothing to do with them.

import { computed, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';

const alike = (a, b) => Object.keys(a).every((key) => Object.is(a[key], b[key]));

/** `make`, with the object of last time while every entry is the same. */
function steady(make, last) {
    const next = make();
    if (!last.current || !alike(next, last.current)) last.current = next;
    return last.current;
}

/** The object that `make` returns from signals, as a signal. */
export function still(make) {
    const last = { current: null };
    return computed(() => steady(make, last));
}

/** The same in a view. */
export function useStill(make) {
    const last = useRef(null);
    return useComputed(() => steady(make, last)).value;
}
