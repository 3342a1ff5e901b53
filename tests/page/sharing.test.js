// Heads that share keys and values, what is learned, the output projection, and decoding with
// the cache.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSync } from '../../web/api/index.js';
import { press, said, typeInto } from './acts.js';
import { attention } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { block, hashOf, long } from './long.js';

const session = useBrowser();

const numbers = (grid) => grid.value.map((row) => row.map(Number));
const times = (x, w) =>
    x.map((row) => w[0].map((_, j) => row.reduce((sum, a, n) => sum + a * w[n][j], 0)));
const nearAll = (got, wanted, bound = 1e-5) =>
    wanted.forEach((row, i) =>
        row.forEach((x, j) =>
            assert.ok(Math.abs(got[i][j] - x) <= bound, `${i},${j}: ${got[i][j]} is ${x}`),
        ),
    );

async function openLens(page, name) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForSelector('.whole');
    await press(page, 'Layers');
    await page.waitForSelector('#panel-layers');
    await press(page, name, '#panel-layers');
    await page.waitForSelector('.lens');
}

const learned = (page) =>
    page.$$eval('.parameters p', (all) => all.map((line) => line.textContent));

test('four heads share two, one, and four sets of keys and values', async () => {
    const doc = long(3, { heads: 4 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(doc) });
    const start = await readGrids(page);
    await openLens(page, 'Heads');
    assert.deepEqual(await learned(page), [
        'Nothing: 0 parameters. Q, K and V are given, and attention itself has none.',
        'A cache keeps 4 × (2 + 2) = 16 numbers for each word.',
    ]);
    await press(page, 'GQA 2');
    assert.match(await said(page), /^4 heads share 2 sets of keys and values, the mean of those/);
    const mean = (matrix, heads) =>
        matrix.map((row) =>
            [0, 1].map((c) => heads.reduce((sum, h) => sum + row[2 * h + c], 0) / heads.length),
        );
    for (const [head, group] of [[0, [0, 1]], [3, [2, 3]]]) {
        await press(page, `head ${head + 1}`, '.groups');
        const grids = await readGrids(page);
        const [q, k, v] = [block(doc.q, 4, head), mean(doc.k, group), mean(doc.v, group)];
        nearAll(numbers(grids.K), k);
        nearAll(numbers(grids.Output), attention({ q, k, v }).output);
    }
    assert.match((await learned(page))[1], /2 × \(2 \+ 2\) = 8 numbers/);
    await press(page, 'MQA 1');
    assert.match((await learned(page))[1], /1 × \(2 \+ 2\) = 4 numbers/);
    const one = await readGrids(page);
    nearAll(numbers(one.K), mean(doc.k, [0, 1, 2, 3]));
    await page.waitForFunction(() => location.hash.includes('kvHeads:1'));
    await page.click('[aria-label="Undo"]');
    await page.click('[aria-label="Undo"]');
    await press(page, 'head 1', '.groups');
    assert.deepEqual((await readGrids(page)).Output.value, start.Output.value);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('back from one shared set to four, keys and values are those of before, or copies', async () => {
    const doc = long(3, { heads: 4 });
    const { page } = await open(session.browser, { hash: await hashOf(doc) });
    const keysOf = async (head) => {
        await press(page, `head ${head}`, '.groups');
        return numbers((await readGrids(page)).K);
    };
    await openLens(page, 'Heads');
    await press(page, 'MQA 1');
    const shared = await keysOf(3);
    await press(page, 'GQA 2');
    await press(page, 'MHA 4');
    assert.match(await said(page), /^Every head has keys and values of its own, as they were\. /);
    for (const head of [1, 3])
        assert.deepEqual(await keysOf(head), block(doc.k, 4, head - 1), `head ${head}`);
    await press(page, 'MQA 1');
    await typeInto(page, cell('V', 0, 0), '9');
    await press(page, 'MHA 4');
    assert.match(await said(page), /keys and values of its own, a copy of those that it shared\. /);
    assert.deepEqual(await keysOf(2), shared);
    await leave(page);
});

const projected = {
    x: [[1, 0], [0, 1], [1, 1]],
    wq: [[1, 2, 0.5, 1], [-1, 0.5, 1, 0]],
    wk: [[0, 1], [1, 1]],
    wv: [[2, 0], [1, 3]],
    wo: [[1, 0], [0, 1], [1, 1], [0.5, -1]],
};
const text = (name) => `${name}:${projected[name].map((row) => row.join()).join(';')}`;
const given = (...names) =>
    `#1=mode:projected/heads:2/kvHeads:1/${names.map(text).join('/')}`;

test('W_O joins the heads as the multi-head call does', async () => {
    const hash = given('x', 'wq', 'wk', 'wv');
    const { page, seen } = await open(session.browser, { hash });
    await openLens(page, 'Heads');
    assert.equal((await learned(page))[0], 'WQ 2×4 + WK 2×2 + WV 2×2 = 16 = d·H·dk + d·Hkv·(dk + dv)');
    assert.equal((await readGrids(page)).W_O, undefined);
    await page.click('[role=switch][aria-label="Output projection"]');
    assert.equal(
        (await learned(page))[0],
        'WQ 2×4 + WK 2×2 + WV 2×2 + WO 4×2 = 24 = d·H·dk + d·Hkv·(dk + dv) + H·dv·dout',
    );
    for (const [i, row] of projected.wo.entries())
        for (const [j, x] of row.entries()) {
            await page.focus(cell('W_O', i, j));
            await page.keyboard.type(String(x));
            await page.keyboard.press('Enter');
        }
    assert.match(await said(page), /^WO\[4, 2\] went from 0 to −1\. 3 numbers followed/);
    const grids = await readGrids(page);
    const heads = [0, 1].map((h) =>
        attention({
            q: block(times(projected.x, projected.wq), 2, h),
            k: times(projected.x, projected.wk),
            v: times(projected.x, projected.wv),
        }).output,
    );
    const concat = heads[0].map((row, i) => [...row, ...heads[1][i]]);
    nearAll(numbers(grids.Concatenation), concat);
    nearAll(numbers(grids['Projected output']), times(concat, projected.wo));

    const turned = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));
    const module = loadSync().multiHeadAttention({
        embedDim: 2,
        heads: 2,
        kvHeads: 1,
        headDim: 2,
        valueHeadDim: 2,
        bias: false,
        weights: {
            'q_proj.weight': turned(projected.wq),
            'k_proj.weight': turned(projected.wk),
            'v_proj.weight': turned(projected.wv),
            'out_proj.weight': turned(projected.wo),
        },
    });
    const whole = module.inspect(projected.x, projected.x);
    nearAll(numbers(grids['Projected output']), whole.projected.toNested(), 1e-6);
    module.dispose();

    await page.focus(cell('Projected output', 2, 0));
    assert.match(
        await page.$eval('#reading', (line) => line.textContent.replace(/\s+/g, ' ')),
        /y\(sat\)1 = .*·1 \+ .*·0 \+ .*·1 \+ .*·0\.5 = /,
    );
    await page.waitForFunction(() => location.hash.includes('wo:1,0;0,1;1,1;0.5,-1'));
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a word has as many numbers as asked for: d_model', async () => {
    const hash = given('x', 'wq', 'wk', 'wv', 'wo');
    const { page, seen } = await open(session.browser, { hash });
    const start = await readGrids(page);
    await page.select('select[aria-label="Numbers in a word"]', '3');
    assert.match(await said(page), /^Words have 3 numbers now, not 2\. /);
    const grids = await readGrids(page);
    assert.deepEqual(
        ['X', 'W_Q', 'W_K', 'W_V'].map((name) => [
            grids[name].value.length,
            grids[name].value[0].length,
        ]),
        [[3, 3], [3, 2], [3, 2], [3, 2]],
    );
    nearAll(numbers(grids.Q), times(numbers(grids.X), numbers(grids.W_Q)));
    await page.click('[aria-label="Undo"]');
    assert.deepEqual((await readGrids(page)).Output.value, start.Output.value);
    await page.select('select[aria-label="Numbers in a word"]', '1');
    assert.equal((await readGrids(page)).X.value[0].length, 1);
    assert.deepEqual(seen, []);
    await leave(page);
});

