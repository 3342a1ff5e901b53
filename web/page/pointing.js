// Pointing at a picture that stands for cells: which one, the picture says. Pointing previews the
// cell, a click pins it.

import { hoverCell, pinCell } from './actions.js';

/** Handlers for an element; `cellAt(event)` is the cell under the pointer, or null. */
export function pointing(cellAt) {
    const onPoint = (event) => {
        event.stopPropagation();
        const cell = cellAt(event);
        event.currentTarget.style.cursor = cell ? 'pointer' : '';
        if (event.pointerType !== 'touch') hoverCell(cell);
    };
    const onClick = (event) => {
        event.stopPropagation();
        const cell = cellAt(event);
        if (cell) pinCell(cell);
    };
    return { onPointerMove: onPoint, onPointerOver: onPoint, onClick };
}
