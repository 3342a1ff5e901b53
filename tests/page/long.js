// Documents of any size for the tests, as the hash of an address: words from a list, numbers in
// halves from a seed.

import { print, toHash } from '../../web/page/codec.js';
import { halves } from '../../web/page/random.js';
import { defaultDocument } from '../../web/page/schema.js';

const WORDS = (
    'the quick brown fox jumps over a lazy dog while seven old foxes watch from behind the ' +
    'garden wall and wonder why anyone would run so far on such a warm day'
).split(' ');

/** The words and matrices of a document with `length` queries, and of `more` instead. */
export function long(length, { heads = 1, dims = 2, ...more } = {}) {
    const next = halves(5, 1.5);
    const keys = more.keyTokens?.length ?? length;
    const rows = (count) =>
        Array.from({ length: count }, () => Array.from({ length: dims * heads }, next));
    const [query, key] = [Math.min(5, length - 1), Math.min(2, keys - 1)];
    return {
        ...defaultDocument(),
        tokens: Array.from({ length }, (_, n) => WORDS[n % WORDS.length]),
        heads,
        kvHeads: heads,
        q: rows(length),
        k: rows(keys),
        v: rows(keys),
        query,
        key,
        focus: { grid: 'weights', row: query, col: key },
        ...more,
    };
}

export async function hashOf(document) {
    const { text, problem } = print(document);
    if (problem) throw new Error(JSON.stringify(problem));
    const { hash, problem: tooLong } = await toHash(text);
    if (tooLong) throw new Error(JSON.stringify(tooLong));
    return hash;
}

/** The matrix of one head. */
export const block = (matrix, heads, head) => {
    const width = matrix[0].length / heads;
    return matrix.map((row) => row.slice(head * width, (head + 1) * width));
};
