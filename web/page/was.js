// What a number of the row table was before the last edit: where it moved, a tick and the old
// number stand by it, as they do in the matrices.

import { before } from './compute.js';
import { VALUES } from './difference.js';
import { inline } from './format.js';
import { text } from './text.en.js';

const SHOWN = { ...VALUES, power: (m, i, j) => m.exponential(i, j) };

const DIGITS = { power: 'fixed', weights: 'fixed' };

export const spelled = (value, digits) =>
    Array.isArray(value)
        ? `[${value.map((x) => inline(x, digits)).join(', ')}]`
        : inline(value, digits);

const same = (a, b) =>
    Array.isArray(a) ? a.every((x, n) => Object.is(x, b[n])) : Object.is(a, b);

const STILL = { title: null, 'aria-description': null, 'data-moved': null };

/**
 * What to add to the table cell of column `id` for query i and key j of model m: a mark,
 * a title and a description that say the old number.
 */
export function marksOf(m, id, i, j) {
    const old = before.value;
    if (!old || old.keys.length !== m.keys.length || !old.rows[i]) return STILL;
    if (id !== 'power' && !(m.grids[id] && old.grids[id])) return STILL;
    const [now, then] = [SHOWN[id](m, i, j), SHOWN[id](old, i, j)];
    if (same(now, then)) return STILL;
    const was = text.was(spelled(then, DIGITS[id] ?? 'short'));
    return { title: was, 'aria-description': was, 'data-moved': '' };
}
