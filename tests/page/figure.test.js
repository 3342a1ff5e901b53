// How the page grows: numbers to 8 tokens, tiles to 16, then a canvas with one cell that the
// keyboard moves. Every matrix can be the large one, and the row table says what the pinned query
// does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attention, largestError } from './attention.js';
import { leave, open, readGrids, useBrowser } from './browser.js';
import { block, hashOf, long } from './long.js';

const session = useBrowser();

/** The matrices of a document alone; its scale is a word. */
const inputOf = ({ q, k, v }) => ({ q, k, v });

const near = (got, want, name) =>
    assert.ok(Math.abs(Number(got) - want) <= 1e-6 * Math.max(1, Math.abs(want)), name);

const show = async (page, grid) => {
    await page.click(`button[data-map=${grid}]`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
};

const names = {
    scores: 'Scores',
    scaled: 'Scaled scores',
    masked: 'Masked scores',
    weights: 'Weights',
    output: 'Output',
};

for (const length of [7, 12, 16]) {
    test(`at ${length} tokens every matrix can be shown large, with its numbers`, async () => {
        const document = long(length, { heads: 2, dims: 4 });
        const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
        const input = Object.fromEntries(
            ['q', 'k', 'v'].map((name) => [name, block(document[name], 2, 0)]),
        );
        const grids = {};
        for (const [id, name] of Object.entries(names)) {
            await show(page, id);
            grids[name] = (await readGrids(page))[name];
        }
        assert.ok(largestError(grids, input) <= 1e-5);
        for (const name of ['Q', 'K', 'V']) {
            await show(page, name);
            const shown = (await readGrids(page))[name].value.map((row) => row.map(Number));
            assert.deepEqual(shown, input[name.toLowerCase()], name);
        }
        await show(page, 'mask');
        assert.equal((await readGrids(page)).Mask.text.length, length);
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('tiles are named by their numbers, and print those of the pinned row and from 0.1 up', async () => {
    const document = long(14);
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    const { weights } = attention(inputOf(document));
    const tiles = await page.evaluate(() => {
        const ground = globalThis.document.querySelector('.large canvas');
        const context = ground.getContext('2d');
        const [w, h] = [ground.width / 14, ground.height / 14];
        /** Whether a tile holds more than its one colour. */
        const isPrinted = (i, j) => {
            const [x, y] = [Math.round(j * w) + 3, Math.round(i * h) + 3];
            const { data } = context.getImageData(x, y, Math.round(w) - 9, Math.round(h) - 9);
            const pixels = new Uint32Array(data.buffer);
            return pixels.some((pixel) => pixel !== pixels[0]);
        };
        return [...globalThis.document.querySelectorAll('.large [role=gridcell]')].map((tile) => {
            const [, i, j] = tile.dataset.at.split(':').map(Number);
            return { i, j, name: tile.ariaLabel, printed: isPrinted(i, j) };
        });
    });
    assert.equal(tiles.length, 14 * 14);
    for (const { i, j, name, printed } of tiles) {
        const rounded = weights[i][j].toFixed(2);
        assert.equal(name, rounded === '0.00' ? '≈0' : rounded, `${i}, ${j}`);
        if (Math.abs(weights[i][j] - 0.1) < 1e-6) continue;
        assert.equal(printed, i === document.query || weights[i][j] >= 0.1, `${i}, ${j}`);
    }
    await leave(page);
});

test('a large map turns a corner down at each number that the last edit moved', async () => {
    const document = long(30);
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    await page.click('[data-map=scores]');
    const corner = () =>
        page.evaluate(() => {
            const map = globalThis.document.querySelector('.large canvas');
            const [w, h] = [map.width / 30, map.height / 30];
            const pen = map.getContext('2d');
            /** The pixel at the upper right of a cell, and one in the middle of it. */
            const at = (i, j) =>
                [[(j + 1) * w - 3, i * h + 1], [(j + 0.5) * w, (i + 0.5) * h]].map(([x, y]) =>
                    pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.join(),
                );
            return [5, 9].map((i) => at(i, 4)).map(([tip, middle]) => tip !== middle);
        });
    assert.deepEqual(await corner(), [false, false]);
    await page.focus('.slices [role=grid][aria-label="Q"] [role=gridcell]');
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    assert.deepEqual(await corner(), [true, false], 'the row of the query that was changed');
    await leave(page);
});

test('an edit of q, k and v beside the figure is followed by all of it', async () => {
    const document = long(12, { heads: 4, dims: 4 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    await page.focus('[role=grid][aria-label="K"] [role=gridcell]');
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    const input = Object.fromEntries(
        ['q', 'k', 'v'].map((name) => [name, block(document[name], 4, 0)]),
    );
    input.k[document.key][0] = 3;
    const { scores, masked, exponentials, weights } = attention(input);
    const i = document.query;
    const grids = await readGrids(page);
    grids.Weights.value.forEach((row, n) => row.forEach((x, j) => near(x, weights[n][j], 'weight')));
    const lines = await page.$$eval('[role=table] tbody tr', (rows) =>
        rows.map((row) => [...row.children].map((td) => td.textContent.replace('\u2212', '-'))),
    );
    assert.equal(lines.length, 12);
    lines.forEach(([key, score, scaled, power, weight], j) => {
        assert.equal(key, document.tokens[j]);
        assert.ok(Math.abs(Number(score) - scores[i][j]) < 6e-4, `${key}: score`);
        assert.ok(Math.abs(Number(scaled) - masked[i][j]) < 6e-4, `${key}: scaled`);
        assert.ok(Math.abs(Number(power) - exponentials[i][j]) < 6e-4, `${key}: e^x`);
        assert.ok(Math.abs(Number(weight) - weights[i][j]) < 6e-4, `${key}: weight`);
    });
    await page.click('[aria-label="Undo"]');
    const back = attention({ ...input, k: block(document.k, 4, 0) });
    near((await readGrids(page)).Weights.value[i][0], back.weights[i][0], 'undone');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('beyond 16 tokens one cell of a canvas has the focus, the same grid to the ear', async () => {
    const document = long(40);
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    const { weights } = attention(inputOf(document));
    const read = () =>
        page.$eval('.canvas[role=grid]', (grid) => {
            const focused = grid.querySelector('[role=gridcell]');
            const header = (role) => grid.querySelector(`[role=${role}]`);
            return {
                name: grid.getAttribute('aria-label'),
                size: [grid.ariaRowCount, grid.ariaColCount].map(Number),
                row: Number(focused.closest('[role=row]').getAttribute('aria-rowindex')),
                col: Number(focused.getAttribute('aria-colindex')),
                value: Number(focused.dataset.value),
                text: focused.textContent,
                headers: [header('rowheader'), header('columnheader')].map((h) => h.textContent),
                active: document.activeElement === focused,
            };
        });
    await page.focus('.canvas [role=gridcell]');
    const check = async (i, j) => {
        const now = await read();
        assert.deepEqual([now.name, now.size], ['Weights', [41, 41]]);
        assert.deepEqual([now.row, now.col], [i + 2, j + 2]);
        assert.deepEqual(now.headers, [document.tokens[i], document.tokens[j]]);
        near(now.value, weights[i][j], `${i},${j}`);
        assert.equal(now.text, weights[i][j].toFixed(3));
        assert.ok(now.active, 'has the focus');
    };
    await check(5, 2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await check(6, 3);
    await page.keyboard.press('End');
    await check(6, 39);
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    await check(0, 0);
    assert.equal(
        await page.$eval('[role=table]', (table) => table.getAttribute('aria-label')),
        `Row: ${document.tokens[0]}`,
    );
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a large input is typed into, and a large mask painted, on the canvas', async () => {
    const document = long(30);
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    await show(page, 'Q');
    await page.focus('.canvas [role=gridcell]');
    await page.keyboard.type('2.5');
    await page.keyboard.press('Enter');
    const q = document.q.map((row, i) => (i === document.query ? [2.5, ...row.slice(1)] : row));
    const value = () => page.$eval('.canvas [role=gridcell]', (c) => Number(c.dataset.value));
    assert.equal(await value(), 2.5);
    await show(page, 'weights');
    await page.focus('.canvas [role=gridcell]');
    near(await value(), attention({ ...inputOf(document), q }).weights[5][2], 'weight');

    await show(page, 'mask');
    await page.focus('.canvas [role=gridcell]');
    const [i, j] = await page.$eval('.canvas [role=gridcell]', (c) =>
        c.dataset.at.split(':').slice(1).map(Number),
    );
    await page.keyboard.press(' ');
    assert.equal(await value(), -Infinity);
    await show(page, 'weights');
    const allowed = (a, b) => a !== i || b !== j;
    const { weights } = attention({ ...inputOf(document), q, allowed });
    assert.equal(await value(), weights[i][j]);
    await page.keyboard.press('Tab');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a row table of many keys folds to the largest, and unfolds', async () => {
    const document = long(60);
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    const { weights } = attention(inputOf(document));
    const keys = () => page.$$eval('[role=table] tbody tr', (rows) => rows.map((r) => r.dataset.at));
    const row = weights[document.query];
    const largest = row
        .map((_, j) => j)
        .sort((a, b) => row[b] - row[a] || a - b)
        .slice(0, 16);
    const folded = (await keys()).map((at) => Number(at.split(':')[2]));
    assert.equal(folded.length, 16);
    const least = Math.min(...folded.map((j) => row[j]));
    assert.ok(Math.abs(least - row[largest.at(-1)]) < 1e-6);
    await page.click('.rowtable button');
    assert.equal((await keys()).length, 60);
    await leave(page);
});
