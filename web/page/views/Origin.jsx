// Where Q, K and V come from: a link beside them that shows X and the three W, and hides them.

import { useComputed } from '@preact/signals';
import { form } from '../layout.js';
import { narrow } from '../media.js';
import { setMode } from '../mode.js';
import { isProjected } from '../shape.js';
import { state } from '../state.js';
import { text } from '../text.en.js';

export function Origin() {
    const shown = useComputed(() => isProjected(state.value.doc)).value;
    const words = text.project.origin;
    const isShort = narrow.value && form.value === 'line';
    return (
        <p class="origin">
            {!isShort && <span class="quiet">{words.of} </span>}
            <button
                type="button"
                class="inline"
                title={words.title}
                onClick={() => setMode(shown ? 'direct' : 'projected')}
            >
                {words[isShort ? 'short' : 'long'][shown ? 'hide' : 'show']}
            </button>
        </p>
    );
}
