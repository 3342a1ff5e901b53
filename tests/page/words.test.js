// The sentence: words are renamed, added, moved and removed, whatever they are made of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said, undo } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, leave, open, readGrids, token, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

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
    await leave(page);
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
    await leave(page);
});

test('an empty name is refused in one sentence', async () => {
    const { page } = await open(session.browser);
    await page.focus(token(0));
    await page.keyboard.press('F2');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    assert.equal(
        await said(page),
        'A word needs at least one character. Type another, or Escape for the old one.',
    );
    await page.keyboard.press('Tab');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['the', 'cat', 'sat']]);
    assert.equal(await said(page), 'A word needs at least one character. It stays as it was.');
    await leave(page);
});

const numbers = (rows) => rows.map((row) => row.map(Number));

/** What the page should compute from the inputs that it shows. */
const inputOf = (grids) => ({
    q: numbers(grids.Q.value),
    k: numbers(grids.K.value),
    v: numbers(grids.V.value),
});

test('an added word has whole or half numbers, and takes part like any other', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.type('down');
        await page.keyboard.press('Enter');
        const now = await readGrids(page);
        assert.deepEqual(now.Tokens.text, [['the', 'cat', 'sat', 'down']]);
        for (const name of ['Q', 'K', 'V']) {
            assert.deepEqual(now[name].value.slice(0, 3), old[name].value, name);
            const row = now[name].value[3].map(Number);
            assert.ok(
                row.every((x) => Number.isInteger(2 * x) && Math.abs(x) <= 2),
                `${name}: ${row}`,
            );
        }
        assert.ok(largestError(now, inputOf(now)) <= 1e-6);
        await undo(page);
        await undo(page);
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

/** The matrices with the rows, and where they are keys the columns, of words in another order. */
function assertMoved(old, now, order) {
    const rows = (name) => order.map((n) => old[name].value[n]);
    const both = (name) => order.map((i) => order.map((j) => old[name].value[i][j]));
    assert.deepEqual(now.Tokens.text[0], order.map((n) => old.Tokens.text[0][n]));
    for (const name of ['Q', 'K', 'V']) assert.deepEqual(now[name].value, rows(name), name);
    for (const name of ['Scores', 'Scaled scores', 'Mask'])
        assert.deepEqual(now[name].value, both(name), name);
    assert.ok(largestError(now, inputOf(now)) <= 1e-6);
}

test('a word is moved by keyboard, by its buttons and by dragging, with its numbers', async () => {
    const ways = {
        'Alt and an arrow': async (page) => {
            await page.focus(token(0));
            await page.keyboard.down('Alt');
            await page.keyboard.press('ArrowRight');
            await page.keyboard.up('Alt');
        },
        'a button': async (page) => {
            await page.focus(token(0));
            await page.click('[aria-label="Move the on"]');
        },
        'a drag': async (page) => {
            const at = async (n) => (await page.$(token(n))).boundingBox();
            const [from, to] = [await at(0), await at(1)];
            const y = from.y + from.height / 2;
            await page.mouse.move(from.x + 20, y);
            await page.mouse.down();
            const end = to.x + to.width * 0.8;
            for (let n = 1; n <= 8; n++)
                await page.mouse.move(from.x + 20 + ((end - from.x - 20) * n) / 8, y);
            await page.mouse.up();
        },
    };
    for (const [name, move] of Object.entries(ways)) {
        const { page, seen } = await open(session.browser);
        const old = await readGrids(page);
        await move(page);
        const now = await readGrids(page);
        assertMoved(old, now, [1, 0, 2]);
        assert.equal(
            await said(page),
            'the moved from place 1 to place 2, its numbers with it. ',
            name,
        );
        assert.equal(
            await page.$eval('[role=table]', (table) => table.ariaLabel),
            'Row: the',
            `${name}: the pinned word stays pinned`,
        );
        assert.equal(
            await page.evaluate(() => document.activeElement.dataset.at),
            'tokens:0:1',
            `${name}: the focus goes along`,
        );
        await undo(page);
        assert.deepEqual(await readGrids(page), old, name);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('painted cells move with their word', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Mask', 2, 0));
    await page.keyboard.press(' ');
    await page.focus(token(0));
    await page.keyboard.down('Alt');
    await page.keyboard.press('End');
    await page.keyboard.up('Alt');
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['cat', 'sat', 'the']]);
    assert.deepEqual(now.Mask.text, [
        ['0', '0', '0'],
        ['0', '0', '-∞'],
        ['0', '0', '0'],
    ]);
    await leave(page);
});

test('a long word is elided, and whole while it has the focus', async () => {
    const { page } = await open(session.browser);
    await rename(page, 0, 'Donaudampfschifffahrtsgesellschaftskapitän');
    const box = () =>
        page.$eval(`${token(0)} bdi`, (bdi) => [bdi.clientWidth, bdi.scrollWidth]);
    await page.focus(token(1));
    const [shown, whole] = await box();
    assert.ok(shown < whole, 'elided');
    await page.focus(token(0));
    const [now, all] = await box();
    assert.equal(now, all, 'whole');
    await leave(page);
});

test('words can be added far beyond one line', async () => {
    const { page, seen } = await open(session.browser);
    for (let n = 0; n < 17; n++) {
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.press('Enter');
    }
    assert.equal((await readGrids(page)).Tokens.text[0].length, 20);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(sideways <= 0, `${sideways} px too wide`);
    for (let n = 0; n < 17; n++) await undo(page);
    assert.equal((await readGrids(page)).Tokens.text[0].length, 3);
    assert.deepEqual(seen, []);
    await leave(page);
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
    await leave(page);
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
    await leave(page);
});

test('the last word of a sentence stays, and the page says so', async () => {
    const { page, seen } = await open(session.browser);
    for (let n = 0; n < 2; n++) {
        await page.focus(token(0));
        await page.keyboard.press('Delete');
    }
    const old = await readGrids(page);
    assert.deepEqual(old.Tokens.text, [['sat']]);
    await page.keyboard.press('Delete');
    assert.equal(await said(page), 'sat stays: a sentence keeps at least one word.');
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the buttons of a word cover no other word', async () => {
    const covered = (page) =>
        page.evaluate(() => {
            const box = (element) => element.getBoundingClientRect();
            const handles = [...document.querySelectorAll('.handle')].filter(
                (each) => getComputedStyle(each).visibility === 'visible',
            );
            const others = document.querySelectorAll('.token:not(:focus-within), .add, .segment');
            const hits = [...others].filter((other) =>
                handles.some((handle) => {
                    const [a, b] = [box(handle), box(other)];
                    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    return across > 1 && down > 1;
                }),
            );
            return [handles.length, hits.map((hit) => hit.textContent)];
        });
    for (const [screen, length] of [
        ['phone', 3],
        ['phone', 9],
        ['tablet', 5],
        ['desktop', 9],
    ]) {
        const { page } = await open(session.browser, { screen, hash: await hashOf(long(length)) });
        await page.focus(`${token(2)}, [tabindex="0"].token`);
        await page.keyboard.press('End');
        await page.mouse.move(5, 5);
        assert.deepEqual(await covered(page), [2, []], `${screen}, the last of ${length}`);
        await page.keyboard.press('ArrowLeft');
        assert.deepEqual(await covered(page), [3, []], `${screen}, the one before`);
        await page.click('.handle.back');
        assert.equal(
            await page.evaluate(() => document.activeElement.dataset.at),
            `tokens:0:${length - 3}`,
        );
        await leave(page);
    }
});
