// Sentences with numbers in them, as data: a phrase is an array of strings and of the parts below,
// drawn by views/Phrase.jsx. `role` is q, k, v, o or m and gives the colour, `digits` are those of
// format.js; token text stays data to the end.

export const num = (value, role, digits) => ({ kind: 'num', value, role, digits });
export const result = (value, digits) => ({ kind: 'num', value, digits, strong: true });
export const word = (text, role) => ({ kind: 'word', text, role, strong: true });
export const vector = (values, role, strong, digits) => ({
    kind: 'vector',
    values,
    role,
    strong,
    digits,
});
export const sup = (...parts) => ({ kind: 'sup', parts });
export const sub = (...parts) => ({ kind: 'sub', parts });
export const strong = (...parts) => ({ kind: 'strong', parts });
export const quiet = (...parts) => ({ kind: 'quiet', parts });
export const tick = { kind: 'tick' };

/** Sums of more terms, and vectors of more numbers, are folded until asked for. */
export const MOST_TERMS = 4;

/** q·k written out: 1·0 + 2·2. A negative factor is bracketed, except at the very start. */
export function products(a, roleA, b, roleB, digits) {
    const parts = () =>
        a.flatMap((x, n) => [
            n ? ' + ' : '',
            factor(x, roleA, digits, n > 0),
            '·',
            factor(b[n], roleB, digits, true),
        ]);
    return a.length > MOST_TERMS ? [{ kind: 'terms', count: a.length, parts }] : parts();
}

const factor = (value, role, digits, bracket) => ({
    kind: 'num',
    value,
    role,
    digits,
    bracket: bracket && value < 0,
});
