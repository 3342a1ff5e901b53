// Any value whatever as any option or argument: it does its work or throws an AttnError of one
// sentence, and the engine works on. Each option has values that it must refuse.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alibiSlopes, masks, sinusoidal } from '../../web/api/index.js';
import {
    APPEND_OPTIONS, ATTENTION_OPTIONS, BACKWARD_OPTIONS, CACHE_CONFIG, FORWARD_OPTIONS,
    MODULE_CONFIG, MODULE_OPTIONS, ROPE_OPTIONS, WHAT_IF_OPTIONS,
} from '../../web/api/options.js';
import { onEveryBuild } from './builds.js';
import { SEED } from './random.js';

const Q = [[1, 2], [3, 4], [5, 6]];
const tokens = [[1, 2, 3, 4]];

/** Makes a handle, uses it, and frees it. */
function using(handle, use) {
    try {
        use(handle);
    } finally {
        handle.dispose();
    }
}

/** Every place where a value can be given: the options that are there, and the call. */
const PLACES = {
    attention: [ATTENTION_OPTIONS, (attn, given) => attn.attention(Q, Q, Q, given)],
    inspect: [ATTENTION_OPTIONS, (attn, given) => attn.inspect(Q, Q, Q, given)],
    whatIf: [WHAT_IF_OPTIONS, (attn, given) => attn.inspect(Q, Q, Q, {}, given)],
    forward: [FORWARD_OPTIONS, (attn, given) => attn.forward(Q, Q, Q, given)],
    backward: [BACKWARD_OPTIONS, (attn, given) => (
        attn.forward(Q, Q, Q, { bias: [[0, 0, 0]] }).backward(Q, given))],
    sgd: [['kind', 'lr', 'momentum', 'weightDecay'], (attn, given) => (
        attn.optimizer({ kind: 'sgd', lr: 0.1, ...given }))],
    adamw: [['lr', 'beta1', 'beta2', 'epsilon', 'weightDecay'], (attn, given) => (
        attn.optimizer({ kind: 'adamw', lr: 0.1, ...given }))],
    multiHeadAttention: [MODULE_CONFIG, (attn, given) => (
        using(attn.multiHeadAttention({ embedDim: 4, heads: 2, ...given }), () => {}))],
    moduleForward: [MODULE_OPTIONS, (attn, given) => (
        using(attn.multiHeadAttention({ embedDim: 4, heads: 2 }), (module) => (
            module.forward(tokens, tokens, tokens, given))))],
    kvCache: [CACHE_CONFIG, (attn, given) => (
        using(attn.kvCache({ kvHeads: 1, headDim: 2, capacity: 4, ...given }), () => {}))],
    append: [APPEND_OPTIONS, (attn, given) => (
        using(attn.kvCache({ kvHeads: 1, headDim: 2, capacity: 4 }), (cache) => (
            cache.append(Q, Q, given))))],
    rope: [ROPE_OPTIONS, (attn, given) => attn.rope(Q, given)],
    causalMask: [['offset'], (attn, given) => masks.causal(2, 2, given)],
    torchMask: [['heads'], (attn, given) => masks.fromTorchModule([[[true]]], given)],
    alibiSlopes: [['heads'], (attn, { heads }) => alibiSlopes(heads)],
    sinusoidal: [['length', 'dim', 'base'], (attn, { length = 2, dim = 4, base }) => (
        sinusoidal(length, dim, base))],
};

/** No option of any call takes one of these. */
const WRONG = [null, 'wrong', Symbol('s'), 7n, () => 1, new Date(0), new Map(), Promise.resolve([])];

function assertWorks(attn, used) {
    assert.equal(attn.memory().used, used);
    assert.deepEqual(attn.attention([[1]], [[1]], [[7]]).toNested(), [[7]]);
}

