// What a matrix tells assistive technology about itself, whether its cells are elements or a picture
// with one cell over it. The first row and the first column are headers.

import { text } from './text.en.js';

const HINTS = { input: 'hint-input', mask: 'hint-mask' };

/** The attributes of a grid; `kind` is that of matrices.js, null where nobody may edit. */
export function gridAttributes(grid, rows, kind) {
    const hint = HINTS[kind];
    return {
        role: 'grid',
        'aria-label': text.grids[grid],
        'aria-rowcount': rows.length + 1,
        'aria-colcount': rows[0].length + 1,
        'aria-readonly': hint ? null : 'true',
        'aria-describedby': hint ?? 'reading',
        'data-grid': grid,
    };
}
