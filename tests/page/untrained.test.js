// A lab before it has trained: where its curves will stand, it says that they are not there yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leave, open, useBrowser } from './browser.js';
import { hashOf } from './long.js';
import { labOf } from '../../web/page/lab/labs.js';
import { defaultDocument } from '../../web/page/schema.js';

const session = useBrowser();

test('every chart of a lab that has not trained says so; one that is measured has its curve', async () => {
    for (const [id, count] of Object.entries({ pronoun: 3, scale: 3, mask: 2, spread: 0 })) {
        const hash = await hashOf({ ...defaultDocument(), lab: labOf(id) });
        const { page, seen } = await open(session.browser, { screen: 'phone', hash });
        await page.waitForSelector('.lab .plot');
        const told = await page.$$eval('.lab .plot', (plots) =>
            plots.map((plot) => [
                plot.querySelector('.coming')?.textContent ?? '',
                [...plot.querySelectorAll('.curve:not(.chance)')].every((c) => c.getAttribute('d')),
            ]),
        );
        assert.equal(told.filter(([text]) => text === 'Drawn while it trains.').length, count, id);
        assert.ok(told.every(([text, drawn]) => drawn === (text === '')), `${id}: ${told}`);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});
