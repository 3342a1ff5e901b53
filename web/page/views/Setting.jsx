// A number in a frame of its own. What is typed is taken by Enter, Tab or a click elsewhere; Escape
// leaves it; arrows step, a sideways drag scrubs, by tenths with Alt or Shift.

import { cancelEdit, commitSetting, stepSetting, typeSetting } from '../controls.js';
import { isShort, plain } from '../format.js';
import { grasp, stepOf, stride } from '../gesture.js';
import { SETTINGS } from '../settings.js';
import { state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';

function onPointerDown(event, id, value) {
    const input = event.currentTarget;
    if (event.button !== 0 || document.activeElement === input) return;
    event.preventDefault();
    input.setPointerCapture(event.pointerId);
    const x = event.clientX;
    grasp(event, {
        move(moved, gesture) {
            const steps = Math.round((moved.clientX - x) / stride);
            stepSetting(id, value, steps * stepOf(moved), gesture);
        },
        up(lifted, isClick) {
            if (!isClick) return;
            input.focus();
            input.select();
        },
    });
}

/** Characters that a setting holds. */
const ROOM = 6;

export function Setting({ id }) {
    const { typed, isBad, value } = useStill(() => {
        const { doc, edit } = state.value;
        const isTyped = edit?.setting === id;
        return {
            typed: isTyped ? edit.text : null,
            isBad: isTyped && edit.isBad === true,
            value: SETTINGS[id].read(doc, state.value),
        };
    });
    const onKeyDown = (event) => {
        const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (way) {
            event.preventDefault();
            stepSetting(id, value, way * stepOf(event));
        } else if (event.key === 'Enter') {
            if (!commitSetting()) event.currentTarget.select();
        } else if (event.key === 'Escape' && typed !== null) cancelEdit();
        else return;
        event.stopPropagation();
    };
    const shown = plain(value, 'typed', ROOM);
    /** Where there is no room for a number, whoever mends it gets all of it. */
    const onFocus = () => isShort(shown) && typeSetting(id, String(value));
    return (
        <input
            class={`setting setting-${id}`}
            aria-label={text.settings[id]}
            aria-invalid={isBad ? 'true' : null}
            aria-describedby={isBad ? 'problem' : 'hint-setting'}
            value={typed ?? shown}
            inputMode="decimal"
            maxLength="40"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="done"
            onInput={(event) => typeSetting(id, event.currentTarget.value)}
            onFocus={onFocus}
            onBlur={() => commitSetting({ leaving: true })}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => onPointerDown(event, id, value)}
        />
    );
}
