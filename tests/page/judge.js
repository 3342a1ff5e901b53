// What a state of the page is judged by, whatever it shows: axe-core, text that leaves its box, and
// the width of the page.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe-core finds, one line per element. A target that the sheet at the bottom of a phone covers
 * in part just now is none: the page scrolls it free.
 */
export async function axeFindings(page) {
    await page.evaluate(axe);
    return page.evaluate(async (runOnly) => {
        /* What passes is only counted: a selector for each of its elements takes a third of the time. */
        const options = { runOnly, resultTypes: ['violations'] };
        const { violations } = await globalThis.axe.run(document, options);
        const isCovered = ({ any }) => /obscured/i.test(any[0]?.data?.messageKey);
        return violations.flatMap(({ id, nodes }) =>
            nodes
                .filter((node) => !isCovered(node))
                .map((node) => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`),
        );
    }, RULES);
}

/** Elements whose text is cut off or lies outside the window. */
export function cutText(page) {
    return page.evaluate(() => {
        const visible = (element) =>
            element.checkVisibility() && element.clientWidth > 2 && element.tagName !== 'INPUT';
        const boxes = [...document.querySelectorAll('main *, header *')].filter(visible);
        return [
            ...boxes.filter(
                (element) =>
                    getComputedStyle(element).overflowX === 'hidden' &&
                    element.scrollWidth > element.clientWidth + 1,
            ),
            ...[...document.querySelectorAll('.c')].filter(visible).filter((element) => {
                const inner = element.querySelector('.n')?.getBoundingClientRect();
                return inner && inner.width > element.getBoundingClientRect().width;
            }),
            ...[...document.querySelectorAll('.work, .reading .segment, .button, .pill')]
                .filter(visible)
                .filter((element) => element.getBoundingClientRect().right > innerWidth),
        ].map((element) => `${element.className} “${element.textContent}”`);
    });
}

/** Whether nothing scrolls sideways. */
export const fitsWidth = (page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** What has a place of its own: nothing else of this list may reach into it. */
const PLACES = [
    '.wires .tag',
    '.wires .arc',
    '.token',
    '.add',
    '.cross',
    '.mixhead h2',
    '.mixhead > span',
    '.shares',
    '.letter',
    '.yours-note',
    '.card',
    '.maskname',
    '.maskbox select',
    '.presetname',
    '.rowsbutton',
    '.stepname',
    '.gate > button',
    '.m .c',
    '.m .across',
    '.m .down',
    '.axisname',
    '.foot',
    '.sum',
    '.line > th',
    '.work',
    '.line .bar',
    '.rowtable td',
    '.rowtable th',
    '.pill',
    'header button',
    'header select',
];

/**
 * Where two of them overlap by more than 2 px, reach out of the window, or a result of the row table
 * out of its column. Of what only holds text, its text counts. Rotated labels are left out.
 */
export function collisions(page) {
    return page.evaluate((places) => {
        const isTurned = (element) => element.closest('.large') && element.matches('.down');
        const isText = (element) => !element.matches('.c, .card, button, select, .shares, .bar, .pill, .token');
        /** Nothing of it is to be seen, as it is there for the ear. */
        const isHidden = (element) => {
            for (let at = element; at !== document.body; at = at.parentElement)
                if (getComputedStyle(at).clipPath !== 'none') return true;
            return false;
        };
        const textOf = (element) => {
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const rects = [];
            while (walker.nextNode()) {
                const node = walker.currentNode;
                if (isHidden(node.parentElement)) continue;
                const range = document.createRange();
                range.selectNodeContents(node);
                rects.push(...[...range.getClientRects()].filter((rect) => rect.width));
            }
            const edge = (side, pick) => pick(...rects.map((rect) => rect[side]));
            const [left, top] = [edge('left', Math.min), edge('top', Math.min)];
            const [right, bottom] = [edge('right', Math.max), edge('bottom', Math.max)];
            return { left, top, right, bottom, width: right - left, height: bottom - top };
        };
        const boxOf = (element) => {
            if (element.matches('.tag')) return element.previousElementSibling.getBoundingClientRect();
            const own = element.getBoundingClientRect();
            if (!isText(element)) return own;
            const text = textOf(element);
            const clips = getComputedStyle(element).overflowX === 'hidden';
            return clips && own.width < text.width ? own : text;
        };
        /** Of a page that is scrolled, parts pass under the bar that stays at its top. */
        const isOverlaid = (element) => scrollY > 0 && element.closest('.top') !== null;
        const shown = [...document.querySelectorAll(places.join())]
            .filter((element) => element.checkVisibility() && !isTurned(element))
            .filter((element) => !isOverlaid(element))
            .filter((element) => !isHidden(element))
            .map((element) => ({ element, box: boxOf(element) }))
            .filter(({ box }) => box.width > 2 && box.height > 2);
        const name = ({ element }) =>
            `${element.getAttribute('class')} “${element.textContent.trim().slice(0, 24)}”`;
        const found = [];
        for (const one of shown) {
            const { left, right } = one.box;
            if (one.element.closest('.scroller, .slices, .headlist, .sourcegrid')) continue;
            if (left < -1 || right > innerWidth + 1) found.push(`outside: ${name(one)}`);
            const column = one.element.matches('.work') && one.element.closest('td');
            if (column && right > column.getBoundingClientRect().right + 1)
                found.push(`out of its column: ${name(one)}`);
        }
        shown.sort((a, b) => a.box.top - b.box.top);
        for (const [n, a] of shown.entries()) {
            for (let m = n + 1; m < shown.length && shown[m].box.top < a.box.bottom - 2; m++) {
                const b = shown[m];
                const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
                const down = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
                if (across <= 2 || down <= 2) continue;
                if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
                found.push(`${name(a)} over ${name(b)}`);
            }
        }
        return found;
    }, PLACES);
}
