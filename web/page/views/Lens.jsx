// A closer look at one thing, in a card under the line: closed until asked for, one at a time.

import { useEffect, useRef } from 'preact/hooks';
import { openLens } from '../layers.js';
import { now } from '../state.js';
import { text } from '../text.en.js';
import { Close } from './Close.jsx';
import { Decode } from './Decode.jsx';
import { Positions } from './Positions.jsx';
import { Sharing } from './Sharing.jsx';

export const lenses = { positions: Positions, sharing: Sharing, decode: Decode };

/** Closes the lens; the focus goes back to what opened it. */
function leave(id) {
    openLens(null);
    document.querySelector(`[data-lens=${id}]`)?.focus();
}

export function Lens() {
    const lens = now.lens.value;
    const card = useRef();
    useEffect(() => {
        if (lens) card.current.scrollIntoView({ block: 'nearest' });
    }, [lens]);
    const Inside = lenses[lens];
    if (!Inside) return null;
    return (
        <section
            ref={card}
            class={`room lens lens-${lens}`}
            id={`lens-${lens}`}
            aria-label={text.lenses[lens]}
        >
            <header class="roomhead">
                <h2>{text.lenses[lens]}</h2>
                <Inside.Head />
                <Close name={text.lenses.close} close={() => leave(lens)} />
            </header>
            <Inside />
        </section>
    );
}
