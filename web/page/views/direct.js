// Texts and attributes of many small elements, written straight to the document. The tree of
// elements is Preact's, what stands in them is written here: where an edit moves hundreds of
// numbers, comparing two trees would spend the frame. Only what differs from what was written last
// is touched, so all of it is there in the same frame.

/** What was written last, on the element itself: a map of hundreds would cost more than the writing. */
const LAST = Symbol('last');

/** What is written as a style; every other name is an attribute. */
const STYLES = new Set(['background-size', 'color']);

/** Writes `content` into an element: its `text`, styles, and attributes; null takes one away. */
export function write(element, content) {
    const last = element[LAST];
    if (last === content) return;
    for (const name in content) {
        const value = content[name];
        if (last?.[name] === value) continue;
        if (name === 'text') setText(element, value);
        else if (STYLES.has(name)) element.style.setProperty(name, value);
        else if (value !== null) element.setAttribute(name, value);
        else if (last) element.removeAttribute(name);
    }
    element[LAST] = content;
}

/** The text node stays the same: a new one would be laid out from nothing. */
function setText(element, text) {
    if (element.firstChild) element.firstChild.data = text;
    else element.textContent = text;
}
