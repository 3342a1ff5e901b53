// The state and the address of the page, kept in step by link.js: what of the state is shared, and
// how it is taken back. Examples are opened here, so that Back leaves them.

import { computed, effect } from '@preact/signals';
import { examples } from './examples.js';
import { changed, push, share, start } from './link.js';
import { defaultDocument } from './schema.js';
import { begin, state, update } from './state.js';

/** What an address says besides the document: where it is pinned, and the lab that is open. */
const PINS = ['query', 'key', 'head', 'focus', 'lab'];

const read = () => {
    const { doc, ...now } = state.peek();
    return { ...doc, ...Object.fromEntries(PINS.map((name) => [name, now[name]])) };
};

let opened = { kind: 'link' };

/** Takes a document: the first is where the page begins, a later one can be undone. */
function write(document) {
    if (isReady)
        update(
            { ...document, hover: null, edit: null, room: null },
            { change: opened, marks: false },
        );
    else begin(document);
    opened = { kind: 'link' };
}

let isReady = false;

/** Resolves when the state is what the address says; from then on the address follows it. */
export async function keepAddress() {
    await start({
        read,
        write,
        notice: (problem) => update({ notice: { kind: 'link', problem } }),
    });
    isReady = true;
    let last = null;
    effect(() => {
        const { doc, ...rest } = state.value;
        const all = [doc, ...PINS.map((name) => rest[name])];
        const isNew = last && all.some((x, n) => x !== last[n]);
        last = all;
        if (isNew) changed();
    });
}

const documentOf = ({ name, ...fields }) => ({ ...defaultDocument(), ...fields });

const doc = computed(() => state.value.doc);
const example = computed(() => state.value.example);

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Which example the page is, number by number; undefined if it is none. */
export const shownExample = computed(() => {
    const now = doc.value;
    return Object.keys(examples).find((id) => {
        const whole = documentOf(examples[id]);
        return Object.keys(now).every((name) => same(now[name], whole[name]));
    });
});

/** Whether nothing of the example that was opened last was changed. */
export const isExample = computed(() => shownExample.value === example.value);

/** Opens an example as a new entry of the history; Reset comes back to it. */
export function showExample(id) {
    const { name, tokens } = examples[id];
    update({ example: id });
    showFields(examples[id], name ?? tokens.join(' '));
}

/** Opens a document of some fields under a name, as a new entry of the history; a lab stays open. */
export function showFields(fields, name) {
    opened = { kind: 'example', name };
    push({ ...documentOf(fields), lab: state.peek().lab });
}

/** Copies the address by `put`, and says so, or why there is none. */
export async function shareLink(put) {
    const { problem, href } = await share();
    const notice = problem
        ? { kind: 'link', problem }
        : { kind: put(href) ? 'shared' : 'inAddress', length: href.length };
    update({ notice });
}
