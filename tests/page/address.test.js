// The address holds the page: every state comes back from its link, Back leaves an example, and
// what cannot be read or written is said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, said, setNumber, typeInto } from './acts.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

const hash = (page) => page.evaluate(() => location.hash);

/** Waits until the address is another one than it was, and no longer changes. */
async function newHash(page, old) {
    await page.waitForFunction((old) => location.hash !== old, { timeout: 5000 }, old);
    for (;;) {
        const now = await hash(page);
        await new Promise((resolve) => setTimeout(resolve, 500));
        if (now === (await hash(page))) return now;
    }
}

const edits = {
    'a number': (page) => typeInto(page, cell('Q', 2, 1), '-0,125'),
    'a word': async (page) => {
        await page.focus('[role=grid][aria-label="Tokens"] [role=gridcell]');
        await page.keyboard.press('Enter');
        await page.keyboard.type('שלום 👩‍🚀/,;:#%~');
        await page.keyboard.press('Enter');
    },
    'another pin': (page) => page.click(cell('Weights', 0, 2)),
    'no scale': (page) => page.click('[role=switch]'),
    'a divisor': (page) => setNumber(page, 'Divide the scores by', '3'),
    'a temperature': (page) => setNumber(page, 'Temperature', '0.7'),
    'the other axis': (page) => page.select('select[aria-label="Softmax over"]', 'queries'),
    'a score': (page) => typeInto(page, cell('Scores', 1, 1), '-6'),
    'a painted mask': async (page) => {
        await page.select('select[aria-label="Mask preset"]', 'causal');
        await page.click(cell('Mask', 2, 0));
        await page.click(cell('Mask', 0, 2));
    },
    'padding, inverted': async (page) => {
        await page.click('[title="Mask: how it works"]');
        await press(page, 'padding');
        await setNumber(page, 'Hidden keys at the end', '2');
        await press(page, 'invert');
    },
    'another order': async (page) => {
        await page.select('select[aria-label="Mask preset"]', 'causal');
        await page.click('[title="Mask: how it works"]');
        await page.click('.lane:nth-of-type(3) input');
    },
    'one word more': async (page) => {
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.type('down');
        await page.keyboard.press('Enter');
    },
};

for (const [name, edit] of Object.entries(edits)) {
    test(`a link brings back: ${name}`, async () => {
        const { page, seen } = await open(session.browser);
        assert.equal(await hash(page), '');
        const opened = await readGrids(page);
        await edit(page);
        const link = await newHash(page, '');
        const made = await readGrids(page);
        const pinned = await page.$eval('[role=table]', (table) => table.ariaLabel);
        const { page: other, seen: noise } = await open(session.browser, { hash: link });
        assert.deepEqual(await readGrids(other), made);
        assert.equal(await other.$eval('[role=table]', (table) => table.ariaLabel), pinned);
        assert.ok(await other.$eval('[aria-label="Undo"]', (button) => button.disabled));
        if (name !== 'another pin') assert.notDeepEqual(made, opened);
        assert.deepEqual([...seen, ...noise], []);
        await leave(page);
        await leave(other);
    });
}

test('Back leaves an example, Forward returns to it, and undo is the page’s own', async () => {
    const { page, seen } = await open(session.browser);
    await typeInto(page, cell('Q', 0, 0), '5');
    const mine = await readGrids(page);
    await page.click('[title="Mask: how it works"]');
    await press(page, 'Example: scores 2, 1, 3, 5, the last hidden');
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 4);
    const shown = await readGrids(page);
    await newHash(page, '');
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 3);
    assert.deepEqual(await readGrids(page), mine);
    await page.goForward();
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 4);
    assert.deepEqual(await readGrids(page), shown);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), mine);
    assert.deepEqual(seen, []);
    await leave(page);
});

const damaged = {
    '#1=zip:eJxTKEktLgEABZkCGQ': /^The link is damaged: /,
    '#2=q:1': /^The link is of version 2; this page reads 1\./,
    '#hello': /^What follows # in the address is no link of this page\./,
    '#1=q:1,2;3': /^q, row 2: expected 2 numbers as in the first row, got 1\./,
    '#1=tokens:<img src=x onerror=alert(1)>/q:1': /./,
    '#1=__proto__:1': /^The link names “__proto__”, which is not known here\./,
};

for (const [link, sentence] of Object.entries(damaged)) {
    test(`a link that cannot be read gives a sentence and the worked example: ${link}`, async () => {
        const { page: fresh } = await open(session.browser);
        const usual = await readGrids(fresh);
        const { page, seen } = await open(session.browser, { hash: link });
        assert.deepEqual(await readGrids(page), usual);
        assert.match(await said(page), sentence);
        assert.match(await said(page), /The worked example is shown instead\.$/);
        assert.deepEqual(seen, []);
        await leave(page);
        await leave(fresh);
    });
}

test('the link is copied by a button, and says how long it is', async () => {
    const { page } = await open(session.browser);
    await typeInto(page, cell('Q', 0, 0), '5');
    await press(page, 'Copy link');
    await page.waitForFunction(() =>
        /clipboard|address/.test(document.querySelector('[role=status]').textContent),
    );
    const { length } = await page.evaluate(() => location.href);
    assert.equal(
        await said(page),
        `The link is on the clipboard: ${length} characters hold the whole page.`,
    );
    await leave(page);
});
