// Documents of the page for property tests: any words, any numbers, every field, sizes that agree.

import fc from 'fast-check';
import { LABS } from '../../web/page/lab/labs.js';
import { PRESET_NAMES } from '../../web/page/mask.js';
import { FIELDS } from '../../web/page/schema.js';

const MOST_FLOAT32 = 3.4028234663852886e38;

/** What is typed by hand, what float32 holds, and any double whose float32 is finite. */
const numbers = fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9999, max: 9999 }).map((n) => n / 100),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: -MOST_FLOAT32, max: MOST_FLOAT32 }),
    fc.constantFrom(-0, 0.1, Math.fround(0.1), 5e-324, MOST_FLOAT32, -MOST_FLOAT32, 1e21, 1e-7),
);

const divisors = fc.double({ noNaN: true, min: 1e-6, max: 1e6 });

/** Words of a text, and of any code units: half surrogates, controls and ASCII marks included. */
const words = fc.oneof(
    fc.constantFrom(
        'the',
        'cat',
        '猫',
        'שלום',
        '👩‍👩‍👧',
        'a,b;c/d:e',
        '%2C',
        '~2c',
        ' ',
        '__proto__',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc
        .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 8 })
        .map((codes) => String.fromCharCode(...codes)),
);

const matrix = (rows, columns) =>
    fc.array(fc.array(numbers, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
    });

const pairs = (queries, keys, value) =>
    fc
        .array(fc.tuple(fc.nat(queries - 1), fc.nat(keys - 1), value), { maxLength: 12 })
        .map((cells) => Object.fromEntries(cells.map(([i, j, x]) => [`${i},${j}`, x])));

const sizes = fc
    .record({
        mode: fc.constantFrom('direct', 'projected'),
        tokens: fc.array(words, { minLength: 1, maxLength: 5 }),
        keyTokens: fc.option(fc.array(words, { minLength: 1, maxLength: 4 })),
        kvHeads: fc.integer({ min: 1, max: 2 }),
        group: fc.integer({ min: 1, max: 2 }),
        feature: fc.integer({ min: 1, max: 3 }),
        channel: fc.integer({ min: 1, max: 3 }),
        model: fc.integer({ min: 1, max: 4 }),
    })
    .map((size) => ({ ...size, heads: size.kvHeads * size.group }));

/** The matrices of a mode; null are those that it has not. */
function matricesOf({ mode, tokens, keyTokens, heads, kvHeads, feature, channel, model }) {
    const keys = (keyTokens ?? tokens).length;
    const isDirect = mode === 'direct';
    const direct = (rows, columns) => (isDirect ? matrix(rows, columns) : fc.constant(null));
    const projected = (rows, columns) => (isDirect ? fc.constant(null) : matrix(rows, columns));
    const wo = fc.oneof(fc.constant(null), matrix(channel * heads, model));
    return {
        q: direct(tokens.length, feature * heads),
        k: direct(keys, feature * kvHeads),
        v: direct(keys, channel * kvHeads),
        x: projected(tokens.length, model),
        keyX: keyTokens ? projected(keys, model) : fc.constant(null),
        wq: projected(model, feature * heads),
        wk: projected(model, feature * kvHeads),
        wv: projected(model, channel * kvHeads),
        wo: isDirect ? fc.constant(null) : wo,
    };
}

/** A lab with any settings. */
function labs(id) {
    const settings = Object.entries(LABS[id].settings).map(([name, { type, min, max, of }]) => [
        name,
        type === 'integer' ? fc.integer({ min, max }) : fc.constantFrom(...(of ?? [true, false])),
    ]);
    const fields = { id: fc.constant(id), ...Object.fromEntries(settings) };
    return fc.record(fields, { noNullPrototype: true });
}

export const documents = sizes.chain((size) => {
    const { mode, tokens, keyTokens, heads, kvHeads } = size;
    const [queries, keys] = [tokens.length, (keyTokens ?? tokens).length];
    return fc
        .record({
            ...matricesOf(size),
            scale: fc.oneof(fc.constantFrom('sqrt', 'off'), divisors),
            temperature: divisors,
            positions: fc.constantFrom(...FIELDS.positions.of),
            softcap: fc.option(fc.double({ noNaN: true, min: 1e-3, max: 1e6 })),
            dropout: fc.option(fc.double({ noNaN: true, min: 0, max: 1 })),
            dropSeed: fc.nat(0xffffffff),
            softmaxAxis: fc.constantFrom('keys', 'queries'),
            maskOrder: fc.constantFrom('before', 'after', 'bias'),
            mask: fc.record(
                {
                    preset: fc.constantFrom(...PRESET_NAMES),
                    pad: fc.nat(4),
                    window: fc.integer({ min: 1, max: 4 }),
                    prefix: fc.nat(4),
                    corner: fc.constantFrom('bottom', 'top'),
                    inverted: fc.boolean(),
                    painted: pairs(queries, keys, fc.boolean()),
                },
                { noNullPrototype: true },
            ),
            bias: pairs(queries, keys, numbers),
            scoreEdits: pairs(queries, keys, numbers),
            lab: fc.option(fc.oneof(...Object.keys(LABS).map(labs))),
            head: fc.nat(heads - 1),
            query: fc.nat(queries - 1),
            key: fc.nat(keys - 1),
            onQuery: fc.boolean(),
        })
        .map(({ onQuery, ...fields }) => {
            const { query, key } = fields;
            const focus = onQuery
                ? { grid: 'Q', row: query, col: 0 }
                : { grid: 'mask', row: query, col: key };
            return { mode, tokens, keyTokens, heads, kvHeads, ...fields, focus };
        });
});
