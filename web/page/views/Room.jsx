// What opens under a gate: the step as a formula with the numbers of the pointed-at cell, and what
// there is to know about it. One room at a time, in the flow of the page, so that it covers nothing.

import { useEffect, useRef } from 'preact/hooks';
import { copyMatrix } from '../clipboard.js';
import { model, point } from '../compute.js';
import { openRoom } from '../controls.js';
import { FORMULAS } from '../formulas.js';
import { row } from '../math.js';
import { narrow } from '../media.js';
import { text } from '../text.en.js';
import { Close } from './Close.jsx';
import { DotRoom } from './DotRoom.jsx';
import { MaskRoom } from './MaskRoom.jsx';
import { Math } from './Math.jsx';
import { Phrase } from './Phrase.jsx';
import { SoftmaxRoom } from './SoftmaxRoom.jsx';

const more = { scores: DotRoom, masked: MaskRoom, weights: SoftmaxRoom };

/**
 * A formula cut before its signs of equality and of addition, where a line may end. A sign with
 * nothing before it would be set as that of a number; an empty row is something.
 */
function linesOf(parts) {
    const lines = [[]];
    for (const part of parts) {
        if (part.tag === 'mo' && /^[=→+]$/.test(part.children[0])) lines.push([row()]);
        lines.at(-1).push(part);
    }
    return lines;
}

function Formula({ id }) {
    const { query, key } = point.value;
    return (
        <div class="formula" tabIndex={0} role="group" aria-label={text.rooms.formula}>
            {linesOf(FORMULAS[id](model.value, query, key)).map((parts) => (
                <Math parts={parts} block={false} />
            ))}
        </div>
    );
}

export function Room({ id }) {
    const More = more[id];
    const words = text.rooms[id];
    const section = useRef();
    useEffect(() => {
        const isTall = section.current.offsetHeight > innerHeight / 2;
        section.current.scrollIntoView({ block: isTall && narrow.peek() ? 'start' : 'nearest' });
    }, []);
    return (
        <section ref={section} class={`room room-${id}`} id={`room-${id}`} aria-label={words.name}>
            <header class="roomhead">
                <h3>{words.name}</h3>
                <p>
                    <Phrase parts={words.about} />
                </p>
                <button type="button" class="button" onClick={() => copyMatrix(id)}>
                    {text.rooms.copy(text.grids[id])}
                </button>
                <Close name={text.rooms.close} close={() => openRoom(null)} />
            </header>
            {id in FORMULAS && <Formula id={id} />}
            {More && <More />}
        </section>
    );
}
