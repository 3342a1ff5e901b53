// train(), grads, zeroGrad() and step() of modules: against central differences over every option.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { errorOf, onEveryBuild } from './builds.js';
import { argumentsFor, calls, configOf, makeCall } from './layers.js';
import { moduleOracle } from './modules.js';
import { numbersFrom } from './oracle.js';
import { SEED } from './random.js';
import { assertDifferences } from './slopes.js';

const problems = fc.record({
    chosen: calls, p: fc.constantFrom(undefined, 0.25, 0.5), hasBias: fc.boolean(),
});

function makeProblem({ chosen, p, hasBias }) {
    const call = makeCall(chosen), next = numbersFrom(chosen.seed + 1);
    const floats = (count) => Float32Array.from({ length: count }, next);
    const { B, Hq, Tq, Tk, Dv } = call, width = chosen.outputProjection ? call.Wo : Hq * Dv;
    if (p !== undefined) call.dropout = { p, seed: chosen.seed >>> 0 };
    if (hasBias) call.bias = { data: floats(Hq * Tk), shape: [Hq, 1, Tk] };
    const shape = [B, Tq, width].slice(3 - chosen.rank);
    return {
        call, dOutput: { data: floats(B * Tq * width), shape },
        below: (n) => Math.floor((next() + 1) / 2 * n),
    };
}

/** The gradients of grads by letter and kind: in_proj is taken apart. */
function partsOf(grads, { Hq, Hk, D, Dv, Wx }) {
    const heights = { q: Hq * D, k: Hk * D, v: Hk * Dv }, parts = {};
    let row = 0;
    for (const [letter, height] of Object.entries(heights)) {
        const cut = (name, width) => (
            grads[name]?.data.subarray(row * width, (row + height) * width));
        parts[letter] = {
            weight: cut('in_proj_weight', Wx) ?? grads[`${letter}_proj_weight`].data,
            bias: cut('in_proj_bias', 1),
        };
        row += height;
    }
    parts.o = { weight: grads['out_proj.weight']?.data, bias: grads['out_proj.bias']?.data };
    return parts;
}

/** The call in float64, its loss, and its arrays beside what should be their gradients. */
function differencesOf(call, dOutput, parts, slopes) {
    const double = (x) => x && Float64Array.from(x);
    const copy = { ...call, x: double(call.x), weights: {} };
    copy.y = call.isSelf ? copy.x : double(call.y);
    copy.z = call.isSelf ? copy.x : double(call.z);
    copy.bias = call.bias && { ...call.bias, data: double(call.bias.data) };
    const all = call.isSelf
        ? [['dQuery + dKey + dValue', copy.x, slopes.dQuery.data.map((x, n) => (
            x + slopes.dKey.data[n] + slopes.dValue.data[n]))]]
        : [['dQuery', copy.x, slopes.dQuery.data], ['dKey', copy.y, slopes.dKey.data],
            ['dValue', copy.z, slopes.dValue.data]];
    if (call.bias) all.push(['dBias', copy.bias.data, slopes.dBias.data]);
    for (const [letter, linear] of Object.entries(call.weights)) {
        if (!linear) continue;
        const { weight, bias } = linear;
        copy.weights[letter] = { weight: double(weight), bias: double(bias) };
        all.push([`${letter}.weight`, copy.weights[letter].weight, parts[letter].weight]);
        if (bias) all.push([`${letter}.bias`, copy.weights[letter].bias, parts[letter].bias]);
    }
    const loss = () => (
        moduleOracle(copy).projected.reduce((sum, x, n) => sum + x * dOutput.data[n], 0));
    return { loss, all };
}

/** The first difference between two records of tensors, beyond rounding. */
function assertNear(ours, expected, tolerance = 1e-5) {
    assert.deepEqual(Object.keys(ours), Object.keys(expected));
    for (const [name, { data, shape }] of Object.entries(expected)) {
        assert.deepEqual(ours[name].shape, shape, name);
        data.forEach((x, n) => {
            const isNear = Math.abs(ours[name].data[n] - x) <= tolerance * Math.max(1, Math.abs(x));
            assert.ok(isNear, `${name}[${n}] is ${ours[name].data[n]}, expected ${x}`);
        });
    }
}

