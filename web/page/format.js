// Numbers to text and back. A cell's text is plain ('.' and '-', as a machine would read it); prose
// is typographic (U+2212, powers of ten). Integers and one-decimal values stay as they are, else
// three decimals; float32 noise below 1e-6 does not turn 2 into 2.000.

const near = (x, y) => Math.abs(x - y) <= 1e-6 * Math.max(1, Math.abs(x));

/**
 * Text of a number in a cell. `digits: 'fixed'` always prints three decimals (weights); where more
 * than `room` characters would not fit, decimals are given up.
 */
export function plain(x, digits = 'short', room = Infinity) {
    const whole = spell(x, digits);
    const point = whole.indexOf('.');
    if (whole.length <= room || point < 0 || whole.includes('e')) return whole;
    const decimals = Math.max(0, room - point - 1);
    return unsigned(x.toFixed(decimals));
}

function spell(x, digits) {
    if (Number.isNaN(x)) return 'NaN';
    if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
    if (digits === 'fixed') return unsigned(x.toFixed(3));
    const size = Math.abs(x);
    if (size >= 1e5) return x.toExponential(1).replace('e+', 'e');
    if (near(x, Math.round(x))) return unsigned(String(Math.round(x)));
    if (size < 1e4 && near(x * 10, Math.round(x * 10))) return x.toFixed(1);
    return unsigned(x.toFixed(size >= 1e4 ? 0 : size >= 1000 ? 1 : size >= 100 ? 2 : 3));
}

/** At most four characters for a small cell, without the 0 before the point: .62 for 0.620. */
export function brief(x) {
    const size = Math.abs(x);
    const text = size > 0 && size < 0.995 ? unsigned(x.toFixed(2)) : plain(x, 'short', 4);
    return minus(text.replace(/^(-?)0\./, '$1.'));
}

/** The number of a tile: two decimals of a weight, of another what four characters hold. */
export const tileText = (x, isWeight) => (isWeight ? x.toFixed(2) : plain(x, 'short', 4));

/** A zero that was rounded to keeps no sign. */
const unsigned = (text) => (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);

/** Text of a number in a sentence, as [mantissa, exponent or null]. */
export function prose(x, digits = 'short') {
    if (x !== 0 && Number.isFinite(x) && (Math.abs(x) < 5e-4 || Math.abs(x) >= 1e5)) {
        const [mantissa, exponent] = x.toExponential(1).split('e');
        return [minus(mantissa), minus(String(Number(exponent)))];
    }
    return [minus(plain(x, digits)), null];
}

export const minus = (text) => text.replace('-', '\u2212');

/** The number typed, or null. Accepts a decimal comma and U+2212. */
export function parseNumber(text) {
    const tidy = text
        .trim()
        .replace(/\u2212/g, '-')
        .replace(',', '.');
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(tidy)) return null;
    const x = Number(tidy);
    return Number.isFinite(Math.fround(x)) ? x + 0 : null;
}

/** The word typed, without control characters and outer spaces, or null when nothing is left. */
export const parseWord = (text) =>
    text
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .normalize() || null;
