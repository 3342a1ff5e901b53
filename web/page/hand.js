// What a cell is to a hand, and the numbers that hands make.

import { specOf } from './matrices.js';
import { state } from './state.js';

/** What a cell is to a hand: 'number', 'score', 'word', 'mask', or a 'result' that follows. */
export function kindOf({ grid }) {
    const { kind, edits } = specOf(grid, state.peek().doc);
    if (kind === 'mask') return 'mask';
    if (edits) return 'score';
    return { input: 'number', word: 'word' }[kind] ?? 'result';
}

/** Without the dust of adding tenths. */
export const tidy = (x) => Math.round(x * 1e6) / 1e6 + 0;
