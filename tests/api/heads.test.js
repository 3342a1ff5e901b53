// Multi-head attention with projections: against the oracle, against numbers by others, by its
// names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEveryBuild } from './builds.js';
import { argumentsFor, calls, configOf, makeCall } from './layers.js';
import { moduleOracle } from './modules.js';
import { assertBound, STAGES } from './oracle.js';
import { SEED } from './random.js';
import { vectors } from './vectors.js';

onEveryBuild('multi-head attention', (engine) => {
    test('random modules: every stage within the bound of the oracle', (t) => {
        let worst = 0;
        fc.assert(fc.property(calls, (chosen) => {
            const call = makeCall(chosen);
            const exact = moduleOracle(call), plain = moduleOracle(call, Math.fround);
            const module = engine.multiHeadAttention(configOf(call, chosen));
            const trace = module.inspect(...argumentsFor(call, chosen.rank));
            const output = module.forward(...argumentsFor(call, chosen.rank));
            module.dispose();
            assert.deepEqual(output, trace.output);
            for (const stage of [...STAGES, 'q', 'k', 'v', 'heads', 'concat', 'projected']) {
                const share = assertBound(stage, trace[stage].data, exact[stage], plain[stage]);
                worst = Math.max(worst, share);
            }
        }), { seed: SEED, numRuns: 250 });
        assert.equal(engine.memory().used, 0);
        t.diagnostic(`seed ${SEED}, worst share of the bound: ${worst.toFixed(3)}`);
    });

    test('shapes follow the query', () => {
        const module = engine.multiHeadAttention({ embedDim: 6, heads: 3, outputDim: 5 });
        const zeros = (...shape) => (
            { data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
        const three = module.inspect(zeros(2, 4, 6)), two = module.inspect(zeros(4, 6));
        assert.deepEqual([three.output.shape, two.output.shape], [[2, 4, 5], [4, 5]]);
        assert.deepEqual([three.q.shape, two.q.shape], [[2, 3, 4, 2], [3, 4, 2]]);
        assert.deepEqual([three.weights.shape, two.weights.shape], [[2, 3, 4, 4], [3, 4, 4]]);
        assert.deepEqual([three.heads.shape, two.heads.shape], [[2, 3, 4, 2], [3, 4, 2]]);
        assert.deepEqual([three.concat.shape, two.concat.shape], [[2, 4, 6], [4, 6]]);
        assert.deepEqual([three.logSumExp.shape, two.logSumExp.shape], [[2, 3, 4], [3, 4]]);
        module.dispose();
    });

    test('names of the weights, and a round trip through every spelling', () => {
        const names = (config) => {
            const module = engine.multiHeadAttention({ embedDim: 8, heads: 4, seed: 5, ...config });
            const state = module.stateDict(), x = [[1, 2, 3, 4, 5, 6, 7, 8]];
            const key = config?.keyInputDim ? [[1, 2, 3], [3, 2, 1]] : undefined;
            const before = module.forward(x, key);
            const other = engine.multiHeadAttention({
                embedDim: 8, heads: 4, ...config, seed: undefined, weights: state,
            });
            assert.deepEqual(other.forward(x, key), before);
            assert.deepEqual(other.stateDict(), state);
            module.loadStateDict(Object.fromEntries(Object.entries(state).map(([name, tensor]) => (
                [name, { data: tensor.data.map((w) => w + 1), shape: tensor.shape }]))));
            assert.notDeepEqual(module.forward(x, key), before);
            module.loadStateDict(state);
            assert.deepEqual(module.forward(x, key), before);
            module.dispose();
            other.dispose();
            return Object.entries(state).map(([name, { shape }]) => `${name} ${shape}`);
        };
        assert.deepEqual(names(), ['in_proj_weight 24,8', 'in_proj_bias 24', 'out_proj.weight 8,8',
            'out_proj.bias 8']);
        assert.deepEqual(names({ kvHeads: 2, outputDim: 3 }), ['q_proj_weight 8,8',
            'k_proj_weight 4,8', 'v_proj_weight 4,8', 'in_proj_bias 16', 'out_proj.weight 3,8',
            'out_proj.bias 3']);
        assert.deepEqual(names({ keyInputDim: 3, bias: false }), ['q_proj_weight 8,8',
            'k_proj_weight 8,3', 'v_proj_weight 8,3', 'out_proj.weight 8,8']);
        assert.deepEqual(names({ bias: false, outputProjection: false }), ['in_proj_weight 24,8']);
    });

    test('weights are (out, in), as torch has them', () => {
        const module = engine.multiHeadAttention({
            embedDim: 2, heads: 1, bias: false, weights: {
                in_proj_weight: [[0, 0], [0, 0], [0, 0], [0, 0], [1, 10], [100, 1000]],
                'out_proj.weight': [[1, 0], [0, 1]],
            },
        });
        assert.deepEqual(module.forward([[1, 2]]).toNested(), [[21, 2100]]);
        module.dispose();
    });

    test('without weights: uniform in ±√(6 / (in + out)), the same for the same seed', () => {
        const state = (seed) => {
            const module = engine.multiHeadAttention({ embedDim: 64, heads: 4, seed });
            const weights = module.stateDict();
            module.dispose();
            return weights;
        };
        assert.deepEqual(state(7), state(7));
        assert.deepEqual(state(undefined), state(0));
        assert.notDeepEqual(state(7), state(8));
        const { in_proj_weight: { data }, in_proj_bias: bias } = state(7);
        const limit = Math.sqrt(6 / 128);
        assert.ok(data.every((w) => Math.abs(w) <= limit));
        const mean = data.reduce((a, w) => a + w, 0) / data.length;
        const variance = data.reduce((a, w) => a + w * w, 0) / data.length;
        assert.ok(Math.abs(mean) < 0.01 * limit, `mean ${mean}`);
        assert.ok(Math.abs(variance / (limit ** 2 / 3) - 1) < 0.02, `variance ${variance}`);
        assert.ok(bias.data.every((b) => b === 0));
    });

    test('heads are merged by a transpose: the hand-typed case', () => {
        const identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
        const module = engine.multiHeadAttention({
            embedDim: 4, heads: 2, bias: false, scale: 1,
            weights: {
                'q_proj.weight': identity.map((row) => row.map((x) => x * 100)),
                'k_proj.weight': identity, 'v_proj.weight': identity, 'o_proj.weight': identity,
            },
        });
        const x = [[1, 2, 5, 6], [3, 4, 7, 8]];
        const mask = [[true, false], [false, true]];
        assert.deepEqual(module.forward(x, undefined, undefined, { mask }).toNested(), x);
        const batch = [x, x.map((row) => row.map((n) => -n))];
        assert.deepEqual(module.forward(batch, undefined, undefined, { mask }).toNested(), batch);
        module.dispose();
    });

    const file = vectors('projected_mha_cases.json');
    test('projected cases of another suite', { skip: file.reason }, () => {
        const { weights: shared, cases } = JSON.parse(readFileSync(file.path, 'utf8'));
        const valueOf = (x) => (typeof x === 'string' ? shared[x] : x);
        for (const one of cases) {
            const { B, T, Din, H, sizes: [Dq, Dk, Dv] } = one, width = Dq + Dk + Dv;
            const all = valueOf(one.weight), bias = valueOf(one.bias);
            const part = (from, count) => ({
                weight: Array.from({ length: count }, (_, o) => (
                    Array.from({ length: Din }, (__, d) => all[d * width + from + o]))),
                bias: bias.slice(from, from + count),
            });
            const [q, k, v] = [part(0, Dq), part(Dq, Dk), part(Dq + Dk, Dv)];
            const module = engine.multiHeadAttention({
                embedDim: Din, heads: H, headDim: Dq / H, valueHeadDim: Dv / H,
                outputProjection: false,
                weights: {
                    'q_proj.weight': q.weight, 'q_proj.bias': q.bias, 'k_proj.weight': k.weight,
                    'k_proj.bias': k.bias, 'v_proj.weight': v.weight, 'v_proj.bias': v.bias,
                },
            });
            const options = { causal: one.causal };
            let cache;
            if (one.past) {
                const { P } = one, half = one.past.length / 2, D = Dq / H, shape = [B, H, P, D];
                cache = engine.kvCache({ batch: B, kvHeads: H, headDim: D, capacity: P + T });
                const [k0, v0] = [one.past.slice(0, half), one.past.slice(half)];
                cache.append({ data: k0, shape }, { data: v0, shape });
                options.cache = cache;
            } else if (one.keyLen) {
                options.keyLengths = one.keyLen.map((n) => Math.min(n, T));
                options.queryOffset = 0;
            }
            if (one.attnBias) options.bias = { data: one.attnBias.data, shape: one.attnBias.dims };
            const query = { data: valueOf(one.input), shape: [B, T, Din] };
            const { data } = module.forward(query, undefined, undefined, options);
            const near = (name, ours, expected) => expected.forEach((b, n) => {
                const isNear = Math.abs(ours[n] - b) <= 1e-5 + 1e-5 * Math.abs(b);
                assert.ok(isNear, `${one.name}, ${name}[${n}]: ${ours[n]}, not ${b}`);
            });
            near('output', data, one.output);
            if (cache) near('present', [...cache.keys().data, ...cache.values().data], one.present);
            module.dispose();
            cache?.dispose();
        }
    });
});
