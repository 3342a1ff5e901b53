// What hands and keys do: keys that step, Escape in a drag, what looks as if it could be clicked,
// words moved by a finger, pins that travel with undo, Reset and the panel that tells of it all.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { said } from './acts.js';
import { example, largestError } from './attention.js';
import { cell, launch, open, readGrids, token } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { hashOf, long } from './long.js';

let session;
before(async () => {
    session = await launch();
});
after(() => session.close());

const row = (page) => page.$eval('[role=table]', (table) => table.getAttribute('aria-label'));
const middle = async (page, selector) => {
    const box = await (await page.$(selector)).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
};

async function press(page, key, ...held) {
    for (const name of held) await page.keyboard.down(name);
    await page.keyboard.press(key);
    for (const name of held.toReversed()) await page.keyboard.up(name);
}

test('Space on a word blanks nothing; Enter, F2 and typing open it', async () => {
    const { page } = await open(session.browser);
    await page.focus(token(1));
    await page.keyboard.press(' ');
    assert.equal(await page.$('.field'), null);
    assert.equal(await page.evaluate(() => scrollY), 0, 'nor does the page scroll');
    for (const key of ['Enter', 'F2']) {
        await page.keyboard.press(key);
        assert.equal(await page.$eval('.field', (field) => field.value), 'cat', key);
        await page.keyboard.press('Escape');
    }
    await page.keyboard.type('x y');
    assert.equal(await page.$eval('.field', (field) => field.value), 'x y');
    await page.keyboard.press('Enter');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['the', 'x y', 'sat']]);
    for (const grid of ['Q', 'Scores', 'Weights']) {
        await page.focus(cell(grid, 0, 0));
        await page.keyboard.press(' ');
        assert.equal(await page.$('.field'), null, grid);
    }
    await page.close();
});

test('Alt with up and down steps a number by 1, Shift by 0.1; arrows alone walk', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    await page.focus(cell('Q', 2, 1));
    await press(page, 'ArrowUp', 'Alt');
    assert.equal((await readGrids(page)).Q.text[2][1], '3');
    await press(page, 'ArrowDown', 'Shift');
    await press(page, 'ArrowDown', 'Shift');
    const now = await readGrids(page);
    assert.equal(now.Q.value[2][1], '2.8');
    const input = structuredClone(example);
    input.q[2][1] = 2.8;
    assert.ok(largestError(now, input) <= 1e-6);
    for (let n = 0; n < 3; n++) await press(page, 'z', 'Control');
    assert.deepEqual(await readGrids(page), old, 'each press is a step of undo');
    await page.focus(cell('Scores', 2, 1));
    await press(page, 'ArrowUp', 'Alt');
    assert.equal((await readGrids(page)).Scores.text[2][1], '5', 'a score is set by hand');
    await page.focus(cell('Weights', 2, 1));
    const weights = await readGrids(page);
    await press(page, 'ArrowUp', 'Alt');
    assert.deepEqual(await readGrids(page), weights, 'a result follows');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'weights:1:1');
    await page.close();
});

/** Begins a drag, and is in the middle of it. */
const drags = {
    'the scrub of a number': async (page) => {
        const [x, y] = await middle(page, cell('K', 1, 0));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 60, y, { steps: 6 });
        assert.equal((await readGrids(page)).K.text[1][0], '4');
    },
    'the reorder of a word': async (page) => {
        const [x, y] = await middle(page, token(0));
        const [to] = await middle(page, token(2));
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(to + 20, y, { steps: 12 });
        assert.deepEqual((await readGrids(page)).Tokens.text, [['cat', 'sat', 'the']]);
    },
    'the painting of the mask': async (page) => {
        const from = await middle(page, cell('Mask', 0, 0));
        const to = await middle(page, cell('Mask', 0, 2));
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, { steps: 12 });
        assert.deepEqual((await readGrids(page)).Mask.text[0], ['-∞', '-∞', '-∞']);
    },
    'the scrub of the divisor': async (page) => {
        const [x, y] = await middle(page, '[aria-label="Divide the scores by"]');
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + 42, y, { steps: 6 });
        assert.notEqual((await readGrids(page)).Weights.text[2][1], '0.620');
    },
};

