// Positions and the order experiment: without them shuffled words get the same outputs, with
// them others. What each method does is worked out here once more, in float64.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, reading, said } from './acts.js';
import { attention, example } from './attention.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

async function openLens(page) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForSelector('.whole');
    await press(page, 'Layers');
    await page.waitForSelector('#panel-layers');
    await press(page, 'Positions', '#panel-layers');
    await page.waitForSelector('#lens-positions');
}

/** What the experiment found, per method: the largest change, and the sentence. */
const found = (page) =>
    page.$$eval('.orders table:first-child tbody tr', (rows) =>
        Object.fromEntries(
            rows.map((row) => {
                const [name, gap, verdict] = [...row.children].map((part) => part.textContent);
                return [name, [gap.replace('\u2212', '-'), verdict]];
            }),
        ),
    );

function compare(grids, wanted, bound = 1e-5) {
    for (const [name, key] of [['Scores', 'scores'], ['Weights', 'weights'], ['Output', 'output']])
        grids[name].value.forEach((row, i) =>
            row.forEach((x, j) =>
                assert.ok(
                    Math.abs(Number(x) - wanted[key][i][j]) <= bound,
                    `${name} ${i},${j}: ${x} is ${wanted[key][i][j]}`,
                ),
            ),
        );
}

/** Sines and cosines of a place, two of a frequency. */
const waves = (p, dim) =>
    Array.from({ length: dim }, (_, c) => {
        const angle = p / 10000 ** ((c - (c % 2)) / dim);
        return c % 2 ? Math.cos(angle) : Math.sin(angle);
    });
const withWaves = (rows) => rows.map((row, p) => row.map((x, c) => x + waves(p, row.length)[c]));

/** Two numbers turned by the angle of their place. */
const turn = (rows) =>
    rows.map(([a, b], p) => [
        a * Math.cos(p) - b * Math.sin(p),
        a * Math.sin(p) + b * Math.cos(p),
    ]);

