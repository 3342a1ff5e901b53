// The row table, which works the pinned row out: its powers, its bars, and what is said beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examples } from '../../web/page/examples.js';
import { defaultDocument } from '../../web/page/schema.js';
import { f3, typeInto } from './acts.js';
import { attention, example } from './attention.js';
import { cell, leave, open, useBrowser } from './browser.js';
import { fitsWidth } from './judge.js';
import { hashOf } from './long.js';

const session = useBrowser();

test('scores too large for e^s are shown with the maximum taken off', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Q', 2, 1));
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    const works = await page.$$eval('.at-masked .work', (parts) =>
        parts.map((part) => part.textContent),
    );
    const { scaled } = attention({
        ...example,
        q: [
            [2, -1],
            [-1, 1],
            [1, 40],
        ],
    });
    const [power, value] = works[2].split(' = ');
    assert.equal(power, `e${f3(scaled[2][2])} − ${f3(scaled[2][1])}`);
    const [mantissa, exponent] = Math.exp(scaled[2][2] - scaled[2][1])
        .toExponential(1)
        .split('e');
    assert.equal(value, `${mantissa}·10${exponent.replace('-', '\u2212')}`);
    assert.equal(works[1].split(' = ')[1], '1.000');
    await leave(page);
});

test('the bars of the row table begin at one line, however long a weight is', async () => {
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page } = await open(session.browser, { screen });
        await typeInto(page, cell('Q', 2, 0), '10');
        await typeInto(page, cell('Q', 2, 1), '20');
        const lines = await page.$$eval('.ledger tbody .at-weights', (all) =>
            all.map((line) => {
                const [work, bar] = ['.work', '.bar'].map((part) =>
                    line.querySelector(part).getBoundingClientRect(),
                );
                const { textContent } = line.querySelector('.work');
                return { text: textContent, end: work.right, left: bar.left, width: bar.width };
            }),
        );
        assert.deepEqual(
            lines.map(({ text }) => text),
            ['6.1·10−10', '0.999', '0.001'],
        );
        assert.equal(new Set(lines.map(({ left }) => left)).size, 1, screen);
        assert.equal(new Set(lines.map(({ width }) => width)).size, 1, screen);
        assert.ok(lines.every(({ end, left, width }) => end <= left && width >= 60), screen);
        await leave(page);
    }
});

test('beside the table it is said once that numbers are rounded', async () => {
    for (const screen of ['desktop', 'tablet', 'phone']) {
        for (const name of ['sentence', 'animal']) {
            const { name: _, ...fields } = examples[name];
            const hash = await hashOf({ ...defaultDocument(), ...fields });
            const { page } = await open(session.browser, { screen, hash });
            const found = await page.$$eval('.rounding', (all) => all.map((one) => one.innerText));
            assert.deepEqual(found, ['Shown rounded; computed to about 7 digits (float32).']);
            assert.ok(await fitsWidth(page), `${screen}, ${name}`);
            const table = await page.$eval('[role=table]', (one) => {
                const { left, right, bottom } = one.getBoundingClientRect();
                return { left, right, bottom };
            });
            const note = await page.$eval('.rounding', (one) => {
                const { left, right, top } = one.getBoundingClientRect();
                return { left, right, top };
            });
            assert.ok(note.left >= table.left && note.left < table.left + 20, `${screen}, ${name}`);
            assert.ok(Math.abs(note.top - table.bottom) < 130, `${screen}, ${name}`);
            await leave(page);
        }
    }
});
