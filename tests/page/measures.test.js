// The labs that measure and do not train, and the gradients of a row: what stands there is what the
// engine says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSync } from '../../web/api/index.js';
import { examples } from '../../web/page/examples.js';
import { labOf } from '../../web/page/lab/labs.js';
import { gapOf, spreadOf } from '../../web/page/lab/measures.js';
import { f3, press, said, setNumber, undo } from './acts.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings } from './judge.js';
import { hashOf } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

const engine = loadSync({ simd: 'simd128' });

const column = (page, n) =>
    page.$$eval(
        '.lab tbody tr',
        (rows, n) => rows.map((row) => row.querySelectorAll('td')[n].textContent),
        n,
    );

test('every gradient of the pinned row is the engine’s, and a hard argmax has none', async () => {
    const { page, seen } = await open(session.browser);
    await page.click('[data-gate=weights]');
    const { q, k, v } = examples.sentence;
    for (const row of [2, 0]) {
        await page.focus(cell('Weights', row, 0));
        const { data } = engine.softmaxJacobian(engine.inspect(q, k, v).weights.toNested()[row]);
        const [softmax, argmax] = await page.$$eval('.jacobian', (tables) =>
            tables.map((table) => [...table.querySelectorAll('td')].map((td) => td.textContent)),
        );
        assert.deepEqual(softmax, Array.from(data, f3));
        assert.deepEqual(argmax, Array(9).fill('0'));
    }
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('scores spread as √d_k, as measured by the engine', async () => {
    const { page } = await open(session.browser, { hash: '#1=lab:spread,kind=coin,seed=5' });
    const numbers = () => page.$$eval('.labnumbers dd', (all) => all.map((dd) => dd.textContent));
    for (const dk of [64, 2, 256]) {
        if (dk !== 64)
            await setNumber(page, 'Numbers in a query and a key, measured', String(dk));
        const found = spreadOf(engine, { dk, kind: 'coin', seed: 5 });
        const [raw, scaled] = found.map(({ measured }) => measured);
        assert.ok(Math.abs(raw / Math.sqrt(dk) - 1) < 0.05, `${raw}`);
        assert.ok(Math.abs(scaled - 1) < 0.05, `${scaled}`);
        const area = found[0].bars.reduce((sum, b) => sum + b.density * (b.to - b.from), 0);
        assert.ok(Math.abs(area - 1) < 1e-9);
        const shown = await numbers();
        assert.equal(shown[0], raw.toFixed(3));
        assert.equal(shown[3], scaled.toFixed(3));
        assert.equal(shown[4], '1');
    }
    assert.deepEqual((await numbers()).slice(1, 3), ['√256 = 16', '6 · 16 = 96']);
    assert.match(page.url(), /lab:spread/);
    await leave(page);
});

test('a saturated softmax passes no gradient, a hard argmax none', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=lab:gap' });
    assert.deepEqual(await column(page, 0), ['24', '1.000', '0', '3.8·10−11', '3.8·10−11', '0']);
    assert.deepEqual(await column(page, 1), ['3', '0.953', '0.047', '0.047', '0.045', '0']);
    const texts = (selector) =>
        page.$$eval(selector, (all) => all.map((one) => one.textContent.trim()));
    assert.deepEqual(await texts('.legend > span'), ['gap', 'as they are', '÷ √64']);
    assert.deepEqual(await texts('.ytick'), ['10⁻¹²', '10⁻⁸', '10⁻⁴', '10⁰']);
    await press(page, 'Put it into the page', '.lab');
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 2);
    assert.match(await said(page), /^A gap of 24 is on the page\./);
    const weights = async () => (await readGrids(page)).Weights.value[0].map(Number);
    const near = (found, wanted) =>
        found.every((x, n) => Math.abs(x - wanted[n]) <= 1e-6 * wanted[n]);
    const [half, whole] = [gapOf(engine, 3), gapOf(engine, 24)];
    assert.ok(near(await weights(), [half.other, half.weight]));
    await page.click('[role=switch][aria-label="Scale by √d_k"]');
    assert.ok(near(await weights(), [whole.other, whole.weight]));
    assert.ok(await page.$('.lab-gap'), 'the lab is open still');
    await setNumber(page, 'Gap between two scores', '8');
    assert.deepEqual(await column(page, 1), ['1', '0.731', '0.269', '0.269', '0.197', '0']);
    await setNumber(page, 'Gap between two scores', '81');
    assert.match(await said(page), /^The gap takes a whole number from 0 to 80, not “81”\./);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a high weight on a value of nearly nothing, and undo', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=lab:norms' });
    const rows = () => page.$$eval('.lab tbody tr', (all) => all.map((row) => row.textContent));
    const first = ['the0.0742.0000.149', 'cat0.6204.0002.480', 'sat0.3061.4140.432'];
    assert.deepEqual(await rows(), first);
    await press(page, 'Make v(cat) nearly 0', '.lab');
    assert.deepEqual((await rows())[1], 'cat0.6200.0140.009');
    assert.equal(
        await page.$eval('.lab .runline', (found) => found.textContent),
        'Most weight is on cat, but sat brings most.',
    );
    await undo(page);
    assert.deepEqual(await rows(), first, 'one step of undo');
    assert.deepEqual(seen, []);
    await leave(page);
    const projected = { ...STATES.projected.document, lab: labOf('norms') };
    const wo = [
        [0, 0],
        [0, 3],
    ];
    const { page: other } = await open(session.browser, {
        hash: await hashOf({ ...projected, wo }),
    });
    const doc = projected;
    assert.deepEqual(doc.wv, [[2, 0], [0, 4], [1, 1]]);
    const lines = await other.$$eval('.lab tbody tr', (all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((td) => td.textContent)),
    );
    assert.deepEqual(
        lines.map((cells) => cells.slice(3)),
        [['0', '0'], ['12.000', '7.440'], ['3.000', '0.917']],
        '‖W_O·v‖ of [2, 0], [0, 4] and [1, 1], and times the weight',
    );
    await leave(other);
});
