// The text field inside a cell that is typed into. Enter and a click elsewhere take what was typed,
// Escape leaves it.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { cancelEdit, commitEdit, typeInto } from '../actions.js';
import { state } from '../state.js';

export function Field({ name, size = 1 }) {
    const input = useRef();
    const { edit } = state.value;
    useLayoutEffect(() => {
        input.current.focus();
        if (edit.select) input.current.select();
    }, []);
    const onKeyDown = (event) => {
        if (event.key === 'Escape') cancelEdit();
        if (event.key === 'Escape' || event.key === 'Enter') {
            event.stopPropagation();
            event.preventDefault();
            event.currentTarget.closest('[role=gridcell]').focus();
        }
    };
    return (
        <input
            ref={input}
            class="field"
            aria-label={name}
            value={edit.text}
            size={size}
            maxLength="40"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="done"
            onInput={(event) => typeInto(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={commitEdit}
        />
    );
}
