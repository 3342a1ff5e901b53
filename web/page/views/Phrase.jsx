// A phrase of phrase.js as inline text. Typographic numbers: U+2212, powers of ten.

import { classes } from '../classes.js';
import { prose } from '../format.js';
import { MOST_TERMS } from '../phrase.js';
import { now, update } from '../state.js';
import { text } from '../text.en.js';

function num({ value, digits, bracket, strong, role }) {
    const [mantissa, exponent] = prose(value, digits);
    const text = bracket ? `(${mantissa}` : mantissa;
    const end = bracket ? ')' : '';
    const shown =
        exponent === null ? (
            text + end
        ) : (
            <>
                {text}·10<sup>{exponent}</sup>
                {end}
            </>
        );
    if (strong) return <b class={role}>{shown}</b>;
    return role ? <span class={role}>{shown}</span> : shown;
}

const open = now.terms;

function toggle(event) {
    event.stopPropagation();
    update({ terms: !open.peek() });
}

function Vector({ part }) {
    const Tag = part.strong ? 'b' : 'span';
    const { values, digits } = part;
    const folded = values.length > MOST_TERMS && !open.value;
    const shown = folded ? values.slice(0, MOST_TERMS - 1) : values;
    return (
        <Tag class={classes('vector', part.role, values.length > MOST_TERMS && 'wide')}>
            [{shown.map((value, n) => [n ? ', ' : '', num({ value, digits })])}
            {folded && `, … ${values.length}`}]
        </Tag>
    );
}

/** A long sum: how many terms it has, and on a press all of them. */
function Terms({ part }) {
    return (
        <>
            <button type="button" class="terms" aria-expanded={open.value} onClick={toggle}>
                {text.terms(part.count)}
            </button>
            {open.value && (
                <span class="spelled">
                    {' '}
                    <Phrase parts={['= ', ...part.parts()]} />
                </span>
            )}
        </>
    );
}

const DRAWN = {
    num,
    word: ({ text, role }) => (
        <b class={role}>
            <bdi>{text}</bdi>
        </b>
    ),
    vector: (part) => <Vector part={part} />,
    terms: (part) => <Terms part={part} />,
    sup: ({ parts }) => <sup>{drawn(parts)}</sup>,
    sub: ({ parts }) => <sub>{drawn(parts)}</sub>,
    strong: ({ parts }) => <b>{drawn(parts)}</b>,
    quiet: ({ parts }) => <span class="quiet">{drawn(parts)}</span>,
    tick: () => <i class="tick" role="img" aria-label="tick" />,
};

/** Parts as elements, without a component for each: a line has fifty. */
const drawn = (parts) =>
    parts.map((part) => (typeof part === 'string' ? part : DRAWN[part.kind](part)));

export const Phrase = ({ parts }) => drawn(parts);
