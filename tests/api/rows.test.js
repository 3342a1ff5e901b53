// Rows at the edge of the definition: nothing to see, nothing to hold, numbers that are none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryBuild } from './builds.js';
import { numbersFrom } from './oracle.js';

const randomRows = (next, rows, columns) => (
    Array.from({ length: rows }, () => Array.from({ length: columns }, next)));

onEveryBuild('rows', (engine) => {
    test('a row without an allowed key: output 0, weights 0, log-sum-exp -Infinity', () => {
        const nothing = [
            { mask: [[true, true], [false, false]] },
            { bias: [[0, 0], [-Infinity, -Infinity]] },
            { queryLengths: [1] },
        ];
        for (const options of nothing) {
            const [q, k, v] = [[[1], [1]], [[1], [2]], [[3], [5]]];
            const trace = engine.inspect(q, k, v, options);
            assert.equal(trace.output.data[1], 0);
            assert.deepEqual(trace.weights.toNested()[1], [0, 0]);
            assert.deepEqual(trace.masked.toNested()[1], [-Infinity, -Infinity]);
            const { rowMax, rowSum, logSumExp, entropy } = trace;
            const row = [rowMax, rowSum, logSumExp, entropy].map(({ data }) => data[1]);
            assert.deepEqual(row, [-Infinity, 0, -Infinity, 0]);
            assert.equal(engine.attention(q, k, v, options).data[1], 0);
        }
    });

    test('no keys, no queries, no batch', () => {
        const empty = (...shape) => ({ data: [], shape });
        const noKeys = engine.attention([[1, 2], [3, 4]], empty(0, 2), empty(0, 3));
        assert.deepEqual(noKeys.toNested(), [[0, 0, 0], [0, 0, 0]]);
        const trace = engine.inspect([[1, 2], [3, 4]], empty(0, 2), empty(0, 3));
        assert.deepEqual(trace.weights.shape, [2, 0]);
        assert.deepEqual(trace.weights.toNested(), [[], []]);
        assert.deepEqual([...trace.logSumExp.data], [-Infinity, -Infinity]);
        const keys = new Float32Array(16);
        const shapes = { BHTD: [[2, 1, 0, 2], [2, 1, 4, 2]], BTHD: [[2, 0, 1, 2], [2, 4, 1, 2]] };
        for (const [layout, [shape, keyShape]] of Object.entries(shapes)) {
            const k = { data: keys, shape: keyShape };
            const noQueries = engine.attention(empty(...shape), k, k, { layout });
            assert.deepEqual([noQueries.shape, noQueries.data.length], [shape, 0]);
        }
        const noBatch = [empty(0, 2, 3, 4), empty(0, 2, 5, 4), empty(0, 2, 5, 6)];
        const output = engine.attention(...noBatch);
        assert.deepEqual([output.shape, output.toNested()], [[0, 2, 3, 6], []]);
        assert.deepEqual(engine.inspect(...noBatch).scores.shape, [0, 2, 3, 5]);
    });

    test('one token attends to itself', () => {
        const output = engine.attention([[3]], [[4]], [[5, 6]], { causal: true });
        assert.deepEqual(output.toNested(), [[5, 6]]);
    });

    for (const name of ['attention', 'inspect']) {
        const outputOf = (...call) => {
            const result = engine[name](...call);
            return result.output ?? result;
        };

        test(`${name}: what stands in a masked key changes no bit`, () => {
            const next = numbersFrom(21), T = 70, D = 4;
            const [q, k, v] = [0, 1, 2].map(() => randomRows(next, T, D));
            const hidden = (j) => j % 3 === 1 || j >= 66;
            const ways = [
                { mask: [q.map((_, j) => !hidden(j))] },
                { keyMask: [q.map((_, j) => !hidden(j))] },
                { bias: [q.map((_, j) => (hidden(j) ? -Infinity : 0))] },
            ];
            for (const options of ways) {
                const expected = outputOf(q, k, v, options).data;
                for (const x of [NaN, Infinity, -Infinity, 3e38]) {
                    const spoilRow = (row, j) => (hidden(j) ? row.map(() => x) : row);
                    const spoiled = outputOf(q, k.map(spoilRow), v.map(spoilRow), options);
                    assert.deepEqual(spoiled.data, expected, `${x}`);
                }
            }
            const cut = outputOf(q, k.slice(0, 66), v.slice(0, 66)).data;
            const spoiled = (rows) => rows.map((row, j) => (j < 66 ? row : row.map(() => NaN)));
            const byLength = outputOf(q, spoiled(k), spoiled(v), { keyLengths: [66] }).data;
            assert.deepEqual(byLength, cut);
        });

        test(`${name}: NaN in an allowed key reaches the rows that may see it alone`, () => {
            const T = 40, rows = randomRows(numbersFrom(22), T, 3);
            for (const [which, at] of [['k', 20], ['v', 20], ['k', 0], ['v', T - 1]]) {
                const spoiled = rows.map((row, j) => (j === at ? [row[0], NaN, row[2]] : row));
                const [k, v] = which === 'k' ? [spoiled, rows] : [rows, spoiled];
                outputOf(rows, k, v, { causal: true }).toNested().forEach((row, i) => {
                    const isReached = (d) => i >= at && (which === 'k' || d === 1);
                    const expected = [0, 1, 2].map(isReached);
                    assert.deepEqual(row.map(Number.isNaN), expected, `${which}[${at}], row ${i}`);
                });
            }
        });

        test(`${name}: large scores neither overflow nor lose the largest`, () => {
            const output = outputOf([[100]], [[100], [-100], [99]], [[7], [8], [9]]);
            assert.deepEqual(output.toNested(), [[7]]);
            const values = [[1], [1e38], [1e38]];
            const far = outputOf([[1]], [[0], [-200], [-1e30]], values, { scale: 1 });
            assert.deepEqual(far.toNested(), [[1]]);
            const low = outputOf([[1]], [[-3e38], [-3.2e38]], [[1], [2]], { scale: 1 });
            assert.deepEqual(low.toNested(), [[1]]);
        });
    }

    test('scale may be 0 or negative', () => {
        const output = (scale) => engine.attention([[1]], [[1], [2]], [[10], [20]], { scale });
        assert.equal(output(0).data[0], 15);
        assert.equal(output(-1).data[0].toFixed(4), '12.6894');
    });
});
