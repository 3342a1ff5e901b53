// The bar: Reset, the colours, and the panel that tells what hands and keys can do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, leave, open, readGrids, token, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

test('Reset goes back to the example that was opened, and can be undone', async () => {
    const { page } = await open(session.browser);
    const reset = '[aria-label="Reset to the example"]';
    const old = await readGrids(page);
    assert.ok(await page.$eval(reset, (button) => button.disabled));
    await page.focus(cell('Q', 0, 0));
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    const edited = await readGrids(page);
    await page.click(reset);
    await page.waitForFunction((reset) => document.querySelector(reset).disabled, {}, reset);
    assert.deepEqual(await readGrids(page), old);
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), edited);
    await page.select('[aria-label="Examples"]', 'future');
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 4);
    const future = await readGrids(page);
    await page.click('[role=switch]');
    await page.click(reset);
    await page.waitForFunction((reset) => document.querySelector(reset).disabled, {}, reset);
    assert.deepEqual(await readGrids(page), future);
    await leave(page);
});

test('the list of examples says which one is shown, while nothing of it is changed', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const list = '[aria-label="Examples"]';
        const shown = () => page.$eval(list, (all) => all.selectedOptions[0].textContent);
        assert.equal(await shown(), 'the cat sat');
        await page.focus(cell('Q', 0, 0));
        await page.keyboard.type('9');
        await page.keyboard.press('Enter');
        assert.equal(await shown(), 'Examples');
        await page.click('[aria-label="Undo"]');
        assert.equal(await shown(), 'the cat sat');
        await page.select(list, 'cross');
        await page.waitForFunction(() => document.querySelectorAll('.token').length === 7);
        assert.equal(await shown(), 'le chat dort: cross-attention');
        await page.click('[aria-label="Undo"]');
        await page.waitForFunction(() => document.querySelectorAll('.token').length === 3);
        assert.equal(await shown(), 'the cat sat');
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('the button of the colours says which are on and what it does', async () => {
    const { page } = await open(session.browser);
    const name = () => page.$eval('.tools > button:last-child', (button) => button.ariaLabel);
    const names = [];
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const papers = [await paper()];
    for (let n = 0; n < 3; n++) {
        names.push(await name());
        await page.click('.tools > button:last-child');
        papers.push(await paper());
    }
    assert.notEqual(papers[1], papers[0], 'the first turn is seen');
    assert.deepEqual(papers.slice(2), [papers[0], papers[0]]);
    assert.deepEqual(names, [
        'Colours follow the system: switch to dark',
        'Colours are dark: switch to light',
        'Colours are light: follow the system',
    ]);
    assert.equal(await name(), names[0]);
    await leave(page);
});

test('? opens the list of what hands and keys can do, and Escape closes it', async () => {
    for (const [screen, theme] of [
        ['desktop', 'light'],
        ['laptop', 'dark'],
        ['phone', 'light'],
    ]) {
        const { page, seen } = await open(session.browser, { screen, theme });
        await page.keyboard.type('?');
        const listed = await page.$eval('#panel-help', (panel) => panel.textContent);
        for (const told of [
            'Alt ↑ ↓change a number by 1',
            'Shift ↑ ↓change it by 0.1',
            'tap again',
            'drag a word',
        ])
            assert.ok(listed.includes(told), told);
        const covered = await page.evaluate(() => {
            const panel = document.querySelector('#panel-help').getBoundingClientRect();
            return document.querySelector('main').getBoundingClientRect().top < panel.bottom - 1;
        });
        assert.equal(covered, false, 'it covers nothing');
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(await cutText(page), []);
        assert.ok(await fitsWidth(page));
        await page.focus('#panel-help .button');
        await page.keyboard.press('Escape');
        assert.equal(await page.$('#panel-help'), null);
        assert.equal(await page.evaluate(() => document.activeElement.dataset.opens), 'panel-help');

        await page.focus(cell('Weights', 2, 1));
        await page.keyboard.type('?');
        assert.ok(await page.$('#panel-help'));
        await page.keyboard.press('Escape');
        assert.equal(await page.$('#panel-help'), null, 'Escape closes it from the cell too');
        const at = await page.evaluate(() => document.activeElement.dataset.at);
        assert.equal(at, 'weights:2:1', 'and the focus stays');

        await page.focus(token(1));
        await page.keyboard.type('?');
        assert.equal(await page.$eval('.field', (field) => field.value), '?', 'a word may be ?');
        await page.keyboard.press('Escape');
        await page.focus(cell('Weights', 1, 1));
        await page.keyboard.type('?');
        await page.click('#panel-help input');
        await page.focus(cell('Weights', 1, 1));
        await page.click('[data-opens=panel-help]');
        await page.focus(cell('Weights', 1, 1));
        await page.keyboard.type('?');
        assert.equal(await page.$('#panel-help'), null, 'the key can be switched off');
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('on a phone it is said what is yours, and buttons have room for a finger', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    assert.match(
        await page.$eval('.yours-note', (note) => note.innerText),
        /framed is yours: drag, or tap twice\./,
    );
    await page.click('[aria-label=More]');
    const small = await page.$$eval('button', (all) =>
        all
            .map((button) => [button, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width && (width < 32 || height < 32))
            .map(([button, { width, height }]) => `${button.outerHTML} ${width} × ${height}`),
    );
    assert.deepEqual(small, []);
    await leave(page);
});
