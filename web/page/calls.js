// From a document to the arguments of the engine: who may look at whom, what the scores are divided
// by, and the mistakes that a person asked to see (what-ifs). Nothing is computed here.
//
// The temperature T divides the scores once more, inside the softmax only: the scores as divided
// and masked come from a call without it, weights and output from one with scale ÷ T.

import { num } from './phrase.js';
import { editsOf } from './scores.js';

/** What a habit adds to hide a key where the definition takes it out. */
export const HABIT = -1e9;

/** Which keys each preset lets a query see. Causal: the last query sees the last key. */
const PRESETS = {
    none: () => true,
    all: () => false,
    causal: (i, j, { queries, keys }) => j <= i + keys - queries,
    padding: (i, j, { keys, pad }) => j < keys - pad,
};

/** Whether the preset alone, before any paint, lets query i look at key j. */
export function presetAllows({ preset, pad = 1, inverted = false }, i, j, { queries, keys }) {
    return PRESETS[preset](i, j, { queries, keys, pad }) !== inverted;
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

/** What the scores of head size `dk` are divided by, as a number and as it is written. */
export function divisorOf({ scale }, dk) {
    if (scale === 'off') return { value: 1, short: ['1'] };
    if (scale === 'sqrt') return { value: Math.sqrt(dk), short: [`√${dk}`] };
    return { value: scale, short: [num(scale)] };
}

const isFree = (allowed) => allowed.every((row) => row.every(Boolean));

/** The options of inspect(): `sharpened` has the temperature in it. */
export function optionsOf(doc, allowed, dk) {
    const options = {};
    if (!isFree(allowed)) {
        if (doc.maskOrder === 'bias')
            options.bias = allowed.map((row) => row.map((may) => (may ? 0 : HABIT)));
        else options.mask = allowed;
    }
    const scale = 1 / divisorOf(doc, dk).value;
    if (doc.scale !== 'sqrt') options.scale = scale;
    return { plain: options, sharpened: { ...options, scale: scale / doc.temperature } };
}

/** The what-ifs of inspect(), or undefined where the definition holds. */
export function whatIfOf(doc, queries, keys) {
    const { heads, scoreEdits, softmaxAxis, maskOrder } = doc;
    const whatIf = {};
    if (Object.keys(scoreEdits).length) {
        whatIf.scores = Array.from({ length: heads }, (_, head) => {
            const edits = editsOf(doc, head);
            return Array.from({ length: queries }, (_, i) =>
                Array.from({ length: keys }, (_, j) => edits[`${i},${j}`] ?? NaN),
            );
        });
    }
    if (softmaxAxis === 'queries') whatIf.softmaxAxis = 'queries';
    if (maskOrder === 'after') whatIf.maskOrder = 'after';
    return Object.keys(whatIf).length ? whatIf : undefined;
}