/** The lines of the decoder: word, keys, output from the cache, row of the full call, difference. */
const lines = (page) =>
    page.$$eval('.lens-decode tbody tr', (rows) =>
        rows.map((row) => [...row.children].map((part) => part.textContent)),
    );
const cached = (page) =>
    page.$$eval('.cache .picture:first-child .tiles', (rows) =>
        rows.map((row) => [...row.children].map((part) => part.textContent)),
    );

test('decoding reads a query at a time; each row is that of the full call', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=mask:causal' });
    const full = await readGrids(page);
    await openLens(page, 'Decoding');
    assert.match(await page.$eval('.lens', (card) => card.textContent), /The cache is empty\./);
    const words = ['the', 'cat', 'sat'];
    for (let n = 1; n <= 3; n++) {
        await press(page, 'Next word');
        const rows = await lines(page);
        assert.equal(rows.length, n);
        const [word, keys, output, row, gap] = rows.at(-1);
        assert.deepEqual([word, keys], [words[n - 1], String(n)]);
        assert.equal(output, row);
        const shown = full.Output.value[n - 1].map((x) => Number(x));
        const read = output.slice(1, -1).split(', ').map(Number);
        nearAll([read], [shown], 6e-4);
        assert.ok(Number(gap) <= 1e-6, gap);
        assert.equal((await cached(page)).length, n, 'the cache grows by one');
        assert.match(
            await said(page),
            new RegExp(`^${words[n - 1]} was read against ${n} keys? of the cache: its output is`),
        );
    }
    assert.deepEqual(await cached(page), [
        ['the', '1', '0'],
        ['cat', '0', '2'],
        ['sat', '1', '1'],
    ]);
    assert.equal(
        await page.$eval('.lens .button', (button) => button.getAttribute('aria-disabled')),
        'true',
    );
    await press(page, 'Back');
    assert.equal((await lines(page)).length, 2);
    await press(page, 'Start again');
    assert.equal((await lines(page)).length, 0);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the words that are decoded have their room: nothing moves, nothing is covered', async () => {
    const { page } = await open(session.browser);
    await openLens(page, 'Decoding');
    const places = () =>
        page.evaluate(() => {
            const [lens, words] = ['.lens', '.words'].map((part) =>
                document.querySelector(part).getBoundingClientRect(),
            );
            return { top: lens.top, bottom: lens.bottom, words: words.top };
        });
    await page.waitForFunction(() => scrollY > 0);
    const { top } = await places();
    for (let n = 0; n < 3; n++) {
        await press(page, 'Next word');
        const now = await places();
        assert.equal(now.top, top);
        assert.ok(now.bottom <= now.words, `${now.bottom} under ${now.words}`);
    }
    await leave(page);
});

