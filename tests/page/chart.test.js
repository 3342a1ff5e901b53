// Charts as data: the numbers on one axis are all written in one way, and each says its tick.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsOf } from '../../web/page/format.js';
import { chartOf } from '../../web/page/lab/chart.js';

/** The labels of y from below, and of x, of a chart with one line. */
function labels(points, axes) {
    const { rows, columns } = chartOf([{ id: 'one', points }], axes);
    return [rows, columns].map((all) => all.map(({ label }) => label));
}

test('powers of ten: decimals while all of them can be, else powers all', () => {
    const axis = (low, high) => labels([[0, low], [1, high]], { x: [0, 120], log: true })[0];
    assert.deepEqual(axis(0.002, 3), ['0.001', '0.01', '0.1', '1', '10']);
    assert.deepEqual(axis(1e-5, 9), ['10⁻⁵', '10⁻³', '10⁻¹', '10¹']);
    assert.deepEqual(axis(1e4, 9e7), ['10⁴', '10⁵', '10⁶', '10⁷', '10⁸']);
    assert.deepEqual(axis(2, 900), ['1', '10', '100', '1000']);
});

test('powers of two: the same', () => {
    const axis = (from, to) => labels([[from, 1]], { x: [from, to], logX: true })[1];
    assert.deepEqual(axis(64, 4096), ['64', '256', '1024', '4096']);
    assert.deepEqual(axis(128, 2 ** 20), ['2⁷', '2¹¹', '2¹⁵', '2¹⁹']);
});

test('equal steps: decimals, or one power of ten for all, and 0 is 0', () => {
    const axis = (high) => labels([[0, 0], [1, high]], { x: [0, 30] })[0];
    assert.deepEqual(axis(0.06), ['0', '0.02', '0.04', '0.06']);
    assert.deepEqual(axis(0.0016), ['0', '0.5·10⁻³', '1·10⁻³', '1.5·10⁻³', '2·10⁻³']);
    assert.deepEqual(axis(2e5), ['0', '0.5·10⁵', '1·10⁵', '1.5·10⁵', '2·10⁵']);
    assert.deepEqual(labels([[0, 1]], { x: [-20, 20] })[1], ['−20', '−10', '0', '10', '20']);
});

test('every label says its tick', () => {
    const UP = Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻'].map((c, n) => [c, '0123456789-'[n]]));
    const down = (letters) => Number([...letters].map((c) => UP[c]).join(''));
    const read = (label) => {
        const text = label.replace('−', '-');
        const [, factor, base, power] = /^(?:(.+)·)?(10|2)([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)$/.exec(text) ?? [];
        return base ? Number(factor ?? 1) * Number(base) ** down(power) : Number(text);
    };
    for (let n = -12; n < 12; n++) {
        for (const step of [1, 2, 2.5, 3, 5]) {
            const ticks = [-2, -1, 0, 1, 2, 3].map((m) => m * step * 10 ** n);
            const found = labelsOf(ticks).map(read);
            ticks.forEach((x, m) =>
                assert.ok(Math.abs(found[m] - x) <= 1e-9 * Math.abs(x), `${x}`),
            );
        }
    }
});
