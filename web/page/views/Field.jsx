// The text field inside a cell that is typed into. Enter and a click elsewhere take what was typed,
// Escape leaves it. What is refused stays, chosen, with the reason beside it (Problem.jsx).

import { useLayoutEffect, useRef } from 'preact/hooks';
import { commitEdit, typeInto } from '../actions.js';
import { cancelEdit } from '../controls.js';
import { state } from '../state.js';

export function Field({ name, size = 1 }) {
    const input = useRef();
    const { edit } = state.value;
    useLayoutEffect(() => {
        input.current.focus();
        if (edit.select) input.current.select();
    }, []);
    const onKeyDown = (event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.stopPropagation();
        event.preventDefault();
        const cell = event.currentTarget.closest('[role=gridcell]');
        if (event.key === 'Escape') cancelEdit();
        else if (!commitEdit()) return event.currentTarget.select();
        cell.focus();
    };
    return (
        <input
            ref={input}
            class="field"
            aria-label={name}
            aria-invalid={edit.isBad ? 'true' : null}
            aria-describedby={edit.isBad ? 'problem' : null}
            value={edit.text}
            size={size}
            maxLength="40"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="done"
            onInput={(event) => typeInto(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={() => commitEdit({ leaving: true })}
        />
    );
}