test('a window lets the oldest key leave; positions, cap and groups stay the same row', async () => {
    const doc = long(5, {
        heads: 2,
        positions: 'rope',
        softcap: 3,
        temperature: 2,
        mask: { preset: 'window', window: 2 },
    });
    for (const positions of ['rope', 'alibi', 'sinusoidal']) {
        const hash = await hashOf({ ...doc, positions });
        const { page, seen } = await open(session.browser, { hash });
        const { Output } = await readGrids(page);
        await openLens(page, 'Decoding');
        for (let n = 0; n < 5; n++) await press(page, 'Next word');
        const rows = await lines(page);
        assert.deepEqual(rows.map(([, keys]) => keys), ['1', '2', '2', '2', '2']);
        rows.forEach(([, , output, row, gap], n) => {
            assert.equal(output, row, positions);
            assert.ok(Number(gap.replace(/·10.*/, 'e-9')) <= 1e-6, gap);
            const read = output.slice(1, -1).replaceAll('\u2212', '-').split(', ').map(Number);
            if (Output) nearAll([read], [Output.value[n].map(Number)], 6e-4);
        });
        assert.deepEqual((await cached(page)).map(([word]) => word), doc.tokens.slice(3));
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('keys from elsewhere are not generated', async () => {
    const hash = '#1=tokens:a,b/keyTokens:c/q:1;2/k:1/v:1';
    const { page, seen } = await open(session.browser, { hash });
    await openLens(page, 'Decoding');
    assert.match(await page.$eval('.lens', (card) => card.textContent), /nothing to generate/);
    await press(page, 'Positions', '#panel-layers');
    assert.match(await page.$eval('.lens', (card) => card.textContent), /no order to shuffle/);
    assert.deepEqual(seen, []);
    await leave(page);
});

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`axe-core finds nothing in these lenses, and text fits: ${screen}`, async () => {
        for (const theme of ['light', 'dark']) {
            for (const name of ['Heads', 'Decoding']) {
                const hash = given('x', 'wq', 'wk', 'wv', 'wo');
                const { page, seen } = await open(session.browser, { screen, theme, hash });
                await openLens(page, name);
                if (name === 'Decoding') await press(page, 'Next word');
                assert.deepEqual(await axeFindings(page), [], theme);
                assert.deepEqual(await cutText(page), [], theme);
                assert.ok(await fitsWidth(page), theme);
                assert.deepEqual(seen, [], theme);
                await leave(page);
            }
        }
    });
}
