// Whatever an address or a file holds is answered by a valid document or by one sentence, never by an
// exception, and leaves nothing behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check } from '../../web/page/check.js';
import { fromHash, parse, print } from '../../web/page/codec.js';
import { defaultDocument } from '../../web/page/schema.js';
import { link } from '../../web/page/text.link.en.js';
import { documents } from './documents.js';
import { HOSTILE } from './hostile.js';
import { hashOf, judged, square, zip } from './links.js';

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
        '#1=lab:scale,dk=9': 'lab, dk: expected 8 or 32 or 128, got “9”.',
        '#1=lab:gap,gap=81': 'lab, gap: expected a whole number from 0 to 80, got 81.',
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
        ['{"mask": {"window": 0}}', 'whole'],
        ['{"mask": {"prefix": 129}}', 'whole'],
        ['{"mask": {"corner": "middle"}}', 'choice'],
        ['{"bias": {"0,0": null}}', 'type'],
        ['{"bias": {"3,0": 1}}', 'pair'],
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
