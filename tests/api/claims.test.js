// The claims that this version can show, each with the numbers as they are printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryBuild } from './builds.js';
import { numbersFrom } from './oracle.js';

const TOKENS = ['the', 'cat', 'sat'];
const Q = [[2, -1], [-1, 1], [1, 2]];
const K = [[1, 0], [0, 2], [1, 1]];
const V = [[2, 0], [0, 4], [1, 1]];
const CAT = TOKENS.indexOf('cat'), SAT = TOKENS.indexOf('sat');

const printed = (numbers, digits) => numbers.map((x) => x.toFixed(digits));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const distance = (a, b) => Math.hypot(...a.map((x, d) => x - b[d]));
const multiply = (a, b) => a.map((row) => b[0].map((_, j) => sum(row.map((x, d) => x * b[d][j]))));
const randomRows = (next, rows, columns) => (
    Array.from({ length: rows }, () => Array.from({ length: columns }, next)));

onEveryBuild('claims', (engine) => {
    const rows = (...call) => engine.inspect(...call).weights.toNested();

    test('C1: four steps make one output', () => {
        const trace = engine.inspect(Q, K, V);
        const at = (stage) => trace[stage].toNested()[SAT];
        assert.deepEqual(at('scores'), [1, 4, 3]);
        assert.deepEqual(printed(at('scaled'), 4), ['0.7071', '2.8284', '2.1213']);
        assert.deepEqual(printed(at('masked').map(Math.exp), 3), ['2.028', '16.919', '8.342']);
        assert.equal(Math.exp(at('logSumExp')).toFixed(3), '27.289');
        assert.deepEqual(printed(at('weights'), 3), ['0.074', '0.620', '0.306']);
        assert.deepEqual(printed(at('output'), 3), ['0.454', '2.786']);
        assert.deepEqual(printed(engine.attention(Q, K, V).toNested()[SAT], 3), ['0.454', '2.786']);
        assert.ok(distance(at('output'), V[CAT]) < distance(V[SAT], V[CAT]));
    });

    test('C1: a score is positive for one direction, negative for opposite ones', () => {
        const keys = [[1, 2], [-1, -2], [-2, 1]];
        assert.deepEqual(engine.inspect([[1, 2]], keys, keys).scores.toNested(), [[5, -5, 0]]);
    });

    test('C2: without the scale the weights sharpen', () => {
        assert.deepEqual(printed(rows(Q, K, V, { scale: 1 })[SAT], 3), ['0.035', '0.705', '0.259']);
    });

    test('C3: rows with an allowed key sum to 1, and outputs stay inside their column of V', () => {
        const next = numbersFrom(3), T = 65;
        const [q, k, v] = [0, 1, 2].map(() => randomRows(next, T, 8));
        const mask = Array.from({ length: T }, (_, i) => (
            Array.from({ length: T }, () => i !== 7 && next() > 0)));
        const { weights } = engine.inspect(q, k, v, { mask });
        const output = engine.attention(q, k, v, { mask }).toNested();
        weights.toNested().forEach((row, i) => {
            const expected = i === 7 ? 0 : 1;
            assert.ok(Math.abs(sum(row) - expected) < 1e-6, `row ${i} sums to ${sum(row)}`);
        });
        output.forEach((row, i) => row.forEach((x, d) => {
            const column = v.map((value) => value[d]);
            const low = i === 7 ? 0 : Math.min(...column), high = i === 7 ? 0 : Math.max(...column);
            assert.ok(x >= low - 1e-6 && x <= high + 1e-6, `output[${i}][${d}] is ${x}`);
        }));
    });

    test('C3: over the wrong axis the columns sum to 1 and the rows do not', () => {
        const wrong = rows(Q, K, V, {}, { softmaxAxis: 'queries' });
        TOKENS.forEach((_, j) => {
            assert.ok(Math.abs(sum(wrong.map((row) => row[j])) - 1) < 1e-6, `column ${j}`);
        });
        wrong.forEach((row, i) => assert.ok(Math.abs(sum(row) - 1) > 0.01, `row ${i}`));
    });

    test('C4: masking is -Infinity before the softmax', () => {
        const scores = [[2, 1, 3, 5]], future = [[true, true, true, false]];
        const keys = [[0], [0], [0], [0]];
        const call = (options, whatIf) => (
            engine.inspect([[0]], keys, keys, { scale: 1, ...options }, { scores, ...whatIf }));
        const weights = (trace) => printed(trace.weights.toNested()[0], 3);

        const masked = call({ mask: future });
        const powers = masked.masked.toNested()[0].map(Math.exp);
        assert.deepEqual(printed(powers, 3), ['7.389', '2.718', '20.086', '0.000']);
        assert.equal(Math.exp(masked.logSumExp.data[0]).toFixed(3), '30.193');
        assert.deepEqual(weights(masked), ['0.245', '0.090', '0.665', '0.000']);
        assert.equal(masked.weights.data[3], 0);

        const free = call({});
        assert.equal(Math.exp(free.logSumExp.data[0]).toFixed(3), '178.606');
        assert.deepEqual(weights(free), ['0.041', '0.015', '0.112', '0.831']);

        const after = call({ mask: future }, { maskOrder: 'after' });
        assert.deepEqual(weights(after), ['0.041', '0.015', '0.112', '0.000']);
        assert.equal(sum(after.weights.toNested()[0]).toFixed(3), '0.169');
    });

    test('C4: -1e9 gives the same weights, until a row is masked everywhere', () => {
        const scores = [[2, 1, 3, 5], [2, 1, 3, 5]], keys = [[0], [0], [0], [0]];
        const values = [[1], [2], [3], [6]];
        const options = (low) => ({ scale: 1, bias: [[0, 0, 0, low], [low, low, low, low]] });
        const call = (low) => engine.inspect([[0], [0]], keys, values, options(low), { scores });
        const minus = call(-1e9), infinite = call(-Infinity);
        assert.deepEqual(minus.weights.toNested()[0], infinite.weights.toNested()[0]);
        assert.deepEqual(minus.output.toNested()[1], [3]);
        assert.deepEqual(infinite.output.toNested()[1], [0]);
        assert.equal(infinite.logSumExp.data[1], -Infinity);
        const fast = (low) => engine.attention([[0], [0]], keys, values, options(low)).toNested();
        assert.deepEqual(fast(-1e9)[1], [3]);
        assert.deepEqual(fast(-Infinity)[1], [0]);
    });

    for (const name of ['attention', 'inspect']) {
        test(`C5: no later token changes one bit of a causal output (${name})`, () => {
            const next = numbersFrom(5), T = 83, D = 5;
            const run = (...tensors) => {
                const result = engine[name](...tensors, { causal: true });
                return new Uint32Array((result.output ?? result).data.buffer);
            };
            const [q, k, v] = [0, 1, 2].map(() => randomRows(next, T, D));
            const before = run(q, k, v);
            for (const i of [0, 1, 15, 16, 31, 47, 63, 64, 81]) {
                for (const other of [() => next() * 50, () => NaN, () => Infinity]) {
                    const change = (row, j) => (j > i ? row.map(other) : row);
                    const changed = [q, k, v].map((tensor) => tensor.map(change));
                    const end = (i + 1) * D, after = run(...changed).subarray(0, end);
                    assert.deepEqual(after, before.subarray(0, end), `rows up to ${i}`);
                }
            }
        });
    }

    test('C8: projections make relevance asymmetric, identity projections do not', () => {
        const x = [[1, 0], [0, 1], [1, 1]], identity = [[1, 0], [0, 1]];
        const scores = (wq, wk) => (
            engine.inspect(multiply(x, wq), multiply(x, wk), x).scores.toNested());
        assert.deepEqual(scores(identity, identity), [[1, 0, 1], [0, 1, 1], [1, 1, 2]]);
        const asymmetric = scores([[1, 2], [0, 1]], [[1, 0], [1, -1]]);
        assert.deepEqual(asymmetric, [[1, -1, 0], [0, -1, -1], [1, -2, -1]]);
    });

    test('C9: V moves no weight, K does', () => {
        const otherV = [[9, -3], [1, 1], [0, 5]], otherK = [[1, 0], [0, 2], [2, 1]];
        assert.deepEqual(rows(Q, K, otherV), rows(Q, K, V));
        const output = (v) => engine.attention(Q, K, v).toNested();
        assert.notDeepEqual(output(otherV), output(V));
        assert.notDeepEqual(rows(Q, otherK, V)[SAT], rows(Q, K, V)[SAT]);
    });

    test('C10: raising one score lowers every other allowed weight of its row alone', () => {
        const options = { causal: true }, computed = [NaN, NaN, NaN];
        const raised = [computed, computed, [2.5, NaN, NaN]];
        const before = rows(Q, K, V, options), after = rows(Q, K, V, options, { scores: raised });
        assert.ok(after[SAT][0] > before[SAT][0]);
        assert.ok(after[SAT][1] < before[SAT][1] && after[SAT][2] < before[SAT][2]);
        assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
    });
});
