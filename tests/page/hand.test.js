// What hands and keys do beside dragging: keys that step and open, what looks as if it could be
// clicked, lines and headers that pin, pins that travel with undo.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chord, middle } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, leave, open, readGrids, token, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const row = (page) => page.$eval('[role=table]', (table) => table.getAttribute('aria-label'));

test('Space on a word blanks nothing; Enter, F2 and typing open it', async () => {
    const { page } = await open(session.browser);
    await page.focus(token(1));
    await page.keyboard.press(' ');
    assert.equal(await page.$('.field'), null);
    assert.equal(await page.evaluate(() => scrollY), 0, 'nor does the page scroll');
    for (const key of ['Enter', 'F2']) {
        await page.keyboard.press(key);
        assert.equal(await page.$eval('.field', (field) => field.value), 'cat', key);
        await page.keyboard.press('Escape');
    }
    await page.keyboard.type('x y');
    assert.equal(await page.$eval('.field', (field) => field.value), 'x y');
    await page.keyboard.press('Enter');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['the', 'x y', 'sat']]);
    for (const grid of ['Q', 'Scores', 'Weights']) {
        await page.focus(cell(grid, 0, 0));
        await page.keyboard.press(' ');
        assert.equal(await page.$('.field'), null, grid);
    }
    await leave(page);
});

test('Alt with up and down steps a number by 1, Shift by 0.1; arrows alone walk', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('Q', 2, 1));
    await chord(page, 'ArrowUp', 'Alt');
    assert.equal((await readGrids(page)).Q.text[2][1], '3');
    await chord(page, 'ArrowDown', 'Shift');
    await chord(page, 'ArrowDown', 'Shift');
    const now = await readGrids(page);
    assert.equal(now.Q.value[2][1], '2.8');
    const input = structuredClone(example);
    input.q[2][1] = 2.8;
    assert.ok(largestError(now, input) <= 1e-6);
    for (let n = 0; n < 3; n++) await chord(page, 'z', 'Control');
    assert.deepEqual(await readGrids(page), old, 'each press is a step of undo');
    await page.focus(cell('Scores', 2, 1));
    await chord(page, 'ArrowUp', 'Alt');
    assert.equal((await readGrids(page)).Scores.text[2][1], '5', 'a score is set by hand');
    await page.focus(cell('Weights', 2, 1));
    const weights = await readGrids(page);
    await chord(page, 'ArrowUp', 'Alt');
    assert.deepEqual(await readGrids(page), weights, 'a result follows');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'weights:1:1');
    await leave(page);
});

test('tags, arcs, shares, lines and headers preview what they name, and pin it', async () => {
    const { page } = await open(session.browser);
    const near = () => page.$eval('.ledger .near th', (header) => header.textContent);
    const reading = () => page.$eval('#reading', (line) => line.textContent);
    await page.click(cell('Weights', 2, 1));
    const targets = {
        'the arc to the': ['.hits path[data-at="weights:2:0"]', 'the'],
        'the label of the arc to sat': ['.hits rect[data-at="weights:2:2"]', 'sat'],
        'the k tag': ['.hits rect[data-at^="K:"]', null],
        'the v tag': ['.hits rect[data-at^="V:"]', null],
        'the q tag': ['.hits rect[data-at^="Q:"]', null],
        'a share': ['.share:nth-child(2)', 'cat'],
        'a line of the row table': ['.ledger tbody tr:nth-child(3) td', 'sat'],
        'the header of a key': ['[data-a="weights:col:0"]', 'the'],
    };
    for (const [name, [selector, key]] of Object.entries(targets)) {
        await page.mouse.move(5, 5);
        const before = await reading();
        const at = await page.$eval(selector, (element) => {
            if (element.tagName !== 'path') {
                const box = element.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }
            const { x, y } = element.getPointAtLength(element.getTotalLength() * 0.7);
            const box = element.ownerSVGElement.getBoundingClientRect();
            return [x + box.x, y + box.y];
        });
        await page.mouse.move(...at);
        if (key) assert.equal(await near(), key, name);
        else assert.notEqual(await reading(), before, name);
        const shown = await reading();
        await page.mouse.down();
        await page.mouse.up();
        await page.mouse.move(5, 5);
        assert.equal(await reading(), shown, `${name} is pinned`);
    }
    const header = await middle(page, '[data-a="scores:row:1"]');
    await page.mouse.click(...header);
    assert.equal(await row(page), 'Row: cat');
    await leave(page);
});

