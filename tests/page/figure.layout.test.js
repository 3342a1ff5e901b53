// How the figure and the page around it are laid out, whatever the length of the sentence: nothing
// scrolls sideways, wraps or is cut, and colours mean beside a map what they mean elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attention } from './attention.js';
import { leave, open, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const session = useBrowser();

test('a long sentence that wraps tints its words by weight', async () => {
    for (const [screen, length] of [
        ['desktop', 40],
        ['phone', 12],
    ]) {
        const document = long(length);
        const { page } = await open(session.browser, { screen, hash: await hashOf(document) });
        const { q, k, v } = document;
        const row = attention({ q, k, v }).weights[document.query];
        const tints = await page.$$eval('.token', (all) =>
            all.map((token) => parseFloat(token.style.getPropertyValue('--tint'))),
        );
        tints.forEach((tint, j) => assert.equal(tint, Math.round(Math.sqrt(row[j]) * 60)));
        await leave(page);
    }
});

test('at 128 tokens nothing scrolls sideways, on any screen', async () => {
    const hash = await hashOf(long(128, { heads: 4, dims: 4 }));
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen, hash });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${screen}: ${wide} px`);
        assert.equal((await page.$$('.token')).length, 128);
        assert.equal(await page.$eval('.limit', (p) => p.innerText), '128 words: no more fit');
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('beside a map the pinned query is blue and its key ochre, as everywhere', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(128)) });
    const colors = await page.evaluate(() => {
        const of = (element) => getComputedStyle(element).color;
        const named = (name) => {
            const probe = document.body.appendChild(document.createElement('i'));
            probe.style.color = `var(--${name})`;
            const color = of(probe);
            probe.remove();
            return color;
        };
        const [row, column] = ['aside', 'above'].map((side) =>
            document.querySelector(`.labels.${side} .near`),
        );
        return { row: of(row), column: of(column), q: named('q'), k: named('k') };
    });
    assert.notEqual(colors.q, colors.k);
    assert.equal(colors.row, colors.q);
    assert.equal(colors.column, colors.k);
    await leave(page);
});

test('five words: a short one is whole beside its row, and no line of the table wraps', async () => {
    const tokens = ['this', 'word', 'they', 'look', 'back'];
    for (const screen of ['desktop', 'laptop']) {
        const hash = await hashOf(long(5, { tokens }));
        const { page } = await open(session.browser, { screen, hash });
        const [cut, lines] = await page.evaluate(() => [
            [...document.querySelectorAll('.flow .across')]
                .filter(
                    ({ clientWidth, scrollWidth }) => clientWidth > 9 && scrollWidth > clientWidth,
                )
                .map((name) => name.textContent),
            [...document.querySelectorAll('.line td .work')].map(({ offsetHeight }) => offsetHeight),
        ]);
        assert.deepEqual(cut, []);
        assert.ok(lines.length > 25 && Math.max(...lines) < 28, `${screen}: ${lines}`);
        await leave(page);
    }
});

test('on a tablet what to try and to measure stand below both columns, in this order', async () => {
    const { page } = await open(session.browser, { screen: 'tablet' });
    const [mix, ledger, offers, labs] = await page.evaluate(() =>
        ['.mix', '.ledger', '.try', '.labs'].map((part) => {
            const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
            return { left, right, top, bottom };
        }),
    );
    assert.ok(offers.top >= Math.max(mix.bottom, ledger.bottom) && labs.top >= offers.bottom);
    assert.deepEqual([labs.left, labs.right], [offers.left, ledger.right]);
    await leave(page);
});

test('the page as it opens ends above the fold, down to what can be measured', async () => {
    for (const screen of ['desktop', 'laptop']) {
        const { page } = await open(session.browser, { screen });
        const [end, height] = await page.evaluate(() => [
            document.querySelector('.labs .pill:last-child').getBoundingClientRect().bottom,
            innerHeight,
        ]);
        assert.ok(end <= height, `${screen}: ${end} of ${height}`);
        await leave(page);
    }
});

test('what is laid out by itself has room for its numbers', async () => {
    for (const screen of ['desktop', 'laptop', 'phone'])
        for (const dims of [4, 16]) {
            const hash = await hashOf(long(12, { heads: 4, dims }));
            const { page } = await open(session.browser, { screen, hash });
            const { count, cut } = await page.evaluate(() => {
                const all = [...document.querySelectorAll('.weight, .slices .m, .headname')];
                const isCut = (part) =>
                    part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
                return { count: all.length, cut: all.filter(isCut).map((part) => part.className) };
            });
            assert.equal(count, 12 + 3 + 4);
            assert.deepEqual(cut, [], `${screen}, ${dims}`);
            await leave(page);
        }
});
