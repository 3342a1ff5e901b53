// Links: a document comes back from its hash bit for bit, a link of version 1 keeps its meaning, and
// whatever else an address holds is answered by one sentence, never by an exception.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { check } from '../../web/page/check.js';
import { fromHash, MOST, parse, print, toHash } from '../../web/page/codec.js';
import { defaultDocument } from '../../web/page/schema.js';
import { GRIDS } from '../../web/page/stages.js';
import { state } from '../../web/page/state.js';
import { link } from '../../web/page/text.link.en.js';
import { documents } from './documents.js';

const hashOf = async (document) => {
    const { hash, problem } = await toHash(print(document).text);
    assert.equal(problem, undefined);
    return hash;
};

const zip = (text) => `#1=zip:${deflateSync(Buffer.from(text)).toString('base64url')}`;

/** What a hostile input may be answered with: a document that is valid, or one sentence. */
function judged(answer) {
    if (answer.document) {
        assert.deepStrictEqual(check(answer.document), { document: answer.document });
        assert.equal(typeof print(answer.document).text, 'string');
        return 'document';
    }
    const sentence = link.problem(answer.problem);
    assert.match(sentence, /^[^\n]{10,200}\.$/u);
    assert.doesNotMatch(sentence, /got undefined|\[object/);
    return answer.problem.kind;
}

const grid = (rows, columns, of) =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => of(i, j)));

const sentence = (n) => Array.from({ length: n }, (_, i) => `word${i}`);

const square = (n, width, of) => ({
    tokens: sentence(n),
    q: grid(n, width, of),
    k: grid(n, width, of),
    v: grid(n, width, of),
});

