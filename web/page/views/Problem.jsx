// Why the text in a field was refused, under that field. It names itself to the field, and the live
// line says it too.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { saidOf } from '../said.js';
import { now } from '../state.js';
import { Phrase } from './Phrase.jsx';

/** Pixels between the field and the note, and between the note and the edge of the window. */
const GAP = 8;

function place(note) {
    const field = document.activeElement.getBoundingClientRect();
    const { width } = note.getBoundingClientRect();
    const room = document.documentElement.clientWidth - GAP - width;
    const origin = note.parentElement.getBoundingClientRect();
    note.style.left = `${Math.max(GAP, Math.min(field.left, room)) - origin.left}px`;
    note.style.top = `${field.bottom + GAP - origin.top}px`;
}

export function Problem() {
    const note = useRef();
    const isBad = now.edit.value?.isBad === true;
    useLayoutEffect(() => {
        if (isBad) place(note.current);
    });
    return (
        isBad && (
            <p ref={note} class="problem" id="problem">
                <Phrase parts={saidOf(now.notice.value, now.change.value).phrase} />
            </p>
        )
    );
}
