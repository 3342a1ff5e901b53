// What an edit does to the results, and what it does not: values move no weight, scores are scaled
// down for a reason, a row without a key, and outputs that a later word cannot move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { example, largestError } from './attention.js';
import { cell, differences, leave, open, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

test('changing V moves outputs and no weight', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('V', 1, 0));
    await page.keyboard.type('-3');
    await page.keyboard.press('Enter');
    const now = await readGrids(page);
    const input = structuredClone(example);
    input.v[1][0] = -3;
    assert.ok(largestError(now, input) <= 1e-6);
    assert.deepEqual(differences(old, now), ['V 1,0', 'Output 0,0', 'Output 1,0', 'Output 2,0']);
    await leave(page);
});

test('without the scale the weights sharpen', async () => {
    const { page } = await open(session.browser);
    await page.click('[role=switch]');
    const grids = await readGrids(page);
    assert.ok(largestError(grids, { ...example, scale: 1 }) <= 1e-6);
    assert.deepEqual(grids.Weights.text[2], ['0.035', '0.705', '0.259']);
    assert.equal(
        await page.$eval('[role=switch]', (button) => button.getAttribute('aria-checked')),
        'false',
    );
    await leave(page);
});

test('a row without a key has weights 0, output 0, and says why', async () => {
    const { page } = await open(session.browser);
    await page.select('[aria-label="Mask preset"]', 'causal');
    const causal = await readGrids(page);
    assert.deepEqual(causal.Mask.text, [
        ['0', '-∞', '-∞'],
        ['0', '0', '-∞'],
        ['0', '0', '0'],
    ]);
    assert.ok(largestError(causal, { ...example, allowed: (i, j) => j <= i }) <= 1e-6);
    await page.focus(cell('Mask', 0, 0));
    await page.keyboard.press('Enter');
    const grids = await readGrids(page);
    assert.deepEqual(grids.Weights.text[0], ['0', '0', '0']);
    assert.deepEqual(grids.Output.text[0], ['0', '0']);
    await page.focus(cell('Weights', 0, 1));
    assert.match(
        await page.$eval('#reading', (line) => line.textContent),
        /every key is hidden: 0 ÷ 0 has no answer, so the row is set to 0/,
    );
    await leave(page);
});

test('a causal output does not move by one bit when a later word changes', async () => {
    const { page } = await open(session.browser);
    await page.select('[aria-label="Mask preset"]', 'causal');
    const old = await readGrids(page);
    await page.focus(cell('K', 2, 0));
    await page.keyboard.type('9');
    await page.keyboard.press('Tab');
    await page.focus(cell('V', 2, 0));
    await page.keyboard.type('-8');
    await page.keyboard.press('Tab');
    const now = await readGrids(page);
    assert.deepEqual(now.Output.value.slice(0, 2), old.Output.value.slice(0, 2));
    assert.notEqual(now.Output.value[2][0], old.Output.value[2][0]);
    await leave(page);
});

test('on a phone the output has names of its own over its numbers', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    const boxes = (selector) =>
        page.$$eval(selector, (all) =>
            all.map((each) => {
                const { left, right, top, bottom } = each.getBoundingClientRect();
                return { text: each.textContent, middle: (left + right) / 2, top, bottom };
            }),
        );
    const names = await boxes('[data-grid=output] .down');
    const cells = await boxes('[data-grid=output] .pinned .c');
    assert.deepEqual(names.map(({ text }) => text), ['o₁', 'o₂']);
    assert.deepEqual(cells.map(({ text }) => text), ['0.454', '2.786']);
    cells.forEach(({ middle, top }, n) => {
        assert.ok(Math.abs(middle - names[n].middle) < 1, 'in its column');
        assert.ok(top >= names[n].bottom && top === cells[0].top, 'under its name');
    });
    await leave(page);
});
