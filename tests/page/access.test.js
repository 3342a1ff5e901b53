// For everyone: axe-core finds nothing in any state, the grids follow the ARIA pattern, the
// keyboard reaches everything, and no text leaves its box.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames, typeInto } from './acts.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

const states = {
    'as opened': async () => {},
    edited: (page) => typeInto(page, cell('Q', 2, 1), '-1.5'),
    'being edited': async (page) => {
        await page.focus(cell('K', 1, 1));
        await page.keyboard.press('Enter');
    },
    'after bad input': (page) => typeInto(page, cell('K', 1, 1), '1..'),
    masked: async (page) => {
        await page.evaluate(() => document.querySelector('.unfold[aria-expanded=false]')?.click());
        await page.select('select', 'causal');
        await page.focus(cell('Mask', 0, 0));
        await page.keyboard.press(' ');
    },
    'one word more': async (page) => {
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.type('down');
        await page.keyboard.press('Enter');
        await typeInto(page, cell('Q', 3, 0), '-1.5');
        await typeInto(page, cell('K', 3, 1), '2.25');
    },
    'without scale': (page) => page.click('[role=switch]'),
    'all rows': (page) => page.evaluate(() => document.querySelector('.rowsbutton').click()),
};

for (const screen of ['desktop', 'laptop', 'phone']) {
    for (const theme of ['light', 'dark']) {
        test(`axe-core finds nothing: ${screen}, ${theme}`, async () => {
            for (const [name, enter] of Object.entries(states)) {
                const { page, seen } = await open(session.browser, { screen, theme });
                await enter(page);
                const found = await axeFindings(page);
                assert.deepEqual(found, [], name);
                assert.deepEqual(seen, [], name);
                await leave(page);
            }
        });
    }
}

for (const screen of ['desktop', 'laptop', 'phone']) {
    test(`no text leaves its box and nothing scrolls sideways: ${screen}`, async () => {
        for (const [name, enter] of Object.entries(states)) {
            const { page } = await open(session.browser, { screen });
            await enter(page);
            const cut = await cutText(page);
            assert.deepEqual(cut, [], name);
            assert.ok(await fitsWidth(page), name);
            await leave(page);
        }
    });
}

for (const [screen, height] of [
    ['laptop', 800],
    ['phone', 844],
]) {
    test(`the first screen holds the sentence, the pinned row, Q, K and V: ${screen}`, async () => {
        const { page } = await open(session.browser, { screen });
        const covered = await page.evaluate((height) => {
            const rows = [
                ...document.querySelectorAll(
                    '[aria-label=Q], [aria-label=K], [aria-label=V], .row.pinned, .token, #reading',
                ),
            ];
            const cells = rows
                .flatMap((row) => [row, ...row.querySelectorAll('[role=gridcell]')])
                .filter((element) => {
                    const box = element.getBoundingClientRect();
                    return box.width && !element.closest('[aria-label=Mask]');
                });
            const sheet = document.querySelector('.words').getBoundingClientRect().top;
            return cells
                .filter((element) => {
                    const { bottom } = element.getBoundingClientRect();
                    return bottom > (element.closest('.words') ? height : sheet) + 1;
                })
                .map((element) => element.textContent);
        }, height);
        assert.deepEqual(covered, []);
        await leave(page);
    });
}

test('every matrix is a grid with a name, counts, and headers that carry the tokens', async () => {
    const { page } = await open(session.browser);
    const grids = await page.$$eval('[role=grid]', (found) =>
        found.map((grid) => ({
            name: grid.getAttribute('aria-label'),
            rows: grid.getAttribute('aria-rowcount'),
            columns: grid.getAttribute('aria-colcount'),
            rowHeaders: [...grid.querySelectorAll('[role=rowheader]')].map(
                (header) => header.textContent,
            ),
            columnHeaders: [...grid.querySelectorAll('[role=columnheader]')]
                .slice(1)
                .map((header) => header.textContent),
            stops: grid.querySelectorAll('[role=gridcell][tabindex="0"]').length,
        })),
    );
    const tokens = ['the', 'cat', 'sat'];
    const numbered = (letter) => [`${letter}₁`, `${letter}₂`];
    const expected = {
        Q: numbered('q'),
        K: numbered('k'),
        V: numbered('v'),
        Scores: tokens,
        'Scaled scores': tokens,
        'Masked scores': tokens,
        Mask: tokens,
        Weights: tokens,
        Output: numbered('o'),
    };
    assert.deepEqual(
        grids.map(({ name }) => name).sort(),
        ['Tokens', ...Object.keys(expected)].sort(),
    );
    for (const grid of grids) {
        assert.equal(grid.stops, 1, `${grid.name} has one tab stop`);
        if (grid.name === 'Tokens') continue;
        assert.deepEqual(grid.rowHeaders, tokens, grid.name);
        assert.deepEqual(grid.columnHeaders, expected[grid.name], grid.name);
        assert.equal(grid.rows, '4', grid.name);
        assert.equal(grid.columns, String(expected[grid.name].length + 1), grid.name);
    }
    await leave(page);
});