const X = { data: Float32Array.from({ length: 40 }, numbersFrom(2)), shape: [5, 8] };
const D_OUT = { data: Float32Array.from({ length: 40 }, numbersFrom(3)), shape: [5, 8] };

onEveryBuild('training of modules', (engine) => {
    const make = (config) => engine.multiHeadAttention({ embedDim: 8, heads: 2, ...config });
    const using = (config, use) => {
        const module = make(config);
        try {
            use(module);
        } finally {
            module.dispose();
        }
        assert.deepEqual([engine.memory().used, engine.memory().handles], [0, 0]);
    };

    test('random modules: the central differences of a loss', () => {
        fc.assert(fc.property(problems, (problem) => {
            const { chosen } = problem, { call, dOutput, below } = makeProblem(problem);
            const config = { ...configOf(call, chosen), dropout: call.dropout?.p };
            using({ ...config }, (module) => {
                const [query, key, value, options] = argumentsFor(call, chosen.rank);
                const { output, backward } = module.train(query, key, value,
                    { ...options, bias: call.bias, seed: call.dropout?.seed });
                const exact = moduleOracle(call).projected;
                output.data.forEach((y, n) => {
                    assert.ok(Math.abs(y - exact[n]) <= 2e-4 * Math.max(1, Math.abs(exact[n])));
                });
                const slopes = backward(dOutput, { biasGrad: call.bias !== undefined });
                assert.deepEqual(slopes.dQuery.shape, query.shape);
                const parts = partsOf(module.grads, call);
                const { loss, all } = differencesOf(call, dOutput, parts, slopes);
                assertDifferences(loss, all, below, 1e-4);
            });
        }), { seed: SEED, numRuns: 60 });
    });

    test('without dropout the bits are those of forward()', () => using({ rope: true }, (module) => {
        const { output } = module.train(X, undefined, undefined, { causal: true, seed: 3 });
        assert.deepEqual(output, module.forward(X, undefined, undefined, { causal: true }));
    }));

    test('dropout acts in train() only, by its seed', () => using({ dropout: 0.5 }, (module) => {
        const train = (seed) => module.train(X, undefined, undefined, { seed }).output.data;
        assert.deepEqual(train(1), train(1));
        assert.notDeepEqual(train(1), train(2));
        assert.deepEqual(module.forward(X), module.forward(X));
        assert.notDeepEqual(module.forward(X).data, train(1));
    }));

    test('grads add up over backward(), and zeroGrad() ends them', () => using({}, (module) => {
        const zeros = module.grads;
        assert.deepEqual(Object.keys(zeros), Object.keys(module.stateDict()));
        assert.ok(Object.values(zeros).every(({ data }) => data.every((x) => x === 0)));
        const first = module.train(X);
        first.backward(D_OUT);
        const one = module.grads;
        module.train(D_OUT).backward(X);
        first.backward(D_OUT);
        const all = module.grads;
        module.zeroGrad();
        assert.deepEqual(module.grads, zeros);
        module.train(D_OUT).backward(X);
        const other = module.grads;
        const sum = Object.fromEntries(Object.entries(one).map(([name, { data, shape }]) => (
            [name, { data: data.map((x, n) => 2 * x + other[name].data[n]), shape }])));
        assertNear(all, sum);
        all['out_proj.bias'].data.fill(9);
        assert.notDeepEqual(module.grads['out_proj.bias'], all['out_proj.bias']);
    }));

    test('step() moves every weight as the optimiser moves lists of them', () => {
        const sgd = { kind: 'sgd', lr: 0.1, momentum: 0.9 };
        for (const config of [sgd, { kind: 'adamw', lr: 0.01 }]) {
            using({ kvHeads: 1, seed: 4 }, (module) => {
                const optimizer = engine.optimizer(config), lists = engine.optimizer(config);
                const mirror = module.stateDict();
                for (let n = 0; n < 5; n++) {
                    module.zeroGrad();
                    module.train(X).backward(D_OUT);
                    const { grads } = module;
                    for (const name in mirror) lists.step(mirror[name], grads[name]);
                    module.step(optimizer);
                }
                assert.deepEqual(module.stateDict(), mirror);
            });
        }
    });

    test('once the weights changed, an older backward() is refused', () => using({}, (module) => {
        const optimizer = engine.optimizer({ kind: 'sgd', lr: 0.1 });
        const expected = ['BAD_VALUE', 'backward: the weights have changed since train(), by '
            + 'step() or loadStateDict(): call train() again'];
        for (const change of [() => module.step(optimizer),
            () => module.loadStateDict(module.stateDict())]) {
            const { backward } = module.train(X);
            backward(D_OUT);
            const { grads } = module;
            change();
            assert.deepEqual(errorOf(() => backward(D_OUT)), expected);
            assert.deepEqual(module.grads, grads);
            module.train(X).backward(D_OUT);
        }
    }));

    test('later edits, other calls and memory that grows change nothing', () => {
        const own = () => ({ data: X.data.slice(), shape: [5, 8] });
        const run = (disturb) => {
            const module = make({ rope: true, dropout: 0.25, seed: 5 }), query = own();
            const bias = { data: Float32Array.of(1, 2, 3, 4, 5), shape: [1, 5] };
            const { output, backward } = module.train(query, undefined, undefined,
                { causal: true, bias, seed: 7 });
            const result = output.data.slice();
            if (disturb) {
                for (const { data } of [query, bias, output]) data.fill(0);
                module.forward(X);
                const large = { data: new Float32Array(400000), shape: [1000, 400] };
                engine.attention(large, large, large);
            }
            const slopes = backward(D_OUT, { biasGrad: true }), { grads } = module;
            module.dispose();
            return { result, slopes, grads };
        };
        assert.deepEqual(run(true), run(false));
    });

    test('masked NaN leaks into no gradient', () => using({ seed: 6 }, (module) => {
        const other = { data: X.data.slice(), shape: [5, 8] };
        const key = { data: new Float32Array(24).fill(0.5), shape: [3, 8] };
        key.data.fill(NaN, 16);
        const run = (query, keys, options) => {
            module.zeroGrad();
            const slopes = module.train(query, keys, undefined, options).backward(D_OUT);
            return { slopes, grads: module.grads };
        };
        const finite = ({ slopes, grads }) => (
            [...Object.values(slopes), ...Object.values(grads)]
                .every(({ data }) => data.every(isFinite)));
        assert.ok(finite(run(other, key, { keyLengths: [2] })));
        assert.ok(!finite(run(other, key, {})));
    }));

    test('10,000 calls without growth, and a module that is gone says so', () => {
        const module = make({ dropout: 0.1 });
        const optimizer = engine.optimizer({ kind: 'adamw', lr: 0 });
        let seed = 0;
        const round = () => {
            module.train(X, undefined, undefined, { seed: seed++ }).backward(D_OUT);
            module.step(optimizer);
            module.zeroGrad();
        };
        round();
        const before = engine.memory();
        for (let n = 0; n < 3333; n++) round();
        assert.deepEqual(engine.memory(), before);
        const { backward } = module.train(X, undefined, undefined, { seed });
        module.dispose();
        const gone = (name) => ['DISPOSED', `${name}: this multi-head attention was disposed`];
        assert.deepEqual(errorOf(() => backward(D_OUT)), gone('backward'));
        for (const name of ['train', 'zeroGrad', 'step']) {
            assert.deepEqual(errorOf(() => module[name](optimizer)), gone(name));
        }
        assert.deepEqual(errorOf(() => module.grads), gone('grads'));
        assert.equal(engine.memory().used, 0);
    });
});
