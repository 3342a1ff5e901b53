// Formulas as data, drawn as MathML by views/Math.jsx: a node is { tag, children } with strings at
// the leaves; `role` is q, k, v or o and gives the colour.

import { prose } from './format.js';

const element =
    (tag) =>
    (...children) => ({ tag, children });

export const row = element('mrow');
export const sup = element('msup');
export const sub = element('msub');
export const over = element('mfrac');
export const root = element('msqrt');
export const op = element('mo');
export const name = (text, role) => ({ tag: 'mi', children: [text], role });
export const label = (text, role) => ({ tag: 'mtext', children: [text], role });
export const sum = (index) => ({
    tag: 'munder',
    children: [op('∑'), index],
});

/** A number as prose writes it. */
export function number(value, role, digits) {
    const [mantissa, exponent] = prose(value, digits);
    const body = { tag: 'mn', children: [mantissa], role };
    if (exponent === null) return body;
    const power = { tag: 'mn', children: [exponent], role };
    return row(body, op('·'), sup({ tag: 'mn', children: ['10'], role }, power));
}

/** A negative number that stands behind a sign, in parentheses. */
export const factor = (value, role) =>
    value < 0 ? row(op('('), number(value, role), op(')')) : number(value, role);

/** [0, 4]; of many numbers the first three, dots and the last. */
export const vector = (values, role) =>
    row(
        op('['),
        joined(
            values.map((value) => number(value, role)),
            ',',
        ),
        op(']'),
    );

/** Parts with a sign between them; of many only the first three, dots and the last. */
export function joined(parts, sign) {
    const shown = parts.length > 6 ? [...parts.slice(0, 3), op('…'), parts.at(-1)] : parts;
    return row(...shown.flatMap((part, n) => (n ? [op(sign), part] : [part])));
}
