// How the labs are laid out: what stands in a card takes the width that it has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';

const session = useBrowser();

/** How much of the width of its card each of these takes, from the left edge to the right one. */
const shares = (page, selectors) =>
    page.evaluate((selectors) => {
        const card = document.querySelector('.lab');
        const style = getComputedStyle(card);
        const paddings = [style.paddingLeft, style.paddingRight].map(parseFloat);
        const inside = card.clientWidth - paddings[0] - paddings[1];
        return selectors.map((selector) => {
            const boxes = [...card.querySelectorAll(selector)].map((one) =>
                one.getBoundingClientRect(),
            );
            const [from, to] = [boxes.map((b) => b.left), boxes.map((b) => b.right)];
            return (Math.max(...to) - Math.min(...from)) / inside;
        });
    }, selectors);

test('a card is used as wide as it is, and its description takes one line', async () => {
    for (const screen of ['desktop', 'laptop', 'tablet']) {
        for (const [id, selectors] of Object.entries({
            spread: ['.chart', '.labnote'],
            gap: ['.scroller, .labnote'],
            norms: ['.norms, .labnote'],
            scale: ['.chart'],
            mask: ['.chart'],
            cost: ['.chart', '.counted > *'],
        })) {
            const { page } = await open(session.browser, { screen, hash: `#1=lab:${id}` });
            for (const share of await shares(page, selectors))
                assert.ok(share > 0.95, `${screen}, ${id}: ${share}`);
            const line = await page.$eval('.lab .roomhead p', (p) => p.clientHeight);
            if (screen !== 'tablet') assert.ok(line < 26, `${screen}, ${id}: ${line} px`);
            await leave(page);
        }
    }
});
