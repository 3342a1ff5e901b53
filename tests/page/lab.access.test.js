// The labs for everyone, trained and not: axe-core, text that fits, targets that can be hit, and the
// way back to the button that opened them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from './acts.js';
import { leave, open, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { has } from './training.js';

const session = useBrowser();

/** Targets of the lab that a finger could miss. */
const smallTargets = (page) =>
    page.$$eval('.lab :is(button, input:not([hidden])), .labs button', (all) =>
        all
            .map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 24 || height < 24)
            .map(([name]) => name),
    );

for (const id of ['mask', 'spread', 'gap', 'scale', 'norms']) {
    test(`for everyone, by its address: ${id}`, async () => {
        for (const [screen, theme] of [
            ['desktop', 'dark'],
            ['phone', 'light'],
        ]) {
            const hash = `#1=lab:${id}`;
            const { page, seen } = await open(session.browser, { screen, theme, hash });
            assert.deepEqual(await axeFindings(page), [], screen);
            assert.deepEqual(await cutText(page), [], screen);
            assert.ok(await fitsWidth(page), screen);
            assert.deepEqual(await smallTargets(page), [], screen);
            assert.deepEqual(seen, []);
            await leave(page);
        }
    });
}

for (const [screen, theme] of [
    ['laptop', 'light'],
    ['phone', 'dark'],
]) {
    test(`for everyone, trained and not: ${screen}, ${theme}`, async () => {
        const { page, seen } = await open(session.browser, { screen, theme });
        await press(page, 'Train a small model');
        const judge = async (state) => {
            assert.deepEqual(await axeFindings(page), [], state);
            assert.deepEqual(await cutText(page), [], state);
            assert.ok(await fitsWidth(page), state);
            assert.deepEqual(await smallTargets(page), [], state);
        };
        await judge('opened');
        await press(page, 'causal, so it cannot know', '.lab');
        await page.waitForSelector('.headmaps');
        await press(page, 'Stop', '.lab');
        await has(page, 'Go on');
        await judge('stopped');
        const maps = await page.$$eval('.headmaps', (all) =>
            all.map((list) => {
                const [{ left }, last] = [list, list.lastElementChild].map((one) =>
                    one.getBoundingClientRect(),
                );
                const { width } = list.querySelector('canvas').getBoundingClientRect();
                return [(last.right - left) / list.clientWidth, width];
            }),
        );
        for (const [share, width] of maps) {
            assert.ok(share > 0.98, `the maps take ${share} of their width`);
            assert.equal(width, screen === 'phone' ? 66 : 110, 'ten pixels a cell, or six');
        }
        assert.match(
            await page.$eval('.labnote', (note) => note.textContent),
            /the same in both sentences\. After them the two are 0 apart: the same still\./,
        );
        const spoken = await page.$$eval('.plot', (all) => all.map((plot) => plot.ariaLabel));
        assert.match(spoken[0], /^Loss, logarithmic scale\. pointing: .* answer: \S+ at 1, /);
        assert.match(page.url(), /lab:pronoun,causal=on$/);
        if (screen === 'phone') await page.tap('.lab .close');
        else {
            await page.focus('.lab [aria-label="Causal mask"]');
            await page.keyboard.press('Escape');
        }
        assert.equal(await page.$('.lab'), null);
        assert.equal(
            await page.evaluate(() => document.activeElement.textContent),
            'Train a small model',
        );
        assert.deepEqual(seen, []);
        await leave(page);
    });
}
