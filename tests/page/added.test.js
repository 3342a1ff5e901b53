// Masks beyond hiding: a sliding window, a prefix, the corner that places are counted from where
// there are more keys than queries, and numbers that are added to scores.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, reading, said, setNumber, typeInto, undo } from './acts.js';
import { example } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

const openRoom = (page) => page.click('[data-gate=masked]');
const seen = async (page) =>
    (await readGrids(page)).Mask.value.map((row) =>
        row.map((x) => (x === '0' ? 'o' : 'x')).join(''),
    );

const near = (got, wanted) => assert.ok(Math.abs(got - wanted) <= 1e-5, `${got} is ${wanted}`);

const five = {
    hash: `#1=tokens:a,b,c,d,e/q:${'1,0;'.repeat(4)}1,0/k:${'1,0;'.repeat(4)}1,0/v:1;2;3;4;5`,
};

test('a window shows a word itself and those just before it; a prefix is open to all', async () => {
    const { page, seen: noise } = await open(session.browser, five);
    await openRoom(page);
    await press(page, 'window', '.room');
    assert.deepEqual(await seen(page), ['oxxxx', 'ooxxx', 'xooxx', 'xxoox', 'xxxoo']);
    assert.match(await said(page), /^Each word sees itself and the 1 before it\. /);
    await setNumber(page, 'Keys in the window', '3');
    assert.deepEqual(await seen(page), ['oxxxx', 'ooxxx', 'oooxx', 'xooox', 'xxooo']);
    assert.match(await said(page), /^Each word sees itself and the 2 before it\. /);
    const { Output } = await readGrids(page);
    near(Number(Output.value[4][0]), 4, 'the mean of 3, 4 and 5: all scores are the same');
    await setNumber(page, 'Keys in the window', '0');
    assert.match(
        await said(page),
        /A window takes 1 to 128 keys, not “0”\. Type another, or Escape for the old one\.$/,
    );
    await press(page, 'prefix', '.room');
    await setNumber(page, 'Keys of the prefix', '3');
    assert.deepEqual(await seen(page), ['oooxx', 'oooxx', 'oooxx', 'oooox', 'ooooo']);
    await press(page, 'invert', '.room');
    assert.deepEqual(await seen(page), ['xxxoo', 'xxxoo', 'xxxoo', 'xxxxo', 'xxxxx']);
    await page.waitForFunction(() => location.hash.includes('mask:prefix,w3,p3,not'));
    const { page: other } = await open(session.browser, {
        hash: await page.evaluate(() => location.hash),
    });
    assert.deepEqual(await readGrids(other), await readGrids(page));
    assert.deepEqual(noise, []);
    await leave(page);
    await leave(other);
});

const cross = '#1=tokens:a,b/keyTokens:c,d,e,f/q:1,0;0,1/k:1,0;0,1;1,1;2,0/v:1;2;3;4';

test('with more keys than queries, the corner says where places are counted from', async () => {
    const { page, seen: noise } = await open(session.browser, { hash: `${cross}/mask:causal` });
    assert.deepEqual(await seen(page), ['ooox', 'oooo']);
    await openRoom(page);
    await press(page, 'first meets first', '.room');
    assert.deepEqual(await seen(page), ['oxxx', 'ooxx']);
    assert.match(await said(page), /^The first query stands at the first key/);
    await press(page, 'window', '.room');
    assert.deepEqual(await seen(page), ['oxxx', 'ooxx']);
    await press(page, 'last meets last', '.room');
    assert.deepEqual(await seen(page), ['xoox', 'xxoo']);
    await press(page, 'padding', '.room');
    assert.equal(await page.$('.presets .segments'), null, 'padding knows no corner');
    await undo(page);
    await undo(page);
    await page.waitForFunction(() => location.hash.includes('mask:window,top'));
    assert.deepEqual(noise, []);
    await leave(page);
});

test('a square mask has no corner to choose', async () => {
    const { page } = await open(session.browser, { hash: '#1=mask:causal' });
    await openRoom(page);
    assert.equal(await page.$('.presets .segments'), null);
    await leave(page);
});

