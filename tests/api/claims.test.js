// The claims that this version can show, each with the numbers as they are printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sinusoidal } from '../../web/api/index.js';
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

    test('four steps make one output', () => {
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

    test('a score is positive for one direction, negative for opposite ones', () => {
        const keys = [[1, 2], [-1, -2], [-2, 1]];
        assert.deepEqual(engine.inspect([[1, 2]], keys, keys).scores.toNested(), [[5, -5, 0]]);
    });

    test('without the scale the weights sharpen', () => {
        assert.deepEqual(printed(rows(Q, K, V, { scale: 1 })[SAT], 3), ['0.035', '0.705', '0.259']);
    });

    test('rows with an allowed key sum to 1, and outputs stay inside their column of V', () => {
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

    test('over the wrong axis the columns sum to 1 and the rows do not', () => {
        const wrong = rows(Q, K, V, {}, { softmaxAxis: 'queries' });
        TOKENS.forEach((_, j) => {
            assert.ok(Math.abs(sum(wrong.map((row) => row[j])) - 1) < 1e-6, `column ${j}`);
        });
        wrong.forEach((row, i) => assert.ok(Math.abs(sum(row) - 1) > 0.01, `row ${i}`));
    });

    test('masking is -Infinity before the softmax', () => {
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

    test('-1e9 gives the same weights, until a row is masked everywhere', () => {
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
        test(`no later token changes one bit of a causal output (${name})`, () => {
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

    test('projections make relevance asymmetric, identity projections do not', () => {
        const x = [[1, 0], [0, 1], [1, 1]], identity = [[1, 0], [0, 1]];
        const scores = (wq, wk) => (
            engine.inspect(multiply(x, wq), multiply(x, wk), x).scores.toNested());
        assert.deepEqual(scores(identity, identity), [[1, 0, 1], [0, 1, 1], [1, 1, 2]]);
        const asymmetric = scores([[1, 2], [0, 1]], [[1, 0], [1, -1]]);
        assert.deepEqual(asymmetric, [[1, -1, 0], [0, -1, -1], [1, -2, -1]]);
    });

    test('V moves no weight, K does', () => {
        const otherV = [[9, -3], [1, 1], [0, 5]], otherK = [[1, 0], [0, 2], [2, 1]];
        assert.deepEqual(rows(Q, K, otherV), rows(Q, K, V));
        const output = (v) => engine.attention(Q, K, v).toNested();
        assert.notDeepEqual(output(otherV), output(V));
        assert.notDeepEqual(rows(Q, otherK, V)[SAT], rows(Q, K, V)[SAT]);
    });

    test('raising one score lowers every other allowed weight of its row alone', () => {
        const options = { causal: true }, computed = [NaN, NaN, NaN];
        const raised = [computed, computed, [2.5, NaN, NaN]];
        const before = rows(Q, K, V, options), after = rows(Q, K, V, options, { scores: raised });
        assert.ok(after[SAT][0] > before[SAT][0]);
        assert.ok(after[SAT][1] < before[SAT][1] && after[SAT][2] < before[SAT][2]);
        assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
    });

    /** The, cat, sat as rows of width 4, and a module over them. */
    const X = [[1, 0, 0.5, -1], [0, 2, -0.5, 1], [1, 1, 1, 0.25]];
    const withModule = (config, use) => {
        const module = engine.multiHeadAttention({ embedDim: 4, heads: 2, seed: 11, ...config });
        try {
            return use(module);
        } finally {
            module.dispose();
        }
    };
    const isNear = (a, b, t = 1e-6) => a.every((x, n) => Math.abs(x - b[n]) <= t);

    /** Every row of one is a row of the other. */
    const isSameSet = (a, b) => a.every((row) => b.some((other) => isNear(row, other)));

    test('shuffled rows of X shuffle the rows of the output', () => {
        const next = numbersFrom(111), T = 50, order = [];
        const x = randomRows(next, T, 4);
        while (order.length < T) {
            const i = Math.floor((next() + 1) / 2 * T);
            if (!order.includes(i)) order.push(i);
        }
        const shuffle = (list) => order.map((i) => list[i]);
        const { data, shape } = sinusoidal(T, 4);
        const placed = x.map((row, i) => row.map((value, d) => value + data[i * shape[1] + d]));
        for (const rows of [x, placed]) {
            withModule({}, (module) => {
                const output = shuffle(module.forward(rows).toNested());
                const shuffled = module.forward(shuffle(rows)).toNested();
                shuffled.forEach((row, i) => assert.ok(isNear(row, output[i]), `row ${i}`));
            });
        }
        withModule({ rope: true }, (module) => {
            const output = shuffle(module.forward(x).toNested());
            const shuffled = module.forward(shuffle(x)).toNested();
            assert.ok(shuffled.some((row, i) => !isNear(row, output[i], 1e-3)));
        });
    });

    test('without positions the order of the tokens is not seen, with positions it is', () => {
        const backwards = [...X].reverse();
        const outputs = (config, prepare = (rows) => rows) => withModule(config, (module) => (
            [X, backwards].map((rows) => module.forward(prepare(rows)).toNested())));
        assert.ok(isSameSet(...outputs({})));
        const table = sinusoidal(3, 4).toNested();
        const learned = [[0.1, 0.2, -0.3, 0.4], [-0.5, 0.1, 0.2, 0], [0.3, -0.1, 0, 0.6]];
        const added = (positions) => (rows) => (
            rows.map((row, i) => row.map((value, d) => value + positions[i][d])));
        assert.ok(!isSameSet(...outputs({}, added(table))), 'sinusoidal');
        assert.ok(!isSameSet(...outputs({}, added(learned))), 'learned');
        assert.ok(!isSameSet(...outputs({ rope: true })), 'RoPE');
        const distances = outputs({ alibi: true });
        assert.ok(isSameSet(...distances), 'ALiBi knows distances: a mirrored order is the same');
        const turned = [X[1], X[0], X[2]];
        withModule({ alibi: true }, (module) => {
            const [a, b] = [X, turned].map((rows) => module.forward(rows).toNested());
            assert.ok(!isSameSet(a, b), 'ALiBi');
        });
    });

    test('heads see several relations, and only the projections hold weights', () => {
        withModule({}, (module) => {
            const { weights, heads, concat, output } = module.inspect(X);
            const [first, second] = weights.toNested();
            assert.ok(first.some((row, i) => !isNear(row, second[i], 1e-3)));
            const joined = heads.toNested()[0].map((row, i) => [...row, ...heads.toNested()[1][i]]);
            assert.deepEqual(concat.toNested(), joined);
            const state = module.stateDict();
            const wo = state['out_proj.weight'].toNested(), bo = state['out_proj.bias'].data;
            const projected = joined.map((row) => (
                wo.map((w, o) => sum(w.map((x, d) => x * row[d])) + bo[o])));
            output.toNested().forEach((row, i) => assert.ok(isNear(row, projected[i])));
        });
        const count = (config) => withModule({ embedDim: 512, heads: 8, ...config }, (module) => (
            sum(Object.values(module.stateDict()).map(({ data }) => data.length))));
        assert.equal(count({}), 4 * 512 * 512 + 4 * 512);
        assert.equal(count({ bias: false }), 4 * 512 * 512);
        assert.equal(count({ kvHeads: 2, bias: false }), 2 * 512 * 512 + 2 * 512 * 128);
        assert.equal(count({ kvHeads: 1, bias: false }), 2 * 512 * 512 + 2 * 512 * 64);
    });

    test('a row at a time over a cache gives the rows of the causal call', () => {
        const next = numbersFrom(22), T = 40, D = 8;
        const [q, k, v] = [0, 1, 2].map(() => randomRows(next, T, D));
        const whole = engine.attention(q, k, v, { causal: true }).toNested();
        const traced = engine.inspect(q, k, v, { causal: true });
        const caches = [0, 1].map(() => engine.kvCache({ kvHeads: 1, headDim: D, capacity: T }));
        for (let i = 0; i < T; i++) {
            const step = [[q[i]], [k[i]], [v[i]]];
            const fast = engine.attention(...step, { causal: true, cache: caches[0] });
            assert.ok(isNear(fast.data, whole[i]), `row ${i}`);
            const trace = engine.inspect(...step, { causal: true, cache: caches[1] });
            assert.deepEqual(trace.output.toNested()[0], traced.output.toNested()[i], `row ${i}`);
            const seen = traced.weights.toNested()[i].slice(0, i + 1);
            assert.deepEqual(trace.weights.toNested()[0], seen);
        }
        caches.forEach((cache) => cache.dispose());
    });

    test('dropout acts on the weights, survivors grow, weights are those before it', () => {
        const next = numbersFrom(23), T = 64, p = 0.25, dropout = { p, seed: 9 };
        const [q, k, v] = [0, 1, 2].map(() => randomRows(next, T, 4));
        const plain = engine.inspect(q, k, v), trace = engine.inspect(q, k, v, { dropout });
        assert.deepEqual(trace.weights, plain.weights);
        trace.weights.toNested().forEach((row) => assert.ok(Math.abs(sum(row) - 1) < 1e-6));
        let kept = 0;
        trace.dropped.data.forEach((x, n) => {
            const scaled = trace.weights.data[n] / (1 - p);
            assert.ok(x === 0 || Math.abs(x - scaled) <= 1e-6 * scaled, `${x}, not ${scaled}`);
            kept += Number(x !== 0);
        });
        assert.ok(Math.abs(kept / (T * T) - (1 - p)) < 0.02, `kept ${kept / (T * T)}`);
        assert.deepEqual(engine.inspect(q, k, v, { dropout }), trace);
        const other = engine.inspect(q, k, v, { dropout: { p, seed: 10 } });
        assert.notDeepEqual(other.dropped, trace.dropped);
        const at = (rate) => engine.attention(q, k, v, { dropout: { p: rate, seed: 1 } });
        assert.deepEqual(at(0), engine.attention(q, k, v));
        assert.ok(at(1).data.every((x) => x === 0));
    });
});
