// What the text tables share, in English.

import { word } from './phrase.js';

/** One form of a word or the other. */
export const plural = (n, one, many) => (n === 1 ? one : many);

/** the, cat and sat */
export const list = (tokens, role) =>
    tokens.flatMap((token, n) => [
        n ? (n === tokens.length - 1 ? ' and ' : ', ') : '',
        word(token, role),
    ]);
