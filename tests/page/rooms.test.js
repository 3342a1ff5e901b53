// The rooms behind the gates: each works out the cell that is pointed at or has the focus, and keeps
// its height.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, reading } from './acts.js';
import { cell, leave, open, useBrowser } from './browser.js';

const session = useBrowser();

/** A driver scrolls to what it points at, and may measure the place before that. */
async function bringToTheMiddle(page, selector) {
    await page.$eval(selector, (element) => element.scrollIntoView({ block: 'center' }));
    await frames(page);
}

test('an open room works out the cell that is pointed at, as the reading line does', async () => {
    const { page } = await open(session.browser);
    const sum = (id) =>
        page.$eval(`#room-${id} .formula`, (line) => line.textContent.replace(/\s+/g, ''));
    await page.click('[data-gate=scores]');
    assert.match(await sum('scores'), /1·0\+2·2=4$/);
    await bringToTheMiddle(page, cell('Weights', 0, 2));
    await page.hover(cell('Weights', 0, 2));
    assert.match(await sum('scores'), /2·1\+\(−1\)·1=1$|2·1\+−1·1=1$/);
    assert.match(await reading(page), /^the asks sat: /);
    assert.match(await page.$eval('.mutual', (p) => p.textContent), /the.*sat/);
    await page.mouse.move(5, 5);
    assert.match(await sum('scores'), /1·0\+2·2=4$/);
    await leave(page);
});

test('in the room of the dot product a word and itself take as much room as a pair', async () => {
    const { page } = await open(session.browser);
    await page.$eval('[data-gate=scores]', (gate) => gate.click());
    const room = async (i, j) => {
        await page.$eval(cell('Weights', i, j), (one) => one.focus());
        await page.waitForFunction(
            (at) => document.activeElement.dataset.at === at,
            {},
            `weights:${i}:${j}`,
        );
        return page.$eval('#room-scores', (one) => ({
            says: one.querySelector('.mutual').textContent,
            high: one.offsetHeight,
        }));
    };
    const pair = await room(2, 1);
    const self = await room(2, 2);
    assert.match(pair.says, /score\(sat, cat\) = 4score\(cat, sat\) = 0/);
    assert.match(self.says, /score\(sat, sat\) = 3A word and itself/);
    assert.equal(self.high, pair.high);
    await leave(page);
});