test('the default is the worked example (C1), and its address is bare', async () => {
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
    for (const [name, { axes }] of Object.entries(GRIDS)) {
        if (name === 'keyTokens') continue;
        const place = { query: 2, key: 1 };
        const [row, col] = axes.map((axis) => place[axis] ?? 0);
        const { problem } = check({ focus: { grid: name, row, col } });
        assert.equal(problem, undefined, name);
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

const q32 = `q:${'1,'.repeat(300)}1;0,1;0,1`;

/** Hostile, damaged or foolish addresses, and what each is answered with. */
const HOSTILE = [
    ['#top', 'foreign'],
    ['#tokens:a', 'foreign'],
    ['#=', 'foreign'],
    ['#1', 'foreign'],
    ['##1=', 'foreign'],
    ['#-1=tokens:a', 'foreign'],
    ['#<img src=x onerror=alert(1)>', 'foreign'],
    ['#javascript:alert(1)', 'foreign'],
    ['#0=', 'version'],
    ['#2=tokens:a', 'version'],
    ['#01=', 'version'],
    [`#${'9'.repeat(5000)}=`, 'version'],
    [`#1=${'a'.repeat(40000)}`, 'long'],
    ['#1=%', 'damaged'],
    ['#1=tokens:%E7%8C', 'damaged'],
    ['#1=tokens:%FF', 'damaged'],
    ['#1=zip:', 'damaged'],
    ['#1=zip:####', 'damaged'],
    ['#1=zip:AAAA', 'damaged'],
    [zip('tokens:a').slice(0, -3), 'damaged'],
    [
        `#1=zip:${deflateSync(Buffer.alloc(3e7, ',')).toString('base64url').slice(0, 32000)}`,
        'damaged',
    ],
    [`#1=zip:${deflateSync(Buffer.alloc(2e7, ',')).toString('base64url')}`, 'damaged'],
    [`#1=zip:${deflateSync(Buffer.from([0xff, 0xfe])).toString('base64url')}`, 'damaged'],
    ['#1=zip:<script>', 'damaged'],
    ['#1=hello', 'unknown'],
    ['#1=/', 'unknown'],
    ['#1=scale:off/', 'unknown'],
    ['#1=__proto__:1', 'unknown'],
    ['#1=constructor:1', 'unknown'],
    ['#1=toString:1', 'unknown'],
    ['#1=Tokens:a', 'unknown'],
    ['#1=scale:off/scale:sqrt', 'twice'],
    ['#1=tokens:', 'letters'],
    ['#1=tokens:a,,b', 'letters'],
    [`#1=tokens:${'a'.repeat(257)},b,c`, 'letters'],
    [`#1=tokens:${'a,'.repeat(128)}a`, 'count'],
    ['#1=tokens:a~,b,c', 'mangled'],
    ['#1=tokens:a~zz,b,c', 'mangled'],
    ['#1=tokens:a,b', 'size'],
    ['#1=tokens:a,b,c,d', 'size'],
    ['#1=keyTokens:a,b', 'size'],
    ['#1=q:', 'size'],
    ['#1=q:,;,;,', 'number'],
    ['#1=q:1,2;3,4;5', 'ragged'],
    ['#1=q:1,2;3,4', 'size'],
    ['#1=q:1;2;3', 'size'],
    ['#1=q:NaN,1;0,1;0,1', 'number'],
    ['#1=q:Infinity,1;0,1;0,1', 'number'],
    ['#1=q:1e39,1;0,1;0,1', 'finite'],
    ['#1=q:-1e999,1;0,1;0,1', 'finite'],
    ['#1=q:0x10,1;0,1;0,1', 'number'],
    ['#1=q:1 2,1;0,1;0,1', 'number'],
    ['#1=q:alert(1),1;0,1;0,1', 'number'],
    ['#1=q:1n,1;0,1;0,1', 'number'],
    [`#1=${q32}`, 'count'],
    [`#1=q:${'1;'.repeat(300)}1`, 'count'],
    ['#1=heads:0', 'whole'],
    ['#1=heads:1.5', 'whole'],
    ['#1=heads:1e9', 'whole'],
    ['#1=heads:3', 'multiple'],
    ['#1=heads:2/kvHeads:3', 'divides'],
    ['#1=scale:0', 'range'],
    ['#1=scale:-1', 'range'],
    ['#1=scale:big', 'choice'],
    ['#1=temperature:0', 'range'],
    ['#1=temperature:1e-300', 'range'],
    ['#1=temperature:hot', 'number'],
    ['#1=softmaxAxis:both', 'choice'],
    ['#1=maskOrder:never', 'choice'],
    ['#1=mask:', 'choice'],
    ['#1=mask:__proto__', 'choice'],
    ['#1=mask:causal,pad999', 'whole'],
    ['#1=mask:causal,x3.0', 'pair'],
    ['#1=mask:causal,x0.3', 'pair'],
    ['#1=mask:causal,x00.0', 'pair'],
    ['#1=mask:causal,x0.0-127', 'pair'],
    ['#1=mask:causal,x0.0-999', 'mangled'],
    ['#1=mask:causal,x0.2-1', 'mangled'],
    ['#1=mask:causal,x0.1,o0.1', 'twice'],
    ['#1=mask:causal,__proto__', 'mangled'],
    ['#1=scoreEdits:0.0', 'mangled'],
    ['#1=scoreEdits:0.0=', 'number'],
    ['#1=scoreEdits:0.0=NaN', 'number'],
    ['#1=scoreEdits:0.9=1', 'pair'],
    ['#1=scoreEdits:0.0=1,0.0=2', 'twice'],
    ['#1=scoreEdits:__proto__=1', 'mangled'],
    ['#1=query:3', 'whole'],
    ['#1=query:-1', 'whole'],
    ['#1=query:1.5', 'whole'],
    ['#1=head:1', 'whole'],
    ['#1=focus:weights', 'number'],
    ['#1=focus:weights,2,1,0', 'number'],
    ['#1=focus:weights,9,9', 'whole'],
    ['#1=focus:weights,0,0', 'pin'],
    ['#1=focus:body,0,0', 'choice'],
    ['#1=focus:__proto__,0,0', 'choice'],
    ['#1=focus:keyTokens,0,0', 'hidden'],
    ['#1=mode:neither', 'choice'],
    ['#1=mode:projected', 'missing'],
    ['#1=mode:projected/q:1,2;3,4;5,6', 'unused'],
    ['#1=x:1;2;3', 'unused'],
    ['#1=mode:projected/x:1;2;3/wq:1,1;1,1/wk:1/wv:1', 'size'],
];

test('hostile and damaged hashes are answered by one sentence', async () => {
    assert.ok(HOSTILE.length >= 40);
    for (const [hash, kind] of HOSTILE) {
        assert.equal(judged(await fromHash(hash)), kind, hash.slice(0, 80));
    }
    assert.equal({}.polluted, undefined);
});

test('a sentence says where, what was expected and what came', async () => {
    const said = async (hash) => link.refused((await fromHash(hash)).problem);
    const shown = ' The worked example is shown instead.';
    const sentences = {
        '#7=': 'The link is of version 7; this page reads 1.',
        '#1=q:1,2;3,4;5': 'q, row 3: expected 2 numbers as in the first row, got 1.',
        '#1=q:1,2;3,4': 'q: expected 3 rows, one for each word, got 2.',
        '#1=q:1,2;3,x;5,6': 'q, row 2, column 2: expected a number, got “x”.',
        '#1=tokens:a,,c': 'tokens, word 2: expected 1 to 256 letters, got 0.',
        '#1=scale:big': 'scale: expected sqrt or off or a number, got “big”.',
        '#1=heads:2/kvHeads:3': 'kvHeads: expected a divisor of heads, which is 2, got 3.',
        '#1=colour:red': 'The link names “colour”, which is not known here.',
    };
    for (const [hash, text] of Object.entries(sentences)) {
        assert.equal(await said(hash), text + shown);
    }
});

test('hostile files: wrong types, holes, strange prototypes, polluting keys', () => {
    const cases = [
        ['null', 'type'],
        ['[]', 'type'],
        ['"tokens"', 'type'],
        ['{"__proto__": {"polluted": 1}}', 'unknown'],
        ['{"constructor": {"prototype": {"polluted": 1}}}', 'unknown'],
        ['{"tokens": "the cat"}', 'type'],
        ['{"tokens": []}', 'count'],
        ['{"tokens": ["a", 2, "c"]}', 'type'],
        ['{"tokens": {"length": 3}}', 'type'],
        ['{"q": [[1, 2], 3, [4, 5]]}', 'type'],
        ['{"q": [[1, null], [1, 2], [4, 5]]}', 'type'],
        ['{"q": [[1, [2]], [1, 2], [4, 5]]}', 'type'],
        ['{"q": [[1, "2"], [1, 2], [4, 5]]}', 'number'],
        ['{"q": [[], [], []]}', 'count'],
        ['{"q": null}', 'type'],
        ['{"scale": null}', 'type'],
        ['{"scale": true}', 'type'],
        ['{"mask": "causal"}', 'type'],
        ['{"mask": {"preset": "causal", "__proto__": {"polluted": 1}}}', 'unknown'],
        ['{"mask": {"painted": {"__proto__": true}}}', 'pair'],
        ['{"mask": {"painted": {"0,0": 1}}}', 'type'],
        ['{"mask": {"painted": {"0,0,0": true}}}', 'pair'],
        ['{"mask": {"painted": []}}', 'type'],
        ['{"mask": {"inverted": 1}}', 'type'],
        ['{"scoreEdits": {"0,0": "4"}}', 'number'],
        ['{"focus": {"grid": ["weights"], "row": 0, "col": 0}}', 'type'],
        ['{"focus": {"grid": "weights", "row": "2", "col": 1}}', 'number'],
        ['{"query": "2"}', 'number'],
    ];
    for (const [text, kind] of cases) assert.equal(judged(check(JSON.parse(text))), kind, text);
    const objects = [
        [new Map([['tokens', ['a']]]), 'type'],
        [Object.create({ tokens: ['a'] }), 'type'],
        [{ tokens: Array(3) }, 'type'],
        [{ q: [Array(2), [1, 2], [3, 4]] }, 'type'],
        [
            {
                q: [
                    [NaN, 1],
                    [1, 2],
                    [3, 4],
                ],
            },
            'finite',
        ],
        [
            {
                q: [
                    [1n, 1],
                    [1, 2],
                    [3, 4],
                ],
            },
            'type',
        ],
        [{ scale: { toString: () => assert.fail('evaluated') } }, 'type'],
    ];
    for (const [input, kind] of objects) assert.equal(judged(check(input)), kind);
    assert.equal({}.polluted, undefined);
});

test('a document is made of new objects with plain prototypes', () => {
    const input = JSON.parse(JSON.stringify(defaultDocument()));
    const { document } = check(input);
    input.q[0][0] = 'changed';
    input.mask.painted['0,0'] = 'changed';
    assert.deepStrictEqual(document, defaultDocument());
    const walk = (value) => {
        if (typeof value !== 'object' || value === null) return;
        const plain = Array.isArray(value) ? Array.prototype : Object.prototype;
        assert.equal(Object.getPrototypeOf(value), plain);
        Object.values(value).forEach(walk);
    };
    walk(document);
});

test('a packed link that was cut or changed is never taken for another document', async () => {
    const { document } = check(square(32, 4, (i, j) => ((i * 7 + j * 3) % 11) / 10));
    const hash = await hashOf(document);
    assert.ok(hash.startsWith('#1=zip:'));
    for (let length = 3; length < hash.length; length++) {
        const { problem } = await fromHash(hash.slice(0, length));
        if (length > '#1='.length) assert.ok(problem, `cut to ${length}`);
    }
    for (let at = 7; at < hash.length; at++) {
        const changed = hash.slice(0, at) + (hash[at] === 'A' ? 'B' : 'A') + hash.slice(at + 1);
        const answer = await fromHash(changed);
        if (answer.document) assert.deepStrictEqual(answer.document, document);
        else judged(answer);
    }
});

const mutation = fc.record({
    at: fc.nat(),
    length: fc.nat(12),
    by: fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom(',', ';', '/', ':', '~', '%', '-', '.', 'e9', '=', '1=', 'zip:', 'NaN'),
    ),
});

test('a mutated hash gives a valid document or one sentence', async () => {
    const kinds = new Set();
    await fc.assert(
        fc.asyncProperty(
            documents,
            fc.array(mutation, { minLength: 1, maxLength: 4 }),
            fc.boolean(),
            async (document, mutations, packed) => {
                let text = print(document).text;
                for (const { at, length, by } of mutations) {
                    const place = at % (text.length + 1);
                    text = text.slice(0, place) + by + text.slice(place + length);
                }
                const hash = packed ? zip(text) : `#1=${text}`;
                kinds.add(judged(await fromHash(hash)));
                kinds.add(judged(parse(text)));
            },
        ),
        { numRuns: 1500 },
    );
    assert.ok(kinds.has('document') && kinds.size > 8, [...kinds].join());
});

test('any text as a hash, and any value as a file, gives a valid document or one sentence', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
        fc.asyncProperty(texts, async (text) => {
            judged(await fromHash(text));
            judged(await fromHash(`#1=${text}`));
            judged(await fromHash(`#1=zip:${text}`));
        }),
        { numRuns: 500 },
    );
    const anything = fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
    });
    const names = Object.keys(defaultDocument());
    fc.assert(
        fc.property(documents, fc.constantFrom(...names), anything, (document, name, value) => {
            judged(check(value));
            judged(check({ ...document, [name]: value }));
            judged(check({ [name]: value }));
        }),
        { numRuns: 1000 },
    );
});
