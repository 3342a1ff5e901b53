// link.js in a real history: edits replace the hash, examples push, Back and Forward load, and what
// cannot be read or written is told. The page here is link.js and a state of one line.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { check } from '../../web/page/check.js';
import { addressOf, newTab, useBrowser } from './browsers.js';
import { HOSTILE } from './hostile.js';
import { hashOf, square } from './links.js';

const source = `
import { changed, push, start } from './link.js';
import { defaultDocument } from './schema.js';

const page = { document: defaultDocument(), problems: [], push };
page.edit = (fields) => {
    Object.assign(page.document, fields);
    changed();
};
page.ready = start({
    read: () => page.document,
    write(document) {
        page.document = document;
        changed();
    },
    notice: (problem) => page.problems.push(problem),
});
globalThis.page = page;
`;

const session = useBrowser();
let folder, url, page, errors;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'attn-link-'));
    const { outputFiles } = await build({
        stdin: {
            contents: source,
            resolveDir: fileURLToPath(new URL('../../web/page', import.meta.url)),
        },
        bundle: true,
        format: 'iife',
        write: false,
    });
    const script = outputFiles[0].text.replaceAll('</script', '<\\/script');
    const file = join(folder, 'link.html');
    writeFileSync(
        file,
        `<!doctype html><meta charset="utf-8"><title>link</title><script>${script}</script>`,
    );
    url = await addressOf(file);
});
after(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
    await page?.close();
    page = await newTab(session.browser);
    errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('dialog', (dialog) => errors.push(dialog.message()));
});

async function open(hash = '') {
    await page.goto(url + hash);
    await page.evaluate(() => globalThis.page.ready);
}

const documentOf = () => page.evaluate(() => globalThis.page.document);
const edit = (fields) => page.evaluate((given) => globalThis.page.edit(given), fields);
const push = (document) => page.evaluate((given) => globalThis.page.push(given), document);
const problems = () => page.evaluate(() => globalThis.page.problems.splice(0));
const entries = () => page.evaluate(() => history.length);
const hashBecomes = (hash) => page.waitForFunction((want) => location.hash === want, {}, hash);
const scaleBecomes = (scale) =>
    page.waitForFunction((want) => globalThis.page.document.scale === want, {}, scale);

const { document: start } = check({});
const { document: example } = check({ ...square(2, 2, (i, j) => i - j), scale: 7 });
const { document: long } = check(square(32, 6, (i, j) => ((i * 7 + j * 3) % 11) / 10));
const { document: large } = check(square(64, 32, (i, j) => Math.sin(i * 37 + j * 101)));

test('a page opens with the document of its address, readable or packed', async () => {
    for (const document of [start, example, long]) {
        await page.goto('about:blank');
        await open(await hashOf(document));
        assert.deepEqual(await documentOf(), document);
    }
    assert.deepEqual(await problems(), []);
    assert.deepEqual(errors, []);
});

test('edits in a row replace the hash once, and no entry is added', async () => {
    await open();
    const before = await entries();
    await page.evaluate(() => {
        const { replaceState } = History.prototype;
        globalThis.writes = 0;
        History.prototype.replaceState = function (...given) {
            globalThis.writes++;
            return replaceState.apply(this, given);
        };
        for (let n = 1; n <= 20; n++) globalThis.page.edit({ scale: n });
    });
    await hashBecomes('#1=scale:20');
    assert.equal(await page.evaluate(() => globalThis.writes), 1);
    await edit({ scale: 'sqrt' });
    await hashBecomes('');
    assert.ok(!page.url().includes('#'));
    assert.equal(await entries(), before);
    assert.deepEqual(errors, []);
});

test('an example is an entry of its own: Back finds the last edit, Forward the example', async () => {
    await open();
    const before = await entries();
    await edit({ scale: 5 });
    await push(example);
    await hashBecomes(await hashOf(example));
    assert.equal(await entries(), before + 1);
    await push(example);
    assert.equal(await entries(), before + 1, 'the same example again is no new entry');
    await page.evaluate(() => history.back());
    await scaleBecomes(5);
    assert.deepEqual(await documentOf(), { ...start, scale: 5 });
    assert.equal(await page.evaluate(() => location.hash), '#1=scale:5');
    await page.evaluate(() => history.forward());
    await scaleBecomes(7);
    assert.deepEqual(await documentOf(), example);
    assert.deepEqual(errors, []);
});

test('a history of forty entries is walked to its end and back (browsers keep fifty)', async () => {
    await open();
    await page.evaluate(async () => {
        for (let n = 1; n <= 40; n++)
            await globalThis.page.push({ ...globalThis.page.document, scale: n });
    });
    await page.evaluate(() => history.go(-40));
    await scaleBecomes('sqrt');
    assert.deepEqual(await documentOf(), start);
    await page.evaluate(() => history.go(39));
    await scaleBecomes(39);
    assert.deepEqual(errors, []);
});

test('an address typed by hand is followed', async () => {
    await open();
    await page.evaluate(() => (location.hash = '#1=scale:off/mask:causal'));
    await scaleBecomes('off');
    assert.equal((await documentOf()).mask.preset, 'causal');
    await page.evaluate((hash) => (location.hash = hash), await hashOf(long));
    await page.waitForFunction(() => globalThis.page.document.tokens.length === 32);
    assert.deepEqual(await documentOf(), long);
});

test('a bad address gives the default and its problem, and stands until the next edit', async () => {
    await open('#1=q:1,2;3,4');
    assert.deepEqual(await documentOf(), start);
    assert.deepEqual(
        (await problems()).map(({ kind }) => kind),
        ['size'],
    );
    await edit({ scale: 2 });
    await hashBecomes('#1=scale:2');
    await page.evaluate(() => (location.hash = '#2=scale:off'));
    await scaleBecomes('sqrt');
    assert.deepEqual(await problems(), [{ kind: 'version', expected: 1, got: '2' }]);
    assert.equal(await page.evaluate(() => location.hash), '#2=scale:off');
    assert.deepEqual(errors, []);
});

test('hostile hashes run nothing, throw nothing, and are told one by one', async () => {
    await open();
    const told = await page.evaluate(
        async (hashes) => {
            const told = [];
            for (const hash of hashes) {
                location.hash = hash;
                while (!globalThis.page.problems.length)
                    await new Promise((go) => setTimeout(go, 5));
                told.push(
                    globalThis.page.problems
                        .splice(0)
                        .map(({ kind }) => kind)
                        .join(),
                );
            }
            return told;
        },
        HOSTILE.map(([hash]) => hash),
    );
    assert.deepEqual(
        told,
        HOSTILE.map(([, kind]) => kind),
    );
    assert.deepEqual(await documentOf(), start);
    assert.equal(await page.evaluate(() => document.body.children.length), 0);
    assert.equal(await page.evaluate(() => Object.prototype.polluted), undefined);
    assert.deepEqual(errors, []);
});

test('a state too large for an address is told once and leaves the address as it was', async () => {
    await open();
    await edit({ scale: 3 });
    await hashBecomes('#1=scale:3');
    const toldOnce = () => page.waitForFunction(() => globalThis.page.problems.length > 0);
    await edit(large);
    await toldOnce();
    assert.deepEqual(await problems(), [{ kind: 'large', most: 32768 }]);
    assert.equal(await page.evaluate(() => location.hash), '#1=scale:3');
    await edit({ scale: 4 });
    await edit(example);
    await hashBecomes(await hashOf(example));
    assert.deepEqual(await problems(), []);
    await edit(large);
    await toldOnce();
    assert.deepEqual(errors, []);
});
