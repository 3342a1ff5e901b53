// Tensors in every form that is read: the same numbers give the same bits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { onEveryBuild } from './builds.js';
import { numbersFrom } from './oracle.js';

const NUMBERS = [2, -1, 0, -1, 1, 0.5, 1, 2, -0.25];
const ROWS = [[2, -1, 0], [-1, 1, 0.5], [1, 2, -0.25]];
const SHAPE = [3, 3];

/** Every second number of a longer list, from the fourth. */
const everySecond = () => {
    const data = new Float32Array(22).fill(NaN);
    NUMBERS.forEach((x, n) => { data[4 + 2 * n] = x; });
    return { data, shape: SHAPE, stride: [6, 2], offset: 4 };
};

const transposed = () => ({
    data: [2, -1, 1, -1, 1, 2, 0, 0.5, -0.25], shape: SHAPE, stride: [1, 3],
});

const FORMS = {
    'a typed array and a shape': () => ({ data: Float32Array.from(NUMBERS), shape: SHAPE }),
    'dims in place of shape': () => ({ data: Float32Array.from(NUMBERS), dims: SHAPE }),
    'a list of numbers': () => ({ data: NUMBERS, shape: SHAPE }),
    'a shape that is a typed array': () => ({ data: NUMBERS, shape: Int32Array.from(SHAPE) }),
    'Float64Array': () => ({ data: Float64Array.from(NUMBERS), shape: SHAPE }),
    'a subarray': () => {
        const longer = Float32Array.of(NaN, NaN, ...NUMBERS, NaN);
        return { data: longer.subarray(2, 11), shape: SHAPE };
    },
    'an array-like object': () => ({ data: { ...NUMBERS, length: 9 }, shape: SHAPE }),
    'shared memory': () => {
        const data = new Float32Array(new SharedArrayBuffer(36));
        data.set(NUMBERS);
        return { data, shape: SHAPE };
    },
    'arrays of another realm': () => runInNewContext(
        '({ data: Float32Array.from(numbers), shape: [3, 3] })', { numbers: NUMBERS },
    ),
    'nested arrays of another realm': () => runInNewContext(JSON.stringify(ROWS)),
    'rows that are typed arrays': () => ROWS.map((row) => Float64Array.from(row)),
    'an ndarray with gaps': everySecond,
    'a transposed ndarray': transposed,
    'a reversed ndarray': () => (
        { data: [...NUMBERS].reverse(), shape: SHAPE, stride: [-3, -1], offset: 8 }),
    'a packed ndarray with an offset': () => (
        { data: Float32Array.of(NaN, ...NUMBERS), shape: SHAPE, stride: [3, 1], offset: 1 }),
    'a transposed array of numpy-ts': () => {
        const { stride: strides, ...rest } = transposed();
        return { ...rest, strides, dtype: 'float64' };
    },
    'a slice of numpy-ts': () => {
        const { stride: strides, offset, ...rest } = everySecond();
        return { ...rest, strides, storage: { offset } };
    },
};

