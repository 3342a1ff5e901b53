// Drags: a number is scrubbed, a word is carried, a mask is painted, by mouse and by finger. Each is
// one step of undo; Escape takes it back, any other key ends it where it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chord, drag, middle, said } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, differences, leave, open, readGrids, token, useBrowser } from './browser.js';

const session = useBrowser();

test('dragging k(cat) sideways scrubs it by whole steps as one undo step', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await drag(page, cell('K', 1, 0), 42);
    const now = await readGrids(page);
    assert.equal(now.K.text[1][0], '3');
    const input = structuredClone(example);
    input.k[1][0] = 3;
    assert.ok(largestError(now, input) <= 1e-6);
    const moved = differences(old, now);
    assert.ok(
        moved.every(
            (name) =>
                name === 'K 1,0' ||
                /^(Scores|Scaled scores|Masked scores) \d,1$/.test(name) ||
                /^(Weights|Output) /.test(name),
        ),
        moved.join('; '),
    );
    assert.equal(moved.filter((name) => name.startsWith('Weights')).length, 9);
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a drag with Alt held moves by tenths', async () => {
    const { page } = await open(session.browser);
    await page.keyboard.down('Alt');
    await drag(page, cell('V', 0, 0), -42);
    await page.keyboard.up('Alt');
    assert.equal((await readGrids(page)).V.text[0][0], '1.7');
    await leave(page);
});

/** Begins a drag, and is in the middle of it. */
const drags = {
    'the scrub of a number': async (page) => {
        const [x, y] = await middle(page, cell('K', 1, 0));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 60, y, { steps: 6 });
        assert.equal((await readGrids(page)).K.text[1][0], '4');
    },
    'the reorder of a word': async (page) => {
        const [x, y] = await middle(page, token(0));
        const [to] = await middle(page, token(2));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(to + 20, y, { steps: 12 });
        assert.deepEqual((await readGrids(page)).Tokens.text, [['cat', 'sat', 'the']]);
    },
    'the painting of the mask': async (page) => {
        const from = await middle(page, cell('Mask', 0, 0));
        const to = await middle(page, cell('Mask', 0, 2));
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, { steps: 12 });
        assert.deepEqual((await readGrids(page)).Mask.text[0], ['-∞', '-∞', '-∞']);
    },
    'the scrub of the divisor': async (page) => {
        const [x, y] = await middle(page, '[aria-label="Divide the scores by"]');
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 42, y, { steps: 6 });
        assert.notEqual((await readGrids(page)).Weights.text[2][1], '0.620');
    },
};

for (const [name, begin] of Object.entries(drags)) {
    test(`Escape takes back ${name}, and what could be redone stays so`, async () => {
        const { page, seen } = await open(session.browser);
        await page.focus(cell('V', 0, 0));
        await page.keyboard.type('5');
        await page.keyboard.press('Enter');
        await page.keyboard.type('6');
        await page.keyboard.press('Enter');
        await chord(page, 'z', 'Control');
        const old = await readGrids(page);
        const line = await said(page);
        await begin(page);
        await page.keyboard.press('Escape');
        assert.deepEqual(await readGrids(page), old);
        assert.equal(await said(page), line);
        await page.mouse.move(200, 120, { steps: 5 });
        await page.mouse.up();
        assert.deepEqual(await readGrids(page), old, 'the rest of the drag does nothing');
        await chord(page, 'y', 'Control');
        assert.equal((await readGrids(page)).V.text[0][0], '6');
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

for (const [name, begin] of Object.entries(drags)) {
    test(`Ctrl+Z ends ${name}, takes it back as one step, and nothing is lost`, async () => {
        const { page, seen } = await open(session.browser);
        const old = await readGrids(page);
        await begin(page);
        const dragged = await readGrids(page);
        await chord(page, 'z', 'Control');
        assert.deepEqual(await readGrids(page), old);
        await page.mouse.move(200, 120, { steps: 5 });
        await page.mouse.up();
        assert.deepEqual(await readGrids(page), old, 'the rest of the drag does nothing');
        await chord(page, 'y', 'Control');
        const again = await readGrids(page);
        assert.deepEqual(differences(dragged, again), [], 'and redo brings it all back');
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('by touch: a word is held, then dragged to another place, or put back', async () => {
    const { page, seen } = await open(session.browser, { screen: 'phone' });
    const old = await readGrids(page);
    const [[x, y], [to]] = [await middle(page, token(0)), await middle(page, token(2))];
    let finger = await page.touchscreen.touchStart(x, y);
    for (let n = 1; n <= 8; n++) await finger.move(x + ((to + 14 - x) * n) / 8, y);
    await finger.end();
    assert.deepEqual(await readGrids(page), old, 'a swipe moves nothing');

    finger = await page.touchscreen.touchStart(x, y);
    await page.waitForSelector('.token[data-lifted]');
    for (let n = 1; n <= 8; n++) await finger.move(x + ((to + 14 - x) * n) / 8, y + (n % 2));
    await finger.end();
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['cat', 'sat', 'the']]);
    assert.deepEqual(now.Q.value, [1, 2, 0].map((n) => old.Q.value[n]));
    assert.equal(await page.$('[data-lifted]'), null);
    assert.equal(await page.$('.field'), null);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'tokens:0:2');
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), old, 'one drag is one step');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('by touch: a tap pins, a second opens for typing, a sideways drag scrubs', async () => {
    const { page, seen } = await open(session.browser, { screen: 'phone' });
    await page.tap(cell('Q', 2, 0));
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'Q:2:0');
    assert.equal(await page.$('.field'), null, 'looking opens no keyboard');
    await page.tap(cell('Q', 2, 0));
    await page.waitForSelector('.field');
    assert.ok(
        await page.$eval('.field', (field) => parseFloat(getComputedStyle(field).fontSize) >= 16),
        'iOS zooms into smaller fields',
    );
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    assert.equal((await readGrids(page)).Q.text[2][0], '4');
    const box = await (await page.$(cell('V', 0, 1))).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const finger = await page.touchscreen.touchStart(x, y);
    for (let n = 1; n <= 7; n++) await finger.move(x - 6 * n, y);
    await finger.end();
    const grids = await readGrids(page);
    assert.equal(grids.V.text[0][1], '-3');
    const input = structuredClone(example);
    input.q[2][0] = 4;
    input.v[0][1] = -3;
    assert.ok(largestError(grids, input) <= 1e-6);
    assert.deepEqual(seen, []);
    await leave(page);
});
