// A baseline is kept, and the page is compared with it: before, now, difference.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { f3, press, reading, said, typeInto } from './acts.js';
import { attention, example, largestError } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

/** Keeps the worked example and then halves q(sat). */
async function keepAndEdit(page) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForFunction(() => document.querySelector('.whole'));
    await press(page, 'Keep as baseline');
    await typeInto(page, cell('Q', 2, 1), '1');
}

const edited = { ...example, q: example.q.with(2, [1, 1]) };

test('before shows the baseline, now the edit, difference what lies between', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        await keepAndEdit(page);
        const now = await readGrids(page);
        await press(page, 'Before');
        assert.deepEqual(await readGrids(page), old);
        assert.equal(await page.$$eval('.moved', (cells) => cells.length), 0);
        await press(page, 'Now');
        assert.deepEqual(await readGrids(page), now);
        assert.ok(largestError(now, edited) <= 1e-6);
        await press(page, 'Difference');
        const between = await readGrids(page);
        for (const name of Object.keys(old)) {
            if (name === 'Tokens') continue;
            between[name].value.forEach((row, i) =>
                row.forEach((value, j) => {
                    const wanted = Number(now[name].value[i][j]) - Number(old[name].value[i][j]);
                    assert.equal(Number(value), wanted, `${name} ${i},${j}`);
                }),
            );
        }
        assert.deepEqual(between.Weights.text[2], ['0.123', '-0.219', '0.095']);
        assert.equal(await said(page), 'Now minus before, number by number: 11 results differ.');
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('the row table says before, now and the difference', async () => {
    const { page } = await open(session.browser);
    await keepAndEdit(page);
    await press(page, 'Difference');
    const lines = await page.$$eval('.line:not(.heads)', (rows) =>
        rows.map((row) => [...row.querySelectorAll('.work')].map((work) => work.textContent)),
    );
    const [was, is] = [attention(example), attention(edited)];
    assert.deepEqual(lines[1].slice(0, 4), [
        '4 → 2 (\u22122)',
        '2.828 → 1.414 (\u22121.414)',
        '2.828 → 1.414 (\u22121.414)',
        `${f3(was.weights[2][1])} → ${f3(is.weights[2][1])} (${f3(
            is.weights[2][1] - was.weights[2][1],
        )})`,
    ]);
    assert.equal(lines[0][0], '1 unchanged');
    const said = ({ output }) => `[${output[2].map(f3).join(', ')}]`;
    assert.deepEqual(lines[3], [`${said(was)} → ${said(is)}`]);
    const [from, to] = [was, is].map(({ weights }) => f3(4 * weights[2][1]));
    assert.equal(lines[1][4], `[0, ${from}] → [0, ${to}]`);
    await leave(page);
});

test('a difference says of all that it shows whether it is one', async () => {
    const { page } = await open(session.browser);
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await press(page, 'Keep as baseline');
    await typeInto(page, cell('Q', 2, 1), '1.8');
    await press(page, 'Difference');
    const texts = (selector) =>
        page.$$eval(selector, (all) => all.map((each) => each.textContent.trim()));
    assert.deepEqual(await texts('.step-weights .foot'), ['weights now − before']);
    assert.equal(await reading(page), 'Q (sat, 2): 2 → 1.8 (−0.2)');
    await page.hover(cell('Weights', 2, 1));
    assert.equal(await reading(page), 'Weights (sat, cat): 0.620 → 0.579 (−0.041)');
    assert.deepEqual(await texts('.mixhead h2'), ['sat, in context, now']);
    /** The largest difference of weights is −0.041, so it has the last of the colours: 58 %. */
    const colors = await page.$$eval('[data-grid=weights] .row.pinned .c', (all) =>
        all.map((each) => /(above|below)\) (\d+)%/.exec(each.getAttribute('style')).slice(1)),
    );
    assert.deepEqual(colors[1], ['below', '58']);
    assert.deepEqual([colors[0][0], colors[2][0]], ['above', 'above']);
    await press(page, 'Now', '.try');
    assert.deepEqual(await texts('.step-weights .foot'), ['weights rows sum to 1']);
    assert.match(await reading(page), /^q\(sat\)2 = 1\.8 \(was 2\) meets/);
    await leave(page);
});

test('an edit goes on from now, whatever is shown', async () => {
    const { page, seen } = await open(session.browser);
    await keepAndEdit(page);
    await press(page, 'Before');
    await typeInto(page, cell('Q', 2, 0), '2');
    const grids = await readGrids(page);
    assert.ok(largestError(grids, { ...example, q: example.q.with(2, [2, 1]) }) <= 1e-6);
    assert.equal(
        await page.$eval('.segments [aria-pressed=true]', (button) => button.textContent),
        'Now',
    );
    await press(page, 'Difference');
    await page.click('[aria-label="Undo"]');
    assert.ok(largestError(await readGrids(page), edited) <= 1e-6);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the baseline is forgotten on request, and other sizes cannot be compared', async () => {
    const { page } = await open(session.browser);
    await keepAndEdit(page);
    await page.focus('[role=grid][aria-label="Tokens"] [role=gridcell]');
    await page.keyboard.press('Delete');
    const states = () =>
        page.$$eval('.segments button', (all) => all.map((button) => button.disabled));
    assert.deepEqual(await states(), [true, false, true, false]);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await states(), [false, false, false, false]);
    await page.click('[aria-label="Forget the baseline"]');
    assert.equal(await page.$('.segments'), null);
    assert.equal(await said(page), 'The baseline is forgotten.');
    await leave(page);
});

test('nothing of the bar moves when a baseline is kept', async () => {
    for (const screen of ['desktop', 'laptop', 'tablet, turned', 'phone']) {
        const { page } = await open(session.browser, { screen });
        await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
        await page.waitForFunction(() => document.querySelector('.whole'));
        const places = () =>
            page.$$eval('.top > *, .tools > *, .whole > *, main', (all) =>
                all.map((part) => {
                    const { left, top, width } = part.getBoundingClientRect();
                    return `${part.className}: ${[left, top, width].join()}`;
                }),
            );
        const free = await places();
        await press(page, 'Keep as baseline');
        await page.waitForSelector('.segments');
        assert.deepEqual(await places(), free, screen);
        await press(page, 'Difference');
        assert.deepEqual(await places(), free, screen);
        const fits = await page.$eval(
            '.segments',
            (part) => part.scrollWidth <= part.clientWidth && part.clientWidth <= 222,
        );
        assert.ok(fits, screen);
        await leave(page);
    }
});