onEveryBuild('inputs', (engine) => {
    const bits = (tensor) => new Uint32Array(tensor.data.buffer);
    const expected = bits(engine.attention(ROWS, ROWS, ROWS));

    for (const [form, make] of Object.entries(FORMS)) {
        test(form, () => {
            assert.deepEqual(bits(engine.attention(make(), make(), make())), expected);
            assert.deepEqual(engine.inspect(make(), ROWS, ROWS).q.toNested(), ROWS);
        });
    }

    test('integers and bytes count as numbers', () => {
        const types = [
            Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
            Uint32Array,
        ];
        for (const Type of types) {
            const data = Type.of(1, 2, 3, 4, 5, 6);
            const { v } = engine.inspect(ROWS, ROWS, { data, shape: [3, 2] });
            assert.deepEqual(v.toNested(), [[1, 2], [3, 4], [5, 6]], Type.name);
        }
        const { v } = engine.inspect([[1]], [[1]], { data: Buffer.from([200]), shape: [1, 1] });
        assert.deepEqual(v.toNested(), [[200]]);
    });

    test('a result is an input', () => {
        const once = engine.attention(ROWS, ROWS, ROWS);
        const rows = once.toNested();
        const again = engine.attention(once, once, once);
        assert.deepEqual(bits(again), bits(engine.attention(rows, rows, rows)));
    });

    test('masks in every form', () => {
        const allowed = [true, true, false, false, true, true, true, false, true];
        const rows = [allowed.slice(0, 3), allowed.slice(3, 6), allowed.slice(6)];
        const forms = [
            rows,
            { data: allowed, shape: SHAPE },
            { data: Uint8Array.from(allowed, Number), shape: SHAPE },
            { data: Buffer.from(allowed.map((x) => (x ? 200 : 0))), dims: SHAPE },
            { data: [0, 0, 0, ...allowed].map(Boolean), shape: SHAPE, stride: [3, 1], offset: 3 },
            runInNewContext(JSON.stringify(rows)),
            rows.map((row) => Uint8Array.from(row, Number)),
        ];
        for (const mask of forms) {
            const seen = engine.inspect(ROWS, ROWS, ROWS, { mask }).weights.toNested();
            assert.deepEqual(seen.flat().map((w) => w > 0), allowed);
        }
    });

    test('a mask of typed rows must not mix in numbers', () => {
        const mask = [Uint8Array.of(1, 1, 1), Float32Array.of(1, 1, 1), Uint8Array.of(1, 1, 1)];
        assert.throws(() => engine.attention(ROWS, ROWS, ROWS, { mask }), {
            code: 'BAD_VALUE', message: /^mask: numbers are ambiguous/,
        });
    });

    test('inputs are left as they are', () => {
        const make = () => Object.freeze(ROWS.map((row) => Object.freeze([...row])));
        const [q, k, v] = [make(), make(), make()];
        const mask = Object.freeze([Object.freeze([true, true, true])]);
        const options = Object.freeze({ causal: true, mask });
        engine.inspect(q, k, v, options);
        assert.deepEqual([q, k, v], [ROWS, ROWS, ROWS]);
    });

    test('results are arrays of the caller: later calls and edits change nothing', () => {
        const first = engine.inspect(ROWS, ROWS, ROWS), copy = first.weights.toNested();
        engine.inspect([[9, 9, 9]], [[1, 1, 1]], [[5, 5, 5]]);
        assert.deepEqual(first.weights.toNested(), copy);
        first.scaled.data.fill(0);
        assert.notEqual(first.capped.data[0], 0);
        assert.equal(first.weights.data.buffer.byteLength, 36);
    });
});

