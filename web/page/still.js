// What a view reads of the model, so that it is drawn again only when that differs: an edit moves
// some numbers, and most of the page has nothing to do with them.

import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';

const alike = (a, b) => Object.keys(a).every((key) => Object.is(a[key], b[key]));

/** The object that `make` returns from signals; the old one while every entry is the same. */
export function useStill(make) {
    const last = useRef(null);
    return useComputed(() => {
        const next = make();
        if (!last.current || !alike(next, last.current)) last.current = next;
        return last.current;
    }).value;
}