function assertSentence(error) {
    assert.equal(error.name, 'AttnError', error.stack);
    assert.match(error.code, /^[A-Z_]+$/);
    assert.match(error.message, /^[^\n]{12,600}$/);
    assert.doesNotMatch(error.message, /\.$|undefined is not|not a function|\[object/);
}

/** Numbers that would only be slow: sizes that no test should take. */
const isBig = (value) => typeof value === 'number' && Math.abs(value) > 1e4;

const values = fc.oneof(
    { weight: 3, arbitrary: fc.anything({
        withBigInt: true, withDate: true, withMap: true, withNullPrototype: true,
        withTypedArray: true, withSparseArray: true, maxDepth: 3,
    }) },
    fc.constantFrom(...WRONG, NaN, Infinity, -1, 0.5, 1e300, [], [[]], {}, [NaN], [[null]]),
    fc.record({ data: fc.anything(), shape: fc.anything() }),
    fc.array(fc.array(fc.oneof(fc.double(), fc.boolean(), fc.constant(null)))),
).filter((value) => !isBig(value));

onEveryBuild('hostile', (attn) => {
    for (const [place, [names, call]] of Object.entries(PLACES)) {
        test(`${place}: each option refuses what it cannot be, in one sentence that names it`, () => {
            for (const name of names) {
                for (const value of WRONG) {
                    assert.throws(() => call(attn, { [name]: value }), (error) => {
                        assertSentence(error);
                        /* One of two tables is missing whatever the other is. */
                        const isNamed = error.message.includes(name) || name === 'sin';
                        assert.ok(isNamed, `${name}: ${error.message}`);
                        return true;
                    }, `${place}: ${name} took ${String(value)}`);
                }
            }
            assertWorks(attn, 0);
        });

        test(`${place}: any value works or is refused, and the engine works on`, () => {
            fc.assert(fc.property(fc.constantFrom(...names), values, (name, value) => {
                try {
                    call(attn, { [name]: value });
                } catch (error) {
                    assertSentence(error);
                }
                assertWorks(attn, 0);
            }), { seed: SEED, numRuns: 250 });
        });
    }

    test('any value as tensors, options or config', () => {
        const calls = [
            (x) => attn.attention(x, Q, Q), (x) => attn.attention(Q, x, Q),
            (x) => attn.inspect(Q, Q, x), (x) => attn.attention(Q, Q, Q, x),
            (x) => attn.forward(Q, x, Q), (x) => attn.forward(Q, Q, Q).backward(x),
            (x) => attn.softmaxJacobian(x), (x) => attn.optimizer(x),
            (x) => attn.inspect(Q, Q, Q, {}, x), (x) => attn.rope(x), (x) => attn.rope(Q, x),
            (x) => using(attn.multiHeadAttention(x), () => {}),
            (x) => using(attn.kvCache(x), () => {}), (x) => masks.and(x), (x) => masks.not(x),
            (x) => masks.lengths(x, 3), (x) => masks.window(2, 2, x), (x) => masks.causal(x),
            (x) => using(attn.multiHeadAttention({ embedDim: 4, heads: 2 }), (module) => (
                module.forward(x))),
            (x) => using(attn.multiHeadAttention({ embedDim: 4, heads: 2 }), (module) => (
                module.loadStateDict(x))),
        ];
        fc.assert(fc.property(fc.constantFrom(...calls), values, (call, value) => {
            try {
                call(value);
            } catch (error) {
                assertSentence(error);
            }
            assertWorks(attn, 0);
        }), { seed: SEED, numRuns: 1500 });
    });

    test('methods work by themselves', () => {
        const { attention, inspect, rope, kvCache, multiHeadAttention, memory } = attn;
        assert.deepEqual(attention([[1]], [[1]], [[7]]).toNested(), [[7]]);
        assert.deepEqual(inspect([[1]], [[1]], [[7]]).output.toNested(), [[7]]);
        assert.deepEqual(rope([[1, 2]]).toNested(), [[1, 2]]);
        const cache = kvCache({ kvHeads: 1, headDim: 1, capacity: 2 });
        const { append, keys, dispose } = cache;
        append([[1]], [[7]]);
        assert.deepEqual(keys().data, Float32Array.of(1));
        dispose();
        const { forward, dispose: end } = multiHeadAttention({ embedDim: 4, heads: 2 });
        assert.deepEqual(forward(tokens).shape, [1, 4]);
        end();
        assert.equal(memory().used, 0);
        assert.deepEqual(Object.keys(attn), []);
    });
});
