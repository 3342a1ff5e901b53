// Keys from elsewhere: the same formula with T_q ≠ T_k. Rows are queries, columns keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said } from './acts.js';
import { largestError } from './attention.js';
import { leave, open, readGrids, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const button = (page, name) =>
    page.evaluate((text) => {
        [...document.querySelectorAll('button')].find((b) => b.textContent === text).click();
    }, name);
const keyToken = (n) =>
    `[role=grid][aria-label="Key tokens"] [role=gridcell]:nth-child(${n + 1})`;
const numbers = (rows) => rows.map((row) => row.map(Number));
const inputOf = (grids) => ({
    q: numbers(grids.Q.value),
    k: numbers(grids.K.value),
    v: numbers(grids.V.value),
});

test('keys from elsewhere start as the sentence, and no number moves', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await button(page, 'Cross-attention');
    assert.match(await said(page), /^Cross-attention: keys and values come from words of their own/);
    const now = await readGrids(page);
    assert.deepEqual(now['Key tokens'].text, [['the', 'cat', 'sat']]);
    for (const name of Object.keys(old)) assert.deepEqual(now[name].value, old[name].value, name);
    await button(page, 'Self-attention');
    assert.match(await said(page), /^Self-attention: keys and values come from the sentence itself/);
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

for (const screen of ['desktop', 'phone']) {
    test(`a key more, a query less: T_q ≠ T_k everywhere, ${screen}`, async () => {
        const { page, seen } = await open(session.browser, { screen });
        await button(page, 'Cross-attention');
        await page.click('[aria-label="Add a key"]');
        await page.keyboard.type('down');
        await page.keyboard.press('Enter');
        await page.focus('[role=grid][aria-label="Tokens"] [role=gridcell]');
        await page.keyboard.press('Delete');
        const now = await readGrids(page);
        assert.deepEqual(now.Tokens.text, [['cat', 'sat']]);
        assert.deepEqual(now['Key tokens'].text, [['the', 'cat', 'sat', 'down']]);
        const shape = (name) => [now[name].value.length, now[name].value[0].length];
        assert.deepEqual(shape('Q'), [2, 2]);
        assert.deepEqual(shape('K'), [4, 2]);
        assert.deepEqual(shape('V'), [4, 2]);
        for (const name of ['Mask', 'Scores', 'Scaled scores', 'Masked scores', 'Weights'])
            assert.deepEqual(shape(name), [2, 4], name);
        assert.deepEqual(shape('Output'), [2, 2]);
        assert.ok(largestError(now, inputOf(now)) <= 1e-6);
        const lines = await page.$$eval('[role=table] tbody tr', (rows) => rows.length);
        assert.equal(lines, 4 + 1, 'one line per key, and the sums');
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('a causal mask stands at the last query and the last key', async () => {
    const keyTokens = ['a', 'b', 'c', 'd', 'e'];
    const document = long(3, {
        keyTokens,
        mask: { preset: 'causal', pad: 1, inverted: false, painted: {} },
    });
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    const { Mask, ...now } = await readGrids(page);
    const allowed = (i, j) => j <= i + 2;
    assert.deepEqual(
        Mask.text,
        [0, 1, 2].map((i) => keyTokens.map((_, j) => (allowed(i, j) ? '0' : '-∞'))),
    );
    assert.ok(largestError(now, { ...inputOf(now), allowed }) <= 1e-6);
    await leave(page);
});

test('the example looks from one sentence at another', async () => {
    const { page, seen } = await open(session.browser);
    await page.select('[aria-label="Examples"]', 'cross');
    await page.waitForSelector('[aria-label="Key tokens"]');
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['le', 'chat', 'dort']]);
    assert.deepEqual(now['Key tokens'].text, [['the', 'cat', 'is', 'asleep']]);
    assert.ok(largestError(now, inputOf(now)) <= 1e-6);
    const most = now.Weights.value.map((row) => row.indexOf(String(Math.max(...row.map(Number)))));
    assert.deepEqual(most, [0, 1, 3], 'each word finds its own');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('on a phone the rows of K are called by its own words where they are others', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    const names = () =>
        page.$$eval('[data-grid=K] .across', (all) =>
            all.filter((name) => name.offsetWidth > 1).map((name) => name.textContent),
        );
    assert.deepEqual(await names(), [], 'the same words stand beside Q');
    await page.select('[aria-label="Examples"]', 'cross');
    await page.waitForSelector('[aria-label="Key tokens"]');
    assert.deepEqual(await names(), ['the', 'cat', 'is', 'asleep']);
    const apart = await page.$$eval('[data-grid=K] .row:not(.head)', (rows) =>
        rows.map((row) => {
            const [name, cell] = [...row.children].map((part) => part.getBoundingClientRect());
            return Math.abs(name.top + name.bottom - cell.top - cell.bottom) / 2;
        }),
    );
    assert.ok(apart.every((distance) => distance <= 3), `beside its cells: ${apart}`);
    await leave(page);
});
