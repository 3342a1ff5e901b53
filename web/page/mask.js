// Who may look at whom: a preset, and on top of it what was painted by hand. A query stands at a
// place among the keys; with as many queries as keys that is its own. With fewer or more, the
// corner says which two meet: the last query and the last key, or the first and the first.

/** A mask that hides nothing, with the sizes that each preset begins with. */
export const MASK = {
    preset: 'none',
    pad: 1,
    window: 2,
    prefix: 1,
    corner: 'bottom',
    inverted: false,
    painted: {}, // 'i,j' → may attend
};

/** Which keys each preset lets a query at place p see. */
const PRESETS = {
    none: () => true,
    causal: (p, j) => j <= p,
    window: (p, j, { window }) => j <= p && j > p - window,
    prefix: (p, j, { prefix }) => j <= p || j < prefix,
    padding: (p, j, { keys, pad }) => j < keys - pad,
    all: () => false,
};

export const PRESET_NAMES = Object.keys(PRESETS);

/** Whether the place of a query counts, and is not its own. */
export const hasCorner = ({ mask, positions }, { queries, keys }) =>
    queries !== keys &&
    (['causal', 'window', 'prefix'].includes(mask.preset) ||
        ['rope', 'alibi'].includes(positions));

/** The place of a query among the keys. */
export const placeOf = ({ corner }, i, { queries, keys }) =>
    corner === 'top' ? i : i + keys - queries;

/** Whether the preset alone, before any paint, lets query i look at key j. */
function presetAllows(mask, i, j, { queries, keys }) {
    const { preset, inverted, ...sizes } = { ...MASK, ...mask };
    const place = placeOf(sizes, i, { queries, keys });
    return PRESETS[preset](place, j, { ...sizes, keys }) !== inverted;
}

const known = new WeakMap();

/** For each query and key whether it may attend: the preset, unless the cell was painted. */
export function allowedOf({ mask }, queries, keys) {
    const old = known.get(mask);
    if (old?.length === queries && old[0].length === keys) return old;
    const sizes = { queries, keys };
    const isPainted = Object.keys(mask.painted).length > 0;
    const allowed = Array.from({ length: queries }, (_, i) =>
        Array.from({ length: keys }, (_, j) => {
            const may = isPainted ? mask.painted[`${i},${j}`] : undefined;
            return may ?? presetAllows(mask, i, j, sizes);
        }),
    );
    known.set(mask, allowed);
    return allowed;
}

/** Whether a matrix is a mask that weights are multiplied by. */
export const isFactor = ({ kind }, { maskOrder }) => kind === 'mask' && maskOrder === 'after';

/**
 * What stands in a cell of the mask: the number that it adds to a score, −∞ where it hides a key; or,
 * where it comes after the softmax, what the weight is multiplied by. A number added by hand stays.
 */
export const signOf = (added, late) =>
    !late ? added : added === -Infinity ? 0 : added === 0 ? 1 : added;

/** How many cells are painted, or add a number of their own. */
export const handsIn = ({ mask, bias }) => Object.keys({ ...mask.painted, ...bias }).length;

const without = (record, name) => {
    const { [name]: gone, ...rest } = record;
    return rest;
};

/**
 * What hiding a cell, showing it, or adding a number to its score writes. Paint that says what the
 * preset says is none, and neither is a number of 0; a number shows its cell.
 */
export function cellPatch({ mask, bias }, { row, col }, { may = true, added = 0 }, sizes) {
    const at = `${row},${col}`;
    const isPreset = presetAllows(mask, row, col, sizes) === may;
    return {
        mask: {
            ...mask,
            painted: isPreset ? without(mask.painted, at) : { ...mask.painted, [at]: may },
        },
        bias: added === 0 ? without(bias, at) : { ...bias, [at]: added },
    };
}
