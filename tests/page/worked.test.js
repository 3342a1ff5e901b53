// The worked example as a visitor finds it, read from the grids and the row table.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { attention, example, largestError } from './attention.js';
import { leave, open, pagePath, pageUrl, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

test('the page is ready soon after it was opened', async (t) => {
    const page = await session.browser.newPage();
    await page.evaluateOnNewDocument(() => {
        new MutationObserver(() => {
            if (document.documentElement?.dataset.ready) globalThis.readyAt ??= performance.now();
        }).observe(document, { attributes: true, subtree: true });
    });
    const times = [];
    for (let n = 0; n < 5; n++) {
        await page.goto(pageUrl);
        await page.waitForSelector('html[data-ready=true]', { timeout: 10000 });
        times.push(Math.round(await page.evaluate(() => globalThis.readyAt)));
    }
    t.diagnostic(`data-ready after ${times.join(', ')} ms (promised: 1000 ms)`);
    assert.equal(times.length, 5);
    await page.close();
});

test('the page is one small file whose policy names its own scripts and style', () => {
    const html = readFileSync(pagePath, 'utf8');
    assert.ok(statSync(pagePath).size <= 500 * 1024, `${statSync(pagePath).size} bytes`);
    const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => text);
    const style = html.match(/<style>([\s\S]*?)<\/style>/)[1];
    assert.equal(scripts.length, 2, 'the engine, which a worker runs too, and the page');
    assert.equal(html.match(/<script/g).length, 2);
    const policy = html
        .match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1]
        .split('; ');
    assert.deepEqual(policy, [
        "default-src 'none'",
        `script-src ${scripts.map(hash).join(' ')} 'wasm-unsafe-eval'`,
        `style-src ${hash(style)}`,
        'img-src data: blob:',
        'worker-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
    ]);
    assert.ok(
        html.indexOf('Content-Security-Policy') < html.indexOf('<meta charset'),
        'the policy comes first',
    );
    const markup = scripts.reduce((text, script) => text.replace(script, ''), html);
    assert.doesNotMatch(markup, /style="/);
});

test('the worked example is on screen with the numbers of its source', async () => {
    const { page, seen } = await open(session.browser);
    const grids = await readGrids(page);
    assert.deepEqual(grids.Tokens.text, [['the', 'cat', 'sat']]);
    assert.deepEqual(grids.Q.text, [
        ['2', '-1'],
        ['-1', '1'],
        ['1', '2'],
    ]);
    assert.deepEqual(grids.K.text, [
        ['1', '0'],
        ['0', '2'],
        ['1', '1'],
    ]);
    assert.deepEqual(grids.V.text, [
        ['2', '0'],
        ['0', '4'],
        ['1', '1'],
    ]);
    assert.deepEqual(grids.Mask.text, [
        ['0', '0', '0'],
        ['0', '0', '0'],
        ['0', '0', '0'],
    ]);
    assert.deepEqual(grids.Scores.text[2], ['1', '4', '3']);
    assert.deepEqual(grids['Scaled scores'].text[2], ['0.707', '2.828', '2.121']);
    assert.deepEqual(grids['Masked scores'].text[2], ['0.707', '2.828', '2.121']);
    assert.deepEqual(grids.Weights.text[2], ['0.074', '0.620', '0.306']);
    assert.deepEqual(grids.Output.text[2], ['0.454', '2.786']);
    const error = largestError(grids, example);
    assert.ok(error <= 1e-6, `off by ${error}`);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('the row table spells the row of sat out, and its sums', async () => {
    const { page } = await open(session.browser);
    const table = await page.$$eval('[role=table][aria-label="Row: sat"] [role=row]', (rows) =>
        rows.map((row) =>
            [...row.querySelectorAll('[role=rowheader], .work')].map((part) => part.textContent),
        ),
    );
    assert.deepEqual(table.slice(1, 4), [
        [
            'the',
            '1·1 + 2·0 = 1',
            '1 ÷ √2 = 0.707',
            'e0.707 = 2.028',
            '0.074',
            '0.074 × [2, 0] = [0.149, 0]',
        ],
        [
            'cat',
            '1·0 + 2·2 = 4',
            '4 ÷ √2 = 2.828',
            'e2.828 = 16.919',
            '0.620',
            '0.620 × [0, 4] = [0, 2.480]',
        ],
        [
            'sat',
            '1·1 + 2·1 = 3',
            '3 ÷ √2 = 2.121',
            'e2.121 = 8.342',
            '0.306',
            '0.306 × [1, 1] = [0.306, 0.306]',
        ],
    ]);
    assert.deepEqual(table[4].slice(1), ['sum 27.289', 'sum 1.000', 'output [0.454, 2.786]']);
    await leave(page);
});

test('another word can be pinned, and its row is spelled out instead', async () => {
    const { page } = await open(session.browser);
    await page.click('[role=grid][aria-label="Tokens"] [role=gridcell]:nth-child(2)');
    assert.equal(
        await page.$eval('[role=table]', (table) => table.getAttribute('aria-label')),
        'Row: cat',
    );
    const { exponentials } = attention(example);
    const sum = exponentials[1].reduce((a, b) => a + b, 0);
    const total = await page.$eval('.total .work', (part) => part.textContent);
    assert.equal(total, `sum ${sum.toFixed(3)}`);
    assert.equal(await page.$eval('[aria-selected=true]', (token) => token.textContent), 'cat');
    await leave(page);
});

test('without WebAssembly the page says so in one sentence', async () => {
    const page = await session.browser.newPage();
    await page.evaluateOnNewDocument(() => {
        delete globalThis.WebAssembly;
    });
    await page.goto(pageUrl);
    await page.waitForSelector('[role=alert]', { timeout: 10000 });
    assert.match(await page.$eval('[role=alert]', (alert) => alert.textContent), /no WebAssembly/);
    await page.close();
});
