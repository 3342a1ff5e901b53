// masks.js: masks as data: bytes with a shape, 1 = may attend, to look at, combine and pass on.
//
// attention() knows causal, window and lengths by itself and faster; these are for combinations
// that it does not know, and for showing what a rule allows. Query i is at position p = i + offset.

/** @import { Mask, MaskLike } from './types.js' */

import { writeBooleans } from './elements.js';
import { fail } from './errors.js';
import { readOptions } from './options.js';
import { isArrayLike, packedStride, readBooleans, sizeOf } from './tensor.js';
import { EACH_BATCH_ROW, SIDE, checkReach } from './values.js';

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
 * @param {string} call
 * @param {number} queryLength
 * @param {number} keyLength
 */
function checkLengths(call, queryLength, keyLength) {
    checkLength(`${call}: queryLength`, queryLength);
    checkLength(`${call}: keyLength`, keyLength);
}

/**
 * A mask of zeros, of a size that an array can have.
 *
 * @param {string} call
 * @param {readonly number[]} shape
 * @returns {Mask}
 */
function emptyMask(call, shape) {
    const size = sizeOf(shape), name = `${call}: the mask`;
    if (size > 2147483647) throw fail('tooLargeToAddress', { name, shape });
    try {
        return { data: new Uint8Array(size), shape };
    } catch {
        throw fail('resultRefused', { needed: size });
    }
}

/**
 * 1 where allowed(p, j).
 *
 * @param {string} call
 * @param {number} queryLength
 * @param {number} keyLength
 * @param {PositionOptions | undefined} options
 * @param {(p: number, j: number) => boolean} allowed
 * @returns {Mask}
 */
function byPosition(call, queryLength, keyLength, options, allowed) {
    checkLengths(call, queryLength, keyLength);
    const { offset = keyLength - queryLength } = readOptions(options, ['offset']);
    check(`${call}: offset`, offset, 'an integer', Number.isInteger(offset));
    const mask = emptyMask(call, [queryLength, keyLength]), { data } = mask;
    for (let i = 0; i < queryLength; i++) {
        for (let j = 0; j < keyLength; j++) {
            data[i * keyLength + j] = Number(allowed(i + offset, j));
        }
    }
    return mask;
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
    byPosition('masks.causal', queryLength, keyLength, options, (p, j) => j <= p));

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
    checkLengths('masks.window', queryLength, keyLength);
    checkReach('masks.window: the third argument', reach);
    const [left, right] = reach;
    [left, right].forEach((n, i) => {
        const name = `masks.window: ${['left', 'right'][i]}`;
        check(name, n, SIDE, Number.isInteger(n) && n >= -1);
    });
    return byPosition('masks.window', queryLength, keyLength, options, (p, j) => (
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
    const call = 'masks.lengths';
    if (!isArrayLike(keyLengths)) {
        const name = `${call}: keyLengths`;
        throw fail('badOption', { name, got: keyLengths, expected: EACH_BATCH_ROW });
    }
    checkLength(`${call}: keyLength`, keyLength);
    const mask = emptyMask(call, [keyLengths.length, 1, 1, keyLength]), { data } = mask;
    Array.from(keyLengths).forEach((n, b) => {
        const isGood = Number.isInteger(n) && n >= 0 && n <= keyLength;
        check(`${call}: keyLengths[${b}]`, n, `an integer from 0 to ${keyLength}`, isGood);
        data.fill(1, b * keyLength, b * keyLength + n);
    });
    return mask;
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
 * @param {string} call
 * @param {MaskLike[]} given
 * @param {(x: number, y: number) => number} join
 */
function combineAll(call, given, join) {
    if (given.length === 0) throw fail('noMasks', { call });
    const nameOf = (/** @type {number} */ i) => `${call}: mask ${i}`;
    return given.map((mask, i) => read(mask, nameOf(i)))
        .reduce((a, b, i) => combine(a, b, nameOf(i), join));
}

/**
 * Allowed where every mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
export const and = (...given) => combineAll('masks.and', given, (x, y) => x & y);

/**
 * Allowed where any mask allows; shapes broadcast, aligned to the right.
 *
 * @param {MaskLike[]} given
 * @returns {Mask}
 */
export const or = (...given) => combineAll('masks.or', given, (x, y) => x | y);

/**
 * Allowed where the mask does not allow.
 *
 * @param {MaskLike} mask
 * @returns {Mask}
 */
export function not(mask) {
    const { data, shape } = read(mask, 'masks.not: the mask');
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
    const { data: forbidden, shape } = read(mask, 'masks.fromTorchModule: the mask');
    const data = forbidden.map((byte) => 1 - byte);
    if (shape.length !== 3) return { data, shape };
    const isCount = Number.isInteger(heads) && heads > 0;
    const batch = isCount ? shape[0] / heads : NaN;
    if (!Number.isInteger(batch)) {
        throw fail('badTorchHeads', { shape, heads: options?.heads });
    }
    return { data, shape: [batch, heads, shape[1], shape[2]] };
}
