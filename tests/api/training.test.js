// Optimisers against their formulas in float64, and the derivative of a softmax row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, onEveryBuild } from './builds.js';
import { numbersFrom } from './oracle.js';

/** The same steps in float64, from the papers' formulas. */
const METHODS = {
    sgd({ lr, momentum = 0, weightDecay = 0 }) {
        const velocity = new Map();
        return (params, grads) => params.map((x, n) => {
            const step = momentum * (velocity.get(n) ?? 0) + grads[n] + weightDecay * x;
            velocity.set(n, step);
            return x - lr * step;
        });
    },
    adamw({ lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0.01 }) {
        const m = new Map(), v = new Map();
        let t = 0;
        return (params, grads) => {
            t++;
            return params.map((x, n) => {
                m.set(n, beta1 * (m.get(n) ?? 0) + (1 - beta1) * grads[n]);
                v.set(n, beta2 * (v.get(n) ?? 0) + (1 - beta2) * grads[n] ** 2);
                const mean = m.get(n) / (1 - beta1 ** t), square = v.get(n) / (1 - beta2 ** t);
                return x - lr * (mean / (Math.sqrt(square) + epsilon) + weightDecay * x);
            });
        };
    },
};

const CONFIGS = [
    { kind: 'sgd', lr: 0.05 },
    { kind: 'sgd', lr: 0.05, momentum: 0.9, weightDecay: 0.1 },
    { kind: 'adamw', lr: 0.01 },
    { kind: 'adamw', lr: 0.01, beta1: 0.5, beta2: 0.9, epsilon: 1e-3, weightDecay: 0 },
];

