// A matrix as text, to a spreadsheet and back: tabs between columns, a line per row, every number in
// full.

import { model } from './compute.js';
import { update } from './state.js';

export const textOf = (matrix) => matrix.map((row) => row.map(String).join('\t')).join('\n');

/** Puts text on the clipboard by the browser's own copy command, which works from file:// too. */
export function put(text) {
    let done = false;
    const onCopy = (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        event.clipboardData.setData('text/plain', text);
        done = true;
    };
    document.addEventListener('copy', onCopy, { capture: true, once: true });
    document.execCommand('copy');
    document.removeEventListener('copy', onCopy, { capture: true });
    return done;
}

export function sayCopied(grid, kind = 'copied') {
    const matrix = model.peek().grids[grid];
    update({ notice: { kind, grid, rows: matrix.length, cols: matrix[0].length } });
}

export const copyMatrix = (grid) =>
    sayCopied(grid, put(textOf(model.peek().grids[grid])) ? 'copied' : 'notCopied');
