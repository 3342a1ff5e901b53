// That file:// is as narrow in these tests as it is for a visitor, since automation may widen it: a
// page from disk reads nothing beside it. From a server the same page does, so the probe can tell.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addressOf, newTab, run, useBrowser } from './browsers.js';

const session = useBrowser();
let folder;
before(() => {
    folder = mkdtempSync(join(tmpdir(), 'attn-origin-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const probe = `<!doctype html><title>probe</title><script>
globalThis.answers = (async () => ({
    fetch: await fetch('beside.html').then((response) => response.text(), () => 'refused'),
    import: await import('./beside.js').then(() => 'done', () => 'refused'),
    worker: await new Promise((answer) => {
        try {
            const worker = new Worker('beside.js');
            worker.onmessage = () => answer('done');
            worker.onerror = () => answer('refused');
        } catch {
            answer('refused');
        }
    }),
}))();
</script>`;

test('a page from disk reads no file beside it', async () => {
    const files = { 'probe.html': probe, 'beside.html': 'done', 'beside.js': 'postMessage(1)' };
    const addresses = {};
    for (const [name, content] of Object.entries(files)) {
        writeFileSync(join(folder, name), content);
        addresses[name] = await addressOf(join(folder, name));
    }
    const page = await newTab(session.browser);
    await page.goto(addresses['probe.html']);
    const answer = run.over === 'file' ? 'refused' : 'done';
    assert.deepEqual(await page.evaluate(() => globalThis.answers), {
        fetch: answer,
        import: answer,
        worker: answer,
    });
    await page.close();
});
