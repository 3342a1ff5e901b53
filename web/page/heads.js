// A sentence with four heads, each by a rule and a seed; nothing here was trained. What the rules
// give: a look at the word before, one at the first word, one for what fits, one at everything.

import { halves } from './random.js';

const SEED = 7;

const tokens = 'The animal didn’t cross the street because it was too tired .'.split(' ');

const half = (x) => Math.round(2 * x) / 2 + 0;

/** A place in the sentence as a point on a circle. */
function place(n) {
    const angle = (2 * Math.PI * n) / 16;
    return [half(6 * Math.cos(angle)), half(6 * Math.sin(angle))];
}

const next = halves(SEED, 1);
const some = (count) => Array.from({ length: count }, next);

/** What a word asks for and offers in the third head; words that are not here ask for little. */
const asks = { it: [3, 1], was: [3, -0.5], tired: [3, -1], cross: [1.5, 1], street: [1, 1.5] };
const offers = { animal: [3, 0.5], street: [1, 1.5], tired: [-0.5, 1] };

/** q and k of one word, per head. */
const rules = [
    (n) => [[...place(n - 1), ...some(2)], [...place(n), ...some(2)]],
    (n) => [[2.5, ...some(3)], n === 0 ? [3, 0, 0, 0.5] : [-0.5, ...some(3)]],
    (n) => [
        [...(asks[tokens[n]] ?? some(2)), ...some(2)],
        [...(offers[tokens[n]] ?? some(2)), ...some(2)],
    ],
    () => [some(4), some(4)],
];

const words = tokens.map((_, n) => rules.map((rule) => rule(n)));
const far = halves(SEED + 1);

export const fourHeads = {
    name: 'The animal didn’t cross …',
    tokens,
    heads: rules.length,
    kvHeads: rules.length,
    q: words.map((heads) => heads.flatMap(([q]) => q)),
    k: words.map((heads) => heads.flatMap(([, k]) => k)),
    v: tokens.map(() => Array.from({ length: 4 * rules.length }, far)),
    query: 7,
    key: 1,
    head: 2,
    focus: { grid: 'weights', row: 7, col: 1 },
};
