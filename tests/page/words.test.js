// The sentence: words are renamed, added and removed, whatever they are made of.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { example, largestError } from './attention.js';
import { cell, launch, open, readGrids } from './browser.js';

let session;
before(async () => {
    session = await launch();
});
after(() => session.close());

const token = (n) => `[role=grid][aria-label="Tokens"] [role=gridcell]:nth-child(${n + 1})`;
const said = (page) => page.$eval('[role=status]', (status) => status.textContent);
const undo = (page) => page.click('[aria-label="Undo"]');

async function rename(page, n, name) {
    await page.focus(token(n));
    await page.keyboard.press('Enter');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
}

test('a renamed word is called so everywhere, and no number moves', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await rename(page, 1, 'dog');
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['the', 'dog', 'sat']]);
    for (const name of Object.keys(old)) assert.deepEqual(now[name].value, old[name].value, name);
    const headers = await page.$$eval('[role=rowheader], [role=columnheader]', (all) =>
        all.map((header) => header.textContent),
    );
    assert.ok(!headers.includes('cat'));
    assert.equal(await page.$eval('[role=table]', (table) => table.ariaLabel), 'Row: dog');
    assert.equal(await said(page), 'cat is now called dog. Nothing else moved.');
    await undo(page);
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await page.close();
});

test('any Unicode is a word, and markup stays text', async () => {
    const { page, seen } = await open(session.browser);
    const words = ['שלום', '👩‍🚀', '<img src=x onerror=alert(1)>'];
    for (const [n, word] of words.entries()) await rename(page, n, word);
    assert.deepEqual((await readGrids(page)).Tokens.text, [words]);
    assert.equal(await page.$$eval('main img', (images) => images.length), 0);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(sideways <= 0, `${sideways} px too wide`);
    assert.deepEqual(seen, []);
    await page.close();
});

test('an empty name is refused in one sentence', async () => {
    const { page } = await open(session.browser);
    await page.focus(token(0));
    await page.keyboard.press('F2');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['the', 'cat', 'sat']]);
    assert.equal(await said(page), 'A word needs at least one character. It stays as it was.');
    await page.close();
});

test('an added word has zeros, and takes part like any other', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.type('down');
        await page.keyboard.press('Enter');
        const now = await readGrids(page);
        assert.deepEqual(now.Tokens.text, [['the', 'cat', 'sat', 'down']]);
        assert.deepEqual([now.Q.text[3], now.K.text[3], now.V.text[3]], Array(3).fill(['0', '0']));
        const input = Object.fromEntries(
            Object.entries(example).map(([name, rows]) => [name, [...rows, [0, 0]]]),
        );
        assert.ok(largestError(now, input) <= 1e-6);
        assert.deepEqual(now.Weights.text[3], Array(4).fill('0.250'));
        assert.equal(await page.$('[aria-label="Add a word"]'), null);
        await undo(page);
        await undo(page);
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await page.close();
    }
});

test('a removed word takes its rows and columns along, and its painted cells', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Mask', 2, 1));
    await page.keyboard.press(' ');
    const old = await readGrids(page);
    await page.focus(token(0));
    await page.keyboard.press('Delete');
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['cat', 'sat']]);
    assert.deepEqual(now.Mask.text, [
        ['0', '0'],
        ['-∞', '0'],
    ]);
    const input = Object.fromEntries(
        Object.entries(example).map(([name, rows]) => [name, rows.slice(1)]),
    );
    const allowed = (i, j) => !(i === 1 && j === 0);
    assert.ok(largestError(now, { ...input, allowed }) <= 1e-6);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'tokens:0:0');
    await undo(page);
    assert.deepEqual(await readGrids(page), old);
    await page.close();
});

test('removing down to one word leaves a row that looks at itself alone', async () => {
    const { page, seen } = await open(session.browser);
    await page.focus(token(2));
    await page.click('[aria-label="Remove sat"]');
    await page.focus(token(1));
    await page.click('[aria-label="Remove cat"]');
    await page.focus(token(0));
    await page.keyboard.press('Delete');
    const grids = await readGrids(page);
    assert.deepEqual(grids.Tokens.text, [['the']]);
    assert.deepEqual(grids.Weights.text, [['1.000']]);
    assert.deepEqual(grids.Output.text, grids.V.text);
    assert.deepEqual(seen, []);
    await page.close();
});
