// Whether a strip of cells that scrolls sideways has more of them than are in sight, and which are.

import { useLayoutEffect, useState } from 'preact/hooks';

const WHOLE = { before: false, after: false, from: 1, to: 0 };

/** The cells of the first row that are in sight in whole, counted from 1. */
function measure(strip) {
    const { left, right } = strip.getBoundingClientRect();
    const cells = [...strip.querySelectorAll('[role=row]:has([role=gridcell])')]
        .map((row) => [...row.querySelectorAll('[role=gridcell]')])
        .reduce((longest, row) => (row.length > longest.length ? row : longest), []);
    const isIn = (cell) => {
        const box = cell.getBoundingClientRect();
        return box.left >= left - 1 && box.right <= right + 1;
    };
    return {
        before: strip.scrollLeft > 1,
        after: strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1,
        from: cells.findIndex(isIn) + 1,
        to: cells.findLastIndex(isIn) + 1,
    };
}

/** The same, as it is now, for a reference to a strip. */
export function useMore(ref) {
    const [more, setMore] = useState(WHOLE);
    useLayoutEffect(() => {
        const strip = ref.current;
        const look = () =>
            setMore((old) => {
                const next = measure(strip);
                return Object.keys(next).every((key) => next[key] === old[key]) ? old : next;
            });
        const observer = new ResizeObserver(look);
        observer.observe(strip);
        for (const child of strip.children) observer.observe(child);
        strip.addEventListener('scroll', look, { passive: true });
        return () => {
            observer.disconnect();
            strip.removeEventListener('scroll', look);
        };
    }, []);
    return more;
}