onEveryBuild('training', (engine) => {
    for (const config of CONFIGS) {
        test(`60 steps of ${JSON.stringify(config)} are those of the formula`, () => {
            const next = numbersFrom(11), start = Array.from({ length: 37 }, next);
            const optimizer = engine.optimizer(config), exact = METHODS[config.kind](config);
            const ours = Float32Array.from(start);
            let wanted = start;
            for (let n = 0; n < 60; n++) {
                const grads = start.map(() => next());
                optimizer.step(ours, grads);
                wanted = exact(wanted, grads);
                wanted.forEach((x, i) => {
                    const isNear = Math.abs(ours[i] - x) <= 3e-5 * Math.max(1, Math.abs(x));
                    assert.ok(isNear, `step ${n}, ${i}: ${ours[i]}, expected ${x}`);
                });
            }
        });
    }

    test('lists of every kind take the same steps, each with averages of its own', () => {
        const grads = [0.5, -3, 2], optimizer = engine.optimizer({ kind: 'adamw', lr: 0.1 });
        const tensor = engine.attention([[1]], [[1]], [[1, 2, 3]]);
        const lists = [[1, 2, 3], Float32Array.of(1, 2, 3), Float64Array.of(1, 2, 3), tensor];
        for (let n = 0; n < 4; n++) {
            for (const list of lists) optimizer.step(list, n % 2 ? grads : Float64Array.from(grads));
        }
        const [plain, ...others] = lists.map((list) => [...(list.data ?? list)]);
        for (const other of others) assert.deepEqual(other, plain);
        assert.deepEqual(plain.map((x) => Number(x.toFixed(3))), [0.597, 2.391, 2.589]);
        assert.equal(engine.memory().used, 0);
    });

    test('two parts of one buffer have averages of their own, whatever view gives them', () => {
        const optimizer = engine.optimizer({ kind: 'adamw', lr: 0.1 }), grads = [0.5, -3];
        const whole = Float32Array.of(1, 2, 1, 2), alone = [1, 2];
        for (let n = 0; n < 4; n++) {
            optimizer.step(whole.subarray(0, 2), grads);
            if (n % 2) optimizer.step(whole.subarray(2), [grads[0], 1]);
            optimizer.step(alone, grads);
            grads.reverse();
        }
        assert.deepEqual([...whole.subarray(0, 2)], alone);
        assert.notDeepEqual([...whole.subarray(2)], alone);
    });

    test('momentum goes on from step to step, and an optimiser can be taken apart', () => {
        const { step } = engine.optimizer({ kind: 'sgd', lr: 1, momentum: 0.5 }), x = [0];
        const path = [1, 0, 0].map((slope) => { step(x, [slope]); return x[0]; });
        assert.deepEqual(path, [-1, -1.5, -1.75]);
    });

    test('what an optimiser remembers can be taken away and brought back', () => {
        for (const config of CONFIGS) {
            const next = numbersFrom(3), start = Array.from({ length: 9 }, next);
            const grads = Array.from({ length: 12 }, () => start.map(() => next()));
            const whole = Float32Array.from(start), one = engine.optimizer(config);
            grads.slice(0, 7).forEach((list) => one.step(whole, list));
            const state = one.stateDict(whole), begun = structuredClone(state);
            const copy = whole.slice(), other = engine.optimizer(config);
            other.loadStateDict(copy, begun);
            begun.averages.forEach((list) => list.fill(9));
            assert.deepEqual(other.stateDict(copy), state);
            grads.slice(7).forEach((list) => { one.step(whole, list); other.step(copy, list); });
            assert.deepEqual(copy, whole);
            assert.equal(state.steps, 7);
            assert.equal(state.averages.length, config.kind === 'sgd' ? 1 : 2);
        }
        const none = engine.optimizer(CONFIGS[0]).stateDict([1, 2]);
        assert.deepEqual(none, { steps: 0, averages: [new Float32Array(2)] });
    });

    test('a state that does not fit is refused in one sentence, and changes nothing', () => {
        const optimizer = engine.optimizer({ kind: 'adamw', lr: 0.1 }), list = [1, 2];
        optimizer.step(list, [1, 1]);
        const before = optimizer.stateDict(list), pair = [[0, 0], [0, 0]];
        for (const [state, sentence] of [
            [undefined, 'state.steps is undefined: expected an integer from 0'],
            [null, 'state is null: expected an object with any of steps, averages'],
            [{ steps: -1, averages: pair }, 'state.steps is -1: expected an integer from 0'],
            [{ steps: 1, averages: [[0, 0]] },
                'state.averages is an array: expected two lists, of adamw'],
            [{ steps: 1, averages: [[0, 0], [0]] },
                'state.averages[1]: expected 2 numbers, got 1'],
            [{ steps: 1, averages: [[0, 0], [0, 'x']] },
                "state.averages[1].data[1] is 'x': expected a number"],
        ]) assert.equal(errorOf(() => optimizer.loadStateDict(list, state))[1], sentence);
        assert.deepEqual(optimizer.stateDict(list), before);
    });

    test('a list that is refused is not moved', () => {
        const optimizer = engine.optimizer({ kind: 'sgd', lr: 1 }), params = [1, 2];
        assert.deepEqual(errorOf(() => optimizer.step(params, [1, '2'])),
            ['BAD_VALUE', "grads.data[1] is '2': expected a number"]);
        assert.deepEqual(params, [1, 2]);
        assert.equal(engine.memory().used, 0);
    });

    test('descent along backward() learns a target', () => {
        const next = numbersFrom(4), x = () => Array.from({ length: 4 }, () => [next(), next()]);
        const [q, k, v, target] = [x(), x(), x(), x()].map((rows) => (
            { data: Float32Array.from(rows.flat()), shape: [4, 2] }));
        const optimizer = engine.optimizer({ kind: 'adamw', lr: 0.05, weightDecay: 0 });
        const losses = [];
        for (let n = 0; n < 300; n++) {
            const { output, backward } = engine.forward(q, k, v);
            const error = output.data.map((y, i) => y - target.data[i]);
            losses.push(error.reduce((sum, e) => sum + e * e, 0) / 2);
            const { dq, dk, dv } = backward({ data: error, shape: [4, 2] });
            [[q, dq], [k, dk], [v, dv]].forEach(([a, da]) => optimizer.step(a.data, da));
        }
        assert.ok(losses[0] > 0.5 && losses[299] < 1e-3, `${losses[0]} to ${losses[299]}`);
    });

    test('the Jacobian of a row is what central differences of the softmax say', () => {
        const scores = [0.3, -1.2, 2, 0.5, -0.4];
        const softmax = (s) => {
            const powers = s.map(Math.exp), sum = powers.reduce((a, b) => a + b);
            return powers.map((x) => x / sum);
        };
        const jacobian = engine.softmaxJacobian(softmax(scores));
        assert.deepEqual(jacobian.shape, [5, 5]);
        scores.forEach((_, j) => {
            const [above, below] = [1e-5, -1e-5].map((step) => (
                softmax(scores.map((s, n) => (n === j ? s + step : s)))));
            above.forEach((w, i) => {
                const slope = (w - below[i]) / 2e-5;
                assert.ok(Math.abs(jacobian.data[i * 5 + j] - slope) < 1e-7, `${i}, ${j}`);
            });
        });
    });

    test('a saturated row keeps its derivative: 3.8e-11 at a gap of 24, 0.045 at 3', () => {
        const slope = (gap) => {
            const { weights } = engine.inspect([[gap], [gap]], [[1], [0]], [[1], [1]], { scale: 1 });
            return engine.softmaxJacobian(weights.data.subarray(0, 2)).data[0];
        };
        assert.equal(slope(24).toExponential(1), '3.8e-11');
        assert.equal(slope(3).toFixed(3), '0.045');
    });

    test('a row in every form, and the empty one', () => {
        const expected = [[0.1875, -0.1875], [-0.1875, 0.1875]];
        for (const row of [[0.25, 0.75], Float32Array.of(0.25, 0.75), Float64Array.of(0.25, 0.75),
            { data: [0.25, 0.75], shape: [2] }]) {
            assert.deepEqual(engine.softmaxJacobian(row).toNested(), expected);
        }
        assert.deepEqual(engine.softmaxJacobian([]).shape, [0, 0]);
    });
});