test('a line from the large matrix to the row table pins its key', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(8)) });
    const box = await (await page.$('.fan')).boundingBox();
    const weights = (await readGrids(page)).Weights.value[5].map(Number);
    const key = weights.indexOf(Math.max(...weights));
    const line = await (await page.$(`.rowtable tbody tr:nth-child(${key + 1})`)).boundingBox();
    await page.mouse.move(box.x + box.width - 1, line.y + line.height / 2);
    assert.equal(await page.$eval('.fan', (fan) => fan.style.cursor), 'pointer');
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(5, 5);
    assert.equal(
        await page.$eval('.rowtable .near', (tr) => tr.dataset.at),
        `weights:5:${key}`,
    );
    await leave(page);
});

test('only what can be dragged looks so', async () => {
    const { page } = await open(session.browser);
    const look = (selector) =>
        page.$eval(selector, (element) => {
            const number = element.querySelector('.n');
            return [
                getComputedStyle(element).cursor,
                getComputedStyle(number, '::before').content.includes('‹'),
            ];
        });
    const looks = async (grid) => {
        await page.focus(cell(grid, 2, 1));
        return look(cell(grid, 2, 1));
    };
    assert.deepEqual(await looks('Q'), ['ew-resize', true]);
    assert.deepEqual(await looks('Mask'), ['pointer', false]);
    assert.deepEqual(await looks('Weights'), ['default', false]);
    assert.deepEqual(await looks('Scores'), ['default', false]);
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    assert.deepEqual(await look(cell('Scores', 2, 1)), ['ew-resize', true]);
    await leave(page);
});

test('what is pinned travels with undo and redo of a reorder', async () => {
    const { page } = await open(session.browser);
    assert.equal(await row(page), 'Row: sat');
    await page.focus(token(0));
    assert.equal(await row(page), 'Row: the');
    await chord(page, 'End', 'Alt');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['cat', 'sat', 'the']]);
    assert.equal(await row(page), 'Row: the');
    await page.click('[aria-label="Undo"]');
    assert.equal(await row(page), 'Row: the');
    await page.click('[aria-label="Redo"]');
    assert.equal(await row(page), 'Row: the');
    await page.focus(token(1));
    await page.click('[aria-label="Undo"]');
    assert.equal(await row(page), 'Row: the', 'as it was pinned when the word was moved');
    await page.click('[aria-label="Redo"]');
    assert.equal(await row(page), 'Row: sat');
    await leave(page);
});

test('by touch: a cell that is drawn is pinned by one tap, and opened by a second', async () => {
    const { page } = await open(session.browser, { screen: 'phone', hash: await hashOf(long(24)) });
    await page.$eval('[data-map=Q]', (button) => button.click());
    await page.waitForSelector('[role=grid][aria-label=Q] canvas');
    await page.$eval('[aria-label=Q] canvas', (map) => map.scrollIntoView({ block: 'center' }));
    const at = await middle(page, '[aria-label=Q] canvas');
    await page.touchscreen.tap(...at);
    await page.waitForFunction(() => document.activeElement.dataset.at?.startsWith('Q:'));
    assert.equal(await page.$('.field'), null);
    await new Promise((done) => setTimeout(done, 500)); // sooner, the browser sees a double tap
    await page.touchscreen.tap(...at);
    await page.waitForSelector('.field');
    await leave(page);
});
