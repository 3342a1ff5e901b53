// The sign of a step on the line; it opens the room of the step.

import { useComputed } from '@preact/signals';
import { openRoom } from '../controls.js';
import { state } from '../state.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

export function Gate({ step }) {
    const open = useComputed(() => state.value.room === step.id).value;
    const name = text.rooms.gate(text.steps[step.id].label);
    return (
        <button
            type="button"
            data-gate={step.id}
            data-opens={`room-${step.id}`}
            title={name}
            aria-expanded={open}
            aria-controls={open ? `room-${step.id}` : null}
            onClick={() => openRoom(step.id)}
        >
            <span aria-hidden="true">
                <Phrase parts={step.gate} />
            </span>
            <span class="sr">{name}</span>
        </button>
    );
}
