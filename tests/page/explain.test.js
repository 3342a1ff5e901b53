// Any cell explains itself with its real numbers; pointing previews, and leaving returns to what is
// pinned.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../web/page/examples.js';
import { defaultDocument } from '../../web/page/schema.js';
import { f3, reading } from './acts.js';
import { attention, example } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { hashOf } from './long.js';

const session = useBrowser();

test('the reading line works the pinned weight out', async () => {
    const { page } = await open(session.browser);
    assert.equal(
        await reading(page),
        'sat asks cat: 1·0 + 2·2 = 4 → 4 ÷ √2 = 2.828 ' +
            '→ e2.828 ÷ 27.289 = 0.620 → 0.620 × [0, 4] = [0, 2.480]',
    );
    await leave(page);
});

test('every weight cell, pointed at, says the numbers that make it', async () => {
    const { page } = await open(session.browser);
    const { weights, exponentials } = attention(example);
    for (let i = 0; i < 3; i++) {
        const sum = exponentials[i].reduce((a, b) => a + b, 0);
        for (let j = 0; j < 3; j++) {
            await page.hover(cell('Weights', i, j));
            assert.ok(
                (await reading(page)).includes(` ÷ ${f3(sum)} = ${f3(weights[i][j])} `),
                await reading(page),
            );
        }
    }
    await page.mouse.move(5, 5);
    assert.match(await reading(page), /^sat asks cat/);
    await leave(page);
});

test('what the page moves under a pointer at rest is not pointed at, until it moves', async () => {
    const { page } = await open(session.browser);
    await page.setViewport({ width: 1440, height: 500 });
    const pinned = await reading(page);
    const box = await (await page.$(cell('Weights', 2, 0))).boundingBox();
    const at = { x: box.x + box.width / 2, y: 230 };
    await page.mouse.move(at.x, at.y);
    assert.equal(await reading(page), pinned);
    await page.evaluate((by) => scrollBy(0, by), box.y + box.height / 2 - at.y);
    /* A browser may take its time to tell a page what came under the pointer. */
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    const under = ({ x, y }) => document.elementFromPoint(x, y).closest('[data-at]')?.dataset.at;
    assert.equal(await page.evaluate(under, at), 'weights:2:0');
    assert.equal(await reading(page), pinned);
    await page.mouse.move(at.x + 1, at.y);
    assert.match(await reading(page), /^sat asks the: /);
    await leave(page);
});

test('each kind of cell has an explanation of its own', async () => {
    const { page } = await open(session.browser);
    const expected = {
        Q: [[2, 1], 'q(sat)2 = 2 meets number 2 of every key: the 2·0 cat 2·2 sat 2·1'],
        K: [[1, 1], 'k(cat)2 = 2 meets number 2 of every query: the −1·2 cat 1·2 sat 2·2'],
        V: [[1, 1], 'v(cat)2 = 4 → sat takes 0.620 of it: → 0.620 × 4 = 2.480'],
        Output: [[2, 0], 'o(sat)1 = 0.074·2 + 0.620·0 + 0.306·1 = 0.454'],
        Mask: [[2, 1], 'sat may look at cat: the mask adds 0, the score stays → weight 0.620'],
        Tokens: [
            [0, 2],
            'sat takes 0.620 of cat, 0.306 of sat, 0.074 of the → output [0.454, 2.786]',
        ],
    };
    for (const [grid, [[i, j], sentence]] of Object.entries(expected)) {
        const selector =
            grid === 'Tokens' ? '[aria-label=Tokens] [aria-selected=true]' : cell(grid, i, j);
        await page.hover(selector);
        assert.equal(await reading(page), sentence, grid);
    }
    await leave(page);
});

test('one highlight is shared: a weight lights what it is made of, and its line', async () => {
    const { page } = await open(session.browser);
    await page.hover(cell('Weights', 2, 0));
    const lit = await page.$$eval('[role=grid] [data-lit]', (cells) =>
        cells.map((element) => element.dataset.at).sort(),
    );
    assert.deepEqual(lit, [
        'K:0:0',
        'K:0:1',
        'Q:2:0',
        'Q:2:1',
        'V:0:0',
        'V:0:1',
        'mask:2:0',
        'masked:2:0',
        'scaled:2:0',
        'scores:2:0',
        'weights:2:0',
    ]);
    assert.equal(
        await page.$eval('.line.near [role=rowheader]', (header) => header.textContent),
        'the',
    );
    await leave(page);
});

test('pointing at another row does not move the pinned one; a click does', async () => {
    const { page } = await open(session.browser);
    const pinned = () => page.$eval('[role=table]', (table) => table.getAttribute('aria-label'));
    await page.hover(cell('Weights', 0, 2));
    assert.match(await reading(page), /^the asks sat/);
    assert.equal(await pinned(), 'Row: sat');
    await page.click(cell('Weights', 0, 2));
    assert.equal(await pinned(), 'Row: the');
    await page.mouse.move(5, 5);
    assert.match(await reading(page), /^the asks sat/);
    await leave(page);
});

