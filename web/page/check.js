// Judges by the table of schema.js what came from a link, a file or a paste. All of it is data: what
// fits is copied into a new object, nothing of the input itself is kept, and the first thing that
// does not fit is named. A problem is data too (kind, field, expected, got); text.en.js has its
// sentence.

import { labOf } from './lab/labs.js';
import { applies, defaultOf, FIELDS, LIMITS } from './schema.js';
import { GRIDS } from './matrices.js';

/** Thrown inside, and turned into a problem at the door. */
export class Refusal extends Error {
    constructor(kind, detail) {
        super(kind);
        this.problem = { kind, ...detail };
    }
}

/** What `make` returns, or the problem that it refused with. */
export function attempt(make) {
    try {
        return make();
    } catch (error) {
        if (error instanceof Refusal) return { problem: error.problem };
        throw error;
    }
}

/**
 * @param {unknown} input fields by name; those left out take their default
 * @param {boolean} [options.trim] leave matrices of the other mode out instead of refusing them
 * @returns {{ document: object } | { problem: { kind: string, field?: string } }}
 */
export function check(input, { trim = false } = {}) {
    return attempt(() => {
        if (!isRecord(input)) refuse('type', { expected: 'record', got: typeName(input) });
        const unknown = Object.keys(input).find((name) => !Object.hasOwn(FIELDS, name));
        if (unknown !== undefined) refuse('unknown', { got: brief(unknown) });
        const at = { doc: {}, sizes: { none: 1 }, trim };
        for (const [field, row] of Object.entries(FIELDS)) {
            at.doc[field] = judge({ ...at, field, row }, input);
        }
        return { document: at.doc };
    });
}

function judge(at, input) {
    const { field, row, doc, trim } = at;
    const given = Object.hasOwn(input, field) ? input[field] : undefined;
    if (!applies(field, doc)) {
        if (!trim && given !== undefined && given !== null) {
            refuse('unused', { field, mode: doc.mode });
        }
        return null;
    }
    const value = given === undefined ? defaultOf(field, doc) : given;
    if (value === undefined) refuse('missing', { field });
    if (value === null && row.orNull) return null;
    return TYPES[row.type](value, at);
}

/** Each takes a value and gives a copy that fits the row, or refuses. */
const TYPES = {
    choice(value, { field, row }) {
        oneOf(value, row.of, field);
        return value;
    },

    number(value, { field, row }) {
        if (row.words?.includes(value)) return value;
        if (row.words && typeof value === 'string') {
            refuse('choice', { field, expected: row.words, orNumber: true, got: brief(value) });
        }
        finite(value, { field });
        const { min = -Infinity, max = Infinity } = row;
        if (value < min || value > max) refuse('range', { field, min, max, got: value });
        return value;
    },

    integer(value, { field, row, doc, sizes }) {
        whole(value, { field, min: row.min, max: row.max });
        if (row.divides && doc[row.divides] % value !== 0) {
            refuse('divides', { field, other: row.divides, of: doc[row.divides], got: value });
        }
        if (row.axis) sizes[row.axis] = value;
        return value;
    },

    index: (value, { field, row, sizes }) =>
        whole(value, { field, min: 0, max: sizes[row.of] - 1 }),

    words(value, { field, row, sizes }) {
        const words = list(value, LIMITS.tokens, { field, what: 'words' });
        words.forEach((word, n) => {
            if (typeof word !== 'string') {
                refuse('type', { field, word: n, expected: 'text', got: typeName(word) });
            }
            if (word.length < 1 || word.length > LIMITS.letters) {
                refuse('letters', { field, word: n, most: LIMITS.letters, got: word.length });
            }
        });
        for (const axis of row.axes) sizes[axis] = words.length;
        return words;
    },

    matrix(value, at) {
        const { field, row } = at;
        const rows = list(value, LIMITS.dims, { field, what: 'rows' }).map((line, i) =>
            list(line, LIMITS.dims, { field, what: 'columns', at: [i] }),
        );
        const width = rows[0].length;
        rows.forEach((line, i) => {
            if (line.length === width) return;
            refuse('ragged', { field, at: [i], expected: width, got: line.length });
        });
        fit(at, row.rows, 'rows', rows.length);
        fit(at, row.columns, 'columns', width);
        return rows.map((line, i) => line.map((x, j) => finite(x, { field, at: [i, j] })));
    },

    mask(value, { field, row, sizes }) {
        const { painted, ...mask } = record(value, row.default, field);
        const { preset, corner, inverted } = mask;
        oneOf(preset, row.of, field);
        oneOf(corner, row.corners, field);
        for (const [size, min] of [['pad', 0], ['window', 1], ['prefix', 0]])
            mask[size] = whole(mask[size], { field, min, max: LIMITS.tokens });
        if (typeof inverted !== 'boolean') {
            refuse('type', { field, expected: 'boolean', got: typeName(inverted) });
        }
        const copy = pairs(painted, { field, sizes }, (may, at) => {
            if (typeof may === 'boolean') return may;
            return refuse('type', { field, at, expected: 'boolean', got: typeName(may) });
        });
        return { ...mask, painted: copy };
    },

    pairs: (value, { field, sizes }) =>
        pairs(value, { field, sizes }, (x, at) => finite(x, { field, at })),

    scores(value, { field, doc, sizes }) {
        const heads = doc.heads > 1 ? doc.heads : 0;
        return pairs(value, { field, sizes, heads }, (x, at) => finite(x, { field, at }));
    },

    lab(value, { field, row }) {
        const { id, ...given } = record(value, null, field);
        oneOf(id, Object.keys(row.of), field);
        const { settings } = row.of[id];
        const { id: _, ...usual } = labOf(id);
        const lab = record(given, usual, field);
        for (const [name, { type, of, min, max }] of Object.entries(settings)) {
            const at = { field: `${field}, ${name}` };
            const value = lab[name];
            const got = brief(String(value));
            if (type === 'integer') whole(value, { ...at, min, max });
            else if (type === 'choice' && !of.includes(value))
                refuse('choice', { ...at, expected: of.map(String), got });
            else if (type === 'switch' && typeof value !== 'boolean')
                refuse('choice', { ...at, expected: ['on', 'off'], got });
        }
        return { id, ...lab };
    },

    cell(value, { field, doc, sizes }) {
        const { grid, row, col } = record(value, PLACE, field);
        if (typeof grid !== 'string') {
            refuse('type', { field, expected: 'text', got: typeName(grid) });
        }
        if (!Object.hasOwn(GRIDS, grid))
            refuse('choice', { field, expected: ['matrix'], got: brief(grid) });
        const { axes } = GRIDS[grid];
        const exists = axes.every((axis) => Object.hasOwn(sizes, axis));
        if (doc[grid] === null || !exists) refuse('hidden', { field, got: grid });
        const place = axes.map((axis, n) => {
            const index = whole([row, col][n], { field, min: 0, max: sizes[axis] - 1 });
            const pinned = axis === 'query' || axis === 'key' ? doc[axis] : index;
            if (pinned !== index) refuse('pin', { field, axis, expected: pinned, got: index });
            return index;
        });
        return { grid, row: place[0], col: place[1] };
    },
};

