// How the page holds together, whatever it shows: nothing lies over anything else, nothing is cut or
// scrolls sideways, and the first screen ends where the window does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frames } from './acts.js';
import { leave, open, screens, useBrowser } from './browser.js';
import { collisions, cutText, fitsWidth } from './judge.js';
import { hashOf } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

/** The screens that every state is looked at on, and the states for all of them. */
const MAIN = ['desktop', 'laptop', 'tablet, turned', 'phone'];
const EVERYWHERE = new Set(['opened', 'one word', 'decimals', 'decimals of four']);

/** Long words are elided, and said in full where they have the focus; all else must fit. */
async function cut(page, document) {
    const found = await cutText(page);
    const all = document ? [...document.tokens, ...(document.keyTokens ?? [])] : [];
    const words = all.filter((word) => word.length > 5);
    return found.filter((what) => !words.some((word) => what.includes(word)));
}

for (const [name, { document, act }] of Object.entries(STATES)) {
    test(`nothing overlaps, is cut or scrolls sideways: ${name}`, async () => {
        const hash = document ? await hashOf(document) : '';
        const wrong = [];
        for (const screen of EVERYWHERE.has(name) ? Object.keys(screens) : MAIN) {
            const { page, seen } = await open(session.browser, { screen, hash });
            await act?.(page);
            await frames(page);
            await page.evaluate(() => scrollTo(0, 0));
            await frames(page);
            const found = [...(await collisions(page)), ...(await cut(page, document)), ...seen];
            if (!(await fitsWidth(page))) found.push('scrolls sideways');
            wrong.push(...found.map((what) => `${screen}: ${what}`));
            await leave(page);
        }
        assert.deepEqual(wrong, []);
    });
}

test('the first screen holds the worked example to its last line', async () => {
    for (const screen of ['desktop', 'laptop', 'small']) {
        const { page } = await open(session.browser, { screen });
        await STATES.edited.act(page);
        await frames(page);
        const ends = await page.evaluate(() => {
            const bottom = (part) => document.querySelector(part).getBoundingClientRect().bottom;
            return [bottom('.ledger'), bottom('.reading'), bottom('.said'), bottom('.pill'), innerHeight];
        });
        assert.deepEqual(
            ends,
            ends.toSorted((a, b) => a - b),
            screen,
        );
        await leave(page);
    }
});
