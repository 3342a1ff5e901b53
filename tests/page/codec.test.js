// Links: a document comes back from its hash bit for bit, and a link of version 1 keeps its meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check } from '../../web/page/check.js';
import { fromHash, MOST, print, toHash } from '../../web/page/codec.js';
import { defaultDocument } from '../../web/page/schema.js';
import { GRIDS } from '../../web/page/matrices.js';
import { state } from '../../web/page/state.js';
import { link } from '../../web/page/text.link.en.js';
import { documents } from './documents.js';
import { grid, hashOf, sentence, square } from './links.js';

test('the default is the worked example, and its address is bare', async () => {
    const worked = {
        tokens: ['the', 'cat', 'sat'],
        q: [
            [2, -1],
            [-1, 1],
            [1, 2],
        ],
        k: [
            [1, 0],
            [0, 2],
            [1, 1],
        ],
        v: [
            [2, 0],
            [0, 4],
            [1, 1],
        ],
    };
    assert.deepEqual(check(worked).document, defaultDocument());
    assert.deepEqual(await toHash(print(defaultDocument()).text), { hash: '' });
    for (const hash of ['', '#', '#1=']) {
        assert.deepEqual(await fromHash(hash), { document: defaultDocument() });
    }
});

test('the state that the page opens with is the default of the schema', () => {
    const { doc, focus, query, key } = state.peek();
    assert.deepEqual(print({ ...doc, focus, query, key }), { text: '' });
});

test('every matrix of the page can be pinned', () => {
    const cross = {
        mode: 'projected',
        tokens: sentence(3),
        keyTokens: sentence(2),
        x: grid(3, 2, () => 1),
        keyX: grid(2, 2, () => 1),
        ...Object.fromEntries(['wq', 'wk', 'wv', 'wo'].map((name) => [name, grid(2, 2, () => 1)])),
    };
    for (const [name, { axes }] of Object.entries(GRIDS)) {
        const place = { query: 2, key: 1 };
        const [row, col] = axes.map((axis) => place[axis] ?? 0);
        const { problem, document } = check({ ...cross, focus: { grid: name, row, col } });
        assert.equal(problem, undefined, name);
        assert.deepEqual(document.focus, { grid: name, row, col });
    }
});

test('links of version 1 keep their meaning', async () => {
    const document = {
        ...defaultDocument(),
        tokens: ['don’t', 'a,b', 'x y'],
        q: [
            [0.5, -1e-7],
            [1e21, -0],
            [1, 2],
        ],
        scale: 3,
        mask: {
            preset: 'causal',
            pad: 2,
            window: 2,
            prefix: 1,
            corner: 'bottom',
            inverted: true,
            painted: { '2,0': false, '2,1': false, '0,2': true },
        },
        scoreEdits: { '0,1': -2.5 },
        query: 0,
        key: 1,
        focus: { grid: 'weights', row: 0, col: 1 },
    };
    const hash =
        '#1=tokens:don%E2%80%99t,a~2cb,x%20y/q:0.5,-1e-7;1e21,-0;1,2/scale:3' +
        '/mask:causal,pad2,not,o0.2,x2.0-1/scoreEdits:0.1=-2.5/query:0';
    assert.equal(await hashOf(document), hash);
    assert.deepStrictEqual(await fromHash(hash), { document });

    const packed = '#1=zip:eJwryc9OzSu2Sk4s0SlOLNEpyUjVL05OzEm1yk9LAwCbzgqU';
    const { document: unpacked } = await fromHash(packed);
    assert.deepEqual(unpacked, {
        ...defaultDocument(),
        tokens: ['cat', 'sat', 'the'],
        scale: 'off',
    });
});

test('any document comes back from its hash, bit for bit', async () => {
    await fc.assert(
        fc.asyncProperty(documents, async (document) => {
            assert.deepStrictEqual(await fromHash(await hashOf(document)), { document });
        }),
        { numRuns: 400 },
    );
});

test('any document comes back from its file: JSON of the same fields', () => {
    fc.assert(
        fc.property(documents, (document) => {
            const copy = JSON.parse(JSON.stringify(document));
            assert.deepStrictEqual(check(copy), { document: copy });
        }),
    );
});

test('a hash survives being percent-encoded on its way', async () => {
    await fc.assert(
        fc.asyncProperty(documents, async (document) => {
            const { text } = print(document);
            fc.pre(encodeURIComponent(text).length < MOST.address);
            const hash = `#1=${encodeURIComponent(text)}`;
            assert.deepStrictEqual(await fromHash(hash), { document });
        }),
        { numRuns: 100 },
    );
});

test('a hash is made of characters that an address may hold, and a link is not cut at its end', async () => {
    await fc.assert(
        fc.asyncProperty(documents, async (document) => {
            const hash = await hashOf(document);
            assert.match(hash, /^(#1=[\w\-.~:;,=/%]*[\w-])?$/);
            assert.equal(new URL(`file:///page.html${hash}`).hash, hash);
        }),
        { numRuns: 200 },
    );
});

test('matrices that a mode does not use are not part of its link', async () => {
    const stale = { x: [[1]], wq: [[1, 2]], wk: [[7]], wv: [['what']] };
    assert.deepEqual(print({ ...defaultDocument(), ...stale }), { text: '' });
});

test('long documents are packed: float32 from a seed, identities, a painted mask', async () => {
    const wild = (i, j) => Math.fround(Math.sin(i * 37 + j * 101));
    const tenths = (i, j) => Math.round(wild(i, j) * 20) / 10;
    const painted = Object.fromEntries(
        grid(128, 128, (i, j) => [`${i},${j}`, (i * j) % 3 === 0]).flat(),
    );
    const projected = {
        mode: 'projected',
        tokens: sentence(16),
        heads: 4,
        x: grid(16, 64, tenths),
        ...Object.fromEntries(
            ['wq', 'wk', 'wv', 'wo'].map((name) => [name, grid(64, 64, (i, j) => Number(i === j))]),
        ),
    };
    const cases = {
        '8 × 8 float32': [square(8, 8, wild), 3600],
        '128 × 8 tenths': [square(128, 8, tenths), 8000],
        '16 × 64, identities': [projected, 3000],
        'painted 128 × 128': [
            { ...square(128, 1, () => 0), mask: { preset: 'causal', painted } },
            30000,
        ],
    };
    for (const [name, [input, most]] of Object.entries(cases)) {
        const { document } = check(input);
        const hash = await hashOf(document);
        assert.ok(hash.startsWith('#1=zip:'), name);
        assert.ok(hash.length <= most, `${name}: ${hash.length} characters`);
        assert.deepStrictEqual(await fromHash(hash), { document }, name);
    }
});

test('what does not fit into 32 KB is refused, and nothing of it is written', async () => {
    const { document } = check(square(64, 32, (i, j) => Math.sin(i * 37 + j * 101)));
    const { problem, hash } = await toHash(print(document).text);
    assert.equal(hash, undefined);
    assert.deepEqual(problem, { kind: 'large', most: 32768 });
    assert.match(link.large(problem), /link of 32 KB/);
    assert.deepEqual((await toHash('x'.repeat(MOST.bytes + 1))).problem.kind, 'large');
});
