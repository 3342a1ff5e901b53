// exact.js: the exponential and the logarithm from sums, products and quotients alone.
//
// JavaScript lets every runtime round Math.exp and Math.log in its own way, and two of them do
// differ in the last bit. These give the same bits everywhere, so that a curve of training does too.
// Both are within two units in the last place.

/* ln 2 as a part that 11 bits times it leave exact, and the rest. */
const LN2_HIGH = 0.6931471803691238, LN2_LOW = 1.9082149292705877e-10;

const bits = new DataView(new ArrayBuffer(8));

/** 2^n, for n from -1022 to 1023. */
function power(n) {
    bits.setUint32(0, (n + 1023) << 20);
    bits.setUint32(4, 0);
    return bits.getFloat64(0);
}

/** e^x, from -708 up; below that it is 0. */
export function exp(x) {
    if (Number.isNaN(x)) return x;
    if (x < -708) return 0;
    if (x > 709) return Infinity;
    const n = Math.round(x / (LN2_HIGH + LN2_LOW)), r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let sum = 1;
    for (let k = 14; k >= 1; k--) sum = 1 + r / k * sum;
    return sum * power(n);
}

/** The natural logarithm of a normal number above 0; of 0 it is -Infinity. */
export function log(x) {
    if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : NaN;
    if (x < 2.2250738585072014e-308) return log(x * 18014398509481984) - 54 * Math.LN2;
    bits.setFloat64(0, x);
    let n = (bits.getUint32(0) >>> 20) - 1023, m = x * power(-n);
    if (m > Math.SQRT2) {
        m /= 2;
        n++;
    }
    const f = m - 1, s = f / (2 + f), square = s * s;
    let series = 0;
    for (let k = 21; k >= 3; k -= 2) series = square * (1 / k + series);
    /* log m = 2s + 2s·series, and 2s = f - s·f. */
    return n * LN2_HIGH + (f - (s * (f - 2 * series) - n * LN2_LOW));
}
