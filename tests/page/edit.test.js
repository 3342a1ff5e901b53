// Editing: what is typed moves what it must, bit for bit nothing else, and undo brings every number
// back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drag, said } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, differences, leave, open, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

test('typing over q(sat) changes that cell and the row of sat, nothing else', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    const now = await readGrids(page);
    const input = structuredClone(example);
    input.q[2][1] = 1;
    assert.ok(largestError(now, input) <= 1e-6);
    assert.deepEqual(differences(old, now), [
        'Q 2,1',
        'Scores 2,1',
        'Scores 2,2',
        'Scaled scores 2,1',
        'Scaled scores 2,2',
        'Masked scores 2,1',
        'Masked scores 2,2',
        'Weights 2,0',
        'Weights 2,1',
        'Weights 2,2',
        'Output 2,0',
        'Output 2,1',
    ]);
    assert.equal(
        await said(page),
        'q(sat)2 went from 2 to 1. 11 numbers followed: each has a  and its old value.',
    );
    assert.equal(
        await page.$eval(cell('Weights', 2, 1), (element) => element.dataset.was),
        '0.620',
    );
    assert.equal(await page.$$eval('.moved', (cells) => cells.length), 12);
    assert.ok(
        await page.evaluate(
            (selector) => document.activeElement === document.querySelector(selector),
            cell('Q', 2, 1),
        ),
    );
    assert.deepEqual(seen, []);
    await leave(page);
});

test('undo and redo walk through every edit and restore every number', async () => {
    const { page } = await open(session.browser);
    const states = [await readGrids(page)];
    const steps = [
        async () => {
            await page.focus(cell('Q', 0, 0));
            await page.keyboard.type('0,5');
            await page.keyboard.press('Enter');
        },
        () => page.click('[role=switch]'),
        () => page.select('[aria-label="Mask preset"]', 'causal'),
        async () => {
            await page.focus(cell('Mask', 2, 0));
            await page.keyboard.press(' ');
        },
        () => drag(page, cell('K', 2, 1), 28),
    ];
    for (const step of steps) {
        await step();
        states.push(await readGrids(page));
    }
    for (let n = 1; n < states.length; n++)
        assert.notDeepEqual(states[n], states[n - 1], `step ${n} did something`);
    for (let n = states.length - 2; n >= 0; n--) {
        await page.click('[aria-label="Undo"]');
        assert.deepEqual(await readGrids(page), states[n], `undone to ${n}`);
    }
    assert.ok(await page.$eval('[aria-label="Undo"]', (button) => button.disabled));
    assert.equal(await page.$$eval('.moved', (cells) => cells.length), 0);
    for (let n = 1; n < states.length; n++) {
        await page.click('[aria-label="Redo"]');
        assert.deepEqual(await readGrids(page), states[n], `redone to ${n}`);
    }
    assert.ok(await page.$eval('[aria-label="Redo"]', (button) => button.disabled));
    await leave(page);
});

test('after undo no cell is marked, and redo marks what it moves', async () => {
    const { page } = await open(session.browser);
    const marks = () => page.$$eval('.moved', (cells) => cells.map((each) => each.dataset.at));
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    const moved = await marks();
    assert.ok(moved.includes('Q:2:1') && moved.includes('weights:2:1'));
    await page.click('[aria-label="Add a word"]');
    await page.keyboard.press('Enter');
    assert.deepEqual(await marks(), []);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await marks(), [], 'the edit before it is not told of');
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await marks(), []);
    await page.click('[aria-label="Redo"]');
    assert.deepEqual(await marks(), moved);
    await leave(page);
});

test('a decimal comma and U+2212 are taken as typed', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('V', 2, 1));
    await page.keyboard.press('Enter');
    await page.keyboard.type('\u22120,25');
    await page.keyboard.press('Enter');
    const { V } = await readGrids(page);
    assert.equal(V.value[2][1], '-0.25');
    assert.equal(V.text[2][1], '-0.25');
    await leave(page);
});

test('bad input stays to be mended, with the reason; leaving it leaves the value', async () => {
    for (const typed of ['1..2', '-', '1e99', '2 3', '']) {
        const { page } = await open(session.browser);
        const old = await readGrids(page);
        await page.focus(cell('Q', 1, 1));
        await page.keyboard.press('Enter');
        if (typed) await page.keyboard.type(typed);
        else await page.keyboard.press('Backspace');
        await page.keyboard.press('Enter');
        const sentence =
            typed === '1e99'
                ? 'q(cat)2 takes a number up to ±3.4e38, where numbers end here, not “1e99”. '
                : `q(cat)2 takes a number, such as 2, -0.5 or 1e3, not “${typed}”. `;
        const mend = 'Type another, or Escape for the old one.';
        assert.equal(await said(page), sentence + mend);
        const field = await page.evaluate(() => {
            const input = document.activeElement;
            const { value, selectionStart, selectionEnd } = input;
            const note = document.getElementById(input.getAttribute('aria-describedby'));
            const [over, under] = [input, note].map((part) => part.getBoundingClientRect());
            return {
                value,
                invalid: input.getAttribute('aria-invalid'),
                chosen: value.slice(selectionStart, selectionEnd),
                says: note.textContent,
                isUnder: under.top > over.bottom && under.top < over.bottom + 20,
                isSeen: under.left >= 0 && under.right <= innerWidth,
            };
        });
        assert.deepEqual(field, {
            value: typed,
            invalid: 'true',
            chosen: typed,
            says: sentence + mend,
            isUnder: true,
            isSeen: true,
        });
        await page.keyboard.press('Escape');
        assert.deepEqual(await readGrids(page), old, typed);
        assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'Q:1:1');
        assert.equal(await said(page), '');

        await page.keyboard.press('F2');
        if (typed) await page.keyboard.type(typed);
        else await page.keyboard.press('Backspace');
        await page.keyboard.press('Tab');
        assert.deepEqual(await readGrids(page), old, typed);
        assert.equal(await said(page), `${sentence}It stays as it was.`);
        assert.ok(await page.$eval('[aria-label="Undo"]', (button) => button.disabled));
        await leave(page);
    }
});

test('Escape leaves a cell as it was, Tab and a click elsewhere take what was typed', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('Q', 0, 0));
    await page.keyboard.type('7');
    await page.keyboard.press('Escape');
    assert.deepEqual(await readGrids(page), old);
    await page.keyboard.type('7');
    await page.keyboard.press('Tab');
    assert.equal((await readGrids(page)).Q.text[0][0], '7');
    await page.click(cell('K', 0, 0), { count: 2 });
    await page.keyboard.type('5');
    await page.click(cell('V', 0, 0));
    assert.equal((await readGrids(page)).K.text[0][0], '5');
    await leave(page);
});

test('who would change a number that follows is told so, and nothing changes', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    const sentence = (name) =>
        `${name}: computed from what stands before. ` +
        'Change a framed number, or set a score by hand, and this follows.';
    for (const [grid, name, key] of [
        ['Weights', 'Weights', '5'],
        ['Output', 'Output', 'Enter'],
        ['Scaled scores', 'Scaled scores', 'F2'],
    ]) {
        await page.focus(cell(grid, 0, 1));
        await page.keyboard.press(key);
        assert.equal(await said(page), sentence(name));
    }
    await page.click(cell('Weights', 1, 1), { count: 2 });
    assert.equal(await said(page), sentence('Weights'));
    assert.deepEqual(await readGrids(page), old);
    assert.equal(await page.$('[role=gridcell] input'), null);
    assert.ok(await page.$eval('[aria-label="Undo"]', (button) => button.disabled));
    assert.deepEqual(seen, []);
    await leave(page);
});
