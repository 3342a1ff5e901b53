// Heads: q, k and v split by width, each head its own attention, the chosen one large. Sizes of q,
// k and v, and sums of many terms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../web/page/examples.js';
import { attention, example, largestError } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { fitsWidth } from './judge.js';
import { block, hashOf, long } from './long.js';

const session = useBrowser();

const choose = (page, name) => page.click(`button[aria-label="${name}"]`);
const numbers = (rows) => rows.map((row) => row.map(Number));
const inputOf = (grids) => ({
    q: numbers(grids.Q.value),
    k: numbers(grids.K.value),
    v: numbers(grids.V.value),
});
const inHead = (document, head) =>
    Object.fromEntries(
        ['q', 'k', 'v'].map((name) => [name, block(document[name], document.heads, head)]),
    );

test('every head is the attention of its own columns', async () => {
    const document = long(4, { heads: 3 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    for (let head = 0; head < 3; head++) {
        await choose(page, `Weights, head ${head + 1}`);
        const now = await readGrids(page);
        assert.deepEqual(inputOf(now), inHead(document, head));
        assert.ok(largestError(now, inHead(document, head)) <= 1e-6, `head ${head + 1}`);
    }
    assert.deepEqual(seen, []);
    await leave(page);
});

test('an edit in one head moves no number of another', async () => {
    const document = long(4, { heads: 2 });
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    const first = await readGrids(page);
    await choose(page, 'Weights, head 2');
    await page.focus(cell('K', 1, 0));
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    const input = inHead(document, 1);
    input.k[1][0] = 9;
    assert.ok(largestError(await readGrids(page), input) <= 1e-6);
    await choose(page, 'Weights, head 1');
    const now = await readGrids(page);
    for (const name of Object.keys(first)) assert.deepEqual(now[name].value, first[name].value);
    await leave(page);
});

test('heads are added and taken away, the first ones as they were', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await page.select('[aria-label="Number of heads"]', '4');
    const now = await readGrids(page);
    for (const name of Object.keys(old)) assert.deepEqual(now[name].value, old[name].value, name);
    assert.equal((await page.$$('button[aria-label^="Weights, head"]')).length, 4);
    await choose(page, 'Weights, head 4');
    const fourth = await readGrids(page);
    assert.notDeepEqual(fourth.Q.value, old.Q.value);
    assert.ok(largestError(fourth, inputOf(fourth)) <= 1e-6);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('d_k and d_v are set, and the scale follows d_k', async () => {
    const { page } = await open(session.browser);
    await page.select('[aria-label="Numbers in a query and a key"]', '1');
    let now = await readGrids(page);
    const one = (rows) => rows.map((row) => row.slice(0, 1));
    const thin = { ...example, q: one(example.q), k: one(example.k) };
    assert.ok(largestError(now, thin) <= 1e-6);
    await page.select('[aria-label="Numbers in a value"]', '3');
    now = await readGrids(page);
    assert.deepEqual(
        now.V.value.map((row) => row.slice(0, 2).map(Number)),
        example.v,
    );
    assert.equal(now.Output.value[0].length, 3);
    assert.ok(largestError(now, { ...thin, v: numbers(now.V.value) }) <= 1e-6);
    await leave(page);
});

test('a sum of 64 terms is folded, and opens', async () => {
    const document = long(3, { dims: 64 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    const reading = () => page.$eval('#reading', (line) => line.textContent);
    assert.match(await reading(), /Σ 64 terms = /);
    assert.ok(!(await reading()).includes('·'));
    await page.click('#reading button.terms');
    const spelled = await reading();
    assert.equal(spelled.split(' → ')[0].match(/·/g).length, 64);
    const { q, k, v } = document;
    const { scores } = attention({ q, k, v });
    assert.equal(Number(await scoreOf(page)).toFixed(3), scores[2][2].toFixed(3));
    assert.deepEqual(seen, []);
    await leave(page);
});

const scoreOf = (page) =>
    page.evaluate(() => {
        document.querySelector('[data-map=scores]').click();
        return new Promise((done) => {
            requestAnimationFrame(() =>
                done(document.querySelector('[data-at="scores:2:2"]').dataset.value),
            );
        });
    });

test('the example has four heads by rule: the word before, the first, what fits, anything', async () => {
    const { page, seen } = await open(session.browser);
    await page.select('[aria-label="Examples"]', 'animal');
    await page.waitForSelector('button[aria-label="Weights, head 4"]');
    const weights = [];
    for (let head = 1; head <= 4; head++) {
        await choose(page, `Weights, head ${head}`);
        weights.push(numbers((await readGrids(page)).Weights.value));
    }
    const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
    const before = weights[0].slice(1).map((row, i) => row[i]);
    assert.ok(mean(before) > 0.4, `${mean(before)} at the word before`);
    assert.ok(mean(weights[1].map((row) => row[0])) > 0.7, 'at the first word');
    assert.ok(weights[2][7][1] > 0.6, 'it finds animal');
    assert.ok(Math.max(...weights[3].flat()) < 0.4, 'nothing stands out');
    const under = await page.$$eval('.headname', (all) => all.map((each) => each.textContent));
    const { tokens } = examples.animal;
    const most = weights.map((rows, n) => {
        const weight = Math.max(...rows[7]);
        return `${n + 1} ${tokens[rows[7].indexOf(weight)]} ${weight.toFixed(3)}`;
    });
    assert.deepEqual(under, most);
    assert.equal(
        await page.$eval('.headnote', (note) => note.innerText),
        'Under each: the key that it attends to most.',
    );
    assert.ok(await fitsWidth(page));
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a score set by hand is one of the head that is shown', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(4, { heads: 2 })) });
    const head = (n) => page.click(`[aria-label="Weights, head ${n}"]`);
    const old = await readGrids(page);
    await head(2);
    const second = await readGrids(page);
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    assert.equal((await readGrids(page)).Scores.value[1][2], '7');
    await head(1);
    assert.deepEqual((await readGrids(page)).Scores, old.Scores, 'the other head follows q·k');
    assert.deepEqual((await readGrids(page)).Weights, old.Weights);
    await head(2);
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.press('Delete');
    assert.deepEqual((await readGrids(page)).Scores, second.Scores);
    await leave(page);
});

test('a link of before, with a score for every head, still says so; one is let go of', async () => {
    const hash = await hashOf(long(4, { heads: 2, scoreEdits: { '1,2': 7 } }));
    const { page } = await open(session.browser, { hash });
    const head = (n) => page.click(`[aria-label="Weights, head ${n}"]`);
    const score = async () => (await readGrids(page)).Scores.value[1][2];
    assert.equal(await score(), '7');
    await head(2);
    assert.equal(await score(), '7');
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.press('Delete');
    assert.notEqual(await score(), '7');
    await head(1);
    assert.equal(await score(), '7');
    await leave(page);
});
