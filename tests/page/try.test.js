// What there is to try: each asks for a guess first, makes its one edit, and tells what the engine
// made of it. The offers are there again after an edit, an undo, another example and a new start.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said, undo } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, leave, open, pageUrl, readGrids, useBrowser } from './browser.js';
import { axeFindings } from './judge.js';

const session = useBrowser();

const offers = (page) =>
    page.$$eval('.try .pill:not([aria-disabled]) b:first-child', (all) =>
        all.map((pill) => pill.textContent),
    );

const press = (page, name) =>
    page.evaluate((name) => {
        const all = [...document.querySelectorAll('.try button')];
        all.find((button) => button.textContent.includes(name)).click();
    }, name);

const question = (page) => page.$eval('#question', (line) => line.textContent);

const ALL = ['Switch ÷ √dk off.', 'Hide the future.', 'Change V.'];

test('without the scale: asked, guessed, told in real numbers, and offered again', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        assert.deepEqual(await offers(page), ALL);
        await press(page, 'Switch');
        assert.equal(await question(page), 'Without ÷ √dk, how much of cat does sat take?');
        assert.deepEqual(await readGrids(page), old, 'asking changes nothing');
        await press(page, 'less');
        assert.ok(largestError(await readGrids(page), { ...example, scale: 1 }) <= 1e-6);
        assert.equal(
            await said(page),
            'Not as you said: sat took 0.620 of cat and takes 0.705. ' +
                'Scores that are not divided lie further apart, and the softmax sharpens.',
        );
        assert.deepEqual(await offers(page), ALL.slice(1), 'there is no scale to switch off');
        await undo(page);
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(await offers(page), ALL);
        await press(page, 'Switch');
        await press(page, 'more');
        assert.match(await said(page), /^As you said: sat took 0\.620 of cat and takes 0\.705\. /);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('the future hidden: the first word sees only itself', async () => {
    const { page } = await open(session.browser);
    await press(page, 'Hide');
    assert.equal(await question(page), 'With the future hidden, what can the still see?');
    await press(page, 'only itself');
    assert.deepEqual((await readGrids(page)).Weights.text[0], ['1.000', '0', '0']);
    assert.match(await said(page), /^As you said: the sees 1 word, itself, with weight 1\.000\. /);
    assert.deepEqual(await offers(page), [ALL[2]], 'of one key there is no more or less');
    await undo(page);
    const row = () => page.$eval('[role=table]', (table) => table.getAttribute('aria-label'));
    assert.equal(await row(), 'Row: sat', 'the pin is where it was before the question');
    await press(page, 'Hide');
    assert.equal(await row(), 'Row: the');
    await page.click('.try .leave');
    assert.equal(await row(), 'Row: sat', 'and so it is where the question is left');
    await press(page, 'Hide');
    await page.click(cell('Weights', 1, 0));
    await page.click('.try .leave');
    assert.equal(await row(), 'Row: cat', 'unless another was pinned meanwhile');
    await leave(page);
});

test('V changed: no weight moves, and three outputs do', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await press(page, 'Change V');
    assert.equal(
        await question(page),
        'If the first number of v(cat) goes from 0 to 4, do the weights move?',
    );
    await press(page, 'yes');
    const now = await readGrids(page);
    assert.equal(now.V.text[1][0], '4');
    assert.deepEqual(now.Weights, old.Weights);
    assert.equal(
        await said(page),
        'Not as you said: 0 of 9 weights moved, and 3 outputs did. ' +
            'Weights are made of q and k alone.',
    );
    await leave(page);
});

test('the offers are about what is on the page, and outlast an edit and an example', async () => {
    const { page } = await open(session.browser);
    await page.select('[aria-label="Examples"]', 'animal');
    await page.waitForFunction(() => document.querySelectorAll('.token').length > 3);
    assert.deepEqual(await offers(page), ALL);
    await page.select('[aria-label="Examples"]', 'cross');
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 7);
    assert.deepEqual(await offers(page), [ALL[0], ALL[2]], 'keys from elsewhere have no future');
    await press(page, 'Switch');
    assert.match(await question(page), /^Without ÷ √dk, how much of \S+ does dort take\?$/);
    await page.click('[role=switch]');
    assert.equal(await page.$('#question'), null, 'another edit is no answer');
    assert.deepEqual(await offers(page), [ALL[2]]);
    await page.reload();
    await page.waitForSelector('html[data-ready=true]');
    assert.ok((await offers(page)).includes('Change V.'));
    await leave(page);
});

/** Offers that cannot be asked now: their first words, and the reason as it is told. */
const declined = (page) =>
    page.$$eval('.try .pill[aria-disabled=true]', (all) =>
        all.map((pill) => [
            pill.querySelector('b').textContent,
            document.getElementById(pill.getAttribute('aria-describedby')).textContent,
        ]),
    );

const REASONS = {
    'scale:off': [[ALL[0], 'The scores are not divided by √dₖ now.']],
    'mask:causal': [[ALL[1], 'Some keys are hidden already.']],
    'softmaxAxis:queries': [
        [ALL[0], 'This needs the softmax over keys, and the mask before it.'],
        [ALL[1], 'This needs the softmax over keys, and the mask before it.'],
    ],
    'mask:all': [
        [ALL[0], 'The pinned word sees no more than one key, so no key could get more or less.'],
        [ALL[1], 'Some keys are hidden already.'],
    ],
};

test('an offer that cannot be asked now keeps its place and says why', async () => {
    const { page, seen } = await open(session.browser);
    for (const [hash, reasons] of Object.entries(REASONS)) {
        await page.goto(`${pageUrl}#1=${hash}`);
        await page.reload();
        await page.waitForSelector('html[data-ready=true]');
        assert.deepEqual(await declined(page), reasons, hash);
        assert.equal((await page.$$('.try .pill')).length, 3, 'none is gone');
    }
    const old = await readGrids(page);
    await press(page, 'Hide');
    assert.equal(await said(page), 'Some keys are hidden already.');
    assert.equal(await page.$('#question'), null);
    assert.deepEqual(await readGrids(page), old);
    const shown = () => page.$$eval('.reason', (all) => all.map((one) => one.checkVisibility()));
    await page.mouse.move(5, 500);
    await page.focus(cell('Q', 0, 0));
    assert.deepEqual(await shown(), [false, false]);
    await page.focus('.try .pill');
    assert.deepEqual(await shown(), [true, false], 'with the focus');
    await page.focus(cell('Q', 0, 0));
    await page.hover('.offer:nth-of-type(3) .pill');
    assert.deepEqual(await shown(), [false, true], 'under the pointer');
    assert.deepEqual(await axeFindings(page), []);
    await page.evaluate(() => document.querySelector('.origin button').click());
    assert.match((await declined(page)).at(-1)[1], /^V is made by X·W now: /);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('equal scores: the question is answered as it is', async () => {
    const { page } = await open(session.browser);
    for (const j of [0, 1]) {
        await page.focus(cell('Q', 2, j));
        await page.keyboard.type('0');
        await page.keyboard.press('Enter');
    }
    await press(page, 'Switch');
    await press(page, 'as much');
    assert.match(
        await said(page),
        /^As you said: sat took 0\.333 of \S+ and takes 0\.333\. Scores that are equal stay equal,/,
    );
    await leave(page);
});
