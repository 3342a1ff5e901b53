// A number in a frame of its own. What is typed is taken by Enter, Tab or a click elsewhere; Escape
// leaves it; arrows step, a sideways drag scrubs, by tenths with Alt or Shift.

import { commitSetting, stepSetting, typeSetting } from '../controls.js';
import { plain } from '../format.js';
import { slack, stride } from '../grid.js';
import { SETTINGS } from '../settings.js';
import { state, update } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';

/** The drag going on: a gesture is no part of what the page shows. */
let drag = null;

const tenths = (event) => (event.altKey || event.shiftKey ? 0.1 : 1);

function onPointerDown(event, id, value) {
    const input = event.currentTarget;
    if (event.button !== 0 || document.activeElement === input) return;
    event.preventDefault();
    drag = { x: event.clientX, value, gesture: Symbol('drag'), going: false };
    input.setPointerCapture(event.pointerId);
}

function onPointerMove(event, id) {
    if (!drag) return;
    const dx = event.clientX - drag.x;
    if (!drag.going && Math.abs(dx) < slack) return;
    drag.going = true;
    stepSetting(id, drag.value, Math.round(dx / stride) * tenths(event), drag.gesture);
}

function onPointerUp(event) {
    const ended = drag;
    drag = null;
    if (!ended || ended.going || event.type !== 'pointerup') return;
    event.currentTarget.focus();
    event.currentTarget.select();
}

export function Setting({ id }) {
    const { typed, value } = useStill(() => {
        const { doc, edit, seed } = state.value;
        return {
            typed: edit?.setting === id ? edit.text : null,
            value: SETTINGS[id].read(doc, { seed }),
        };
    });
    const onKeyDown = (event) => {
        const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (way) {
            event.preventDefault();
            stepSetting(id, value, way * tenths(event));
        } else if (event.key === 'Enter') commitSetting();
        else if (event.key === 'Escape') update({ edit: null });
        else return;
        event.stopPropagation();
    };
    return (
        <input
            class={`setting setting-${id}`}
            aria-label={text.settings[id]}
            aria-describedby="hint-setting"
            value={typed ?? plain(value)}
            inputMode="decimal"
            maxLength="40"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="done"
            onInput={(event) => typeSetting(id, event.currentTarget.value)}
            onBlur={commitSetting}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => onPointerDown(event, id, value)}
            onPointerMove={(event) => onPointerMove(event, id)}
            onPointerUp={onPointerUp}
            onPointerCancel={onPointerUp}
        />
    );
}
