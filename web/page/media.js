// What the screen is, as a signal: below 1180 px the line turns downwards. The style sheet has the
// same bound; it is needed here only where the drawing or the arrow keys follow the layout.

import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 1179.98px)');

export const narrow = signal(query.matches);
query.addEventListener('change', (event) => {
    narrow.value = event.matches;
});

/** Width of the window in CSS pixels. */
export const width = signal(innerWidth);
addEventListener('resize', () => {
    width.value = innerWidth;
});
