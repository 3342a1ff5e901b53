// How long an edit takes (P14 of the performance goals): from the input event to the end of that
// frame's work, which is a requestAnimationFrame and then a MessageChannel task. Printed, never
// asserted: what is asserted is that every edit arrived.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';

const EDITS = 50;
const WARM_UP = 10;

const session = useBrowser();

/** Scrubs k of the pinned key by whole steps, one per frame; times in milliseconds. */
async function pace(page) {
    await page.evaluate(() => {
        globalThis.times = [];
        addEventListener(
            'pointermove',
            ({ buttons }) => {
                if (!buttons) return;
                const start = performance.now();
                requestAnimationFrame(() => {
                    const { port1, port2 } = new MessageChannel();
                    port1.onmessage = () => globalThis.times.push(performance.now() - start);
                    port2.postMessage(null);
                });
            },
            true,
        );
    });
    const cell = await page.$('[role=grid][aria-label="K"] [role=gridcell]');
    const box = await cell.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let n = 1; n <= WARM_UP + EDITS; n++) {
        await page.mouse.move(x + 14 * ((n % 5) + 1), y);
        await page.evaluate(() => new Promise((done) => setTimeout(done, 30)));
    }
    await page.mouse.up();
    return page.evaluate(() => globalThis.times);
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))];

for (const [length, goal] of [
    [16, 'median ≤ 10, 95th ≤ 16'],
    [128, '≤ 50'],
]) {
    test(`the pace of an edit at ${length} tokens × 4 heads`, async (t) => {
        const document = long(length, { heads: 4, dims: 4 });
        const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
        const times = (await pace(page)).slice(-EDITS);
        assert.equal(times.length, EDITS);
        const [least, median, most] = [0, 0.5, 0.95].map((share) => at(times, share).toFixed(1));
        t.diagnostic(
            `${length} tokens × 4 heads, ms per edit: median ${median}, 95th ${most}, ` +
                `least ${least} (goal: ${goal})`,
        );
        assert.deepEqual(seen, []);
        await leave(page);
    });
}
