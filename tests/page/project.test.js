// Projected mode: X and the matrices W are edited, and Q, K and V follow from them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, reading, said, typeInto, undo } from './acts.js';
import { largestError } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

async function project(page) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForFunction(() => document.querySelector('.whole'));
    await press(page, 'Values');
    await press(page, 'Edit X · W');
}

const numbers = (grid) => grid.value.map((row) => row.map(Number));
const times = (x, w) =>
    x.map((row) => w[0].map((_, j) => row.reduce((sum, a, n) => sum + a * w[n][j], 0)));

/** The largest difference between Q, K and V on the page and X·W in float64. */
function projectionError(grids) {
    const x = numbers(grids.X);
    let most = 0;
    for (const letter of ['Q', 'K', 'V']) {
        const wanted = times(x, numbers(grids[`W_${letter}`]));
        numbers(grids[letter]).forEach((row, i) =>
            row.forEach((value, j) => (most = Math.max(most, Math.abs(value - wanted[i][j])))),
        );
    }
    return most;
}

const inputs = (grids) => ({ q: numbers(grids.Q), k: numbers(grids.K), v: numbers(grids.V) });

test('the switch keeps every number: X is one number per word, W are what Q, K, V were', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        await project(page);
        const now = await readGrids(page);
        for (const name of Object.keys(old)) assert.deepEqual(now[name], old[name], name);
        assert.deepEqual(numbers(now.X), [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
        ]);
        assert.deepEqual(now.W_Q.value, old.Q.value);
        assert.deepEqual(now.W_K.value, old.K.value);
        assert.deepEqual(now.W_V.value, old.V.value);
        const framed = await page.$$eval('.c.framed', (cells) => [
            ...new Set(cells.map((element) => element.dataset.at.split(':')[0])),
        ]);
        assert.deepEqual(
            framed.filter((grid) => grid !== 'mask').sort(),
            ['WK', 'WQ', 'WV', 'X'],
            'Q, K and V follow, so they have no frame',
        );
        await press(page, 'Edit Q K V');
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('X and W are edited, and Q, K, V and all that follows are X·W', async () => {
    const { page, seen } = await open(session.browser);
    await project(page);
    const start = await readGrids(page);
    await typeInto(page, cell('X', 2, 0), '0,5');
    await typeInto(page, cell('W_Q', 1, 1), '-3');
    assert.match(await said(page), /^WQ\[2, 2\] went from 1 to −3\. /);
    const now = await readGrids(page);
    assert.ok(projectionError(now) <= 1e-6);
    assert.ok(largestError(now, inputs(now)) <= 1e-6);
    assert.notDeepEqual(now.Q.value, start.Q.value);
    await page.focus(cell('Q', 2, 1));
    assert.match(
        await reading(page),
        /^q\(sat\)2 = 0\.5·\(−1\) \+ 0·\(−3\) \+ 1·2 = 1\.5 meets number 2 of every key:/,
    );
    await page.focus(cell('W_K', 0, 1));
    assert.match(await reading(page), /^WK \[1, 2\] = 0 turns x1 of every word into k2/);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('9');
    assert.equal(await page.$('.field'), null, 'what follows cannot be typed into');
    await undo(page);
    await undo(page);
    assert.deepEqual(await readGrids(page), start);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('relevance is not mutual, and with W_Q = W_K = I it is x·x', async () => {
    const { page, seen } = await open(session.browser);
    await project(page);
    await press(page, 'Fill from seed');
    const filled = await readGrids(page);
    assert.ok(projectionError(filled) <= 1e-6);
    assert.ok(largestError(filled, inputs(filled)) <= 1e-5);
    const lines = () => page.$$eval('.mutual li', (all) => all.map((line) => line.textContent));
    const last = (line) => Number(line.split(' = ').at(-1).replace('\u2212', '-'));
    await page.click('[title="Dot: how it works"]');
    const scores = numbers(filled.Scores);
    const x = numbers(filled.X);
    const dot = x[2].reduce((sum, a, n) => sum + a * x[1][n], 0);
    const [there, back, words] = await lines();
    assert.ok(there.startsWith('score(sat, cat) = ') && back.startsWith('score(cat, sat) = '));
    assert.ok(Math.abs(last(there) - scores[2][1]) < 5e-4);
    assert.ok(Math.abs(last(back) - scores[1][2]) < 5e-4);
    assert.ok(Math.abs(last(words) - dot) < 5e-4);
    assert.notEqual(scores[2][1], scores[1][2]);

    await press(page, 'WQ = WK = I');
    const same = await readGrids(page);
    assert.deepEqual(same.Q.value, same.X.value);
    assert.deepEqual(same.K.value, same.X.value);
    const mutual = numbers(same.Scores);
    mutual.forEach((row, i) => row.forEach((score, j) => assert.equal(score, mutual[j][i])));
    const equal = await lines();
    assert.deepEqual(
        equal.map(last),
        [dot, dot, dot].map((n) => Number(n.toFixed(3))),
    );
    assert.match(await page.$eval('.mutual p', (line) => line.textContent), /^The same: /);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('words, heads and sizes change in projected mode too', async () => {
    const { page, seen } = await open(session.browser);
    await project(page);
    await page.click('[aria-label="Add a word"]');
    await page.keyboard.type('down');
    await page.keyboard.press('Enter');
    let grids = await readGrids(page);
    assert.deepEqual([grids.X.value.length, grids.W_Q.value.length], [4, 3]);
    assert.ok(projectionError(grids) <= 1e-6);
    assert.ok(largestError(grids, inputs(grids)) <= 1e-5);
    await undo(page);
    const sizes = await page.$$('.menus select');
    await sizes[1].select('3');
    grids = await readGrids(page);
    assert.deepEqual(
        grids.W_Q.value.map((row) => row.length),
        [3, 3, 3],
    );
    assert.ok(projectionError(grids) <= 1e-6);
    assert.ok(largestError(grids, inputs(grids)) <= 1e-5);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a link brings the projected mode back', async () => {
    const { page, seen } = await open(session.browser);
    await project(page);
    await press(page, 'Fill from seed');
    await typeInto(page, cell('X', 0, 2), '-1.5');
    await page.waitForFunction(() => location.hash.includes('-1.5'), { timeout: 5000 });
    const made = await readGrids(page);
    const hash = await page.evaluate(() => location.hash);
    const { page: other, seen: noise } = await open(session.browser, { hash });
    assert.deepEqual(await readGrids(other), made);
    assert.deepEqual([...seen, ...noise], []);
    await leave(page);
    await leave(other);
});

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`axe-core finds nothing in projected mode, and text fits: ${screen}`, async () => {
        for (const theme of ['light', 'dark']) {
            const { page, seen } = await open(session.browser, { screen, theme });
            await project(page);
            await typeInto(page, cell('W_V', 1, 1), '-2.125');
            await page.click('[title="Dot: how it works"]');
            assert.deepEqual(await axeFindings(page), [], theme);
            assert.deepEqual(await cutText(page), [], theme);
            assert.ok(await fitsWidth(page), theme);
            assert.deepEqual(seen, [], theme);
            await leave(page);
        }
    });
}

for (const [screen, shown, hidden] of [
    ['desktop', 'from X·W: show', 'from X·W: hide'],
    ['phone', 'from X·W', 'hide X·W'],
]) {
    test(`beside Q, K and V it is said where they come from, and back: ${screen}`, async () => {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        const link = () => page.$eval('.origin button', (button) => button.textContent);
        const [x, y] = await page.$eval('.origin button', (button) => {
            const { x, y, height } = button.getBoundingClientRect();
            return [x, y + height / 2];
        });
        const letters = await page.$$eval('.letter', (all) =>
            all.map((one) => one.getBoundingClientRect().top),
        );
        assert.ok(Math.min(...letters.map((top) => Math.abs(top - y))) < 60, 'it is near a letter');
        assert.ok(x > 0);
        assert.equal(await link(), shown);
        await page.focus('.origin button');
        await page.keyboard.press('Enter');
        assert.equal(await link(), hidden);
        const now = await readGrids(page);
        assert.deepEqual(now.X.value, [['1', '0', '0'], ['0', '1', '0'], ['0', '0', '1']]);
        for (const name of ['Q', 'K', 'V', 'Output'])
            assert.deepEqual(now[name].value, old[name].value, name);
        await page.keyboard.press('Enter');
        assert.equal(await link(), shown, 'the focus has stayed');
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await leave(page);
    });
}
