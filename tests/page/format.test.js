// How a number reads, everywhere on the page: one rule, described in format.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
    brief,
    decimalsOf,
    inline,
    parseNumber,
    percent,
    plain,
    prose,
    tileText,
} from '../../web/page/format.js';

const f32 = Math.fround;

test('0 is 0, and nothing else reads as 0', () => {
    for (const digits of ['short', 'fixed', 'typed', 0, 2, 3]) {
        assert.equal(plain(0, digits), '0');
        assert.equal(plain(-0, digits), '0');
        assert.deepEqual(prose(-0, digits), ['0', null]);
    }
    assert.equal(plain(6.1e-10, 'fixed'), '6.1e-10');
    assert.equal(inline(6.1e-10, 'fixed'), '6.1·10⁻¹⁰');
    assert.equal(plain(0.004, 2), '0.004');
    assert.equal(brief(0.004), '≈0');
    assert.equal(tileText(0.004, true), '≈0');
    assert.equal(tileText(0, true), '0');
    const shares = [0, 0.004, 0.62, 0.9999, 1].map(percent);
    assert.deepEqual(shares, ['0 %', '< 1 %', '62 %', '> 99 %', '100 %']);
    const isZero = (text) => /^[-\u2212]?0?(\.0*)?$/.test(text);
    const digits = fc.constantFrom('short', 'fixed', 'typed', 0, 1, 2, 3);
    const room = fc.integer({ min: 3, max: 8 });
    const every = fc.property(fc.float({ noNaN: true }), digits, room, (x, how, most) => {
        const cells = [plain(x, how), plain(x, how, most), brief(x), tileText(x, true)];
        for (const text of [...cells, inline(x, how)])
            assert.equal(isZero(text), x === 0, `${x} as ${text}`);
    });
    fc.assert(every, { numRuns: 3000 });
});

test('1 is 1, and nothing else reads as 1', () => {
    const rows = [
        [0.9999999, 'typed', '≈1'],
        [-0.9999999, 'typed', '≈\u22121'],
        [2.0000001, 'typed', '≈2'],
        [0.9996, 'fixed', '0.9996'],
        [1.0004, 'short', '1.0004'],
        [0.99999, 2, '0.99999'],
        [0.99999999, 'fixed', '1.000'],
    ];
    for (const [x, digits, text] of rows) assert.equal(plain(x, digits), text);
    assert.equal(plain(0.99999, 'fixed', 6), '≈1');
    assert.equal(inline(0.9999961, 'fixed'), '0.999996');
    assert.equal(brief(0.996), '≈1');
    assert.equal(tileText(0.996, true), '≈1');
    assert.equal(tileText(1, true), '1.00');
    const isOne = (text) => /^[-\u2212]?1(\.0*)?$/.test(text);
    const digits = fc.constantFrom('short', 'fixed', 'typed', 0, 1, 2, 3);
    const room = fc.integer({ min: 3, max: 8 });
    const close = fc.tuple(fc.constantFrom(-1, 1), fc.double({ min: -0.1, max: 0.1, noNaN: true }));
    const every = fc.property(close, digits, room, ([sign, off], how, most) => {
        const x = sign * (1 + off);
        const isNoise = Math.abs(off) <= 2e-6;
        const cells = [plain(x, how), plain(x, how, most), inline(x, how)];
        if (!isNoise) cells.push(brief(x), tileText(x, true));
        if (isNoise && how !== 'typed') return;
        for (const text of cells) assert.equal(isOne(text), x === sign, `${x} as ${text}`);
    });
    fc.assert(every, { numRuns: 3000 });
});

test('whole numbers stay whole through the noise of float32, the rest have what they need', () => {
    const cases = [
        [2, '2'],
        [f32(1.9999999), '2'],
        [0.5, '0.5'],
        [-0.25, '-0.25'],
        [f32(0.1), '0.1'],
        [f32(Math.SQRT2), '1.414'],
        [f32(1234.5678), '1234.6'],
        [99999, '99999'],
        [123456, '1.2e5'],
        [-1e9, '-1e9'],
        [3.8e-11, '3.8e-11'],
        [-Infinity, '-∞'],
        [NaN, 'NaN'],
    ];
    for (const [x, text] of cases) assert.equal(plain(x), text);
    assert.equal(plain(1, 'fixed'), '1.000');
    assert.equal(plain(16.91921, 'fixed'), '16.919');
});

test('what was typed stays as it was typed, while seven characters hold it', () => {
    for (const typed of ['-12.345', '0.0625', '0.001', '1e-9', '-1e9', '3.8e-11', '100000', '7'])
        assert.equal(plain(parseNumber(typed), 'typed'), typed);
    assert.equal(plain(0.123456789, 'typed'), '0.123');
    assert.equal(plain(-12.3456789, 'typed'), '-12.346');
});

test('side by side numbers share their decimals, as many as one needs and all have room for', () => {
    const shown = (rows, room) => rows.flat().map((x) => plain(x, decimalsOf(rows, room), room));
    assert.deepEqual(shown([[0.5, 0.25], [0, 2]]), ['0.50', '0.25', '0', '2.00']);
    assert.deepEqual(shown([[2, 0], [-1, 4]]), ['2', '0', '-1', '4']);
    const wide = [[f32(14.1421), f32(-14.1421), f32(7.071), 0]];
    assert.deepEqual(shown(wide, 6), ['14.14', '-14.14', '7.07', '0']);
    assert.deepEqual(shown([[0.5, 1e-9, -Infinity]]), ['0.5', '1e-9', '-∞']);
});

test('a sentence sets the minus and the power, a label raises it by letters', () => {
    assert.deepEqual(prose(-1e9), ['\u22121', '9']);
    assert.deepEqual(prose(3.8e-11), ['3.8', '\u221211']);
    assert.deepEqual(prose(-0.707107), ['\u22120.707', null]);
    assert.equal(inline(-1e9), '\u22121·10⁹');
    assert.equal(inline(3.8e-11), '3.8·10⁻¹¹');
});
