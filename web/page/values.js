// Whole blocks of input numbers at once: from the clipboard, and from a seed.

import { columnOf } from './actions.js';
import { model } from './compute.js';
import { parseBlock } from './paste.js';
import { halves } from './random.js';
import { GRIDS } from './matrices.js';
import { state, update } from './state.js';

/** Writes a pasted block from a cell on, or says what is wrong with it and changes nothing. */
export function pasteBlock(cell, text) {
    const { field } = GRIDS[cell.grid];
    const { block, problem } = parseBlock(text);
    if (problem) {
        update({ edit: null, notice: problem });
        return;
    }
    const shown = model.peek().grids[cell.grid];
    const most = { rows: shown.length - cell.row, cols: shown[0].length - cell.col };
    const [rows, cols] = [block.length, block[0].length];
    if (rows > most.rows || cols > most.cols) {
        update({ edit: null, notice: { kind: 'pasteLarge', at: [rows, cols, most] } });
        return;
    }
    const left = columnOf(cell);
    const matrix = state
        .peek()
        .doc[field].map((row, i) => row.map((x, j) => block[i - cell.row]?.[j - left] ?? x));
    update(
        { [field]: matrix, edit: null },
        { change: { kind: 'pasted', grid: cell.grid, rows, cols } },
    );
}

/** The matrices that are a person's own in each mode. */
const INPUTS = { direct: ['q', 'k', 'v'], projected: ['x', 'keyX', 'wq', 'wk', 'wv', 'wo'] };

/** Fills every input from a seed. */
export function fillFrom(seed) {
    const { doc } = state.peek();
    const next = halves(seed);
    const patch = { seed };
    for (const field of INPUTS[doc.mode])
        if (doc[field]) patch[field] = doc[field].map((row) => row.map(() => next()));
    update(patch, { change: { kind: 'filled', seed } });
}
