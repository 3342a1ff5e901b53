// The mask as a whole: presets and paint, where the hiding happens, rows without a key, and rows
// that a hidden word cannot move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSync } from '../../web/api/index.js';
import { press, said, typeInto, undo } from './acts.js';
import { attention, example, largestError } from './attention.js';
import { cell, differences, leave, open, readGrids, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const engine = loadSync({ simd: 'simd128' });

const openRoom = (page) => page.click('[title="Mask: how it works"]');
const mask = async (page) => (await readGrids(page)).Mask.text;

/** The lanes as rows of text: tiles, sum, verdict, output. */
const lanes = (page) =>
    page.$$eval('.lane:not(.lanehead)', (all) =>
        all.map((lane) => ({
            tiles: [...lane.querySelectorAll('.tiles')].map((group) =>
                [...group.children].map((tile) => tile.textContent),
            ),
            operators: [...lane.querySelectorAll('.laneop')].map((op) => op.textContent),
            sum: lane.querySelector('.lanesum').textContent.trim(),
            output: lane.querySelector('.laneout').textContent,
        })),
    );

test('presets: none, causal, padding, all, and their inversion', async () => {
    const { page, seen } = await open(session.browser);
    await openRoom(page);
    const [may, not] = ['0', '-∞'];
    await press(page, 'causal', '.room');
    assert.deepEqual(await mask(page), [
        [may, not, not],
        [may, may, not],
        [may, may, may],
    ]);
    await press(page, 'padding', '.room');
    assert.deepEqual(await mask(page), Array(3).fill([may, may, not]));
    const field = 'input[aria-label="Hidden keys at the end"]';
    await page.focus(field);
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await mask(page), Array(3).fill([may, not, not]));
    assert.match(await said(page), /^The last 2 keys are hidden\. /);
    await press(page, 'invert', '.room');
    assert.deepEqual(await mask(page), Array(3).fill([not, may, may]));
    await press(page, 'all', '.room');
    assert.deepEqual(await mask(page), Array(3).fill([not, not, not]));
    await press(page, 'none', '.room');
    assert.deepEqual(await mask(page), Array(3).fill([may, may, may]));
    for (let n = 0; n < 6; n++) await undo(page);
    assert.deepEqual(await mask(page), Array(3).fill([may, may, may]));
    assert.deepEqual(seen, []);
    await leave(page);
});

test('paint lies on top of a preset, carries a dot, and can be cleared', async () => {
    const { page } = await open(session.browser);
    await openRoom(page);
    await page.click(cell('Mask', 2, 0));
    await press(page, 'causal', '.room');
    assert.deepEqual(await mask(page), [
        ['0', '-∞', '-∞'],
        ['0', '0', '-∞'],
        ['-∞', '0', '0'],
    ]);
    const painted = () =>
        page.$$eval('.c.painted', (cells) => cells.map((element) => element.dataset.at));
    assert.deepEqual(await painted(), ['mask:2:0']);
    const preset = () =>
        page.$eval('[aria-label="Mask preset"]', (list) => list.selectedOptions[0].textContent);
    assert.equal(await preset(), 'causal + 1');
    await press(page, 'invert', '.room');
    assert.deepEqual((await mask(page))[2], ['0', '-∞', '-∞']);
    assert.equal(await preset(), 'not causal + 1');
    await press(page, 'invert', '.room');
    await press(page, 'clear 1 by hand', '.room');
    assert.deepEqual((await mask(page))[2], ['0', '0', '0']);
    assert.deepEqual(await painted(), []);
    assert.equal(await preset(), 'causal');
    await leave(page);
});

