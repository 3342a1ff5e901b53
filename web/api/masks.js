// masks.js: masks as data: bytes with a shape, 1 = may attend, to look at, combine and pass as `mask`.
//
// attention() knows causal, window and lengths by itself and faster; these are for combinations that it
// does not know, and for showing what a rule allows. Query i stands at position p = i + offset.

/** @import { Mask, MaskLike } from './types.js' */

import * as errors from './errors.js';
import { readOptions } from './options.js';
import { packedStride, readBooleans, sizeOf, writeBooleans } from './tensor.js';

/** @typedef {{ offset?: number }} PositionOptions position of query 0; default keyLength - queryLength */

/** @param {string} name @param {unknown} n */
function checkExtent(name, n) {
    if (!Number.isInteger(n) || Number(n) < 0) throw errors.badNumber(name, n, 'an integer from 0');
}

/** (Tq, Tk) with 1 where allowed(p, j). @param {number} queryLength @param {number} keyLength
 *  @param {PositionOptions | undefined} options @param {(p: number, j: number) => boolean} allowed @returns {Mask} */
function byPosition(queryLength, keyLength, options, allowed) {
    checkExtent('queryLength', queryLength);
    checkExtent('keyLength', keyLength);
    const { offset = keyLength - queryLength } = readOptions(options, ['offset']);
    if (!Number.isInteger(offset)) throw errors.badNumber('offset', offset, 'an integer');
    const data = new Uint8Array(queryLength * keyLength);
    for (let i = 0; i < queryLength; i++) {
        for (let j = 0; j < keyLength; j++) data[i * keyLength + j] = allowed(i + offset, j) ? 1 : 0;
    }
    return { data, shape: [queryLength, keyLength] };
}

/**
 * Key j allowed iff j ≤ p: the last query sees the last key; with { offset: 0 } the first sees the first.
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
    if (typeof reach === 'number') throw errors.windowIsNumber(reach);
    if (!Array.isArray(reach) || reach.length !== 2) throw errors.badOption('window', reach, '[left, right]');
    reach.forEach((n, i) => {
        if (!Number.isInteger(n) || n < -1) {
            throw errors.badNumber(`window[${i}]`, n, 'an integer from 0, or -1 for no bound');
        }
    });
    const [left, right] = reach;
    return byPosition(queryLength, keyLength, options, (p, j) => (
        (left < 0 || p - left <= j) && (right < 0 || j <= p + right)));
}

/**
 * The first n keys of each batch row allowed.
 *
 * @param {ArrayLike<number>} keyLengths (B)
 * @param {number} keyLength
 * @returns {Mask} (B, 1, 1, Tk)
 */
export function lengths(keyLengths, keyLength) {
    checkExtent('keyLength', keyLength);
    const batch = keyLengths?.length;
    if (!Number.isInteger(batch)) throw errors.badOption('keyLengths', keyLengths, 'an array of lengths');
    const data = new Uint8Array(batch * keyLength);
    for (let b = 0; b < batch; b++) {
        const n = keyLengths[b];
        if (!Number.isInteger(n) || n < 0 || n > keyLength) {
            throw errors.badNumber(`keyLengths[${b}]`, n, `an integer from 0 to ${keyLength}`);
        }
        data.fill(1, b * keyLength, b * keyLength + n);
    }
    return { data, shape: [batch, 1, 1, keyLength] };
}

/** 0 and 1, packed. @param {MaskLike} mask @param {string} name @returns {Mask} */
function read(mask, name) {
    const input = readBooleans(mask, name);
    const data = new Uint8Array(input.size);
    writeBooleans(input, data);
    return { data: data.map((byte) => (byte ? 1 : 0)), shape: input.shape };
}

/** @param {Mask} a @param {Mask} b @param {string} name of b @param {(x: number, y: number) => number} join
 *  @returns {Mask} */
function combine(a, b, name, join) {
    const rank = Math.max(a.shape.length, b.shape.length);
    const pad = (/** @type {Mask} */ { shape }) => [...new Array(rank - shape.length).fill(1), ...shape];
    const from = pad(a), to = pad(b);
    const shape = from.map((n, axis) => {
        if (n !== to[axis] && n !== 1 && to[axis] !== 1) throw errors.masksDiffer(name, b.shape, a.shape);
        return n === 1 ? to[axis] : n;
    });
    const strides = [from, to].map((own) => packedStride(own).map((step, axis) => (own[axis] === 1 ? 0 : step)));
    const data = new Uint8Array(sizeOf(shape));
    const index = new Array(rank).fill(0);
    for (let at = 0; at < data.length; at++) {
        const [x, y] = strides.map((stride) => stride.reduce((sum, step, axis) => sum + step * index[axis], 0));
        data[at] = join(a.data[x], b.data[y]);
        for (let axis = rank - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
    }
    return { data, shape };
}

/** @param {MaskLike[]} masks @param {(x: number, y: number) => number} join */
function combineAll(masks, join) {
    if (masks.length === 0) throw errors.noMasks();
    return masks.map((mask, i) => read(mask, `masks[${i}]`))
        .reduce((a, b, i) => combine(a, b, `masks[${i}]`, join));
}

/** Allowed where every mask allows; shapes broadcast, aligned to the right. @param {...MaskLike} masks @returns {Mask} */
export const and = (...masks) => combineAll(masks, (x, y) => x & y);

/** Allowed where any mask allows; shapes broadcast, aligned to the right. @param {...MaskLike} masks @returns {Mask} */
export const or = (...masks) => combineAll(masks, (x, y) => x | y);

/** Allowed where the mask does not allow. @param {MaskLike} mask @returns {Mask} */
export function not(mask) {
    const { data, shape } = read(mask, 'mask');
    return { data: data.map((byte) => 1 - byte), shape };
}

/**
 * A mask of torch.nn.MultiheadAttention or nn.Transformer, where true means "may not attend":
 * attn_mask (Tq, Tk), or (B·heads, Tq, Tk) with { heads }; key_padding_mask (B, Tk), to pass as keyMask.
 * (torch's scaled_dot_product_attention has the polarity of this package: pass its mask as it is.)
 *
 * @param {MaskLike} mask
 * @param {{ heads?: number }} [options] needed for rank 3, which torch means as batch times heads
 * @returns {Mask}
 */
export function fromTorchModule(mask, options) {
    const { heads } = readOptions(options, ['heads']);
    const { data, shape } = not(mask);
    if (shape.length !== 3) return { data, shape };
    if (!Number.isInteger(heads) || shape[0] % Number(heads) !== 0 || Number(heads) < 1) {
        throw errors.badTorchHeads(shape, heads);
    }
    return { data, shape: [shape[0] / Number(heads), Number(heads), shape[1], shape[2]] };
}
