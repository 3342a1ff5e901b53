// Steps that are off until asked for: the softcap, and dropout with its seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading, said, setNumber, undo } from './acts.js';
import { attention, example } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const near = (got, wanted) => assert.ok(Math.abs(got - wanted) <= 1e-5, `${got} is ${wanted}`);
const numbers = (grid) => grid.value.map((row) => row.map(Number));
const works = (page, step) =>
    page.$$eval(`.at-${step} .work`, (all) => all.map((one) => one.textContent));

async function openLayers(page) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForSelector('.whole');
    await page.evaluate(() => {
        const all = [...document.querySelectorAll('.whole button')];
        all.find((button) => button.textContent.trim() === 'Layers').click();
    });
    await page.waitForSelector('#panel-layers');
}

const toggle = (page, name) => page.click(`#panel-layers [role=switch][aria-label="${name}"]`);

test('off, they take no space; on and off again, the page is as it was', async () => {
    const { page, seen } = await open(session.browser);
    const gates = () => page.$$eval('.gate', (all) => all.length);
    const start = await readGrids(page);
    assert.equal(await gates(), 5);
    assert.equal(await page.$('#panel-layers'), null);
    await openLayers(page);
    await toggle(page, 'Softcap');
    await toggle(page, 'Dropout');
    assert.equal(await gates(), 7);
    await toggle(page, 'Dropout');
    await toggle(page, 'Softcap');
    assert.equal(await gates(), 5);
    assert.deepEqual(await readGrids(page), start);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the softcap bends every score: c·tanh(x ÷ c), then softmax', async () => {
    const { page, seen } = await open(session.browser);
    await openLayers(page);
    await toggle(page, 'Softcap');
    assert.match(await said(page), /^Scores are bent to stay within ±2\. /);
    await setNumber(page, 'Cap of the scores', '1,5');
    assert.match(await said(page), /^Scores stay within ±1\.5\. /);
    const now = await readGrids(page);
    const { scaled } = attention(example);
    const capped = scaled.map((row) => row.map((x) => 1.5 * Math.tanh(x / 1.5)));
    const weights = capped.map((row) => {
        const sum = row.reduce((total, x) => total + Math.exp(x), 0);
        return row.map((x) => Math.exp(x) / sum);
    });
    capped.forEach((row, i) =>
        row.forEach((x, j) => {
            near(Number(now['Capped scores'].value[i][j]), x);
            near(Number(now['Masked scores'].value[i][j]), x);
            near(Number(now.Weights.value[i][j]), weights[i][j]);
        }),
    );
    near(Number(now.Output.value[2][1]), weights[2][1] * 4 + weights[2][2]);
    assert.deepEqual(await works(page, 'capped'), [
        `1.5·tanh(0.707÷1.5) = ${capped[2][0].toFixed(3)}`,
        `1.5·tanh(2.828÷1.5) = ${capped[2][1].toFixed(3)}`,
        `1.5·tanh(2.121÷1.5) = ${capped[2][2].toFixed(3)}`,
    ]);
    const line = `→ 1.5·tanh(2.828÷1.5) = ${capped[2][1].toFixed(3)}`;
    assert.ok((await reading(page)).includes(line));
    await page.click('[data-gate=capped]');
    assert.match(await page.$eval('.formula', (part) => part.textContent), /tanh.*=1\.432$/);
    await setNumber(page, 'Cap of the scores', '0');
    assert.match(await said(page), /^A cap takes a number from 0\.001 to 1e6, not “0”\./);
    await page.waitForFunction(() => location.hash.includes('softcap:1.5'));
    const hash = await page.evaluate(() => location.hash);
    const { page: other } = await open(session.browser, { hash });
    assert.deepEqual(await readGrids(other), await readGrids(page));
    await leave(other);
    await undo(page);
    await undo(page);
    assert.equal((await readGrids(page))['Capped scores'], undefined);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the temperature divides what the cap left', async () => {
    const { page } = await open(session.browser, { hash: '#1=softcap:2/temperature:0.5' });
    const { scaled } = attention(example);
    const powers = scaled[2].map((x) => Math.exp((2 * Math.tanh(x / 2)) / 0.5));
    const sum = powers.reduce((total, x) => total + x, 0);
    const { Weights } = await readGrids(page);
    powers.forEach((x, j) => near(Number(Weights.value[2][j]), x / sum));
    await leave(page);
});

