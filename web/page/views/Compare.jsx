// Keep a baseline, and look at it, at the page as it is now, or at what lies between.

import { clearBaseline, compareWith, keepBaseline } from '../controls.js';
import { mayCompare } from '../compute.js';
import { now } from '../state.js';
import { text } from '../text.en.js';

const Keep = () => (
    <button type="button" class="button" onClick={keepBaseline}>
        {text.compare.keep}
    </button>
);

function Choice() {
    const compare = now.compare.value;
    const fits = mayCompare.value;
    return (
        <div class="segments" role="group" aria-label={text.compare.label}>
            {Object.entries(text.compare.modes).map(([id, name]) => (
                <button
                    type="button"
                    aria-pressed={compare === id}
                    disabled={id !== 'now' && !fits}
                    title={id !== 'now' && !fits ? text.compare.otherSize : null}
                    onClick={() => compareWith(id)}
                >
                    {name}
                </button>
            ))}
            <button
                type="button"
                class="clear"
                aria-label={text.compare.clear}
                title={text.compare.clear}
                onClick={clearBaseline}
            />
        </div>
    );
}

/** A place as wide as the choice, so that nothing beside it moves when a baseline is kept. */
export const Compare = () => (
    <div class="baseline">{now.baseline.value ? <Choice /> : <Keep />}</div>
);
