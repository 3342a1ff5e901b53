// What does not fit says so: strips of numbers that go on, and the sheet of a phone, which gives
// way to what is tried and measured.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

/** The line that counts, and the cells of q that are in sight in whole. */
const strip = (page) =>
    page.evaluate(() => {
        const box = document.querySelector('.slices');
        const { left, right } = box.getBoundingClientRect();
        const seen = [...box.querySelectorAll('[aria-label=Q] [role=gridcell]')]
            .map((cell, n) => ({ n: n + 1, at: cell.getBoundingClientRect() }))
            .filter(({ at }) => at.left >= left - 1 && at.right <= right + 1);
        const counted = document.querySelector('.more');
        const named = [...document.querySelectorAll('.besidehead h2, .rowtable th')];
        const overlaps = named.some((part) => {
            const [a, b] = [part, counted ?? box].map((one) => one.getBoundingClientRect());
            const range = document.createRange();
            range.selectNodeContents(part);
            const text = range.getBoundingClientRect();
            const isBeside = text.left >= b.right || text.right <= b.left;
            return !isBeside && a.top < b.bottom && a.bottom > b.top;
        });
        return {
            counted: counted?.textContent ?? null,
            fades: getComputedStyle(box).maskImage !== 'none',
            from: seen[0].n,
            to: seen.at(-1).n,
            overlaps,
        };
    });

test('a strip of 64 numbers fades where it goes on, and says which are in sight', async () => {
    const hash = await hashOf(long(6, { dims: 64 }));
    for (const screen of ['desktop', 'laptop', 'phone']) {
        const { page } = await open(session.browser, { screen, hash });
        const first = await strip(page);
        assert.equal(first.counted, `1–${first.to} of 64 numbers`, screen);
        assert.ok(first.fades && first.to < 64 && !first.overlaps, `${screen}: ${first.overlaps}`);
        await page.$eval('.slices', (box) => box.scrollTo(box.scrollWidth, 0));
        await page.waitForFunction(() =>
            document.querySelector('.more').textContent.includes('64 of 64'),
        );
        const last = await strip(page);
        assert.equal(last.counted, `${last.from}–64 of 64 numbers`, screen);
        assert.ok(last.fades && last.from > 1, screen);
        await leave(page);
    }
});

test('a strip that is in sight as a whole neither fades nor counts', async () => {
    const { page } = await open(session.browser, { hash: await hashOf(long(8)) });
    assert.deepEqual(await strip(page), {
        counted: null,
        fades: false,
        from: 1,
        to: 2,
        overlaps: false,
    });
    await leave(page);
});

test('on a phone the sheet sticks over the numbers, and gives way to a lab', async () => {
    const hash = await hashOf(STATES['training lab'].document);
    const { page } = await open(session.browser, { screen: 'phone', hash });
    const boxes = () =>
        page.evaluate(() =>
            ['.words', '.lab', '.labs', '.try'].map((part) => {
                const { top, bottom } = document.querySelector(part).getBoundingClientRect();
                return { top, bottom };
            }),
        );
    const height = await page.evaluate(() => innerHeight);
    await page.evaluate(() => scrollTo(0, 0));
    assert.ok(Math.abs((await boxes())[0].bottom - height) <= 1, 'it sticks to the bottom');
    for (const at of ['start', 'center', 'end']) {
        await page.$eval('.lab', (lab, block) => lab.scrollIntoView({ block }), at);
        const [words, ...below] = await boxes();
        for (const part of below) assert.ok(words.bottom <= part.top, `${at}: it lies over a lab`);
    }
    await leave(page);
});