test('sinusoidal positions are added to Q and K, and the arithmetic has them', async () => {
    const { page, seen } = await open(session.browser);
    const start = await readGrids(page);
    await openLens(page);
    await press(page, 'sinusoidal');
    assert.match(await said(page), /^Sinusoidal positions are added to Q and K\. /);
    const now = await readGrids(page);
    assert.deepEqual(now.Q.value, start.Q.value, 'what is yours stays');
    compare(now, attention({ ...example, q: withWaves(example.q), k: withWaves(example.k) }));
    assert.match(
        await reading(page),
        /^sat asks cat: 1\.909·0\.841 \+ 1\.584·2\.540 = 5\.630/,
    );
    await page.focus(cell('Q', 2, 0));
    assert.match(await reading(page), /^q\(sat\)1 = 1, with its place 1\.909 /);
    const picture = await page.$$eval('.picture:first-child .tile', (all) =>
        all.map((tile) => Number(tile.textContent.replace('\u2212', '-'))),
    );
    [0, 1, 2]
        .flatMap((p) => waves(p, 2))
        .forEach((x, n) => assert.ok(Math.abs(picture[n] - x) < 6e-4));
    await page.waitForFunction(() => location.hash.includes('positions:sinusoidal'));
    const { page: other } = await open(session.browser, {
        hash: await page.evaluate(() => location.hash),
    });
    assert.deepEqual((await readGrids(other)).Output, now.Output);
    await leave(other);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual((await readGrids(page)).Output.value, start.Output.value);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('in projected mode they are added to X, before W', async () => {
    const hash =
        '#1=mode:projected/x:1,0;0,1;1,1/wq:1,2;-1,0.5/wk:0,1;1,1/wv:2,0;1,3/positions:sinusoidal';
    const { page, seen } = await open(session.browser, { hash });
    const times = (x, w) =>
        x.map((row) => w[0].map((_, j) => row.reduce((sum, a, n) => sum + a * w[n][j], 0)));
    const x = withWaves([[1, 0], [0, 1], [1, 1]]);
    const q = times(x, [[1, 2], [-1, 0.5]]);
    const k = times(x, [[0, 1], [1, 1]]);
    const v = times(x, [[2, 0], [1, 3]]);
    const grids = await readGrids(page);
    compare(grids, attention({ q, k, v }));
    assert.equal(grids.X.value[1][0], '0', 'X is shown as it was given');
    await page.focus(cell('Q', 1, 0));
    assert.match(
        await reading(page),
        /^q\(cat\)1 = 0\.841·1 \+ 1\.540·\(−1\) = −0\.699 /,
    );
    assert.deepEqual(seen, []);
    await leave(page);
});

test('RoPE turns queries and keys by their places, values stay', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=positions:rope' });
    const wanted = attention({ ...example, q: turn(example.q), k: turn(example.k) });
    const grids = await readGrids(page);
    compare(grids, wanted);
    assert.ok(Math.abs(Number(grids.Scores.value[2][2]) - 3) < 1e-5, 'no distance, no change');
    await page.focus(cell('K', 1, 1));
    assert.match(await reading(page), /^k\(cat\)2 = 2, turned to 1\.081 /);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('ALiBi takes a slope times the distance from each score', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=positions:alibi/bias:2.0=0.5' });
    const { scaled } = attention(example);
    const slope = 2 ** -8;
    const sums = scaled.map((row, i) =>
        row.map((x, j) => x - slope * Math.abs(i - j) + (i === 2 && j === 0 ? 0.5 : 0)),
    );
    const grids = await readGrids(page);
    sums.forEach((row, i) =>
        row.forEach((x, j) =>
            assert.ok(Math.abs(Number(grids['Masked scores'].value[i][j]) - x) < 1e-5),
        ),
    );
    const works = await page.$$eval('.at-masked .work', (all) => all.map((one) => one.textContent));
    assert.equal(works[0], `e0.707 + 0.5 − 0.004·2 = ${Math.exp(sums[2][0]).toFixed(3)}`);
    assert.equal(works[2], `e2.121 = ${Math.exp(sums[2][2]).toFixed(3)}`);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the shuffle shows what moved, and tells what moved with it and what stayed', async () => {
    const { page } = await open(session.browser);
    await openLens(page);
    const moves = () =>
        page.evaluate(() => {
            const texts = (parts) => [...parts].map((part) => part.textContent);
            const [, before, after] = document.querySelectorAll('.moverow');
            const table = document.querySelector('.orders table:nth-child(2)');
            return {
                before: texts(before.children),
                after: texts(after.children),
                moved: texts(before.querySelectorAll('.q')),
                lines: document.querySelectorAll('.moves .gone').length,
                told: document.querySelector('.ordermoves p').textContent,
                places: texts(table.querySelectorAll('.orderplace')),
            };
        });
    assert.deepEqual(await moves(), {
        before: ['the', 'cat', 'sat'],
        after: ['sat', 'cat', 'the'],
        moved: ['the', 'sat'],
        lines: 2,
        told: 'the and sat move, and with each word its q, k and v. The places stay.',
        places: ['1 → 3', '2', '3 → 1'],
    });
    await press(page, 'RoPE');
    assert.match((await moves()).told, /The places stay, with what they tell attention\.$/);
    await page.select('select[aria-label="Mask preset"]', 'causal');
    assert.match((await moves()).told, /The places and the mask stay, with what/);
    for (let n = 0; n < 3; n++) {
        await press(page, 'Shuffle again');
        const { before, after, moved, places } = await moves();
        const goals = before.map((word) => after.indexOf(word));
        assert.deepEqual(
            moved,
            before.filter((_, at) => goals[at] !== at),
        );
        assert.deepEqual(
            places,
            goals.map((to, at) => (to === at ? `${at + 1}` : `${at + 1} → ${to + 1}`)),
        );
    }
    await leave(page);
});

test('on a phone what a shuffle made of eight words stays within its card', async () => {
    const hash = await hashOf(long(8));
    const { page } = await open(session.browser, { screen: 'phone', hash });
    await openLens(page);
    const over = await page.$$eval('.orders table, .moves, .ordermoves p', (all) => {
        const { right } = document.querySelector('.lens').getBoundingClientRect();
        return all.filter((part) => part.getBoundingClientRect().right > right - 10).length;
    });
    assert.equal(over, 0);
    assert.ok(await fitsWidth(page));
    await leave(page);
});

test('shuffled: the same outputs without positions, others with them', async () => {
    const { page, seen } = await open(session.browser);
    await openLens(page);
    const shown = await page.$eval('.shuffled span', (line) => line.textContent);
    assert.equal(shown, 'the cat sat → sat cat the');
    const back = await found(page);
    const same = 'the same outputs, in another order';
    assert.deepEqual(back.none, ['0', same]);
    const reversed = (method) => {
        const run = (q, k, v) => attention({ q: method(q), k: method(k), v }).output;
        const here = run(example.q, example.k, example.v);
        const turned = (rows) => rows.toReversed();
        const there = turned(run(turned(example.q), turned(example.k), turned(example.v)));
        return Math.max(...here.flatMap((row, i) => row.map((x, d) => Math.abs(x - there[i][d]))));
    };
    assert.deepEqual(back.sinusoidal, [reversed(withWaves).toFixed(3), 'other outputs']);
    assert.deepEqual(back.RoPE, [reversed(turn).toFixed(3), 'other outputs']);
    assert.equal(back.ALiBi[1], 'the same: backwards, each distance is what it was');
    let alibi = 0;
    for (let n = 0; n < 4; n++) {
        await press(page, 'Shuffle again');
        const shuffled = await found(page);
        assert.ok(Number(shuffled.none[0]) <= 1e-6);
        assert.equal(shuffled.none[1], same);
        alibi += shuffled.ALiBi[1] === 'other outputs';
    }
    assert.ok(alibi > 0, 'another order has other distances');
    await page.select('select[aria-label="Mask preset"]', 'causal');
    assert.equal((await found(page)).none[1], 'other outputs');
    assert.match(
        await page.$eval('.order', (part) => part.textContent),
        /The mask counts places too, so it tells the order by itself\.$/,
    );
    assert.deepEqual(seen, []);
    await leave(page);
});

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`axe-core finds nothing with positions, and text fits: ${screen}`, async () => {
        for (const [theme, hash] of [
            ['light', '#1=positions:sinusoidal'],
            ['dark', '#1=positions:rope'],
            ['light', '#1=positions:alibi/mask:causal'],
        ]) {
            const { page, seen } = await open(session.browser, { screen, theme, hash });
            await openLens(page);
            assert.deepEqual(await axeFindings(page), [], hash);
            assert.deepEqual(await cutText(page), [], hash);
            assert.ok(await fitsWidth(page), hash);
            assert.deepEqual(seen, [], hash);
            await leave(page);
        }
    });
}