test('a number typed into the mask is added to the score, and the page adds it up', async () => {
    const { page, seen: noise } = await open(session.browser);
    const start = await readGrids(page);
    await typeInto(page, cell('Mask', 2, 0), '1,5');
    const now = await readGrids(page);
    assert.equal(now.Mask.value[2][0], '1.5');
    const exponents = [1 / Math.SQRT2 + 1.5, 4 / Math.SQRT2, 3 / Math.SQRT2];
    const sum = exponents.reduce((total, x) => total + Math.exp(x), 0);
    exponents.forEach((x, j) => {
        near(Number(now['Masked scores'].value[2][j]), x);
        near(Number(now.Weights.value[2][j]), Math.exp(x) / sum);
    });
    [0, 1].forEach((d) =>
        near(
            Number(now.Output.value[2][d]),
            exponents.reduce((o, x, j) => o + (Math.exp(x) / sum) * example.v[j][d], 0),
        ),
    );
    assert.deepEqual(now.Weights.value[0], start.Weights.value[0], 'other rows stay');
    assert.match(await said(page), /^The mask adds to score\(sat, the\): 0\.707 \+ 1\.5 = 2\.207/);
    await page.focus(cell('Weights', 2, 0));
    assert.match(await reading(page), /0\.707 → 0\.707 \+ 1\.5 = 2\.207 → e2\.207 ÷ 34\.350/);
    const works = await page.$$eval('.at-masked .work', (all) => all.map((one) => one.textContent));
    assert.equal(works[0], 'e0.707 + 1.5 = 9.089');
    await page.focus(cell('Mask', 2, 0));
    assert.match(await reading(page), /^the mask adds 1\.5 to how sat scores the\b/);
    await openRoom(page);
    assert.match(
        await page.$eval('.formula', (formula) => formula.textContent),
        /=0\.707\+1\.5=2\.207$/,
    );
    await page.waitForFunction(() => location.hash.includes('bias:2.0=1.5'));
    const { page: other } = await open(session.browser, {
        hash: await page.evaluate(() => location.hash),
    });
    assert.deepEqual((await readGrids(other)).Output, now.Output);
    await leave(other);

    await page.focus(cell('Mask', 2, 0));
    await page.keyboard.press('Delete');
    assert.deepEqual((await readGrids(page)).Output.value, start.Output.value);
    assert.match(await said(page), /^Nothing is added to score\(sat, the\) any more\. /);
    assert.deepEqual(noise, []);
    await leave(page);
});

test('a number shows a hidden cell, hiding drops the number, and −∞ can be typed', async () => {
    const { page, seen: noise } = await open(session.browser, { hash: '#1=mask:causal' });
    await typeInto(page, cell('Mask', 0, 2), '-0.5');
    assert.deepEqual((await readGrids(page)).Mask.value[0], ['0', '-Infinity', '-0.5']);
    await page.focus(cell('Mask', 0, 2));
    await page.keyboard.press(' ');
    assert.deepEqual((await readGrids(page)).Mask.value[0], ['0', '-Infinity', '-Infinity']);
    await page.keyboard.press(' ');
    assert.deepEqual((await readGrids(page)).Mask.value[0], ['0', '-Infinity', '0']);
    await typeInto(page, cell('Mask', 0, 2), '-inf');
    assert.deepEqual((await readGrids(page)).Mask.value[0], ['0', '-Infinity', '-Infinity']);
    await typeInto(page, cell('Mask', 2, 1), '-∞');
    assert.deepEqual((await readGrids(page)).Mask.value[2], ['0', '-Infinity', '0']);
    await typeInto(page, cell('Mask', 1, 1), '3..4');
    assert.match(await said(page), /^mask\(cat, cat\) takes a number, such as 2/);
    assert.deepEqual(noise, []);
    await leave(page);
});

test('the temperature divides what was added too', async () => {
    const { page } = await open(session.browser, { hash: '#1=temperature:2/bias:2.0=1.5' });
    const exponents = [1 / Math.SQRT2 + 1.5, 4 / Math.SQRT2, 3 / Math.SQRT2].map((x) => x / 2);
    const sum = exponents.reduce((total, x) => total + Math.exp(x), 0);
    const { Weights } = await readGrids(page);
    exponents.forEach((x, j) => near(Number(Weights.value[2][j]), Math.exp(x) / sum));
    const works = await page.$$eval('.at-masked .work', (all) => all.map((one) => one.textContent));
    assert.equal(works[0], `e(0.707 + 1.5) ÷ 2 = ${Math.exp(exponents[0]).toFixed(3)}`);
    await leave(page);
});

test('words take their numbers with them', async () => {
    const { page } = await open(session.browser, { hash: '#1=bias:2.0=1.5' });
    await page.focus('[role=grid][aria-label="Tokens"] [role=gridcell]');
    await page.keyboard.down('Alt');
    await page.keyboard.press('End');
    await page.keyboard.up('Alt');
    assert.deepEqual((await readGrids(page)).Mask.value, [
        ['0', '0', '0'],
        ['0', '0', '1.5'],
        ['0', '0', '0'],
    ]);
    await leave(page);
});

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`a number is set in the room, which is accessible and fits: ${screen}`, async () => {
        for (const theme of ['light', 'dark']) {
            const hash = `${cross}/mask:window,w3`;
            const { page, seen: noise } = await open(session.browser, { screen, theme, hash });
            await openRoom(page);
            await setNumber(page, 'Number added to the score', '-2.25');
            assert.match(await said(page), /^The mask adds to score\(b, d\): /);
            assert.deepEqual(await axeFindings(page), [], theme);
            assert.deepEqual(await cutText(page), [], theme);
            assert.ok(await fitsWidth(page), theme);
            assert.deepEqual(noise, [], theme);
            await leave(page);
        }
    });
}
