// A phrase of phrase.js as inline text. Typographic numbers: U+2212, powers of ten.

import { classes } from '../classes.js';
import { prose } from '../format.js';
import { MOST_TERMS } from '../phrase.js';
import { now, update } from '../state.js';
import { text } from '../text.en.js';

function Num({ part }) {
    const [mantissa, exponent] = prose(part.value, part.digits);
    const body = (
        <>
            {mantissa}
            {exponent !== null && (
                <>
                    ·10<sup>{exponent}</sup>
                </>
            )}
        </>
    );
    const shown = part.bracket ? <>({body})</> : body;
    if (part.strong) return <b class={part.role}>{shown}</b>;
    return part.role ? <span class={part.role}>{shown}</span> : shown;
}

const open = now.terms;

function toggle(event) {
    event.stopPropagation();
    update({ terms: !open.peek() });
}

function Vector({ part }) {
    const Tag = part.strong ? 'b' : 'span';
    const { values } = part;
    const folded = values.length > MOST_TERMS && !open.value;
    return (
        <Tag class={classes('vector', part.role, values.length > MOST_TERMS && 'wide')}>
            [
            {(folded ? values.slice(0, MOST_TERMS - 1) : values).map((value, n) => (
                <>
                    {n ? ', ' : ''}
                    <Num part={{ value, digits: part.digits }} />
                </>
            ))}
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

function Part({ part }) {
    if (typeof part === 'string') return part;
    switch (part.kind) {
        case 'num':
            return <Num part={part} />;
        case 'word':
            return (
                <b class={part.role}>
                    <bdi>{part.text}</bdi>
                </b>
            );
        case 'vector':
            return <Vector part={part} />;
        case 'terms':
            return <Terms part={part} />;
        case 'sup':
            return (
                <sup>
                    <Phrase parts={part.parts} />
                </sup>
            );
        case 'sub':
            return (
                <sub>
                    <Phrase parts={part.parts} />
                </sub>
            );
        case 'strong':
            return (
                <b>
                    <Phrase parts={part.parts} />
                </b>
            );
        case 'quiet':
            return (
                <span class="quiet">
                    <Phrase parts={part.parts} />
                </span>
            );
        case 'tick':
            return <i class="tick" role="img" aria-label="tick" />;
        default:
            throw new Error(`no such part: ${part.kind}`);
    }
}

export function Phrase({ parts }) {
    return parts.map((part) => <Part part={part} />);
}
