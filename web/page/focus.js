// Keeps the focus on the page. When what had it leaves (a button that is done, a word that was
// undone, a room that closed) or can no longer be used, the focus goes to the sensible neighbour:
// to what it names as its heir, to what opened it, to the tab stop of its grid, else to what stood
// next to it.

import { cellOf } from './place.js';

const STOPS = 'button, select, input, [tabindex]';

/** What has the focus, with all that it will be known by once it has left. */
let held = null;

const isStop = (element) =>
    element.isConnected &&
    !element.disabled &&
    element.tabIndex >= 0 &&
    element.getClientRects().length > 0;

function hold({ target }) {
    const above = [];
    for (let at = target; at && at !== document.body; at = at.parentElement) above.push(at);
    const stops = [...document.querySelectorAll(STOPS)];
    held = { target, above, cell: cellOf(target), stops, index: stops.indexOf(target) };
}

/** What it names itself: a selector in data-heir. */
const named = ({ target }) => target.dataset.heir && document.querySelector(target.dataset.heir);

/** What opened the part of the page that left. */
const opener = ({ above }) =>
    above
        .filter((element) => element.id && !element.isConnected)
        .map(({ id }) => document.querySelector(`[data-opens="${id}"]`))
        .find(Boolean);

const stopOf = ({ cell }) =>
    cell && document.querySelector(`[role=gridcell][tabindex="0"][data-at^="${cell.grid}:"]`);

/** The nearest that stood after it, else before it, in the smallest part that is still there. */
function neighbour({ above, stops, index }) {
    const order = [...stops.slice(index + 1), ...stops.slice(0, Math.max(0, index)).toReversed()];
    for (const part of above.filter((element) => element.isConnected)) {
        const known = order.find((stop) => part.contains(stop) && isStop(stop));
        const heir = known ?? [...part.querySelectorAll(STOPS)].find(isStop);
        if (heir) return heir;
    }
    return null;
}

/** What took the place of a button that left: the choice in force, else the first of them. */
function successor({ target, above, stops, index }) {
    if (target.isConnected) return null;
    const part = above.find((element) => element.isConnected);
    const inPlace = (stop) => stop.isConnected;
    const [from, to] = [stops.slice(0, index).findLast(inPlace), stops.slice(index).find(inPlace)];
    const isAfter = (a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
    const fresh = [...(part ?? document).querySelectorAll(STOPS)].filter(
        (stop) =>
            isStop(stop) &&
            !stops.includes(stop) &&
            (!from || isAfter(from, stop)) &&
            (!to || isAfter(stop, to)),
    );
    return fresh.find((stop) => stop.ariaPressed === 'true') ?? fresh[0];
}

function mend() {
    if (!held) return;
    const now = document.activeElement;
    if (now !== document.body && now !== held.target) return;
    if (held.target.isConnected && !held.target.disabled) return;
    const left = held;
    held = null;
    const heirs = [named(left), opener(left), stopOf(left), successor(left)];
    const heir = heirs.find((stop) => stop && isStop(stop));
    (heir ?? neighbour(left))?.focus();
}

/** Whoever leaves for nowhere by choice, as with a click beside everything, is not called back. */
function release({ relatedTarget }) {
    const left = held;
    if (relatedTarget || !document.hasFocus()) return;
    queueMicrotask(() => {
        if (held !== left || !left) return;
        if (left.target.isConnected && !left.target.disabled) held = null;
        else mend();
    });
}

/** Looks after what is drawn in an element. */
export function keepFocus(root) {
    root.addEventListener('focusin', hold);
    root.addEventListener('focusout', release);
    new MutationObserver(mend).observe(root, {
        subtree: true,
        childList: true,
        attributeFilter: ['disabled'],
    });
}
