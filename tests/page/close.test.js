// Four words, and four numbers of each: the line is set closer, and its numbers stay readable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';
import { hashOf } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

const opened = async (name) =>
    (await open(session.browser, { hash: await hashOf(STATES[name].document) })).page;

test('four words of four numbers: three decimals in the cells, the row table above the fold', async () => {
    const page = await opened('four words');
    const [weights, size, total, words, height] = await page.evaluate(() => {
        const box = (part) => document.querySelector(part).getBoundingClientRect();
        const cells = [...document.querySelectorAll('[data-grid=weights] .row.pinned .c')];
        return [
            cells.map((cell) => cell.dataset.small ?? cell.textContent),
            parseFloat(getComputedStyle(cells[0]).fontSize),
            box('.line.total').bottom,
            [box('.reading').top, box('.reading').bottom],
            innerHeight,
        ];
    });
    assert.deepEqual(weights, ['0.245', '0.090', '0.665', '0']);
    assert.ok(size >= 11.5, `${size}`);
    assert.ok(total <= words[0] && words[1] <= height, `${total}, ${words}, ${height}`);
    await leave(page);
});

test('a long dot product is folded in the row table, and spelled out on request', async () => {
    const page = await opened('decimals of four');
    const read = () =>
        page.$$eval('.line.near td.at-scores', ([cell]) => [
            cell.querySelector('.work').textContent.replace(/\s+/g, ' ').trim(),
            cell.offsetHeight <= 42,
        ]);
    assert.deepEqual(await read(), ['Σ 4 terms = −0.049', true]);
    await page.click('.line.near .terms');
    const [spelled] = await read();
    assert.match(spelled, /^Σ 4 terms = −12\.345·0\.001 \+ .* = −0\.049$/);
    await leave(page);
    const short = await opened('four words');
    assert.equal(
        await short.$eval('.line.near td.at-scores .work', (work) => work.textContent),
        '1·0 + 2·2 + 2·1 + 2·2 = 10',
    );
    await leave(short);
});