onEveryBuild('layout', (engine) => {
    const next = numbersFrom(11), B = 2, Hq = 4, Hk = 2, Tq = 37, Tk = 41, D = 6, Dv = 3;
    const tensor = (...shape) => (
        { data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, next), shape });
    const [q, k, v] = [tensor(B, Hq, Tq, D), tensor(B, Hk, Tk, D), tensor(B, Hk, Tk, Dv)];

    /** The same tensor with two neighbouring axes exchanged. */
    const swap = ({ data, shape: [a, b, c, d] }) => {
        const swapped = new Float32Array(data.length);
        for (let n = 0; n < data.length; n++) {
            const m = Math.floor(n / d) % c, j = Math.floor(n / d / c) % b;
            const i = Math.floor(n / d / c / b);
            swapped[((i * c + m) * b + j) * d + n % d] = data[n];
        }
        return { data: swapped, shape: [a, c, b, d] };
    };

    for (const name of ['attention', 'inspect']) {
        test(`${name}: BTHD has the bits of BHTD`, () => {
            const options = { causal: true, window: [20, 0] };
            const usual = engine[name](q, k, v, options);
            const other = engine[name](swap(q), swap(k), swap(v), { ...options, layout: 'BTHD' });
            const [a, b] = [usual.output ?? usual, other.output ?? other];
            assert.deepEqual(b.shape, [B, Tq, Hq, Dv]);
            assert.deepEqual(swap(b).data, a.data);
            if (name === 'inspect') assert.deepEqual(other.weights, usual.weights);
        });
    }

    test('rank 3 and rank 2 are parts of rank 4', () => {
        const part = ({ data, shape }, rank) => {
            const own = shape.slice(4 - rank);
            return { data: data.subarray(0, own.reduce((a, b) => a * b)), shape: own };
        };
        const whole = engine.inspect(q, k, v, { causal: true });
        const three = engine.inspect(part(q, 3), part(k, 3), part(v, 3), { causal: true });
        const two = engine.inspect(part(q, 2), part(k, 2), part(v, 2), { causal: true });
        const shapes = (trace) => (
            ['scores', 'weights', 'output', 'rowMax'].map((stage) => trace[stage].shape));
        const traces = [[two, 2], [three, 3], [whole, 4]];
        for (const [trace, rank] of traces) {
            assert.deepEqual(trace.output.data, part(whole.output, rank).data);
            const axes = [B, Hq, Tq].slice(4 - rank);
            assert.deepEqual(shapes(trace), [[...axes, Tk], [...axes, Tk], [...axes, Dv], axes]);
        }
    });

    test('[T, H, D] in the layout BTHD', () => {
        const queries = [[[1, 0], [0, 1]]], keys = [[[1, 1], [1, 1]]];
        const values = [[[1], [2]]];
        const output = engine.attention(queries, keys, values, { layout: 'BTHD' });
        assert.deepEqual(output.toNested(), [[[1], [2]]]);
        const { weights } = engine.inspect(queries, keys, values, { layout: 'BTHD' });
        assert.deepEqual(weights.toNested(), [[[1]], [[1]]]);
    });

    test('grouped heads: query head h reads key head h / group', () => {
        const zero = { data: new Float32Array(4), shape: [4, 1, 1] };
        const output = engine.attention(zero, [[[0]], [[0]]], [[[10]], [[20]]]);
        assert.deepEqual(output.toNested(), [[[10]], [[10]], [[20]], [[20]]]);
    });

    test('out receives the result, even over an input', () => {
        const out = new Float32Array(B * Hq * Tq * Dv), expected = engine.attention(q, k, v).data;
        const result = engine.attention(q, k, v, { out });
        assert.equal(result.data, out);
        assert.deepEqual(out, expected);
        assert.equal(engine.inspect(q, k, v, { out }).output.data, out);

        const own = { data: q.data.slice(), shape: q.shape };
        const over = engine.attention(own, k, { ...k }, { out: own.data });
        assert.equal(over.data, own.data);
        assert.deepEqual(over.data, engine.attention(q, k, k).data);
    });

    test('few numbers and many are copied alike: one key gives its value, bit for bit', () => {
        const one = [[1]];
        for (const count of [1, 63, 64, 65, 1000]) {
            const data = Float32Array.from({ length: count }, (_, n) => Math.fround(n / 7 - 2));
            const value = { data, shape: [1, count] }, out = new Float32Array(count).fill(NaN);
            assert.deepEqual(engine.attention(one, one, value).data, data);
            assert.deepEqual(engine.attention(one, one, value, { out }).data, data);
            assert.deepEqual(out, data);
        }
    });

    test('an array that shrinks while others are read is refused, and nothing of it is used', () => {
        const shrinking = (count) => {
            const buffer = new ArrayBuffer(4 * count, { maxByteLength: 4 * count });
            return { data: new Float32Array(buffer), shrink: () => buffer.resize(2 * count) };
        };
        const one = [[1]], eight = [[1, 2, 3, 4, 5, 6, 7, 8]];
        const refused = (call, message) => {
            assert.throws(call, { name: 'AttnError', message });
            assert.equal(engine.memory().used, 0);
        };
        const { data: out, shrink } = shrinking(8);
        refused(() => engine.attention(one, one, eight, { out, get scale() { shrink(); return 1; } }),
            'out: expected 1·8 = 8 numbers, got 4');
        assert.deepEqual(Array.from(out), [0, 0, 0, 0]);

        for (const count of [8, 200]) {
            for (const more of [{}, { stride: [count, 1] }, { stride: [count, -1], offset: count - 1 }]) {
                const { data, shrink: cut } = shrinking(count);
                const value = { data, shape: [1, count], ...more };
                const at = more.offset ?? count / 2;
                refused(() => engine.attention(one, one, value, { get scale() { cut(); return 1; } }),
                    `v.data[${at}] is undefined: expected a number`);
            }
            const { data, shrink: cut } = shrinking(count);
            refused(() => engine.attention(one, one, [data], { get scale() { cut(); return 1; } }),
                `v[0][${count / 2}] is undefined: expected a number`);
        }
    });
});
