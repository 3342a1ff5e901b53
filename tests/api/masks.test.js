// The functions of `masks` against masks typed by hand, and the same rules as options of calls.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { masks } from '../../web/api/index.js';
import { onEveryBuild } from './builds.js';

/** 'x.. xx.' to rows of bytes: x = may attend. */
const rowsOf = (picture) => (
    picture.split(' ').map((row) => [...row].map((cell) => Number(cell === 'x'))));

const maskOf = (picture) => {
    const rows = rowsOf(picture);
    return { data: Uint8Array.from(rows.flat()), shape: [rows.length, rows[0].length] };
};

const CAUSAL = {
    '3 queries, 3 keys': [[3], 'x.. xx. xxx'],
    '2 queries, 5 keys: the last sees the last': [[2, 5], 'xxxx. xxxxx'],
    '5 queries, 2 keys: three see nothing': [[5, 2], '.. .. .. x. xx'],
    '2 queries, 5 keys, first sees first': [[2, 5, { offset: 0 }], 'x.... xx...'],
    '5 queries, 2 keys, first sees first': [[5, 2, { offset: 0 }], 'x. xx xx xx xx'],
    '2 queries from position 2': [[2, 4, { offset: 2 }], 'xxx. xxxx'],
};

const WINDOW = {
    'one to the left, two to the right': [[4, 4, [1, 2]], 'xxx. xxxx .xxx ..xx'],
    'itself alone': [[3, 3, [0, 0]], 'x.. .x. ..x'],
    'no bound': [[2, 3, [-1, -1]], 'xxx xxx'],
    'two before, none after': [[4, 4, [2, 0]], 'x... xx.. xxx. .xxx'],
    'around the last keys, with fewer queries': [[2, 6, [1, 0]], '...xx. ....xx'],
    'from the first key': [[4, 6, [2, 1], { offset: 0 }], 'xx.... xxx... xxxx.. .xxxx.'],
    'one to the left, all to the right': [[3, 3, [1, -1]], 'xxx xxx .xx'],
};

describe('masks', () => {
    for (const [title, [call, picture]] of Object.entries(CAUSAL)) {
        test(`causal: ${title}`, () => assert.deepEqual(masks.causal(...call), maskOf(picture)));
    }
    for (const [title, [call, picture]] of Object.entries(WINDOW)) {
        test(`window: ${title}`, () => assert.deepEqual(masks.window(...call), maskOf(picture)));
    }

    test('lengths: one row of keys for each batch row', () => {
        const expected = { data: Uint8Array.of(1, 1, 0, 0, 0, 0, 1, 1, 1), shape: [3, 1, 1, 3] };
        assert.deepEqual(masks.lengths([2, 0, 3], 3), expected);
        assert.deepEqual(masks.lengths(Int32Array.of(2, 0, 3), 3), expected);
    });

    test('and, or, not: element by element', () => {
        const a = [[true, true], [false, false]], b = maskOf('x. x.');
        assert.deepEqual(masks.and(a, b), maskOf('x. ..'));
        assert.deepEqual(masks.or(a, b), maskOf('xx x.'));
        assert.deepEqual(masks.not(b), maskOf('.x .x'));
        assert.deepEqual(masks.and(a), maskOf('xx ..'));
        assert.deepEqual(masks.or(a, b, masks.not(b)), maskOf('xx xx'));
    });

    test('and, or: shapes broadcast, aligned to the right', () => {
        assert.deepEqual(masks.and(masks.causal(2), masks.lengths([1, 2], 2)), {
            data: Uint8Array.of(1, 0, 1, 0, 1, 0, 1, 1), shape: [2, 1, 2, 2],
        });
        const row = [[true, false, true]], column = [[false], [true]];
        assert.deepEqual(masks.or(row, column), maskOf('x.x xxx'));
        assert.deepEqual(masks.and(column, row), maskOf('... x.x'));
    });

    test('bytes that are not 0 count as 1', () => {
        const bytes = { data: Uint8Array.of(7, 0, 255, 1), shape: [2, 2] };
        assert.deepEqual(masks.and(bytes), maskOf('x. xx'));
        assert.deepEqual(masks.not(bytes), maskOf('.x ..'));
    });

    test('fromTorchModule: true there is false here', () => {
        assert.deepEqual(masks.fromTorchModule([[false, true], [false, false]]), maskOf('x. xx'));
        const perHead = { data: Uint8Array.of(0, 1, 1, 1, 0, 0, 1, 0), shape: [4, 1, 2] };
        assert.deepEqual(masks.fromTorchModule(perHead, { heads: 2 }), {
            data: Uint8Array.of(1, 0, 0, 0, 1, 1, 0, 1), shape: [2, 2, 1, 2],
        });
    });

    test('the masks given are left as they are', () => {
        const mask = maskOf('x. .x');
        masks.not(mask);
        masks.and(mask, mask).data.fill(0);
        assert.deepEqual(mask, maskOf('x. .x'));
    });
});

