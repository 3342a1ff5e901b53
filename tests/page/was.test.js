// What an edit moved is marked in the row table as it is in the matrices, and its old number can be
// read: by pointing, and in the reading line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading } from './acts.js';
import { cell, leave, open, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const marked = (page) =>
    page.$$eval('[role=table] tbody td[data-moved]', (cells) => cells.map((td) => td.title));

test('the row table marks what an edit moved, with the old numbers', async () => {
    const { page, seen } = await open(session.browser);
    assert.deepEqual(await marked(page), []);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    assert.deepEqual(await marked(page), [
        'was 0.074',
        'was [0.149, 0]',
        'was 4',
        'was 2.828',
        'was 16.919',
        'was 0.620',
        'was [0, 2.480]',
        'was 3',
        'was 2.121',
        'was 8.342',
        'was 0.306',
        'was [0.306, 0.306]',
    ]);
    const reading = () => page.$eval('#reading', (line) => line.textContent);
    assert.match(await reading(), /= 1 \(was 2\)/);
    await page.hover(cell('Weights', 2, 1));
    assert.match(await reading(), /= 0\.401 \(was 0\.620\)/);
    await page.hover(cell('Scores', 2, 0));
    assert.doesNotMatch(await reading(), /was/);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('of a cell of the mask it is the weight that stands beside the old one', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Mask', 2, 1));
    await page.keyboard.press(' ');
    const hidden = 'sat may not look at cat: the mask adds −∞ → weight 0 (was 0.620)';
    assert.equal(await reading(page), hidden);
    await page.keyboard.press(' ');
    const shown = 'sat may look at cat: the mask adds 0, the score stays → weight 0.620 (was 0)';
    assert.equal(await reading(page), shown);
    await leave(page);
});

test('the row table of a longer sentence does so too', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(12)) });
    await page.focus('[role=grid][aria-label="K"] [role=gridcell]');
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    const [line] = await page.$$eval('[role=table] tbody tr.near', (rows) =>
        rows.map((row) => [...row.querySelectorAll('[data-moved]')].map((td) => td.title)),
    );
    assert.equal(line.length, 5);
    for (const title of line) assert.match(title, /^was \[?[\u2212\d]/);
    await leave(page);
});

test('a row without a key and e^(s − max) say so in the head of the row table', async () => {
    const head = (page, n) =>
        page.$$eval('[role=table] thead th', (all, at) => all[at].textContent.trim(), n);
    const { page } = await open(session.browser);
    assert.match(await head(page, 3), /^Mask, then\s+ex$/);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    assert.match(await head(page, 3), /^Mask, then\s+ex − max$/);
    await page.select('[aria-label="Mask preset"]', 'all');
    assert.match(await head(page, 4), /^Softmax\s+no key left$/);
    const arcs = await page.$$eval('.wires .arc', (all) => all.map((text) => text.textContent));
    assert.deepEqual(arcs, ['hidden', 'hidden', 'hidden']);
    await leave(page);
});

test('an old number lies on the paper where the cell behind it is hatched', async () => {
    for (const theme of ['light', 'dark']) {
        const { page } = await open(session.browser, { theme });
        const paper = () =>
            page.$eval('[data-at="weights:0:1"]', (element) => [
                element.dataset.was,
                getComputedStyle(element, '::after').backgroundColor,
            ]);
        await page.select('[aria-label="Mask preset"]', 'causal');
        const [old, color] = await paper();
        assert.equal(old, '0.038');
        assert.equal(
            color,
            await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
        );
        await leave(page);
    }
});

test('the old number beside a cell has the decimals that it had', async () => {
    const { page } = await open(session.browser);
    await page.click('[role=switch][aria-label]');
    const cells = await page.$$eval('[data-grid=scaled] .row:last-child .c', (all) =>
        all.map((c) => [c.textContent, c.dataset.was, c.getAttribute('aria-description')]),
    );
    assert.deepEqual(cells, [
        ['1', '0.707', 'was 0.707'],
        ['4', '2.828', 'was 2.828'],
        ['3', '2.121', 'was 2.121'],
    ]);
    await leave(page);
});