test('−∞ before the softmax, 0 after it, −1e9 before it, number by number', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        await openRoom(page);
        await press(page, 'Example: scores 2, 1, 3, 5, the last hidden', '.room');
        await page.waitForFunction(() => document.querySelectorAll('.token').length === 4);
        await openRoom(page);
        const scaled = ['2', '1', '3', '5'];
        assert.deepEqual(await lanes(page), [
            {
                tiles: [scaled, ['2', '1', '3', '−∞'], ['0.245', '0.090', '0.665', '0']],
                operators: ['+ mask', 'softmax'],
                sum: '1.000 a distribution',
                output: '[1.155, 1.025]',
            },
            {
                tiles: [
                    scaled,
                    ['0.041', '0.015', '0.112', '0.831'],
                    ['0.041', '0.015', '0.112', '0'],
                ],
                operators: ['softmax', '× 0 or 1'],
                sum: '0.169 0.831 is lost',
                output: '[0.195, 0.173]',
            },
            {
                tiles: [scaled, ['2', '1', '3', '−1e9'], ['0.245', '0.090', '0.665', '0']],
                operators: ['+ −1e9', 'softmax'],
                sum: '1.000 the same weights',
                output: '[1.155, 1.025]',
            },
        ]);
        assert.deepEqual(seen, []);
        if (screen === 'phone') {
            await leave(page);
            continue;
        }
        await page.click('.room [aria-label="Close"]');
        const works = await page.$$eval('.at-masked .work, .total .work', (parts) =>
            parts.map((part) => part.textContent),
        );
        for (const text of ['e2 = 7.389', 'e1 = 2.718', 'e3 = 20.086', 'sum 30.193'])
            assert.ok(works.includes(text), `${text} in ${works.join('; ')}`);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('a line says that the three ways are equal, or where they first differ', async () => {
    for (const screen of ['laptop', 'phone']) {
        const { page } = await open(session.browser, { screen });
        await openRoom(page);
        const told = () => page.$eval('.parting', (line) => line.textContent);
        assert.equal(await told(), 'The three are equal as long as no key is hidden from sat.');
        await press(page, 'padding', '.presets');
        const open3 = attention(example).weights[2];
        const kept = open3[0] + open3[1];
        assert.equal(
            await told(),
            `They first differ at weight(sat, the): ${(open3[0] / kept).toFixed(3)} with −∞ ` +
                `before, ${open3[0].toFixed(3)} with 0 after, ` +
                `${(open3[0] / kept).toFixed(3)} with −1e9 before.`,
        );
        await page.select('select[aria-label="Mask preset"]', 'all');
        assert.match(await told(), /: 0 with −∞ .*, 0 with 0 after, 0\.333 with −1e9 before\.$/);
        await leave(page);
    }
});

test('the page follows the lane that is chosen, and says what the rows sum to', async () => {
    const { page, seen } = await open(session.browser);
    await page.select('select[aria-label="Mask preset"]', 'causal');
    const proper = await readGrids(page);
    await openRoom(page);
    await page.click('.lane:nth-of-type(3) input');
    const late = await readGrids(page);
    const { weights } = attention(example);
    weights.forEach((row, i) =>
        row.forEach((weight, j) =>
            assert.ok(Math.abs(Number(late.Weights.value[i][j]) - (j <= i ? weight : 0)) <= 1e-6),
        ),
    );
    const sums = weights.map((row, i) =>
        row
            .slice(0, i + 1)
            .reduce((a, b) => a + b, 0)
            .toFixed(3),
    );
    assert.deepEqual(
        await page.$$eval('.rowsums .sum', (all) => all.map((sum) => sum.textContent)),
        sums,
    );
    await page.click('.lane:nth-of-type(4) input');
    const habit = await readGrids(page);
    assert.deepEqual(habit.Weights.value, proper.Weights.value, 'bit for bit the same weights');
    assert.equal(habit['Masked scores'].value[0][1], '-1000000000');
    await undo(page);
    await undo(page);
    assert.deepEqual(await readGrids(page), proper);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a row without a key: 0 here, the mean of V with −1e9, and what others do', async () => {
    const { page } = await open(session.browser);
    await page.select('select[aria-label="Mask preset"]', 'causal');
    await page.focus(cell('Mask', 0, 0));
    await page.keyboard.press(' ');
    await openRoom(page);
    const [before, late, habit] = await lanes(page);
    assert.equal(before.sum, '0 no key left');
    assert.equal(before.output, '[0, 0]');
    assert.equal(late.sum, '0 1.000 is lost');
    assert.deepEqual(habit.tiles[2], ['0.333', '0.333', '0.333']);
    assert.equal(habit.sum, '1.000 the mean of V');
    assert.equal(habit.output, '[1, 1.667]');
    assert.equal(
        await page.$eval('.emptyrow', (card) =>
            [...card.querySelectorAll('h4, dt, dd')].map((part) => part.textContent).join(' | '),
        ),
        'the has nothing left to look at | here, and attention in PyTorch from 2.5 on | 0 | ' +
            'before 2.5, and a softmax alone | NaN | JAX | the mean of V',
    );
    const why = await page.$eval('.emptyrow p', (line) => line.textContent);
    assert.match(why, /common libraries gives NaN, and the NaN spreads/);
    assert.match(why, /weights and output 0, the logarithm of the sum \(log-sum-exp\) −∞/);
    const { output, logSumExp } = engine.inspect(example.q, example.k, example.v, {
        mask: [[false, false, false], [true, true, false], [true, true, true]],
    });
    assert.deepEqual([output.toNested()[0], logSumExp.toNested()[0]], [[0, 0], -Infinity]);
    await leave(page);
});

test('rows that cannot see a word do not change by one bit, and the page says so', async () => {
    const { page, seen } = await open(session.browser);
    await page.select('select[aria-label="Mask preset"]', 'causal');
    const old = await readGrids(page);
    await typeInto(page, cell('V', 2, 0), '9');
    assert.match(
        await said(page),
        /^v\(sat\)1 went from 1 to 9\. the and cat cannot see sat: their outputs did not change by one bit\. /,
    );
    await typeInto(page, cell('K', 1, 0), '1e30');
    assert.match(await said(page), /the cannot see cat: its output did not change by one bit\. /);
    const now = await readGrids(page);
    assert.deepEqual(now.Output.value[0], old.Output.value[0]);
    assert.notDeepEqual(now.Output.value[1], old.Output.value[1]);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('without the mask nothing of the kind is said', async () => {
    const { page } = await open(session.browser);
    await typeInto(page, cell('V', 2, 0), '9');
    assert.doesNotMatch(await said(page), /bit/);
    const v = example.v.with(2, [9, 1]);
    assert.ok(largestError(await readGrids(page), { ...example, v }) <= 1e-6);
    await leave(page);
});

test('of many keys the lanes show the five that would count most, and sum over all', async () => {
    const causal = { preset: 'causal', pad: 1, inverted: false, painted: {} };
    const doc = long(16, { mask: causal });
    const { page, seen } = await open(session.browser, { hash: await hashOf(doc) });
    await openRoom(page);
    const { q, k, v } = doc;
    const { weights } = attention({ q, k, v });
    const order = weights[5].map((_, j) => j).sort((a, b) => weights[5][b] - weights[5][a]);
    const most = order.slice(0, 5).sort((a, b) => a - b);
    const heads = await page.$$eval('.lanehead .tiles:nth-of-type(1) bdi', (all) =>
        all.map((x) => x.textContent),
    );
    assert.deepEqual(heads, most.map((j) => doc.tokens[j]));
    const [before, after] = await lanes(page);
    const hidden = attention({ q, k, v, allowed: (i, j) => j <= i }).weights[5];
    before.tiles[2].forEach((text, n) =>
        assert.ok(Math.abs(Number(text) - hidden[most[n]]) < 6e-4),
    );
    const left = weights[5].reduce((sum, w, j) => sum + (j <= 5 ? w : 0), 0);
    assert.ok(after.sum.startsWith(left.toFixed(3)), after.sum);
    assert.match(await page.$eval('.lanes > p', (p) => p.innerText), /^The 5 of 16 keys/);
    assert.deepEqual(seen, []);
    await leave(page);
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
    await leave(page);
});
