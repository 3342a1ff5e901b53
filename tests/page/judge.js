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
        const { violations } = await globalThis.axe.run(document, { runOnly });
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
