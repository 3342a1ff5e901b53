// The lab on cost: what it counts is arithmetic that can be done by hand, and the race measures what
// it says: the tiles' memory does not grow, the definition's does with T².

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { costOf } from '../../web/page/lab/cost.js';
import { exponentOf } from '../../web/page/lab/exponent.js';
import { Race } from '../../web/page/lab/race.js';
import { press, setNumber } from './acts.js';
import { leave, open, useBrowser } from './browser.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';

const session = useBrowser();

const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

/** The results of the four rows, without their work. */
const counted = (page) =>
    page.$$eval('.counted dd', (all) => all.map((dd) => dd.querySelector('b').textContent));

const line = (page) => page.$eval('.runline', (found) => found.textContent);

test('counts', () => {
    const lab = { batch: 32, heads: 8, tokens: 1024, width: 512, type: 'float16' };
    const cost = costOf(lab);
    assert.equal(cost.scores, 1048576);
    assert.equal(cost.bytes, 512 * 2 ** 20, '512 MiB of weights in one layer');
    assert.equal(cost.projections, 2147483648);
    assert.equal(cost.attention, cost.projections, 'equal at T = 2·d');
    assert.equal(costOf({ ...lab, tokens: 512 }).scores, 262144);
    assert.equal(costOf({ ...lab, tokens: 2048 }).scores, 4194304);
    assert.equal(costOf({ ...lab, type: 'float32' }).bytes, 2 ** 30);
    const all = costOf({ ...lab, tokens: cost.equalWithAll });
    assert.equal(all.attention, all.projections + all.feedForward);
    const powers = [1, 2, 4, 8].map((x) => [x, 5 * x ** 1.5]);
    assert.ok(Math.abs(exponentOf(powers) - 1.5) < 1e-12);
});

test('the race: constant memory by tiles, T² by the definition', () => {
    const race = new Race(null, { longest: Infinity }, readFileSync(join(dist, 'attn.wasm')));
    while (race.curve.filter(({ path }) => path === 'definition').length < 5) race.next();
    const bytes = (path) =>
        race.curve.filter((entry) => entry.path === path).map((entry) => entry.bytes);
    const [least, ...more] = bytes('tiles');
    assert.ok(more.length >= 3 && more.every((each) => each === least), String(more));
    assert.ok(least > 0 && least < 2 ** 17, `${least} bytes of tiles`);
    bytes('definition').forEach((each, n, all) => {
        const { length } = race.curve.filter(({ path }) => path === 'definition')[n];
        assert.ok(each >= 6 * 4 * length ** 2, 'six arrays of scores');
        if (n > 2) assert.ok(Math.abs(each / all[n - 1] - 4) < 0.05, 'four times for twice T');
    });
    assert.ok(race.curve.every(({ seconds }) => seconds > 0));
    race.dispose();
});

for (const [screen, theme] of [
    ['laptop', 'light'],
    ['phone', 'dark'],
]) {
    test(`edited, raced, stopped and gone on with: ${screen}, ${theme}`, async () => {
        const { page, seen } = await open(session.browser, { screen, theme });
        await press(page, 'What it costs');
        assert.deepEqual(await counted(page), ['1,048,576', '512 MiB', '2.1·109', '2.1·109']);
        assert.match(
            await page.$eval('.lab', (lab) => lab.textContent),
            /Here the projections take as much as the attention\. They take the same at T = 2·d/,
        );
        await setNumber(page, 'Tokens, T', '2048');
        assert.deepEqual(await counted(page), ['4,194,304', '2 GiB', '4.3·109', '8.6·109']);
        await press(page, 'float32', '.lab');
        assert.equal((await counted(page))[1], '4 GiB');
        await page.waitForFunction(() => /lab:cost,tokens=2048,type=float32$/.test(location.hash));
        assert.match(
            await page.$eval('.counted p', (found) => found.textContent),
            /^Attention is 2\.0 times the projections\. .* T = 2·d = 1,024; .* T = 6·d = 3,072/,
        );
        await setNumber(page, 'Heads, H', '0');
        assert.match(
            await page.$eval('#problem', (found) => found.textContent),
            /The number of heads is a whole number from 1 to 1,024, not “0”\./,
        );
        await page.keyboard.press('Escape');
        assert.equal((await counted(page))[1], '4 GiB', 'nothing is lost');
        assert.equal(await line(page), 'Not measured yet.');
        await press(page, 'Race', '.lab');
        await page.waitForFunction(() =>
            /tiles/.test(document.querySelector('.runline').textContent));
        await press(page, 'Stop', '.lab');
        await page.waitForFunction(() =>
            [...document.querySelectorAll('.lab button')].some((b) => b.textContent === 'Go on'));
        assert.match(await line(page), /^T = [\d,]+, by (the definition|tiles): .* beyond the tensors\.$/);
        const [operations, time] = await page.$$eval('.plot', (all) => all.map((p) => p.ariaLabel));
        assert.match(operations, /^Operations of one layer, logarithmic scale\. projections: /);
        assert.match(time, /the definition: \S+ at 64, /);
        assert.deepEqual(await axeFindings(page), []);
        assert.deepEqual(await cutText(page), []);
        assert.ok(await fitsWidth(page));
        assert.deepEqual(seen, []);
        await leave(page);
    });
}