for (const [name, begin] of Object.entries(drags)) {
    test(`Escape takes back ${name}, and what could be redone stays so`, async () => {
        const { page, seen } = await open(session.browser);
        await page.focus(cell('V', 0, 0));
        await page.keyboard.type('5');
        await page.keyboard.press('Enter');
        await page.keyboard.type('6');
        await page.keyboard.press('Enter');
        await press(page, 'z', 'Control');
        const old = await readGrids(page);
        const line = await said(page);
        await begin(page);
        await page.keyboard.press('Escape');
        assert.deepEqual(await readGrids(page), old);
        assert.equal(await said(page), line);
        await page.mouse.move(200, 120, { steps: 5 });
        await page.mouse.up();
        assert.deepEqual(await readGrids(page), old, 'the rest of the drag does nothing');
        await press(page, 'y', 'Control');
        assert.equal((await readGrids(page)).V.text[0][0], '6');
        assert.deepEqual(seen, []);
        await page.close();
    });
}

test('tags, arcs, shares, lines and headers preview what they name, and pin it', async () => {
    const { page } = await open(session.browser);
    const near = () => page.$eval('.ledger .near th', (header) => header.textContent);
    const reading = () => page.$eval('#reading', (line) => line.textContent);
    await page.click(cell('Weights', 2, 1));
    const targets = {
        'the arc to the': ['.hits path[data-at="weights:2:0"]', 'the'],
        'the label of the arc to sat': ['.hits rect[data-at="weights:2:2"]', 'sat'],
        'the k tag': ['.hits rect[data-at^="K:"]', null],
        'the v tag': ['.hits rect[data-at^="V:"]', null],
        'the q tag': ['.hits rect[data-at^="Q:"]', null],
        'a share': ['.share:nth-child(2)', 'cat'],
        'a line of the row table': ['.ledger tbody tr:nth-child(3) td', 'sat'],
        'the header of a key': ['[data-a="weights:col:0"]', 'the'],
    };
    for (const [name, [selector, key]] of Object.entries(targets)) {
        await page.mouse.move(5, 5);
        const before = await reading();
        const at = await page.$eval(selector, (element) => {
            if (element.tagName !== 'path') {
                const box = element.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }
            const { x, y } = element.getPointAtLength(element.getTotalLength() * 0.7);
            const box = element.ownerSVGElement.getBoundingClientRect();
            return [x + box.x, y + box.y];
        });
        await page.mouse.move(...at);
        if (key) assert.equal(await near(), key, name);
        else assert.notEqual(await reading(), before, name);
        const shown = await reading();
        await page.mouse.down();
        await page.mouse.up();
        await page.mouse.move(5, 5);
        assert.equal(await reading(), shown, `${name} is pinned`);
    }
    const header = await middle(page, '[data-a="scores:row:1"]');
    await page.mouse.click(...header);
    assert.equal(await row(page), 'Row: cat');
    await page.close();
});

test('a line from the large matrix to the row table pins its key', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(8)) });
    const box = await (await page.$('.fan')).boundingBox();
    const weights = (await readGrids(page)).Weights.value[5].map(Number);
    const key = weights.indexOf(Math.max(...weights));
    const line = await (await page.$(`.rowtable tbody tr:nth-child(${key + 1})`)).boundingBox();
    await page.mouse.move(box.x + box.width - 1, line.y + line.height / 2);
    assert.equal(await page.$eval('.fan', (fan) => fan.style.cursor), 'pointer');
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(5, 5);
    assert.equal(
        await page.$eval('.rowtable .near', (tr) => tr.dataset.at),
        `weights:5:${key}`,
    );
    await page.close();
});

test('only what can be dragged looks so', async () => {
    const { page } = await open(session.browser);
    const look = (selector) =>
        page.$eval(selector, (element) => {
            const number = element.querySelector('.n');
            return [
                getComputedStyle(element).cursor,
                getComputedStyle(number, '::before').content.includes('‹'),
            ];
        });
    const looks = async (grid) => {
        await page.focus(cell(grid, 2, 1));
        return look(cell(grid, 2, 1));
    };
    assert.deepEqual(await looks('Q'), ['ew-resize', true]);
    assert.deepEqual(await looks('Mask'), ['pointer', false]);
    assert.deepEqual(await looks('Weights'), ['default', false]);
    assert.deepEqual(await looks('Scores'), ['default', false]);
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    assert.deepEqual(await look(cell('Scores', 2, 1)), ['ew-resize', true]);
    await page.close();
});

test('what is pinned travels with undo and redo of a reorder', async () => {
    const { page } = await open(session.browser);
    assert.equal(await row(page), 'Row: sat');
    await page.focus(token(0));
    assert.equal(await row(page), 'Row: the');
    await press(page, 'End', 'Alt');
    assert.deepEqual((await readGrids(page)).Tokens.text, [['cat', 'sat', 'the']]);
    assert.equal(await row(page), 'Row: the');
    await page.click('[aria-label="Undo"]');
    assert.equal(await row(page), 'Row: the');
    await page.click('[aria-label="Redo"]');
    assert.equal(await row(page), 'Row: the');
    await page.focus(token(1));
    await page.click('[aria-label="Undo"]');
    assert.equal(await row(page), 'Row: the', 'as it was pinned when the word was moved');
    await page.click('[aria-label="Redo"]');
    assert.equal(await row(page), 'Row: sat');
    await page.close();
});

