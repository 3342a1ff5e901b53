// Keeps location.hash and the state in step, without knowing the state: start() is given how to
// read and write it.
//
// An edit replaces the hash a moment after the last one; choosing an example pushes an entry; Back,
// Forward and an address typed by hand load what the hash says. Packing and unpacking take a few
// milliseconds in the background: whatever begins later wins, which is what `turn` counts.

import { fromHash, print, toHash } from './codec.js';
import { defaultDocument } from './schema.js';

const DELAY = 250;

let page = null; // { read, write, notice }
let known = ''; // the state that the address stands for, printed
let seen = ''; // location.hash as it was last read or written
let turn = 0;
let timer = null;
let due = 0; // when the address is to follow, if nothing changes until then
let isTooLarge = false;

/**
 * Reads the address, and keeps to it from then on. Resolves when the state is what it says.
 *
 * @param {object} callbacks
 * @param {() => object} callbacks.read the document, and where it is pinned
 * @param {(document: object) => void} callbacks.write takes a valid one in place of the present one
 * @param {(problem: { kind: string }) => void} callbacks.notice 'large': the state does not fit
 *     into an address; any other kind: the address could not be read, and the default was written
 */
export async function start(callbacks) {
    page = callbacks;
    addEventListener('popstate', follow);
    addEventListener('hashchange', follow);
    if (location.hash) await load();
    else known = printed(page.read());
}

/** To be called after every change of the state. */
export function changed() {
    due = performance.now() + DELAY;
    if (page) timer ??= setTimeout(settleWhenDue, DELAY);
}

/** One timer for a whole drag: to set another for each step would be a part of its frame. */
function settleWhenDue() {
    const left = due - performance.now();
    timer = left > 0 ? setTimeout(settleWhenDue, left) : null;
    if (timer === null) settle();
}

/** The state is written by somebody else now, or soon. */
function wait() {
    clearTimeout(timer);
    timer = null;
}

/** Shows a document as a new entry of the history: Back returns to the state as it is now. */
export async function push(document) {
    wait();
    const mine = ++turn;
    const leaving = address(page.read());
    page.write(document);
    const entering = address(page.read());
    const [left, entered] = await Promise.all([leaving, entering]);
    if (mine !== turn) return;
    put('replaceState', left);
    put('pushState', entered);
}

async function settle() {
    const mine = ++turn;
    const next = await address(page.read());
    if (mine === turn) put('replaceState', next);
    return next;
}

/** The address of the state as it is now, or the problem that it has none. */
export async function share() {
    wait();
    isTooLarge = true; // whoever asks is told by the answer
    const { problem, hash } = await settle();
    return problem ? { problem } : { href: location.href.split('#')[0] + hash };
}

/** Back and Forward report themselves twice: as popstate and as hashchange. */
function follow() {
    if (location.hash !== seen) load();
}

async function load() {
    wait();
    const mine = ++turn;
    seen = location.hash;
    const { document, problem } = await fromHash(seen);
    if (mine !== turn) return;
    page.write(document ?? defaultDocument());
    known = printed(page.read());
    if (problem) page.notice(problem);
}

function printed(document) {
    const { text, problem } = print(document);
    if (problem) throw new Error(`the state is no document: ${JSON.stringify(problem)}`);
    return text;
}

const address = async (document) => {
    const text = printed(document);
    return { text, ...(await toHash(text)) };
};

/** Writes an address, unless it stands there already; one that is too long is told once. */
function put(method, { text, hash, problem }) {
    if (problem) {
        if (!isTooLarge) page.notice(problem);
        isTooLarge = true;
        return;
    }
    isTooLarge = false;
    if (text === known) return;
    try {
        history[method](null, '', hash || location.href.split('#')[0]);
        known = text;
        seen = location.hash;
    } catch (error) {
        // Safari refuses more than a hundred entries in ten seconds; the next edit asks again.
        if (error.name !== 'SecurityError') throw error;
    }
}