test('dropout: weights stay, kept ones are ÷ (1 − p), the output is made of them', async () => {
    const { page, seen } = await open(session.browser);
    const start = await readGrids(page);
    await openLayers(page);
    await toggle(page, 'Dropout');
    assert.match(await said(page), /^Seed 1 drops each weight with probability 0\.2, as in/);
    await setNumber(page, 'Share of weights that is dropped', '0.5');
    await setNumber(page, 'Seed of the dropout', '4294967295');
    assert.match(await said(page), /^Seed 4294967295 chooses which weights are dropped\. /);
    await setNumber(page, 'Seed of the dropout', '1');
    let gone = 0;
    const patterns = new Set();
    for (let seed = 1; seed <= 4; seed++) {
        if (seed > 1) await setNumber(page, 'Seed of the dropout', String(seed));
        const now = await readGrids(page);
        assert.deepEqual(now.Weights, start.Weights, 'the weights to look at are those before');
        const [weights, kept] = [numbers(now.Weights), numbers(now['Kept weights'])];
        kept.forEach((row, i) =>
            row.forEach((x, j) => {
                if (x === 0) gone++;
                else near(x, weights[i][j] / 0.5);
            }),
        );
        numbers(now.Output).forEach((row, i) =>
            row.forEach((x, d) =>
                near(x, kept[i].reduce((sum, w, j) => sum + w * example.v[j][d], 0)),
            ),
        );
        const shares = await page.$$eval('.share', (all) =>
            all.map(({ dataset, style }) => [dataset.at, parseFloat(style.width) / 100]),
        );
        const taken = kept[2].map((x, j) => [`dropped:2:${j}`, x]).filter(([, x]) => x > 0);
        assert.deepEqual(shares.map(([at]) => at), taken.map(([at]) => at));
        const whole = Math.max(1, taken.reduce((sum, [, x]) => sum + x, 0));
        shares.forEach(([, share], n) => assert.ok(Math.abs(share - taken[n][1] / whole) < 2e-5));
        patterns.add(kept.map((row) => row.map((x) => (x ? 1 : 0)).join('')).join());
        const totals = await page.$$eval('.total .work', (all) => all.map((x) => x.textContent));
        assert.equal(totals[1], 'sum 1.000');
    }
    assert.ok(gone > 5 && gone < 31, `${gone} of 36 are gone`);
    assert.equal(patterns.size, 4, 'each seed drops others');
    const last = await readGrids(page);
    const lines = await works(page, 'dropped');
    numbers(last['Kept weights'])[2].forEach((x, j) =>
        assert.equal(
            lines[j],
            x === 0
                ? 'dropped: 0'
                : `${Number(last.Weights.value[2][j]).toFixed(3)} ÷ 0.5 = ${x.toFixed(3)}`,
        ),
    );
    await page.waitForFunction(() => location.hash.includes('dropout:0.5/dropSeed:4'));
    const { page: other } = await open(session.browser, {
        hash: await page.evaluate(() => location.hash),
    });
    assert.deepEqual(await readGrids(other), last, 'the same seed drops the same weights');
    await leave(other);
    await setNumber(page, 'Share of weights that is dropped', '1');
    const all = await readGrids(page);
    assert.ok(numbers(all.Output).flat().every((x) => x === 0));
    assert.equal(await page.$eval('.shares', (bar) => bar.textContent), 'every weight is dropped');
    const field = 'input[aria-label="Share of weights that is dropped"]';
    await setNumber(page, 'Share of weights that is dropped', '0.9999999');
    await page.$eval(field, (input) => input.blur());
    assert.equal(await page.$eval(field, (input) => input.value), '≈1');
    await page.focus(field);
    assert.equal(await page.$eval(field, (input) => input.value), '0.9999999', 'to be mended');
    await page.keyboard.press('Escape');
    await setNumber(page, 'Share of weights that is dropped', '1.5');
    assert.match(await said(page), /^p takes a number from 0 to 1, not “1\.5”/);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a longer sentence has both steps in its row table', async () => {
    const doc = long(9, { softcap: 1, dropout: 0.4, dropSeed: 3 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(doc) });
    const head = await page.$$eval('.rowtable thead th', (all) => all.map((x) => x.textContent));
    assert.deepEqual(head.slice(2, 7), ['÷ √2', 'capped', 'ex', 'weight', 'kept']);
    const rows = await page.$$eval('.rowtable tbody tr', (all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((part) => part.textContent)),
    );
    const number = (text) => Number(text.replace('\u2212', '-'));
    let gone = 0;
    for (const [, scaled, capped, power, weight, , kept] of rows) {
        assert.ok(Math.abs(Math.tanh(number(scaled)) - number(capped)) < 1e-3);
        assert.ok(Math.abs(Math.exp(number(capped)) - number(power)) < 3e-3);
        if (kept === '0') gone++;
        else assert.ok(Math.abs(number(weight) / 0.6 - number(kept)) < 2e-3);
    }
    assert.ok(gone > 0 && gone < rows.length);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a baseline is compared across steps that one of the two does not have', async () => {
    const { page, seen } = await open(session.browser);
    await page.evaluate(() =>
        [...document.querySelectorAll('.whole button')]
            .find((button) => button.textContent === 'Keep as baseline')
            .click(),
    );
    await openLayers(page);
    await toggle(page, 'Softcap');
    const now = await readGrids(page);
    await page.evaluate(() =>
        [...document.querySelectorAll('.segments button')]
            .find((button) => button.textContent === 'Difference')
            .click(),
    );
    const moved = await readGrids(page);
    const { scaled } = attention(example);
    const x = scaled[2][1];
    near(Number(moved['Capped scores'].value[2][1]), 2 * Math.tanh(x / 2) - x);
    assert.ok(Number(now.Weights.value[2][1]) > 0);
    assert.deepEqual(seen, []);
    await leave(page);
});

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`axe-core finds nothing with both steps, and text fits: ${screen}`, async () => {
        for (const theme of ['light', 'dark']) {
            for (const hash of ['#1=softcap:2/dropout:0.3', '#1=softcap:2', '#1=dropout:0.25']) {
                const { page, seen } = await open(session.browser, { screen, theme, hash });
                await openLayers(page);
                assert.deepEqual(await axeFindings(page), [], theme);
                assert.deepEqual(await cutText(page), [], `${theme} ${hash}`);
                assert.ok(await fitsWidth(page), `${theme} ${hash}`);
                assert.deepEqual(seen, [], theme);
                await leave(page);
            }
        }
    });
}