const active = (page) =>
    page.evaluate(() => {
        const at = document.activeElement;
        return at.dataset.at ?? at.getAttribute('aria-label') ?? at.textContent;
    });

test('the keyboard alone reaches every control and every grid', async () => {
    const { page } = await open(session.browser);
    const stops = [];
    for (let n = 0; n < 40; n++) {
        await page.keyboard.press('Tab');
        const name = await active(page);
        if (stops.includes(name)) break;
        stops.push(name);
    }
    const grids = stops
        .filter((name) => /^\w+:\d+:\d+$/.test(name))
        .map((name) => name.split(':')[0]);
    assert.deepEqual(grids, [
        'tokens',
        'Q',
        'K',
        'V',
        'scores',
        'scaled',
        'mask',
        'masked',
        'weights',
        'output',
    ]);
    assert.ok(stops.includes('Scale by √d_k') && stops.includes('Mask preset'));
    await leave(page);
});

test('arrows, Home and End walk a grid, and typing stays on its cell', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Weights', 2, 1));
    const walk = [
        ['ArrowLeft', 'weights:2:0'],
        ['ArrowLeft', 'weights:2:0'],
        ['ArrowUp', 'weights:1:0'],
        ['End', 'weights:1:2'],
        ['ArrowDown', 'weights:2:2'],
        ['ArrowDown', 'weights:2:2'],
        ['Home', 'weights:2:0'],
        ['ArrowRight', 'weights:2:1'],
    ];
    for (const [key, name] of walk) {
        await page.keyboard.press(key);
        assert.equal(await active(page), name, key);
    }
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    assert.equal(await active(page), 'weights:0:0');
    assert.equal(
        await page.$eval('[role=table]', (table) => table.getAttribute('aria-label')),
        'Row: the',
    );

    await page.focus(cell('K', 0, 0));
    await page.keyboard.press('ArrowRight');
    assert.equal(await active(page), 'K:1:0', 'K is shown turned: right is the next word');
    await page.keyboard.press('ArrowDown');
    assert.equal(await active(page), 'K:1:1');
    await page.keyboard.press('F2');
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    assert.equal(await active(page), 'K:1:1', 'Enter stays on the cell');
    assert.equal((await readGrids(page)).K.text[1][1], '3');
    await leave(page);
});

test('on a phone K is upright, and the arrows follow', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    await page.focus(cell('K', 0, 0));
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'K:0:1');
    await leave(page);
});

test('every target is at least 24 pixels in both directions', async () => {
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page } = await open(session.browser, { screen });
        await page.evaluate(() => document.querySelector('.unfold').click());
        const small = await page.evaluate(() =>
            [...document.querySelectorAll('button, select, [role=gridcell]')]
                .map((element) => [element, element.getBoundingClientRect()])
                .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
                .map(([element, box]) => `${element.textContent} ${box.width} × ${box.height}`),
        );
        assert.deepEqual(small, [], screen);
        await leave(page);
    }
});

test('the colours can be chosen, and start as the system has them', async () => {
    const { page } = await open(session.browser, { theme: 'dark' });
    const ground = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await ground();
    const press = async () => {
        await page.click('.tools > button:last-child');
        await frames(page);
    };
    await press();
    const light = await ground();
    await press();
    assert.equal(await ground(), dark);
    assert.notEqual(light, dark);
    await leave(page);
});
