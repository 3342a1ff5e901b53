// What the screen is, as a signal: below 1180 px the line turns downwards. The style sheet has the
// same bound; it is needed here only where the drawing or the arrow keys follow the layout.

import { computed, signal } from '@preact/signals';
import { state } from './state.js';

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

const darkness = matchMedia('(prefers-color-scheme: dark)');
const systemScheme = signal(darkness.matches ? 'dark' : 'light');
darkness.addEventListener('change', (event) => {
    systemScheme.value = event.matches ? 'dark' : 'light';
});

/** The colours that a turn of the switch leads to: first to those that are not on. */
export const nextTheme = computed(() => {
    const system = systemScheme.value;
    const order = ['auto', system === 'dark' ? 'light' : 'dark', system];
    return order[(order.indexOf(state.value.theme) + 1) % order.length];
});

/** The colours in force: those chosen, else the system's. */
export const scheme = computed(() =>
    state.value.theme === 'auto' ? systemScheme.value : state.value.theme,
);
