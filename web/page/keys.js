// What the keys do, as one table: grid.js acts by it and the help panel lists it. `on` names the
// kinds of cell that a row is for, or the page as a whole; a row without it is for every cell.
// A row with `shown` acts somewhere else (in the browser, in a field) and is only listed.

export const KEYS = [
    { does: 'walk', keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
    { does: 'ends', keys: ['Home', 'End', 'Ctrl+Home', 'Ctrl+End'] },
    { does: 'edit', keys: ['Enter', 'F2'], on: ['number', 'score', 'word'] },
    { does: 'edit', keys: ['F2'], on: ['mask'], hidden: true },
    { does: 'step', keys: ['Alt+ArrowUp', 'Alt+ArrowDown'], on: ['number', 'score'] },
    { does: 'tenth', keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], on: ['number', 'score'] },
    { does: 'zero', keys: ['Delete', 'Backspace'], on: ['number'] },
    { does: 'release', keys: ['Delete', 'Backspace'], on: ['score', 'mask'] },
    { does: 'remove', keys: ['Delete'], on: ['word'] },
    {
        does: 'carry',
        keys: ['Alt+ArrowLeft', 'Alt+ArrowRight', 'Alt+Home', 'Alt+End'],
        on: ['word'],
    },
    { does: 'paint', keys: [' ', 'Enter'], on: ['mask'] },
    { does: 'stay', keys: [' '], on: ['number', 'score', 'word', 'result'], hidden: true },
    { does: 'leave', keys: ['Escape'], shown: true },
    { does: 'clipboard', keys: ['Ctrl+c', 'Ctrl+v'], shown: true },
    { does: 'undo', keys: ['Ctrl+z'], on: ['page'] },
    { does: 'redo', keys: ['Ctrl+y', 'Ctrl+Shift+z'], on: ['page'] },
    { does: 'help', keys: ['?'], on: ['page'] },
];

/** A key with what is held down, as the table writes it. Shift is part of a typed character. */
export function comboOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
    const isNamed = key.length > 1 || ctrlKey || metaKey;
    return [
        ...(ctrlKey || metaKey ? ['Ctrl'] : []),
        ...(altKey ? ['Alt'] : []),
        ...(shiftKey && isNamed ? ['Shift'] : []),
        key.length === 1 ? key.toLowerCase() : key,
    ].join('+');
}

/** What a combination does on a kind of cell, or on the page; undefined if nothing. */
export const meant = (combo, kind) =>
    KEYS.find(
        ({ keys, on, shown }) =>
            !shown && keys.includes(combo) && (on ? on.includes(kind) : kind !== 'page'),
    )?.does;
