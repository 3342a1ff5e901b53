// The focus stays on the page: when what had it leaves, it goes to the sensible neighbour.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chord } from './acts.js';
import { cell, isReady, leave, open, readGrids, screens, token, useBrowser } from './browser.js';

const session = useBrowser();

const active = (page) =>
    page.evaluate(() => {
        const at = document.activeElement;
        return at.dataset.at ?? at.getAttribute('aria-label') ?? at.textContent;
    });

const focusOn = (page, selector) => page.$eval(selector, (element) => element.focus());

/** What leaves, and who has the focus then. */
const ways = {
    'a chosen try gives way to its guesses': async (page) => {
        await focusOn(page, '.try .pill');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'more');
    },
    'a question that is left gives way to the offers': async (page) => {
        await focusOn(page, '.try .pill');
        await page.keyboard.press('Enter');
        await focusOn(page, '.question .leave');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Switch ÷ √dk off. Does the strongest key get more?');
    },
    'a guess gives way to the cell that shows the answer': async (page) => {
        await focusOn(page, '.try .pill');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'weights:2:1');
    },
    'a baseline that is kept gives way to the choice in force, and that to the button': async (
        page,
    ) => {
        await page.evaluate(() =>
            [...document.querySelectorAll('.button')]
                .find((button) => button.textContent === 'Keep as baseline')
                .focus(),
        );
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Now');
        await focusOn(page, '[aria-label="Forget the baseline"]');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Keep as baseline');
    },
    'the last step of undo leaves redo, and the last of redo undo': async (page) => {
        await page.click('[role=switch]');
        await focusOn(page, '[aria-label=Undo]');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Redo');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Undo');
    },
    'Reset leaves undo': async (page) => {
        for (const [screen, opened] of [
            [screens.desktop, () => {}],
            [screens.phone, () => page.click('[aria-label=More]')],
        ]) {
            await page.setViewport(screen);
            await isReady(page); // a screen to be touched loads the page anew
            await focusOn(page, '[role=switch]');
            await page.keyboard.press(' ');
            await opened();
            await page.waitForSelector('[aria-label="Reset to the example"]');
            await focusOn(page, '[aria-label="Reset to the example"]');
            await page.keyboard.press('Enter');
            await page.waitForFunction(() => document.activeElement.ariaLabel === 'Undo');
        }
    },
    'the undo of the line that says what happened': async (page) => {
        await page.click('[role=switch]');
        await focusOn(page, '.said .button');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Switch ÷ √dk off. Does the strongest key get more?');
    },
    'Ctrl+Z while the word that has the focus was never there': async (page) => {
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'tokens:0:3');
        await chord(page, 'z', 'Control');
        assert.equal((await readGrids(page)).Tokens.text[0].length, 3);
        assert.match(await active(page), /^tokens:0:\d$/);
    },
    'Ctrl+Z while the cell that has the focus was never there': async (page) => {
        await page.click('[aria-label="Add a word"]');
        await page.keyboard.press('Enter');
        await focusOn(page, cell('Q', 3, 1));
        await chord(page, 'z', 'Control');
        assert.match(await active(page), /^Q:\d:\d$/);
    },
    'undo takes the focus to the number that it brings back': async (page) => {
        await focusOn(page, cell('Q', 0, 0));
        await page.keyboard.type('7');
        await page.keyboard.press('Enter');
        await focusOn(page, cell('V', 1, 1));
        await chord(page, 'z', 'Control');
        assert.equal((await readGrids(page)).Q.text[0][0], '2');
        assert.equal(await active(page), 'Q:0:0');
    },
    'the × of a word': async (page) => {
        await page.click(token(2));
        await page.click('[aria-label="Remove sat"]');
        assert.equal(await active(page), 'tokens:0:1');
    },
    'Delete on a word': async (page) => {
        await page.focus(token(0));
        await page.keyboard.press('Delete');
        assert.equal(await active(page), 'tokens:0:0');
    },
    'a room that is closed, by its button and by Escape': async (page) => {
        for (const key of ['Enter', 'Escape']) {
            await page.click('[data-gate=masked]');
            await focusOn(page, '.room .close');
            await page.keyboard.press(key);
            assert.equal(await page.$('.room'), null);
            assert.equal(await page.evaluate(() => document.activeElement.dataset.gate), 'masked');
        }
    },
    'an example that closes the room it was chosen in': async (page) => {
        await page.click('[data-gate=masked]');
        await focusOn(page, '.presets .example');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => !document.querySelector('.room'));
        assert.equal(await page.evaluate(() => document.activeElement.dataset.gate), 'masked');
    },
    'a panel that is closed by Escape on its button': async (page) => {
        for (const id of ['panel-values', 'panel-layers', 'panel-help']) {
            await focusOn(page, `[data-opens="${id}"]`);
            await page.keyboard.press('Enter');
            assert.ok(await page.$(`#${id}`), `${id} is open`);
            await page.keyboard.press('Escape');
            assert.equal(await page.$(`#${id}`), null, `${id} is closed`);
            assert.equal(
                await page.$eval(`[data-opens="${id}"]`, (e) => e === document.activeElement),
                true,
            );
        }
    },
    'a panel that is closed by Escape': async (page) => {
        await page.click('[data-opens=panel-values]');
        await focusOn(page, '#panel-values button');
        await page.keyboard.press('Escape');
        assert.equal(await page.$('#panel-values'), null);
        assert.equal(
            await page.evaluate(() => document.activeElement.dataset.opens),
            'panel-values',
        );
    },
    'a preset that takes its own button away': async (page) => {
        await focusOn(page, cell('Mask', 0, 1));
        await page.keyboard.press(' ');
        await page.click('[data-gate=masked]');
        await page.$$eval('.presets .pill', (all) =>
            all.find((pill) => pill.textContent.includes('clear')).focus(),
        );
        await page.keyboard.press('Enter');
        assert.equal(await active(page), 'Example: scores 2, 1, 3, 5, the last hidden');
    },
    'a score that is released': async (page) => {
        await focusOn(page, cell('Scores', 2, 0));
        await page.keyboard.type('5');
        await page.keyboard.press('Enter');
        await focusOn(page, '.foot .inline');
        await page.keyboard.press('Enter');
        assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
    },
};

for (const [name, walk] of Object.entries(ways)) {
    test(`the focus goes on: ${name}`, async () => {
        const { page, seen } = await open(session.browser);
        await walk(page);
        assert.deepEqual(seen, []);
        await leave(page);
    });
}

test('a click beside everything leaves the focus to nothing, and it stays there', async () => {
    const { page } = await open(session.browser);
    await page.focus(cell('Q', 0, 0));
    await page.mouse.click(700, 60);
    await page.click('[role=switch]');
    await page.mouse.click(700, 60);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'BODY');
    await leave(page);
});