test('a pinned kept weight keeps its place by keyboard', async () => {
    const { page } = await open(session.browser, { hash: '#1=dropout:0.3' });
    await page.focus(cell('Kept weights', 1, 1));
    await page.keyboard.press('ArrowRight');
    assert.equal(
        await page.evaluate(() => document.activeElement.dataset.at),
        'dropped:1:2',
    );
    await leave(page);
});

/** Pairs of boxes that lie on one another: small pictures, and the controls of the steps. */
const overlaps = (page) =>
    page.evaluate(() => {
        const all = [...document.querySelectorAll('.mini :is(.thumb, .knob, .setting, select)')];
        const boxes = all.map((one) => one.getBoundingClientRect()).filter(({ width }) => width);
        return boxes.flatMap((a, i) =>
            boxes
                .slice(i + 1)
                .filter(
                    (b) =>
                        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1,
                )
                .map((b) => [Math.round(a.x), Math.round(a.y), Math.round(b.x), Math.round(b.y)]),
        );
    });

test('with both steps a long sentence keeps its places', async () => {
    const doc = long(12, { heads: 4, dims: 4, softcap: 2, dropout: 0.2 });
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen, hash: await hashOf(doc) });
        assert.deepEqual(await overlaps(page), [], screen);
        assert.ok(await fitsWidth(page), screen);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});