test('neither pointing nor an edit moves anything', async () => {
    const { page } = await open(session.browser);
    const boxes = () =>
        page.$$eval('[role=gridcell], .line, .gate, .token, .foot, .reading, .pill', (all) =>
            all.map((element) => {
                const { x, y, width, height } = element.getBoundingClientRect();
                return [x, y, width, height].map(Math.round).join(' ');
            }),
        );
    const still = await boxes();
    for (const [grid, i, j] of [
        ['Weights', 0, 2],
        ['K', 1, 1],
        ['V', 0, 1],
        ['Mask', 1, 2],
        ['Output', 0, 1],
    ]) {
        await page.hover(cell(grid, i, j));
        assert.deepEqual(await boxes(), still, grid);
    }
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('-1.5');
    await page.keyboard.press('Enter');
    assert.deepEqual(await boxes(), still, 'an edit');
    assert.ok(await page.$('.said .button'), 'the line that tells of it had its place');
    await leave(page);
});

test('an overflow is named where the numbers end, and nothing is said to be hidden', async () => {
    const { page, seen } = await open(session.browser);
    for (const at of [cell('Q', 2, 0), cell('K', 1, 0)]) {
        await page.focus(at);
        await page.keyboard.type('1e38');
        await page.keyboard.press('Enter');
    }
    await page.focus(cell('Weights', 2, 1));
    const why =
        'a score of the row is beyond ±3.4·10³⁸, where numbers end here: ' +
        '∞ − ∞ has no answer, so the row is NaN';
    assert.ok((await reading(page)).includes(`→ ∞ ÷ √2 = ∞ → ${why}`), await reading(page));
    await page.focus(cell('Output', 2, 1));
    const output = await reading(page);
    assert.ok(output.startsWith('o(sat)2 = NaN') && output.includes(why), output);
    const whole = await page.$eval('main', (main) => main.innerText);
    assert.ok(!whole.includes('no key left'));
    assert.ok(!whole.includes('rows sum to 1'));
    assert.equal(await page.$eval('.shares', (bar) => bar.textContent), 'a score is too large');
    const widths = await page.$$eval('.bar > span', (bars) => bars.map((bar) => bar.style.width));
    assert.deepEqual(widths, ['0%', '0%', '0%']);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a row whose every score fell below float32 is not said to be hidden', async () => {
    const { page } = await open(session.browser);
    for (const [at, typed] of [
        [cell('Q', 2, 0), '-1e38'],
        ...[0, 1, 2].map((j) => [cell('K', j, 0), '1e38']),
    ]) {
        await page.focus(at);
        await page.keyboard.type(typed);
        await page.keyboard.press('Enter');
    }
    await page.focus(cell('Weights', 2, 1));
    const said = await reading(page);
    assert.ok(said.includes('every score of the row is below −3.4·10³⁸, where numbers end'), said);
    assert.ok(!said.includes('hidden'), said);
    assert.equal(await page.$eval('.shares', (bar) => bar.textContent), 'every score is −∞');
    await leave(page);
});

test('the sentence hides a key in the way that the mask does', async () => {
    const begin = 'cat asks sat: −1·1 + 1·1 = 0 → 0 ÷ √2 = 0 → ';
    const open3 = attention(example);
    const [late] = open3.exponentials.slice(1).map((row) => row.reduce((a, b) => a + b, 0));
    const causal = attention({ ...example, allowed: (i, j) => j <= i });
    const sum = causal.exponentials[1].reduce((a, b) => a + b, 0);
    const most = Math.max(...causal.masked[1]);
    const kept = open3.weights[1][0] + open3.weights[1][1];
    const ways = {
        before: {
            reads: `${begin}hidden by the mask, so −∞ → e−∞ ÷ ${f3(sum)} = 0`,
            foot: 'masked 3 of 9 hidden',
            head: 'cat, where it may look',
            signs: ['0', '0', '-∞'],
        },
        after: {
            reads: `${begin}e0 ÷ ${f3(late)}, then set to 0`,
            foot: 'masked 3 hidden later',
            head: `cat, where it may look, shares sum to ${f3(kept)}`,
            signs: ['1', '1', '0'],
        },
        bias: {
            reads:
                `${begin}0 − 1·109 = −1·109 → ` +
                `e−1·109 − ${f3(most)} ÷ ${f3(sum / Math.exp(most))} = 0`,
            foot: 'masked 3 of 9 hidden',
            head: 'cat, where it may look',
            signs: ['0', '0', '-1e9'],
        },
    };
    const mask = { preset: 'causal', pad: 1, inverted: false, painted: {} };
    for (const [maskOrder, { reads, foot, head, signs }] of Object.entries(ways)) {
        const focus = { grid: 'weights', row: 1, col: 2 };
        const fields = { mask, maskOrder, query: 1, key: 2, focus };
        const { name: _, ...sentence } = examples.sentence;
        const hash = await hashOf({ ...defaultDocument(), ...sentence, ...fields });
        const { page } = await open(session.browser, { hash });
        assert.equal(await reading(page), reads);
        const { Mask } = await readGrids(page);
        assert.deepEqual(Mask.text[1], signs);
        const words = (selector) => page.$eval(selector, (one) => one.textContent.trim());
        assert.equal(await words('.step-masked .foot'), foot);
        assert.equal(await words('.mixhead h2'), head);
        await leave(page);
    }
});

test('a row hidden by −1e9 alone reads its keys all the same, and the sentence works it out', async () => {
    const mask = { preset: 'all', pad: 1, inverted: false, painted: {} };
    const { name: _, ...sentence } = examples.sentence;
    const hash = await hashOf({ ...defaultDocument(), ...sentence, mask, maskOrder: 'bias' });
    const { page } = await open(session.browser, { hash });
    assert.match(await reading(page), / = 0\.333 → 0\.333 × \[0, 4\] = \[0, 1\.333\]$/);
    await leave(page);
});
