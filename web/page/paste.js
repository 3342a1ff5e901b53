// A block of numbers as a spreadsheet, a file or a person writes it. Columns are parted by tabs if
// there is one, else by semicolons, else by spaces, else by commas; a comma inside a number is a
// decimal comma wherever something else parts the columns, and in a number that stands alone.

import { isBeyond, parseNumber } from './format.js';

/** What of a foreign cell stands in a sentence. */
const brief = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

/** Rows in brackets, as a program writes them, with or without what stands around, as plain lines. */
function unbracketed(text) {
    const rows = /^[^[\d]*(\[[^]*\])[^\]\d]*$/.exec(text)?.[1];
    return rows
        ? rows
              .replace(/[\s,]+/g, ' ')
              .replace(/\] *\[/g, '\n')
              .replace(/[[\]]/g, '')
              .replace(/^ +| +$/gm, '')
        : text;
}

function partOf(text) {
    if (text.includes('\t')) return '\t';
    if (text.includes(';')) return ';';
    return /\S[^\S\n]+\S/.test(text) ? /[^\S\n]+/ : ',';
}

/** @returns {{ block: number[][] } | { problem: object }} */
export function parseBlock(given) {
    const text = unbracketed(given);
    const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
    const alone = parseNumber(text);
    if (alone !== null) return { block: [[alone]] };
    const part = partOf(text);
    const block = [];
    for (const [n, line] of lines.entries()) {
        const cells = (part instanceof RegExp ? line.trim().replace(/,(?=\s|$)/g, '') : line).split(
            part,
        );
        const row = [];
        for (const [m, cell] of cells.entries()) {
            const value = parseNumber(cell);
            if (value === null) {
                const kind = isBeyond(cell) ? 'pasteBeyond' : 'pasteBad';
                return { problem: { kind, at: [n + 1, m + 1, brief(cell.trim())] } };
            }
            row.push(value);
        }
        if (block.length && row.length !== block[0].length) {
            return { problem: { kind: 'pasteRagged', at: [n + 1, row.length, block[0].length] } };
        }
        block.push(row);
    }
    return { block };
}
