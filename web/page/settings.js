// Single numbers that stand in a frame of their own, as rows of data: where a setting lies in the
// document, which numbers it takes, and what an emptied field goes back to. Each is typed, stepped
// by the arrow keys, or dragged sideways like a cell.

import { divisorOf } from './calls.js';
import { DIVISOR } from './schema.js';
import { sizesOf } from './shape.js';

const isDivisor = (x) => x >= DIVISOR.min && x <= DIVISOR.max;

/** `least` is the smallest number a drag or an arrow reaches; `takes` judges what was typed. */
export const SETTINGS = {
    divisor: {
        read: (doc) => divisorOf(doc, sizesOf(doc).feature).value,
        write: (doc, x) => ({ scale: x }),
        empty: 'sqrt',
        least: 0.1,
        takes: isDivisor,
    },
    temperature: {
        read: (doc) => doc.temperature,
        write: (doc, x) => ({ temperature: x }),
        empty: 1,
        least: 0.1,
        takes: isDivisor,
    },
    pad: {
        read: (doc) => doc.mask.pad,
        write: (doc, x) => ({ mask: { ...doc.mask, preset: 'padding', pad: x } }),
        empty: 1,
        least: 0,
        takes: (x, doc) =>
            Number.isInteger(x) && x >= 0 && x <= (doc.keyTokens ?? doc.tokens).length,
    },
    seed: {
        read: (doc, view) => view.seed,
        write: (doc, x) => ({ seed: x }),
        empty: 1,
        least: 0,
        takes: (x) => Number.isInteger(x) && x >= 0 && x <= 0xffffffff,
    },
};
