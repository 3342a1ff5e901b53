// How the page is laid out, from the sizes of the document and the width of the window:
//
//     line     every matrix with its numbers, in one line, as long as a cell is wide enough
//     figure   one matrix large, the others small: longer sentences and wider heads
//
// and whether the words stand in one line with arcs over them, or wrap and are tinted instead.

import { computed } from '@preact/signals';
import { narrow, width } from './media.js';
import { keysOf, sizesOf } from './shape.js';
import { stepsOf } from './stages.js';
import { state } from './state.js';

/** Pixels below which a cell has no room for a number beside its neighbours. */
const LEAST_CELL = 27;

/** Up to as many keys, numbers stand in every cell of the large matrix; up to TILES it is cells. */
export const NUMBERS = 8;
export const TILES = 16;

const doc = computed(() => state.value.doc);
const sizes = computed(() => sizesOf(doc.value));

const content = computed(() => Math.min(1360, width.value - 71));

/** The column of the line where it turns down, as narrow.css and tablet.css have it. */
const sheet = computed(() =>
    width.value < 720
        ? Math.min(560, width.value)
        : Math.min(500, Math.max(350, width.value * 0.47)) + 32,
);

/** Whether the line is set closer: for four words, or for four numbers of each. */
export const isClose = (keys, features) => keys > 3 || features > 3;

/** The width of a cell of the line, as flow.css works it out too. */
const lineCell = computed(() => {
    const { key, feature, channel } = sizes.value;
    const longest = Math.max(3, ...keysOf(doc.value).map((token) => [...token].length));
    if (narrow.value) {
        const page = sheet.value;
        const label = Math.min(52, 2 + 12 * longest);
        const names = doc.value.keyTokens ? 2 * label - 8 : label;
        const input = (page - 90 - names) / (2 * feature + channel);
        const stage = (page - 162) / Math.max(key, channel) - 4;
        return Math.min(input, stage - 11);
    }
    const steps = stepsOf(doc.value).length;
    const track = steps > 5 || isClose(key, feature) ? 26 : width.value > 1420 ? 48 : 32;
    const label = Math.max(33, Math.min(34 + 15 * (longest - 3), 68 - 11 * (key - 2)));
    const last = 240 + 62 * Math.max(0, channel - 2);
    const rest = content.value - steps * (track + label) - last;
    return Math.min(49, rest / ((steps - 1) * key + feature) - 3);
});

export const form = computed(() => {
    const { query, key, feature, channel } = sizes.value;
    const small = query <= 6 && key <= 6 && feature <= 4 && channel <= 4;
    return small && lineCell.value >= LEAST_CELL ? 'line' : 'figure';
});

/** Whether the cells of the line are too narrow for three decimals. */
export const compact = computed(() => form.value === 'line' && lineCell.value < 33);

export const manyHeads = computed(() => doc.value.heads > 1);

/** Which head of how many is looked at; of one head there is nothing to say. */
export const headOf = computed(() =>
    manyHeads.value ? { number: state.value.head + 1, count: doc.value.heads } : null,
);

/** More words than this scroll in a box of their own. */
const MANY = 64;

const letters = (words) => words.reduce((sum, word) => sum + Math.min(14, [...word].length), 0);

const tokens = computed(() => doc.value.tokens);
const keyTokens = computed(() => doc.value.keyTokens);

/** Size of the words in pixels, and whether they are too many for one line. */
export const title = computed(() => {
    const others = keyTokens.value;
    const all = [...tokens.value, ...(others ?? [])];
    const long = all.length > (narrow.value ? 5 : 8);
    const [frame, most, least] = narrow.value
        ? [38, 32, 16]
        : long
          ? [22, 25, 15]
          : [52, 52, 22];
    const line = narrow.value ? 300 : long ? content.value - (others ? 420 : 230) : 660;
    const room = (line - all.length * frame) / (Math.max(3, letters(all)) * 0.5);
    return {
        size: Math.max(least, Math.min(most, room)),
        wraps: room < least,
        many: all.length > MANY,
        long,
    };
});

/**
 * The side of a map with so many cells a side, of four beside each other in a half of a lab's card,
 * as labs.css lays them out; on a phone in the whole of it. Every cell is a whole number of pixels.
 */
export function mapSide(cells) {
    const room =
        width.value < 720
            ? Math.min(560, width.value) - 62
            : narrow.value
              ? (Math.min(1080, width.value - 63) - 62) / 2
              : (content.value - 78) / 2 - 56;
    return cells * Math.floor((room - 30) / 4 / cells);
}
