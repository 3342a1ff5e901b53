// Pointing at what stands for a cell: that previews the cell, and a click pins it. A pointer points
// by moving: what the page moves under a pointer at rest is not pointed at.

import { hoverCell, pinCell } from './actions.js';

/** Previews the cell under a pointer that moves, or none; a finger pins instead. */
export function preview({ pointerType }, cell) {
    if (pointerType !== 'touch') hoverCell(cell);
}

/** Handlers for a picture of cells; `cellAt(event)` is the cell under the pointer, or null. */
export function pointing(cellAt) {
    const onPointerMove = (event) => {
        event.stopPropagation();
        const cell = cellAt(event);
        event.currentTarget.style.cursor = cell ? 'pointer' : '';
        preview(event, cell);
    };
    const onClick = (event) => {
        event.stopPropagation();
        const cell = cellAt(event);
        if (cell) pinCell(cell);
    };
    return { onPointerMove, onClick };
}
