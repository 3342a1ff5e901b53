// masks.js: masks as data: bytes with a shape, 1 = may attend, to look at, combine and pass on.
//
// attention() knows causal, window and lengths by itself and faster; these are for combinations
// that it does not know, and for showing what a rule allows. Query i is at position p = i + offset.

/** @import { Mask, MaskLike } from './types.js' */

import { fail } from './errors.js';
import { readOptions } from './options.js';
import { isArrayLike, packedStride, readBooleans, sizeOf, writeBooleans } from './tensor.js';

/**
 * offset is the position of query 0; by default keyLength - queryLength.
 * @typedef {{ offset?: number }} PositionOptions
 */

/**
 * @param {string} name
 * @param {any} got
 * @param {string} expected
 * @param {boolean} isGood
 */
function check(name, got, expected, isGood) {
    if (!isGood) throw fail('badNumber', { name, got, expected });
}

/**
 * @param {string} name
 * @param {number} n
 */
const checkLength = (name, n) => check(name, n, 'an integer from 0', Number.isInteger(n) && n >= 0);

/**
 * 1 where allowed(p, j).
 *
 * @param {number} queryLength
 * @param {number} keyLength
 * @param {PositionOptions | undefined} options
 * @param {(p: number, j: number) => boolean} allowed
 * @returns {Mask}
 */
function byPosition(queryLength, keyLength, options, allowed) {
    checkLength('queryLength', queryLength);
    checkLength('keyLength', keyLength);
    const { offset = keyLength - queryLength } = readOptions(options, ['offset']);
    check('offset', offset, 'an integer', Number.isInteger(offset));
    const data = new Uint8Array(queryLength * keyLength);
    for (let i = 0; i < queryLength; i++) {
        for (let j = 0; j < keyLength; j++) {
            data[i * keyLength + j] = Number(allowed(i + offset, j));
        }
    }
    return { data, shape: [queryLength, keyLength] };
}

/**
 * Key j allowed iff j ≤ p: the last query sees the last key; with offset 0 the first the first.
 *
 * @param {number} queryLength
 * @param {number} [keyLength] default queryLength
 * @param {PositionOptions} [options]
 * @returns {Mask} (Tq, Tk)
 */
export const causal = (queryLength, keyLength = queryLength, options) => (
    byPosition(queryLength, keyLength, options, (p, j) => j <= p));

/**
 * Key j allowed iff p - left ≤ j ≤ p + right; -1 = no bound on that side.
 *
 * @param {number} queryLength
 * @param {number} keyLength
 * @param {readonly [left: number, right: number]} reach
 * @param {PositionOptions} [options]
 * @returns {Mask} (Tq, Tk)
 */
export function window(queryLength, keyLength, reach, options) {
    if (typeof reach === 'number') throw fail('windowIsNumber', { got: reach });
    if (!isArrayLike(reach) || reach.length !== 2) {
        throw fail('badOption', { name: 'window', got: reach, expected: '[left, right]' });
    }
    const [left, right] = reach;
    [left, right].forEach((n, i) => {
        const expected = 'an integer from 0, or -1 for no bound';
        check(`window[${i}]`, n, expected, Number.isInteger(n) && n >= -1);
    });
    return byPosition(queryLength, keyLength, options, (p, j) => (
        (left < 0 || p - left <= j) && (right < 0 || j <= p + right)));
}

/**
 * The first keys of each batch row allowed.
 *
 * @param {ArrayLike<number>} keyLengths (B)
 * @param {number} keyLength
 * @returns {Mask} (B, 1, 1, Tk)
 */
export function lengths(keyLengths, keyLength) {
    checkLength('keyLength', keyLength);
    if (!isArrayLike(keyLengths)) {
        const expected = 'an array with one integer for each batch row';
        throw fail('badOption', { name: 'keyLengths', got: keyLengths, expected });
    }
    const data = new Uint8Array(keyLengths.length * keyLength);
    Array.from(keyLengths).forEach((n, b) => {
        const expected = `an integer from 0 to ${keyLength}`;
        check(`keyLengths[${b}]`, n, expected, Number.isInteger(n) && n >= 0 && n <= keyLength);
        data.fill(1, b * keyLength, b * keyLength + n);
    });
    return { data, shape: [keyLengths.length, 1, 1, keyLength] };
}

/**
 * A packed copy with nothing but 0 and 1.
 *
 * @param {MaskLike} mask
 * @param {string} name
 * @returns {Mask}
 */
function read(mask, name) {
    const input = readBooleans(mask, name);
    const data = new Uint8Array(input.size);
    writeBooleans(input, { u8: data }, 0);
    return { data: data.map((byte) => (byte ? 1 : 0)), shape: input.shape };
}

/**
 * @param {Mask} a
 * @param {Mask} b
 * @param {string} name of b
 * @param {(x: number, y: number) => number} join
 * @returns {Mask}
 */
function combine(a, b, name, join) {
    const rank = Math.max(a.shape.length, b.shape.length);
    const [from, to] = [a.shape, b.shape].map((own) => (
        [...new Array(rank - own.length).fill(1), ...own]));
    const shape = from.map((n, axis) => {
        if (n === to[axis] || to[axis] === 1) return n;
        if (n === 1) return to[axis];
        throw fail('masksDiffer', { name, shape: b.shape, other: a.shape });
    });
    const strides = [from, to].map((own) => (
        packedStride(own).map((step, axis) => (own[axis] === 1 ? 0 : step))));
    const data = new Uint8Array(sizeOf(shape)), index = new Array(rank).fill(0);
    for (let at = 0; at < data.length; at++) {
        const [x, y] = strides.map((stride) => (
            stride.reduce((sum, step, axis) => sum + step * index[axis], 0)));
        data[at] = join(a.data[x], b.data[y]);
        for (let axis = rank - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) {
            index[axis] = 0;
        }
    }
    return { data, shape };
}

/**
 * @param {MaskLike[]} given
 * @param {(x: number, y: number) => number} join
 */
function combineAll(given, join) {
    if (given.length === 0) throw fail('noMasks');
    return given.map((mask, i) => read(mask, `masks[${i}]`))
        .reduce((a, b, i) => combine(a, b, `masks[${i}]`, join));
}

/**
 * Allowed where every mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
export const and = (...given) => combineAll(given, (x, y) => x & y);

/**
 * Allowed where any mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
export const or = (...given) => combineAll(given, (x, y) => x | y);

/**
 * Allowed where the mask does not allow.
 *
 * @param {MaskLike} mask
 * @returns {Mask}
 */
export function not(mask) {
    const { data, shape } = read(mask, 'mask');
    return { data: data.map((byte) => 1 - byte), shape };
}

/**
 * A mask of torch.nn.MultiheadAttention or nn.Transformer, where true means "may not attend":
 * attn_mask (Tq, Tk), or (B·heads, Tq, Tk) with { heads }; key_padding_mask (B, Tk), for keyMask.
 * (torch's scaled_dot_product_attention has the polarity of this package: pass its mask as it is.)
 *
 * @param {MaskLike} mask
 * @param {{ heads?: number }} [options] needed for rank 3, which torch means as batch times heads
 * @returns {Mask}
 */
export function fromTorchModule(mask, options) {
    const { heads = NaN } = readOptions(options, ['heads']);
    const { data, shape } = not(mask);
    if (shape.length !== 3) return { data, shape };
    const batch = shape[0] / heads;
    if (!Number.isInteger(heads) || heads < 1 || !Number.isInteger(batch)) {
        throw fail('badTorchHeads', { shape, heads: options?.heads });
    }
    return { data, shape: [batch, heads, shape[1], shape[2]] };
}
