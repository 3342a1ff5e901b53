// What stands in the cells of the mask: what it adds to a score, or, where the hiding comes after the
// softmax, what the weight is multiplied by.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeInto } from './acts.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

const opened = async (document) =>
    (await open(session.browser, { hash: await hashOf(document) })).page;

const CAUSAL = [
    ['1', '0', '0'],
    ['1', '1', '0'],
    ['1', '1', '1'],
];

test('0 after the softmax: the mask is of factors, 1 and 0; elsewhere it is what is added', async () => {
    const { document } = STATES['mask after'];
    const page = await opened(document);
    assert.deepEqual((await readGrids(page)).Mask, { text: CAUSAL, value: CAUSAL });
    await page.click(cell('Mask', 1, 0));
    const painted = CAUSAL.with(1, ['0', '1', '0']);
    assert.deepEqual((await readGrids(page)).Mask.text, painted);
    const [old] = await page.$$eval('[data-grid=mask] .moved', (all) =>
        all.map((each) => each.getAttribute('aria-description')),
    );
    assert.equal(old, 'was 1');
    await typeInto(page, cell('Mask', 2, 0), '1.5');
    const { Mask, Scores } = await readGrids(page);
    assert.equal(Mask.text[2][0], '1.5', 'what is typed is added to the score');
    assert.equal(Scores.text[2][0], '1');
    await leave(page);
    const habit = await opened({ ...document, maskOrder: 'bias' });
    assert.deepEqual((await readGrids(habit)).Mask.text[0], ['0', '-1e9', '-1e9']);
    await leave(habit);
    const proper = await opened({ ...document, maskOrder: 'before' });
    assert.deepEqual((await readGrids(proper)).Mask.value[0], ['0', '-Infinity', '-Infinity']);
    await leave(proper);
});

test('of a longer sentence too: in cells, and on the canvas of one longer still', async () => {
    for (const length of [12, 20]) {
        const { mask } = STATES['mask after'].document;
        const page = await opened(long(length, { mask, maskOrder: 'after' }));
        await page.click('[aria-label="Mask, show large"]');
        const read = (at) =>
            page.$eval(`[data-grid=mask] [data-at="${at}"]`, (each) => [
                each.dataset.value,
                each.getAttribute('aria-label') ?? each.textContent,
            ]);
        assert.deepEqual(await read('mask:5:2'), ['1', '1']);
        await page.focus('[data-grid=mask] [tabindex="0"]');
        for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
        assert.deepEqual(await read('mask:5:6'), ['0', '0']);
        await leave(page);
    }
});