onEveryBuild('masks as options', (engine) => {
    // With q = k = 0 every allowed key has the same weight, so weights show the mask.
    const seen = (queries, keys, options) => {
        const tensor = (length) => ({ data: new Float32Array(length), shape: [length, 1] });
        const { weights } = engine.inspect(tensor(queries), tensor(keys), tensor(keys), options);
        return weights.toNested().map((row) => row.map((w) => Number(w > 0)));
    };

    test('causal', () => {
        assert.deepEqual(seen(2, 5, { causal: true }), rowsOf('xxxx. xxxxx'));
        assert.deepEqual(seen(5, 2, { causal: true }), rowsOf('.. .. .. x. xx'));
        assert.deepEqual(seen(2, 5, { causal: 'top-left' }), rowsOf('x.... xx...'));
        assert.deepEqual(seen(2, 5, { causal: true, queryOffset: 1 }), rowsOf('xx... xxx..'));
        assert.deepEqual(seen(2, 3, { causal: true, queryOffset: [-1] }), rowsOf('... x..'));
    });

    test('window', () => {
        for (const [[queries, keys, window, options], picture] of Object.values(WINDOW)) {
            const offset = options ? { queryOffset: options.offset } : {};
            assert.deepEqual(seen(queries, keys, { window, ...offset }), rowsOf(picture), picture);
        }
        const both = { window: [1, 2], causal: true };
        assert.deepEqual(seen(4, 4, both), rowsOf('x... xx.. .xx. ..xx'));
    });

    test('lengths', () => {
        assert.deepEqual(seen(2, 3, { keyLengths: [2] }), rowsOf('xx. xx.'));
        assert.deepEqual(seen(3, 2, { queryLengths: [2] }), rowsOf('xx xx ..'));
        assert.deepEqual(seen(2, 4, { keyLengths: [3], causal: true }), rowsOf('xx.. xxx.'));
        const padded = { keyLengths: [2], queryLengths: [2], causal: true };
        assert.deepEqual(seen(3, 3, padded), rowsOf('x.. xx. ...'));
        assert.deepEqual(seen(3, 3, { keyLengths: [3], causal: true }), rowsOf('x.. xx. xxx'));
    });

    test('every mask must allow a key', () => {
        const options = {
            mask: [[true, true, false, true]],
            keyMask: [false, true, true, true],
            bias: [[0], [0], [0], [-Infinity]],
            causal: true,
            window: [2, -1],
        };
        assert.deepEqual(seen(4, 4, options), rowsOf('.... .x.. .x.. ....'));
    });

    test('mask and bias repeat over batch, heads and queries', () => {
        // Two batch rows, two heads, two queries, two keys; the values count the keys from 0 to 7.
        const zero = { data: new Float32Array(8), shape: [2, 2, 2, 1] };
        const values = { data: [0, 1, 2, 3, 4, 5, 6, 7], shape: [2, 2, 2, 1] };
        const output = (options) => [...engine.attention(zero, zero, values, options).data];
        const data = Uint8Array.of(1, 0, 0, 1);
        const firstKey = [0, 0, 2, 2, 4, 4, 6, 6];
        assert.deepEqual(output({ mask: [[true, false]] }), firstKey);
        assert.deepEqual(output({ bias: [[[0, -Infinity]]] }), firstKey);
        assert.deepEqual(output({ keyMask: [true, false] }), firstKey);
        assert.deepEqual(output({ keyMask: { data, shape: [2, 2] } }), [0, 0, 2, 2, 5, 5, 7, 7]);
        assert.deepEqual(output({ mask: { data, shape: [1, 2, 1, 2] } }), [0, 0, 3, 3, 4, 4, 7, 7]);
        assert.deepEqual(output({ mask: { data, shape: [2, 1, 1, 2] } }), [0, 0, 2, 2, 5, 5, 7, 7]);
        assert.deepEqual(output({ mask: { data, shape: [2, 2] } }), [0, 1, 2, 3, 4, 5, 6, 7]);
    });
});
