// Single numbers that stand in a frame of their own, as rows of data: where a setting lies in the
// document, which numbers it takes, and what an emptied field goes back to. Where `act` stands, it
// writes in place of `write`. Each is typed, stepped by the arrow keys, or dragged sideways.

import { divisorOf } from './calls.js';
import { setLab } from './lab/lab.js';
import { LABS } from './lab/labs.js';
import { setBias, START } from './layers.js';
import { MASK } from './mask.js';
import { DIVISOR, LIMITS } from './schema.js';
import { keysOf, sizesOf } from './shape.js';

const isDivisor = (x) => x >= DIVISOR.min && x <= DIVISOR.max;

const isCount = (x) => Number.isInteger(x) && x >= 0 && x <= LIMITS.tokens;

const isWhole = (x, least, most) => Number.isInteger(x) && x >= least && x <= most;

const isSeed = (x) => isWhole(x, 0, 0xffffffff);

/** A number among the settings of the lab that is open. */
function ofLab(id, name) {
    const { min, max, default: usual } = LABS[id].settings[name];
    return {
        read: (doc, { lab }) => lab?.[name] ?? usual,
        act: (x) => setLab({ [name]: x }),
        empty: usual,
        least: min,
        most: max,
        takes: (x) => Number.isInteger(x) && x >= min && x <= max,
    };
}

/**
 * `least` and `most` are the ends that a drag or an arrow reaches, by steps of `unit`; `takes` judges
 * what was typed.
 */
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
        takes: (x, doc) => isCount(x) && x <= keysOf(doc).length,
    },
    window: {
        read: (doc) => doc.mask.window,
        write: (doc, x) => ({ mask: { ...doc.mask, window: x } }),
        empty: MASK.window,
        least: 1,
        takes: (x) => isCount(x) && x >= 1,
    },
    prefix: {
        read: (doc) => doc.mask.prefix,
        write: (doc, x) => ({ mask: { ...doc.mask, prefix: x } }),
        empty: MASK.prefix,
        least: 0,
        takes: isCount,
    },
    bias: {
        read: (doc, { query, key }) => doc.bias[`${query},${key}`] ?? 0,
        act: (x, { query, key }, gesture) => setBias({ row: query, col: key }, x, gesture),
        empty: 0,
        least: -Infinity,
        takes: () => true,
    },
    softcap: {
        read: (doc) => doc.softcap,
        write: (doc, x) => ({ softcap: x }),
        empty: START.softcap,
        least: 0.1,
        takes: (x) => x >= 1e-3 && x <= 1e6,
    },
    dropout: {
        read: (doc) => doc.dropout,
        write: (doc, x) => ({ dropout: x }),
        empty: START.dropout,
        least: 0,
        most: 1,
        unit: 0.1,
        takes: (x) => x >= 0 && x <= 1,
    },
    dropSeed: {
        read: (doc) => doc.dropSeed,
        write: (doc, x) => ({ dropSeed: x }),
        empty: 1,
        least: 0,
        takes: isSeed,
    },
    labDim: ofLab('spread', 'dk'),
    labGap: ofLab('gap', 'gap'),
    labSeed: ofLab('pronoun', 'seed'),
    labBatch: ofLab('cost', 'batch'),
    labHeads: ofLab('cost', 'heads'),
    labTokens: ofLab('cost', 'tokens'),
    labWidth: ofLab('cost', 'width'),
    seed: {
        read: (doc, view) => view.seed,
        write: (doc, x) => ({ seed: x }),
        empty: 1,
        least: 0,
        takes: isSeed,
    },
};
