// Longer sentences, several heads and keys from elsewhere, for everyone: axe-core, text that fits,
// targets that can be hit, and the keyboard.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

const causal = { preset: 'causal', pad: 1, inverted: false, painted: { '0,0': false } };
const show = (grid) => (page) => page.click(`button[data-map=${grid}]`);

const states = {
    'five words': [long(5)],
    'seven words': [long(7)],
    'twelve words, four heads': [long(12, { heads: 4, dims: 4 })],
    'three words, four heads': [long(3, { heads: 4 })],
    masked: [long(12, { mask: causal, query: 0, key: 0, focus: { grid: 'weights', row: 0, col: 0 } })],
    'Q shown large': [long(12, { dims: 4 }), show('Q')],
    'the mask shown large': [long(12, { mask: causal }), show('mask')],
    'the output shown large': [long(9), show('output')],
    'forty words': [long(40, { heads: 4, dims: 4 })],
    'forty words, masked': [long(40, { mask: causal })],
    'forty words, unfolded': [long(40), (page) => page.click('.rowtable button')],
    'wide vectors': [long(3, { dims: 16 }), (page) => page.click('#reading button.terms')],
    'keys from elsewhere': [long(3, { keyTokens: ['one', 'two', 'three', 'four'] })],
    'many keys from elsewhere': [long(6, { keyTokens: 'a b c d e f g h i j k l'.split(' ') })],
    'words of every kind': [
        long(6, {
            tokens: ['שלום', '👩‍🚀', '你好世界', 'Donaudampfschifffahrtsgesellschaft', 'ΑΒΓ', '…'],
        }),
    ],
};

/** What is wrong in each state, by its name; nothing, if all is well. */
async function wrongIn(look, judge) {
    const wrong = {};
    for (const [name, [document, enter]] of Object.entries(states)) {
        const { page, seen } = await open(session.browser, {
            ...look,
            hash: await hashOf(document),
        });
        await enter?.(page);
        const found = [...(await judge(page)), ...seen];
        if (found.length) wrong[name] = found;
        await leave(page);
    }
    return wrong;
}

test('a cell that gets the focus by the keys is clear of what sticks to the edges', async () => {
    const free = (page) =>
        page.evaluate(() => {
            const { top, bottom } = document.activeElement.getBoundingClientRect();
            const [bar, words] = ['.top', '.words'].map((part) => document.querySelector(part));
            const roof = Math.max(0, bar.getBoundingClientRect().bottom);
            return top >= roof && bottom <= words.getBoundingClientRect().top;
        });
    for (const screen of ['laptop', 'tablet']) {
        const { page } = await open(session.browser, { screen, hash: await hashOf(long(14)) });
        await page.focus('[data-grid=weights] [tabindex="0"]');
        for (const key of [...Array(12).fill('ArrowDown'), ...Array(13).fill('ArrowUp')]) {
            await page.keyboard.press(key);
            const at = await page.evaluate(() => document.activeElement.dataset.at);
            assert.ok(await free(page), `${screen}, ${key} to ${at}`);
        }
        await leave(page);
    }
});

/** Words beside rows and over columns are elided on purpose, and long ones everywhere. */
const isElided = (line) => /^(across|down|headname) |Donaudampf/.test(line);

for (const screen of ['desktop', 'laptop', 'phone']) {
    for (const theme of ['light', 'dark']) {
        test(`axe-core finds nothing: ${screen}, ${theme}`, async () => {
            assert.deepEqual(await wrongIn({ screen, theme }, axeFindings), {});
        });
    }

    test(`no text leaves its box and nothing scrolls sideways: ${screen}`, async () => {
        const judge = async (page) => [
            ...(await cutText(page)).filter((line) => !isElided(line)),
            ...((await fitsWidth(page)) ? [] : ['the page scrolls sideways']),
        ];
        assert.deepEqual(await wrongIn({ screen }, judge), {});
    });
}

test('every target of a long sentence is at least 24 pixels in both directions', async () => {
    for (const screen of ['desktop', 'phone']) {
        for (const document of [long(12, { heads: 4, dims: 4 }), long(40, { heads: 2 })]) {
            const { page } = await open(session.browser, { screen, hash: await hashOf(document) });
            const small = await page.evaluate(() =>
                [...document.querySelectorAll('button, select, [role=gridcell]:not(.cursor)')]
                    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
                    .map((element) => [element, element.getBoundingClientRect()])
                    .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
                    .map(([element, box]) => `${element.className} ${box.width} × ${box.height}`),
            );
            assert.deepEqual(small, [], screen);
            await leave(page);
        }
    }
});

test('the keyboard reaches words, small maps, heads and the large matrix', async () => {
    const document = long(12, { heads: 2, dims: 2 });
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    const reached = new Set();
    let first;
    /** The name of what has the focus; of the body none, and there the browser's own bar is next. */
    const nameOfActive = () =>
        page.evaluate(() => {
            const { role, ariaLabel, dataset, textContent } = globalThis.document.activeElement;
            if (globalThis.document.activeElement === globalThis.document.body) return null;
            return role === 'gridcell' ? dataset.at.split(':')[0] : (ariaLabel ?? textContent);
        });
    for (let n = 0; n < 60; n++) {
        await page.keyboard.press('Tab');
        const name = await nameOfActive();
        if (name === null || (n && name === first)) break;
        first ??= name;
        reached.add(name);
    }
    for (const name of [
        'tokens',
        'Q, show large',
        'Mask, show large',
        'Weights, show large',
        'Weights, head 1',
        'Weights, head 2',
        'weights',
        'Q',
        'K',
        'V',
    ])
        assert.ok(reached.has(name), `${name}: ${[...reached].join(', ')}`);
    await leave(page);
});

test('a small map is shown large by a key, and its cells follow the arrows', async () => {
    const document = long(12, { heads: 2, dims: 2 });
    const { page } = await open(session.browser, { hash: await hashOf(document) });
    await page.focus('button[data-map=K]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.large [data-grid=K]');
    await page.focus('.large [role=gridcell][tabindex="0"]');
    const active = () => page.evaluate(() => globalThis.document.activeElement.dataset.at);
    assert.equal(await active(), 'K:2:0');
    await page.keyboard.press('ArrowDown');
    assert.equal(await active(), 'K:3:0', 'K is upright in the figure');
    await leave(page);
});
