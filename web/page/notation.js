// How the value of each type of schema.js is written in a link, and read back into a value that
// check.js then judges:
//
//     words the,cat    matrix 1,2;0,-1    mask window,w3,not,x2.1-3    cell weights,2,1
//     pairs 2.1=4.5    scores 2.1=4.5, of one head 3.2.1=4.5    lab pronoun,seed=3,causal=on
//
// A number is its shortest decimal, which is exact. In a word, ASCII that could mean something is
// ~hex, so that the text survives whatever percent-encodes it; so is half a surrogate pair, which
// UTF-8 does not have.

import { brief, Refusal } from './check.js';
import { LABS } from './lab/labs.js';
import { MASK } from './mask.js';
import { LIMITS } from './schema.js';

/** The sizes of a mask, as a link has them where they are not the usual. */
const SIZES = { pad: 'pad', window: 'w', prefix: 'p' };

const number = { print: printNumber, parse: parseNumber };

export const NOTATION = {
    choice: { print: (value) => value, parse: (text) => text },
    number,
    integer: number,
    index: number,
    words: {
        print: (words) => words.map(printWord).join(),
        parse: (text, field) => text.split(',').map((word) => parseWord(word, field)),
    },
    matrix: {
        print: (rows) => rows.map((row) => row.map(printNumber).join()).join(';'),
        parse: (text) => text.split(';').map((row) => row.split(',').map(parseNumber)),
    },
    mask: {
        print: (mask) =>
            [
                mask.preset,
                ...Object.entries(SIZES)
                    .filter(([size]) => mask[size] !== MASK[size])
                    .map(([size, sign]) => sign + mask[size]),
                ...(mask.corner === 'top' ? ['top'] : []),
                ...(mask.inverted ? ['not'] : []),
                ...runs(mask.painted),
            ].join(),
        parse(text, field) {
            const [preset, ...marks] = text.split(',');
            const mask = { ...MASK, preset };
            for (const [size, sign] of Object.entries(SIZES)) {
                const mark = takeMark(marks, new RegExp(`^${sign}(\\d{1,3})$`));
                if (mark) mask[size] = Number(mark[1]);
            }
            if (takeMark(marks, /^top$/)) mask.corner = 'top';
            mask.inverted = takeMark(marks, /^not$/) !== null;
            return { ...mask, painted: unroll(marks, field) };
        },
    },
    pairs: { print: printScores, parse: parseScores },
    scores: { print: printScores, parse: parseScores },
    lab: {
        print: ({ id, ...settings }) =>
            [
                id,
                ...Object.entries(settings)
                    .filter(([name, x]) => x !== LABS[id].settings[name].default)
                    .map(([name, x]) => `${name}=${SWITCHES[x] ?? x}`),
            ].join(),
        parse(text, field) {
            const [id, ...parts] = text.split(',');
            const lab = { id };
            for (const part of parts) {
                const [, name, x] = /^([a-z]\w*)=(.*)$/is.exec(part) ?? mangled(field, part);
                add(lab, name, { on: true, off: false }[x] ?? parseNumber(x), field);
            }
            return lab;
        },
    },
    cell: {
        print: ({ grid, row, col }) => [grid, row, col].join(),
        parse(text) {
            const [grid, row = '', ...col] = text.split(',');
            return { grid, row: parseNumber(row), col: parseNumber(col.join()) };
        },
    },
};

const SWITCHES = { true: 'on', false: 'off' };

/** A number, or a word that may stand in its place. Zero keeps its sign. */
function printNumber(x) {
    return Object.is(x, -0) ? '-0' : String(x).replace('e+', 'e');
}

/** What is no number stays text, for check.js to name. */
function parseNumber(text) {
    return /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(text) ? Number(text) : text;
}

function printWord(word) {
    return word.replace(/[^\w \-\u{80}-\u{10ffff}]|\p{Cs}/gu, (letter) => {
        const code = letter.charCodeAt(0);
        return code < 0x80 ? `~${code.toString(16).padStart(2, '0')}` : `~u${code.toString(16)}`;
    });
}

function parseWord(word, field) {
    return word.replace(/~(u[\da-f]{4}|[\da-f]{2})?/gi, (_, code) => {
        if (code === undefined) mangled(field, word);
        return String.fromCharCode(parseInt(code.replace(/u/i, ''), 16));
    });
}

function printScores(cells) {
    return sorted(cells)
        .map((entry) => `${entry.slice(0, -1).join('.')}=${printNumber(entry.at(-1))}`)
        .join();
}

function parseScores(text, field) {
    const cells = {};
    for (const entry of text === '' ? [] : text.split(',')) {
        const [, at, x] = /^(\d+(?:\.\d+){1,2})=(.*)$/s.exec(entry) ?? mangled(field, entry);
        add(cells, at.replaceAll('.', ','), parseNumber(x), field);
    }
    return cells;
}

/** The marks of a painted mask, one per run of a row: x hides, o shows. */
function runs(painted) {
    const out = [];
    for (const [i, j, may] of sorted(painted)) {
        const last = out.at(-1);
        if (last?.i === i && last.to === j - 1 && last.may === may) last.to = j;
        else out.push({ i, from: j, to: j, may });
    }
    const end = ({ from, to }) => (to > from ? `-${to}` : '');
    return out.map((run) => `${run.may ? 'o' : 'x'}${run.i}.${run.from}${end(run)}`);
}

/** The first mark, if it is of this form, taken off the list. */
function takeMark(marks, form) {
    const found = form.exec(marks[0] ?? '');
    if (found) marks.shift();
    return found;
}

const RUN = /^([xo])(\d{1,3})\.(\d{1,3})(?:-(\d{1,3}))?$/;

function unroll(marks, field) {
    const painted = {};
    for (const mark of marks) {
        const [, sign, i, from, to = from] = RUN.exec(mark) ?? mangled(field, mark);
        const [first, last] = [Number(from), Number(to)];
        if (last < first || last >= LIMITS.tokens) mangled(field, mark);
        for (let j = first; j <= last; j++) add(painted, `${i},${j}`, sign === 'o', field);
    }
    return painted;
}

/** Entries of a record from 'i,j' (or 'h,i,j'), as [i, j, value] in reading order. */
function sorted(cells) {
    return Object.entries(cells)
        .map(([name, value]) => [...name.split(',').map(Number), value])
        .sort(([a, b, c], [x, y, z]) => a - x || b - y || (c > z) - (c < z));
}

function add(cells, pair, value, field) {
    if (Object.hasOwn(cells, pair)) throw new Refusal('twice', { field, got: brief(pair) });
    cells[pair] = value;
}

function mangled(field, text) {
    throw new Refusal('mangled', { field, got: brief(text) });
}
