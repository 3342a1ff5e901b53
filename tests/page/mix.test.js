// The words and, beside them, what the pinned one takes: its shares as one bar, each with its
// number or told of under the bar, and of which head they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { press } from './acts.js';
import { leave, open, readGrids, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

const percent = (share) => {
    const whole = Math.round(share * 100);
    if (whole === 0 && share > 0) return '< 1 %';
    return whole === 100 && share < 1 ? '> 99 %' : `${whole} %`;
};

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** The labels on the bar by their key, with what is wider than its share, and the line under it. */
const mix = (page) =>
    page.evaluate(() => {
        const shares = [...document.querySelectorAll('.share')].map((share) => ({
            key: Number(share.dataset.at.split(':')[2]),
            number: share.lastElementChild.textContent,
            name: share.querySelector('bdi')?.textContent,
            cut: [...share.children].some(
                (part) => part.getBoundingClientRect().width > share.clientWidth + 0.5,
            ),
        }));
        return { shares, rest: document.querySelector('.unlabelled')?.textContent ?? null };
    });

test('every share has its number on the bar, or is told of under it', async () => {
    for (const name of ['opened', 'four words', 'eight words', 'four heads', 'long word'])
        for (const screen of ['desktop', 'laptop', 'phone']) {
            const { document } = STATES[name];
            const hash = document ? await hashOf(document) : '';
            const { page } = await open(session.browser, { screen, hash });
            const where = `${name}, ${screen}`;
            const row = document?.query ?? 2;
            const weights = (await readGrids(page)).Weights.value[row].map(Number);
            const words = document?.tokens ?? ['the', 'cat', 'sat'];
            const { shares, rest } = await mix(page);
            for (const { key, number, name: shown, cut } of shares) {
                assert.equal(number, percent(weights[key]), where);
                assert.ok(shown === undefined || shown === words[key], where);
                assert.ok(!cut, `${where}: ${shown} ${number} is cut`);
            }
            const labelled = shares.map(({ key }) => key);
            const bare = weights
                .map((weight, key) => ({ weight, key }))
                .filter(({ weight, key }) => weight > 0 && !labelled.includes(key));
            const named = bare.map(({ weight, key }) => `${words[key]} ${percent(weight)}`);
            const told = [
                `also ${named.join(', ')}`,
                `also ${bare.length} keys, ` +
                    `${percent(sum(bare.map(({ weight }) => weight)))} together`,
            ];
            if (bare.length) assert.ok(told.includes(rest), `${where}: ${rest}`);
            else assert.equal(rest, null, where);
            await leave(page);
        }
});

test('narrow shares have their number under their name', async () => {
    const { page } = await open(session.browser, { screen: 'laptop' });
    const stacked = await page.$$eval('.share.stacked', (all) => all.map((s) => s.textContent));
    assert.deepEqual(stacked, ['the7 %']);
    await leave(page);
});

test('of several heads it is said which one the numbers are of', async () => {
    for (const screen of ['desktop', 'phone']) {
        const hash = await hashOf(STATES['four heads'].document);
        const { page } = await open(session.browser, { screen, hash });
        const read = (selector) => page.$eval(selector, (part) => part.textContent);
        const told = async () => [
            await read('.mix h2'),
            await read('.figurehead h2'),
            await read('.step-output .foot'),
        ];
        assert.deepEqual(await told(), [
            'it, in context, head 3 of 4',
            'Weights, head 3 of 4',
            'output of head 3 of 4',
        ]);
        await page.click('[aria-label="Weights, head 2"]');
        assert.deepEqual(await told(), [
            'it, in context, head 2 of 4',
            'Weights, head 2 of 4',
            'output of head 2 of 4',
        ]);
        await leave(page);
    }
    const { page } = await open(session.browser);
    assert.equal(await page.$eval('.mix h2', (head) => head.textContent), 'sat, in context');
    await leave(page);
});

test('the plus stands level with the words, and shares with what the words leave', async () => {
    for (const name of ['one word', 'two words', 'opened', 'long word', 'two sentences'])
        for (const screen of ['desktop', 'laptop', 'tablet', 'phone']) {
            const { document } = STATES[name];
            const hash = document ? await hashOf(document) : '';
            const { page } = await open(session.browser, { screen, hash });
            const found = await page.evaluate(() => {
                const middle = (part) => {
                    const { top, height } = part.getBoundingClientRect();
                    return top + height / 2;
                };
                const strips = [...document.querySelectorAll('.strip')].map((strip) => {
                    const last = [...strip.querySelectorAll('.token')].at(-1);
                    return middle(strip.querySelector('.add')) - middle(last);
                });
                const right = (part) => part.getBoundingClientRect().right;
                const ends = [...document.querySelectorAll('.token, .add, .cross')].map(right);
                const { left } = document.querySelector('.mix').getBoundingClientRect();
                return { strips, room: left - Math.max(...ends) };
            });
            for (const off of found.strips)
                assert.ok(Math.abs(off) <= 1, `${name}, ${screen}: ${off} px off`);
            if (['desktop', 'laptop'].includes(screen))
                assert.ok(found.room >= 24, `${name}, ${screen}: ${found.room}`);
            await leave(page);
        }
});

test('one word alone is told why its weight is 1; a second one ends that', async () => {
    const hash = await hashOf(STATES['one word'].document);
    const { page } = await open(session.browser, { hash });
    const { Weights } = await readGrids(page);
    assert.deepEqual(Weights.text, [['1.000']]);
    const hint = () => page.$$eval('.alone', (all) => all.map((line) => line.textContent));
    assert.deepEqual(await hint(), ['One key gets all the weight, whatever its score.']);
    await page.click('[aria-label="Add a word"]');
    assert.deepEqual(await hint(), []);
    await press(page, 'Undo', '.said');
    await page.select('select[aria-label="Mask preset"]', 'all');
    assert.deepEqual(await hint(), [], 'what is hidden gets none');
    await leave(page);
});

test('lines of a word that asks itself leave it beside the tag of q', async () => {
    for (const [query, tag] of [
        [0, 'q'],
        [2, 'q = [1, 2]'],
    ]) {
        const document = { ...long(3), ...STATES.projected.document };
        const { mode, x, wq, wk, wv, ...rest } = document;
        const direct = {
            ...rest,
            q: [[2, -1], [-1, 1], [1, 2]],
            k: [[1, 0], [0, 2], [1, 1]],
            v: [[2, 0], [0, 4], [1, 1]],
            query,
            key: query,
            focus: { grid: 'weights', row: query, col: query },
        };
        const { page } = await open(session.browser, { hash: await hashOf(direct) });
        const tags = await page.$$eval('.wires g', (all) =>
            all.map((g) => {
                const { left, right } = g.querySelector('rect').getBoundingClientRect();
                return { text: g.textContent, left, right };
            }),
        );
        const q = tags.find(({ text }) => text.startsWith('q'));
        assert.equal(q.text, tag);
        const starts = await page.$$eval('.wires:first-of-type path', (all) =>
            all
                .filter((path) => ['var(--k)', 'var(--v)'].includes(path.getAttribute('stroke')))
                .filter((path) => !path.getAttribute('stroke-linecap'))
                .map((path) => {
                    const { x } = path.getPointAtLength(0);
                    return x + path.ownerSVGElement.getBoundingClientRect().left;
                }),
        );
        assert.equal(starts.length, 2);
        assert.ok(starts.every((x) => x > q.right + 4), `${tag}: ${starts}, ${q.right}`);
        await leave(page);
    }
});
