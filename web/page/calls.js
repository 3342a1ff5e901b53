// From a document to the arguments of the engine: what the scores are divided by, what is added to
// them, and the mistakes that a person asked to see (what-ifs). Nothing is computed here.
//
// The temperature T divides the scores once more, inside the softmax only: the scores as divided
// and masked come from a call without it, weights and output from one with scale ÷ T.

import { alibiSlopes } from '../api/tables.js';
import { num } from './phrase.js';
import { editsOf } from './scores.js';

/** What a habit adds to hide a key where the definition takes it out. */
export const HABIT = -1e9;

/** What the scores of head size `dk` are divided by, as a number and as it is written. */
export function divisorOf({ scale }, dk) {
    if (scale === 'off') return { value: 1, short: ['1'] };
    if (scale === 'sqrt') return { value: Math.sqrt(dk), short: [`√${dk}`] };
    return { value: scale, short: [num(scale)] };
}

const isFree = (allowed) => allowed.every((row) => row.every(Boolean));

/** What is added to the scores: numbers by hand, and the habit in place of −∞. */
function biasOf({ bias, maskOrder }, allowed) {
    const isHabit = maskOrder === 'bias' && !isFree(allowed);
    if (!isHabit && !Object.keys(bias).length) return null;
    return allowed.map((row, i) =>
        row.map((may, j) => (bias[`${i},${j}`] ?? 0) + (isHabit && !may ? HABIT : 0)),
    );
}

/**
 * The options of inspect() with the scores divided once more, by the temperature: so is the cap,
 * since c·tanh(x ÷ c) ÷ T is (c ÷ T)·tanh((x ÷ T) ÷ (c ÷ T)).
 */
function optionsAt(doc, allowed, dk, temperature) {
    const options = {};
    const bias = biasOf(doc, allowed);
    if (bias) options.bias = bias.map((row) => row.map((x) => x / temperature));
    if (doc.maskOrder !== 'bias' && !isFree(allowed)) options.mask = allowed;
    if (doc.scale !== 'sqrt' || temperature !== 1)
        options.scale = 1 / divisorOf(doc, dk).value / temperature;
    if (doc.positions === 'alibi') {
        options.alibi = alibiSlopes(doc.heads).map((slope) => slope / temperature);
        if (doc.mask.corner === 'top') options.queryOffset = 0;
    }
    if (doc.softcap !== null) options.softcap = doc.softcap / temperature;
    if (doc.dropout !== null) options.dropout = { p: doc.dropout, seed: doc.dropSeed };
    return options;
}

/** The options of inspect(): `sharpened` has the temperature in it. */
export const optionsOf = (doc, allowed, dk) => ({
    plain: optionsAt(doc, allowed, dk, 1),
    sharpened: optionsAt(doc, allowed, dk, doc.temperature),
});

/** What a causal call takes: no mask and nothing by hand; the window is that of the preset. */
export function decodingOf(doc, dk) {
    const { mask, bias, dropout, queryOffset, ...options } = optionsAt(
        { ...doc, bias: {}, dropout: null, maskOrder: 'before' },
        [],
        dk,
        doc.temperature,
    );
    return { options, window: doc.mask.preset === 'window' ? [doc.mask.window - 1, 0] : null };
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
