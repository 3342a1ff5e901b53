// Numbers to text and back. One rule for every number on the page:
//
//     0 and 1         are written so, and nothing else is: what is not 0 never reads as 0, what is
//                     not 1 takes more decimals, and ≈ where there is no room for them
//     whole           2, also where float32 left a noise of 1e-7 on it
//     else            the decimals it needs, at most three; 'fixed' (weights, sums, e^x) has three
//     side by side    the numbers of a matrix, or of a column of a table, share their decimals
//     small, large    under 0.0005 and from 1e5 on a power of ten, with at most two digits
//     typed           as it was typed, while seven characters hold it; ≈ before a whole number that
//                     it is not
//
// Plain text is what a machine reads too: -0.25, 3.8e-11, in cells and fields. Prose is set: U+2212,
// 3.8·10 and a raised exponent; `inline` is prose where nothing can be raised.

const [SMALL, LARGE] = [5e-4, 1e5];

/** Characters that a number in a cell may take. */
const WIDEST = 7;

/** What float32 leaves on a number: the weights of a long row sum to 1 within 1e-6. */
const NOISE = 2e-6;

const near = (x, y) => Math.abs(x - y) <= NOISE * Math.max(1, Math.abs(x));

/** Whether a sum of weights is 1. */
export const isOne = (x) => near(x, 1);

/** Decimals that say something about a number of this size. */
const most = (size) => (size >= 1e4 ? 0 : size >= 1e3 ? 1 : size >= 100 ? 2 : 3);

const isPower = (x) => x !== 0 && (Math.abs(x) < SMALL || Math.abs(x) >= LARGE);

/** How many decimals a number needs, at most three. */
function needs(x) {
    const limit = most(Math.abs(x));
    let decimals = 0;
    while (decimals < limit && !near(x * 10 ** decimals, Math.round(x * 10 ** decimals))) decimals++;
    return decimals;
}

const shared = new WeakMap();

/**
 * The decimals that the numbers of a matrix share, so that each of them fits into `room` characters.
 * Those that are powers of ten, 0 or infinite have no say.
 */
export function decimalsOf(rows, room = Infinity) {
    const known = shared.get(rows);
    if (known?.room === room) return known.decimals;
    let [decimals, fits] = [0, 3];
    for (const row of rows) {
        for (const x of row) {
            if (!Number.isFinite(x) || x === 0 || isPower(x)) continue;
            if (decimals < 3) decimals = Math.max(decimals, needs(x));
            const whole = String(Math.trunc(x)).length + (x > -1 && x < 0);
            fits = Math.min(fits, Math.max(0, room - whole - 1));
        }
        if (decimals === 3 && room === Infinity) break;
    }
    decimals = Math.min(decimals, fits);
    shared.set(rows, { room, decimals });
    return decimals;
}

/** A number as [digits, exponent or null]. `digits`: 'short', 'fixed', 'typed', or the decimals. */
function spell(x, digits) {
    if (Number.isNaN(x)) return ['NaN', null];
    if (!Number.isFinite(x)) return [x > 0 ? '∞' : '-∞', null];
    if (x === 0) return ['0', null];
    if (digits === 'typed') {
        const typed = String(x).replace('e+', 'e');
        if (typed.length <= WIDEST) return pieces(typed);
        if (!isPower(x)) return [cut(x, decimal(x, needs(x))), null];
    }
    if (isPower(x)) return pieces(x.toExponential(1).replace('.0', ''));
    if (digits === 'fixed') return [decimal(x, 3), null];
    const decimals = typeof digits === 'number' ? digits : needs(x);
    return [decimal(x, Math.min(decimals, most(Math.abs(x)))), null];
}

function pieces(text) {
    const [mantissa, exponent = null] = text.split('e');
    return [mantissa, exponent && String(Number(exponent))];
}

/** Whether a text says 0 or 1 for a number that is something else. */
const isFalse = (x, text) => {
    const read = Math.abs(Number(text));
    return read === 0 || (read === 1 && !near(x, Number(text)));
};

/** With more decimals where it would read as 0 or 1; for less room, see plain(). */
function decimal(x, decimals) {
    const text = x.toFixed(decimals);
    return isFalse(x, text) && decimals < 6 ? decimal(x, decimals + 1) : text;
}

