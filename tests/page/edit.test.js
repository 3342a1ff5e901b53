// Editing: by keyboard, by pointer and by touch an edit moves what it must, bit for bit nothing
// else, and undo brings every number back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { said } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, differences, launch, open, readGrids } from './browser.js';

let session;
before(async () => {
    session = await launch();
});
after(() => session.close());

const copy = (input) => structuredClone(input);

async function drag(page, selector, dx) {
    const box = await (await page.$(selector)).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let n = 1; n <= 10; n++) await page.mouse.move(x + (dx * n) / 10, y + (n % 2));
    await page.mouse.up();
}

test('typing over q(sat) changes that cell and the row of sat, nothing else', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    const now = await readGrids(page);
    const input = copy(example);
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
    await page.close();
});

test('changing V moves outputs and no weight (C9)', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('V', 1, 0));
    await page.keyboard.type('-3');
    await page.keyboard.press('Enter');
    const now = await readGrids(page);
    const input = copy(example);
    input.v[1][0] = -3;
    assert.ok(largestError(now, input) <= 1e-6);
    assert.deepEqual(differences(old, now), ['V 1,0', 'Output 0,0', 'Output 1,0', 'Output 2,0']);
    await page.close();
});

test('dragging k(cat) sideways scrubs it by whole steps as one undo step', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await drag(page, cell('K', 1, 0), 42);
    const now = await readGrids(page);
    assert.equal(now.K.text[1][0], '3');
    const input = copy(example);
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
    await page.close();
});

test('a drag with Alt held moves by tenths', async () => {
    const { page } = await open(session.browser);
    await page.keyboard.down('Alt');
    await drag(page, cell('V', 0, 0), -42);
    await page.keyboard.up('Alt');
    assert.equal((await readGrids(page)).V.text[0][0], '1.7');
    await page.close();
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
    await page.close();
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
    await page.close();
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
                ? 'q(cat)2 takes a float32, which ends at ±3.4e38, and “1e99” is beyond. '
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
        await page.close();
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
    await page.close();
});

test('without the scale the weights sharpen (C2)', async () => {
    const { page } = await open(session.browser);
    await page.click('[role=switch]');
    const grids = await readGrids(page);
    assert.ok(largestError(grids, { ...example, scale: 1 }) <= 1e-6);
    assert.deepEqual(grids.Weights.text[2], ['0.035', '0.705', '0.259']);
    assert.equal(
        await page.$eval('[role=switch]', (button) => button.getAttribute('aria-checked')),
        'false',
    );
    await page.close();
});

test('a mask is painted by click, by one drag and by keyboard', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.click(cell('Mask', 2, 1));
    let grids = await readGrids(page);
    assert.equal(grids.Mask.text[2][1], '-∞');
    assert.equal(grids['Masked scores'].text[2][1], '-∞');
    assert.equal(grids.Weights.text[2][1], '0');
    assert.ok(
        largestError(grids, { ...example, allowed: (i, j) => !(i === 2 && j === 1) }) <= 1e-6,
    );
    assert.ok(differences(old, grids).every((name) => name === 'Mask 2,1' || / 2,\d$/.test(name)));
    await page.keyboard.press(' ');
    assert.deepEqual(await readGrids(page), old);

    const [from, to] = await Promise.all(
        [cell('Mask', 0, 0), cell('Mask', 0, 2)].map(async (selector) =>
            (await page.$(selector)).boundingBox(),
        ),
    );
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 12 });
    await page.mouse.up();
    grids = await readGrids(page);
    assert.deepEqual(grids.Mask.text[0], ['-∞', '-∞', '-∞']);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), old);
    await page.close();
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
    await page.close();
});

test('a causal output does not move by one bit when a later word changes (C5)', async () => {
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
    await page.close();
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
    const input = copy(example);
    input.q[2][0] = 4;
    input.v[0][1] = -3;
    assert.ok(largestError(grids, input) <= 1e-6);
    assert.deepEqual(seen, []);
    await page.close();
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
    await page.close();
});
