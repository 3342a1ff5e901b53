// The sheet at the bottom of a phone: what it tells of, and where the page ends above it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading, said } from './acts.js';
import { cell, leave, open, useBrowser } from './browser.js';

const session = useBrowser();

const gate = (id) => `[data-gate=${id}]`;

test('a room is told of by its pair, and what was done before is told no longer', async () => {
    const { page, seen } = await open(session.browser, { screen: 'phone' });
    await page.tap(cell('Q', 2, 0));
    assert.match(await reading(page), /^q\(sat\)1 = 1 meets number 1 of every key:/);
    await page.tap(gate('scaled'));
    const pair =
        'sat asks cat: 1·0 + 2·2 = 4 → 4 ÷ √2 = 2.828 → e2.828 ÷ 27.289 = 0.620 ' +
        '→ 0.620 × [0, 4] = [0, 2.480]';
    assert.equal(await reading(page), pair);
    await page.tap(gate('scaled'));
    await page.tap(cell('Scores', 2, 0));
    const score = await reading(page);
    assert.match(score, /^sat asks the: 1·1 \+ 2·0 = 1 /);
    await page.tap('[role=switch]');
    await page.tap('[aria-label="Undo"]');
    assert.equal(await said(page), 'Undone: the scores are divided again.');
    await page.tap(gate('weights'));
    assert.equal(await said(page), '');
    assert.equal(await reading(page), score, 'a cell of a pair stays pinned');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the first screen ends at the sum: no line is cut by the sheet', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    const [sum, heading, top, fade] = await page.evaluate(() => {
        const box = (part) => document.querySelector(part).getBoundingClientRect();
        const fade = getComputedStyle(document.querySelector('.words'), '::before');
        return [
            box('.step-output .m').bottom,
            box('.mix h2').top,
            box('.words').top,
            [fade.display, fade.height],
        ];
    });
    assert.ok(sum <= top && heading >= top, `${sum}, ${top}, ${heading}`);
    assert.deepEqual(fade, ['block', '20px']);
    await leave(page);
});