test('by touch: a word is held, then dragged to another place, or put back', async () => {
    const { page, seen } = await open(session.browser, { screen: 'phone' });
    const old = await readGrids(page);
    const [[x, y], [to]] = [await middle(page, token(0)), await middle(page, token(2))];
    let finger = await page.touchscreen.touchStart(x, y);
    for (let n = 1; n <= 8; n++) await finger.move(x + ((to + 14 - x) * n) / 8, y);
    await finger.end();
    assert.deepEqual(await readGrids(page), old, 'a swipe moves nothing');

    finger = await page.touchscreen.touchStart(x, y);
    await page.waitForSelector('.token[data-lifted]');
    for (let n = 1; n <= 8; n++) await finger.move(x + ((to + 14 - x) * n) / 8, y + (n % 2));
    await finger.end();
    const now = await readGrids(page);
    assert.deepEqual(now.Tokens.text, [['cat', 'sat', 'the']]);
    assert.deepEqual(now.Q.value, [1, 2, 0].map((n) => old.Q.value[n]));
    assert.equal(await page.$('[data-lifted]'), null);
    assert.equal(await page.$('.field'), null);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.at), 'tokens:0:2');
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await readGrids(page), old, 'one drag is one step');
    assert.deepEqual(seen, []);
    await page.close();
});

test('by touch: a cell that is drawn is pinned by one tap, and opened by a second', async () => {
    const { page } = await open(session.browser, { screen: 'phone', hash: await hashOf(long(24)) });
    await page.$eval('[data-map=Q]', (button) => button.click());
    await page.waitForSelector('[role=grid][aria-label=Q] canvas');
    await page.$eval('[aria-label=Q] canvas', (map) => map.scrollIntoView({ block: 'center' }));
    const at = await middle(page, '[aria-label=Q] canvas');
    await page.touchscreen.tap(...at);
    await page.waitForFunction(() => document.activeElement.dataset.at?.startsWith('Q:'));
    assert.equal(await page.$('.field'), null);
    await new Promise((done) => setTimeout(done, 500)); // sooner, the browser sees a double tap
    await page.touchscreen.tap(...at);
    await page.waitForSelector('.field');
    await page.close();
});

test('a score set by hand is one of the head that is shown', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(4, { heads: 2 })) });
    const head = (n) => page.click(`[aria-label="Weights, head ${n}"]`);
    const old = await readGrids(page);
    await head(2);
    const second = await readGrids(page);
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    assert.equal((await readGrids(page)).Scores.value[1][2], '7');
    await head(1);
    assert.deepEqual((await readGrids(page)).Scores, old.Scores, 'the other head follows q·k');
    assert.deepEqual((await readGrids(page)).Weights, old.Weights);
    await head(2);
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.press('Delete');
    assert.deepEqual((await readGrids(page)).Scores, second.Scores);
    await page.close();
});

test('a link of before, with a score for every head, still says so; one is let go of', async () => {
    const hash = await hashOf(long(4, { heads: 2, scoreEdits: { '1,2': 7 } }));
    const { page } = await open(session.browser, { hash });
    const head = (n) => page.click(`[aria-label="Weights, head ${n}"]`);
    const score = async () => (await readGrids(page)).Scores.value[1][2];
    assert.equal(await score(), '7');
    await head(2);
    assert.equal(await score(), '7');
    await page.focus(cell('Scores', 1, 2));
    await page.keyboard.press('Delete');
    assert.notEqual(await score(), '7');
    await head(1);
    assert.equal(await score(), '7');
    await page.close();
});

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
    await page.close();
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
    await page.close();
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
        await page.close();
    }
});

test('on a phone it is said what is yours, and buttons have room for a finger', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    assert.match(
        await page.$eval('.yours-note', (note) => note.innerText),
        /framed is yours: drag, or tap twice to type\./,
    );
    await page.click('[aria-label=More]');
    const small = await page.$$eval('button', (all) =>
        all
            .map((button) => [button, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width && (width < 32 || height < 32))
            .map(([button, { width, height }]) => `${button.outerHTML} ${width} × ${height}`),
    );
    assert.deepEqual(small, []);
    await page.close();
});