/** What stands for a number that is not whole, where there is no room to say so: ≈0, ≈1. */
const almost = (x) => `≈${minus(String(Math.round(x) + 0))}`;

/** Whether a text stands for a number that it does not say. */
export const isShort = (text) => text.startsWith('≈');

/** A typed number that has lost its decimals says so. */
const cut = (x, text) => (Number(text) !== x && Number.isInteger(Number(text)) ? almost(x) : text);

/** Text of a number in a cell; where it has not the `room`, decimals are given up. */
export function plain(x, digits = 'short', room = Infinity) {
    const [mantissa, exponent] = spell(x, digits);
    if (exponent !== null) return `${mantissa}e${exponent}`;
    const point = mantissa.indexOf('.');
    const most = Math.min(room, WIDEST);
    if (mantissa.length <= most || point < 0) return mantissa;
    const text = x.toFixed(Math.max(0, most - point - 1));
    return isFalse(x, text) ? almost(x) : text;
}

/** At most four characters for a small cell, without the 0 before the point: .62 for 0.620. */
export function brief(x) {
    const size = Math.abs(x);
    if (size >= 0.995 || x === 0 || Number.isNaN(x)) return minus(plain(x, 'short', 4));
    const text = x.toFixed(2);
    return isFalse(x, text) ? almost(x) : minus(text.replace(/^(-?)0\./, '$1.'));
}

/** The text of a tile: two decimals of a weight, of another what four characters hold. */
export function tileText(x, isWeight) {
    if (!isWeight || x === 0) return plain(x, 'short', 4);
    const text = x.toFixed(2);
    return isFalse(x, text) ? almost(x) : text;
}

/** Text of a number in a sentence, as [mantissa, exponent or null]. */
export function prose(x, digits = 'short') {
    const [mantissa, exponent] = spell(x, digits);
    return [minus(mantissa), exponent && minus(exponent)];
}

const RAISED = { '-': '⁻', ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((raised, n) => [n, raised])) };

/** A whole number as an exponent, by letters: ⁻³. */
const raised = (n) => [...String(n)].map((c) => RAISED[c]).join('');

/** Prose in one string, for labels of pictures and titles. */
export function inline(x, digits = 'short') {
    const [mantissa, exponent] = spell(x, digits);
    return minus(mantissa) + (exponent === null ? '' : `·10${raised(exponent)}`);
}

const saysAll = (x) => Math.abs(Number(inline(x).replace('\u2212', '-')) - x) <= 1e-9 * Math.abs(x);

/**
 * The ticks of an axis, all written in one way: as decimals while every one of them can be, else
 * all as powers of `base`, or, where they lie in equal steps, times one power of ten.
 */
export function labelsOf(ticks, base = null) {
    if (ticks.every(saysAll)) return ticks.map((x) => inline(x));
    if (base) return ticks.map((x) => base + raised(Math.round(Math.log(x) / Math.log(base))));
    const largest = Math.max(...ticks.map(Math.abs));
    const power = Math.floor(Math.log10(largest) + 1e-9);
    return ticks.map((x) => (x === 0 ? '0' : `${inline(x / 10 ** power)}·10${raised(power)}`));
}

/** A share in whole per cent; one that is not all or nothing never reads so. */
export function percent(share) {
    const whole = Math.round(share * 100);
    if (whole === 0 && share > 0) return '< 1 %';
    return whole === 100 && share < 1 - NOISE ? '> 99 %' : `${whole} %`;
}

export const minus = (text) => text.replace('-', '\u2212');

const isFinite32 = (x) => Number.isFinite(Math.fround(x));

function read(text) {
    const tidy = text
        .trim()
        .replace(/\u2212/g, '-')
        .replace(',', '.');
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(tidy)) return null;
    return Number(tidy) + 0;
}

/** The number typed, or null. Accepts a decimal comma and U+2212. */
export function parseNumber(text) {
    const x = read(text);
    return x !== null && isFinite32(x) ? x : null;
}

/** Whether what was typed is a number, but none that float32 holds. */
export function isBeyond(text) {
    const x = read(text);
    return x !== null && !isFinite32(x);
}

/** The word typed, without control characters and outer spaces, or null when nothing is left. */
export const parseWord = (text) =>
    text
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .normalize() || null;
