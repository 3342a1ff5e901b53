// What may be wrong with a link or a file, in English: one sentence for each kind of problem that
// check.js and codec.js name. Part of the table text.en.js.

const NOUNS = {
    record: 'named values',
    matrix: 'the name of a matrix',
    list: 'a list',
    words: 'a list of words',
    rows: 'rows of numbers',
    columns: 'a row of numbers',
    text: 'text',
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    null: 'nothing',
    undefined: 'nothing',
};

const AXES = {
    query: 'one for each word',
    key: 'one for each key word',
    feature: 'as wide as the queries and keys before it',
    channel: 'as wide as the values before it',
    model: 'as wide as X',
};

const noun = (type) => NOUNS[type] ?? type;

const some = (n, what) => `${n} ${n === 1 ? what.slice(0, -1) : what}`;

/** Where: q, row 2, column 3. */
const place = ({ field = 'The link', word, at = [] }) =>
    [
        field,
        ...(word === undefined ? [] : [`word ${word + 1}`]),
        ...at.map((n, axis) => `${['row', 'column'][axis]} ${n + 1}`),
    ].join(', ');

const wants = (detail, expected, got = detail.got) =>
    `${place(detail)}: expected ${expected}, got ${got}.`;

const problems = {
    foreign: () => 'What follows # in the address is no link of this page.',
    version: ({ expected, got }) => `The link is of version ${got}; this page reads ${expected}.`,
    long: ({ most }) => `The link is too long: expected at most ${most / 1024} KB.`,
    damaged: () => 'The link is damaged: a part of it is missing or was changed on its way.',
    unknown: ({ field, got }) => `${field ?? 'The link'} names “${got}”, which is not known here.`,
    twice: ({ field, got }) => `${field}: “${got}” is given twice.`,
    mangled: ({ field, got }) => `${field}: “${got}” cannot be read.`,
    missing: ({ field }) => `${field} is missing.`,
    unused: ({ field, mode }) => `${field} is given, but ${mode} mode does not use it.`,

    type: (detail) => wants(detail, noun(detail.expected), noun(detail.got)),
    choice: (detail) => {
        const words = [...detail.expected.map(noun), ...(detail.orNumber ? ['a number'] : [])];
        return wants(detail, words.join(' or '), `“${detail.got}”`);
    },
    number: (detail) => wants(detail, 'a number', `“${detail.got}”`),
    finite: (detail) => wants(detail, 'a number between −3.4e38 and 3.4e38'),
    range: (detail) => wants(detail, `a number from ${detail.min} to ${detail.max}`),
    whole: (detail) => wants(detail, `a whole number from ${detail.min} to ${detail.max}`),
    hidden: ({ field, got }) => `${field}: there is no ${got} here.`,
    divides: (detail) => wants(detail, `a divisor of ${detail.other}, which is ${detail.of}`),
    multiple: (detail) =>
        wants(
            detail,
            `a multiple of ${detail.of} ${detail.what} (${detail.other})`,
            some(detail.got, detail.what),
        ),
    count: (detail) => wants(detail, `1 to ${detail.most} ${detail.what}`),
    letters: (detail) => wants(detail, `1 to ${detail.most} letters`),
    ragged: (detail) => wants(detail, `${some(detail.expected, 'numbers')} as in the first row`),
    size: (detail) => wants(detail, `${some(detail.expected, detail.what)}, ${AXES[detail.axis]}`),
    pair: ({ field, expected, got }) =>
        `${field}: expected a query below ${expected[0]} and a key below ${expected[1]}, got “${got}”.`,
    pin: (detail) => wants(detail, `${detail.axis} ${detail.expected}, as ${detail.axis} says`),
};

export const link = {
    /** One sentence that says what is wrong. */
    problem: ({ kind, ...detail }) => problems[kind](detail),
    /** A link that could not be read. */
    refused: (problem) => `${link.problem(problem)} The worked example is shown instead.`,
    /** A state that does not fit into an address. */
    large: ({ most }) =>
        `This no longer fits into a link of ${most / 1024} KB, so the address stays as it was. Share it as a file.`,
};