function refuse(kind, detail) {
    throw new Refusal(kind, detail);
}

/** Sets the size of an axis, or holds the length against it. */
function fit({ field, doc, sizes }, [axis, times, product], what, got) {
    const factor = times ? doc[times] : 1;
    if (Object.hasOwn(sizes, axis)) {
        const expected = sizes[axis] * factor;
        if (got !== expected) refuse('size', { field, what, axis, expected, got });
    } else {
        if (got % factor !== 0) refuse('multiple', { field, what, other: times, of: factor, got });
        sizes[axis] = got / factor;
    }
    if (product) sizes[product] = got;
}

/** The entries of an array, holes included, after its length was judged. */
function list(value, most, where) {
    if (!Array.isArray(value)) {
        refuse('type', { ...where, expected: where.what, got: typeName(value) });
    }
    if (value.length < 1 || value.length > most)
        refuse('count', { ...where, most, got: value.length });
    return Array.from(value);
}

const PLACE = { grid: undefined, row: undefined, col: undefined };

/**
 * The entries of a record by the names of `usual`, which also says what those left out are; with
 * null by any names.
 */
function record(value, usual, field) {
    if (!isRecord(value)) refuse('type', { field, expected: 'record', got: typeName(value) });
    const unknown = usual && Object.keys(value).find((name) => !Object.hasOwn(usual, name));
    if (unknown) refuse('unknown', { field, got: brief(unknown) });
    return { ...usual, ...value };
}

const PAIR = /^(?:(0|[1-9]\d{0,2}),)?(0|[1-9]\d{0,2}),(0|[1-9]\d{0,2})$/;

/** A record from 'query,key', or 'head,query,key', to what `take` makes of each value. */
function pairs(value, { field, sizes, heads = 0 }, take) {
    if (!isRecord(value)) refuse('type', { field, expected: 'record', got: typeName(value) });
    const copy = {};
    for (const name of Object.keys(value)) {
        const [head, ...at] = PAIR.exec(name)?.slice(1) ?? [];
        const isHere = head === undefined || Number(head) < heads;
        if (!at.length || !isHere || at[0] >= sizes.query || at[1] >= sizes.key) {
            refuse('pair', { field, expected: [sizes.query, sizes.key], got: brief(name) });
        }
        copy[name] = take(value[name], at.map(Number));
    }
    return copy;
}

function oneOf(value, words, field) {
    if (typeof value !== 'string') {
        refuse('type', { field, expected: 'text', got: typeName(value) });
    }
    if (!words.includes(value)) refuse('choice', { field, expected: words, got: brief(value) });
}

function number(value, where) {
    if (typeof value === 'string') refuse('number', { ...where, got: brief(value) });
    if (typeof value !== 'number') {
        refuse('type', { ...where, expected: 'number', got: typeName(value) });
    }
}

/** A number that float32, in which the engine computes, can hold. */
function finite(value, where) {
    number(value, where);
    if (!Number.isFinite(Math.fround(value))) refuse('finite', { ...where, got: String(value) });
    return value;
}

function whole(value, { field, min, max }) {
    number(value, { field });
    if (!Number.isInteger(value) || value < min || value > max) {
        refuse('whole', { field, min, max, got: String(value) });
    }
    return value + 0;
}

function isRecord(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

const typeName = (value) =>
    value === null
        ? 'null'
        : Array.isArray(value)
          ? 'list'
          : isRecord(value)
            ? 'record'
            : typeof value;

/** At most 24 characters of a foreign text, those that cannot be seen replaced. */
export function brief(text) {
    const letters = Array.from(text.slice(0, 100).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd'));
    return letters.length > 24 ? `${letters.slice(0, 24).join('')}…` : letters.join('');
}
