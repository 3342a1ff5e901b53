// The states of the controls, the rooms and the bar for everyone: axe-core, text that fits, targets
// that can be hit, and the keyboard from gate to gate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press, setNumber, typeInto } from './acts.js';
import { cell, leave, open, readGrids, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

const gate = (page, step) => page.click(`[title="${step}: how it works"]`);

/** Makes the select and the grid of the mask visible on a phone. */
async function causal(page) {
    await page.evaluate(() => document.querySelector('.unfold[aria-expanded=false]')?.click());
    await page.select('select[aria-label="Mask preset"]', 'causal');
}

/** On a phone, what the bar holds is folded. */
async function unfoldBar(page) {
    await page.evaluate(() => document.querySelector('[aria-label="More"]')?.click());
    await page.waitForFunction(() => document.querySelector('.whole'));
}

const states = {
    'a divisor and a temperature': async (page) => {
        await setNumber(page, 'Divide the scores by', '3.25');
        await setNumber(page, 'Temperature', '0.5');
    },
    'the wrong axis': (page) => page.select('select[aria-label="Softmax over"]', 'queries'),
    'a score by hand': (page) => typeInto(page, cell('Scores', 2, 0), '-6.25'),
    'the dot product': (page) => gate(page, 'Dot'),
    'the scale': (page) => gate(page, 'Scale'),
    'the mask': async (page) => {
        await causal(page);
        await gate(page, 'Mask');
    },
    'padding and paint': async (page) => {
        await causal(page);
        await page.focus(cell('Mask', 2, 0));
        await page.keyboard.press(' ');
        await gate(page, 'Mask');
        await press(page, 'padding');
        await press(page, 'invert');
    },
    'a row without a key': async (page) => {
        await causal(page);
        await page.focus(cell('Mask', 0, 0));
        await page.keyboard.press(' ');
        await gate(page, 'Mask');
    },
    'zero after the softmax': async (page) => {
        await causal(page);
        await page.focus(cell('Weights', 2, 1));
        await gate(page, 'Mask');
        await page.click('.lane:nth-of-type(3) input');
    },
    'the softmax': (page) => gate(page, 'Softmax'),
    'the sum': (page) => gate(page, 'Sum'),
    'a kept baseline': async (page) => {
        await unfoldBar(page);
        await press(page, 'Keep as baseline');
        await typeInto(page, cell('Q', 2, 1), '1');
    },
    'the difference': async (page) => {
        await unfoldBar(page);
        await press(page, 'Keep as baseline');
        await typeInto(page, cell('Q', 2, 1), '1');
        await typeInto(page, cell('V', 1, 0), '-3.125');
        await press(page, 'Difference');
    },
    values: async (page) => {
        await unfoldBar(page);
        await press(page, 'Values');
    },
};

for (const screen of ['desktop', 'laptop', 'phone']) {
    for (const theme of ['light', 'dark']) {
        test(`axe-core finds nothing, and text fits: ${screen}, ${theme}`, async () => {
            for (const [name, enter] of Object.entries(states)) {
                const { page, seen } = await open(session.browser, { screen, theme });
                await enter(page);
                assert.deepEqual(await axeFindings(page), [], name);
                assert.deepEqual(await cutText(page), [], name);
                assert.ok(await fitsWidth(page), name);
                assert.deepEqual(seen, [], name);
                await leave(page);
            }
        });
    }
}

test('the lines are drawn on every screen', async () => {
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page } = await open(session.browser, { screen });
        await page.waitForFunction(() => document.querySelectorAll('.wires path').length >= 6);
        await leave(page);
    }
});

test('every target of the rooms and the bar is at least 24 pixels in both directions', async () => {
    for (const screen of ['desktop', 'laptop', 'phone']) {
        for (const [name, enter] of Object.entries(states)) {
            const { page } = await open(session.browser, { screen });
            await enter(page);
            const small = await page.evaluate(() =>
                [...document.querySelectorAll('button, select, input, label:has(input)')]
                    .filter((element) => !element.matches('label input'))
                    .map((element) => [element, element.getBoundingClientRect()])
                    .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
                    .map(([at, box]) => `${at.className} ${box.width} × ${box.height}`),
            );
            assert.deepEqual(small, [], `${screen}, ${name}`);
            await leave(page);
        }
    }
});

test('by keyboard: a gate, its room, the lanes, and back', async () => {
    const { page, seen } = await open(session.browser);
    const active = () =>
        page.evaluate(() => {
            const at = document.activeElement;
            return at.title || at.ariaLabel || at.textContent.trim().slice(0, 40);
        });
    await causal(page);
    const gateName = 'Mask: how it works';
    await page.focus(`[title="${gateName}"]`);
    await page.keyboard.press(' ');
    const stops = [];
    for (let n = 0; n < 20; n++) {
        await page.keyboard.press('Tab');
        stops.push(await active());
        if (stops.at(-1) === 'Softmax: how it works') break;
    }
    for (const name of [
        'Copy masked scores',
        'Close',
        'none',
        'causal',
        'padding',
        'all',
        'invert',
    ])
        assert.ok(stops.includes(name), `${name} in ${stops.join('; ')}`);
    await page.focus('.lane input:checked');
    await page.keyboard.press('ArrowDown');
    assert.equal(
        await page.$eval('.step-weights .foot', (foot) => foot.textContent),
        'weights rows do not sum to 1',
    );
    await page.keyboard.press('ArrowUp');
    await page.focus('.room [aria-label="Close"]');
    await page.keyboard.press('Enter');
    assert.equal(await page.$('.room'), null);
    assert.equal(await active(), gateName, 'the focus goes back to the gate');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('by keyboard: a baseline is kept, looked at and forgotten', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.evaluate(() =>
        [...document.querySelectorAll('button')]
            .find((button) => button.textContent === 'Keep as baseline')
            .focus(),
    );
    await page.keyboard.press('Enter');
    await typeInto(page, cell('K', 1, 1), '-1');
    await page.focus('.segments button');
    await page.keyboard.press('Enter');
    assert.deepEqual(await readGrids(page), old);
    for (let n = 0; n < 3; n++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.$('.segments'), null);
    await leave(page);
});
