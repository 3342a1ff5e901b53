// Blocks of numbers: pasted from a spreadsheet, filled from a seed, copied as text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, said, undo } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, copied, leave, open, paste, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

const blocks = {
    'tabs, as spreadsheets copy': '1\t2\n3\t4\n5\t6\n',
    'tabs and decimal commas': '1,0\t2,0\r\n3,0\t4\r\n5\t6,00',
    semicolons: '1;2\n3;4\n5;6',
    'semicolons and decimal commas': '1,0;2\n3;4,0\n5;6',
    commas: '1,2\n3,4\n5,6',
    'commas and spaces': '1, 2\n3, 4\n5, 6',
    spaces: '1 2\n3 4\n5  6',
    'a nested array': '[[1,2],[3,4],[5,6]]',
    'a line of a program': 'const q = [[1, 2], [3, 4], [5, 6]];   // the, cat, sat',
    'what numpy prints': '[[1. 2.]\n [3. 4.]\n [5. 6.]]',
    'what torch prints': 'tensor([[1., 2.],\n        [3., 4.],\n        [5., 6.]])',
};

for (const [name, block] of Object.entries(blocks)) {
    test(`a block is pasted: ${name}`, async () => {
        const { page, seen } = await open(session.browser);
        const old = await readGrids(page);
        await page.focus(cell('Q', 0, 0));
        await paste(page, block);
        const now = await readGrids(page);
        const q = [
            [1, 2],
            [3, 4],
            [5, 6],
        ];
        assert.deepEqual(
            now.Q.value,
            q.map((row) => row.map(String)),
        );
        assert.ok(largestError(now, { ...example, q }) <= 1e-6);
        assert.match(await said(page), /^3 × 2 numbers were pasted into Q\. /);
        await undo(page);
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('a part of a matrix, U+2212 and exponents are taken too', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('K', 1, 1));
    await paste(page, '\u22120.5\n1e2');
    assert.deepEqual((await readGrids(page)).K.value, [
        ['1', '0'],
        ['0', '-0.5'],
        ['1', '100'],
    ]);
    await paste(page, '2,5');
    assert.equal((await readGrids(page)).K.value[1][1], '2.5', 'alone, as it would be typed');
    await leave(page);
});

const bad = {
    'no number': ['1\tx\n3\t4', 'Line 1, column 2 of the paste is no number: “x”.'],
    empty: ['1\t\n3\t4', 'Line 1, column 2 of the paste is no number: “”.'],
    ragged: ['1\t2\n3', 'Line 2 of the paste has 1 numbers where the first has 2.'],
    large: ['1\t2\t3\n4\t5\t6', 'The paste is 2 × 3, but from here on there is room for 3 × 2.'],
    markup: ['<b>1</b>', 'Line 1, column 1 of the paste is no number: “<b>1</b>”.'],
    'beyond float32': [
        '1e99',
        'Line 1, column 1 of the paste is beyond ±3.4e38, where numbers end here: “1e99”.',
    ],
};

for (const [name, [block, sentence]] of Object.entries(bad)) {
    test(`a bad block changes nothing and is answered in one sentence: ${name}`, async () => {
        const { page, seen } = await open(session.browser);
        const old = await readGrids(page);
        await page.focus(cell('V', 0, 0));
        await paste(page, block);
        assert.deepEqual(await readGrids(page), old);
        assert.equal(await said(page), `${sentence} Nothing was changed.`);
        assert.ok(await page.$eval('[aria-label="Undo"]', (button) => button.disabled));
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('a seed fills Q, K and V, the same every time, and the next seed otherwise', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await press(page, 'Values');
    await press(page, 'Fill from seed');
    const first = await readGrids(page);
    assert.match(await said(page), /^The numbers come from seed 1\. /);
    const inputs = Object.fromEntries(
        ['Q', 'K', 'V'].map((name) => [
            name.toLowerCase(),
            first[name].value.map((row) => row.map(Number)),
        ]),
    );
    assert.ok(largestError(first, inputs) <= 1e-6);
    await press(page, 'Next seed');
    const second = await readGrids(page);
    assert.notDeepEqual(second.Q.value, first.Q.value);
    assert.equal(await page.$eval('input[aria-label="Seed"]', (input) => input.value), '2');
    await page.focus('input[aria-label="Seed"]');
    await page.$eval('input[aria-label="Seed"]', (input) => input.select());
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await press(page, 'Fill from seed');
    assert.deepEqual((await readGrids(page)).Q.value, first.Q.value);
    for (let n = 0; n < 3; n++) await undo(page);
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a matrix is copied as text, every number in full', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Weights', 2, 1));
    const text = await copied(page);
    const { Weights } = await readGrids(page);
    assert.equal(text, Weights.value.map((row) => row.join('\t')).join('\n'));
    assert.equal(await said(page), 'Weights, 3 × 3, is on the clipboard as text.');
    await page.focus(cell('K', 0, 0));
    const block = await copied(page);
    await page.focus(cell('Q', 0, 0));
    await paste(page, block);
    const grids = await readGrids(page);
    assert.deepEqual(grids.Q.value, grids.K.value);
    await leave(page);
});

test('a room copies the matrix of its step by a button', async () => {
    const { page } = await open(session.browser);
    await page.click('[title="Softmax: how it works"]');
    await page.click('.roomhead .button');
    assert.equal(await said(page), 'Weights, 3 × 3, is on the clipboard as text.');
    await leave(page);
});
