// refusals.js: the sentence for what attn_check() refuses, from its status, the field, the values.
//
// The rules themselves are in check.c alone. A pair that no call of this package can bring about
// falls through to the field's name and the core's own words.

/** @import { Sizes } from './shapes.js' */
/** @import { AttentionOptions } from './types.js' */

import { fail } from './errors.js';
import { SHARE, SIDE } from './values.js';

/** attn_status of attention.h. */
const SIZE = 3, HEADS = 4, RANGE = 6, CONFLICT = 7;

/**
 * What a call, or the making of a module, must tell so that a refusal can be worded.
 *
 * @typedef {object} Refused
 * @property {string} name
 * @property {Sizes} sizes
 * @property {Named} q
 * @property {Named | null} k
 * @property {Named | null} v
 * @property {Pick<AttentionOptions, 'scale' | 'softcap' | 'window'>
 *     & { dropout?: number | { p: number } }} options
 * @property {readonly number[]} outShape
 */

/** @typedef {{ name: string, shape: readonly number[] }} Named */

/** @type {(name: string, got: unknown, expected: string) => Error} */
const badNumber = (name, got, expected) => fail('badNumber', { name, got, expected });

/** @type {(tensor: Named | null, what: string) => Error} */
const zeroExtent = (tensor, what) => fail('zeroExtent', { ...tensor, what });

/** @type {(name: string, shape: readonly number[]) => Error} */
const tooLarge = (name, shape) => fail('tooLargeToAddress', { name, shape });

/** @type {Record<string, (call: Refused) => Error>} */
const REFUSALS = {
    [`${SIZE} query_heads`]: ({ q }) => zeroExtent(q, 'the number of heads'),
    [`${SIZE} heads`]: ({ q }) => zeroExtent(q, 'the number of heads'),
    [`${SIZE} kv_heads`]: ({ k }) => zeroExtent(k, 'the number of heads'),
    [`${SIZE} head_dim`]: ({ q }) => zeroExtent(q, 'the last dimension'),
    [`${SIZE} value_dim`]: ({ v }) => zeroExtent(v, 'the last dimension'),
    [`${SIZE} out`]: ({ outShape }) => tooLarge('the output', outShape),
    [`${HEADS} query_heads`]: ({ sizes: { queryHeads, kvHeads } }) => (
        fail('badHeads', { query: queryHeads, key: kvHeads })),
    [`${RANGE} scale`]: ({ options }) => badNumber('scale', options.scale, 'a finite float32'),
    [`${RANGE} softcap`]: ({ options }) => (
        badNumber('softcap', options.softcap, 'a finite number, positive, or 0 for none')),
    [`${RANGE} window_left`]: ({ options }) => badNumber('window[0]', options.window?.[0], SIDE),
    [`${RANGE} window_right`]: ({ options }) => badNumber('window[1]', options.window?.[1], SIDE),
    [`${RANGE} dropout`]: ({ options: { dropout } }) => (
        typeof dropout === 'number' ? badNumber('dropout', dropout, SHARE)
            : badNumber('dropout.p', dropout?.p, SHARE)),
    [`${CONFLICT} dbias`]: () => fail('noBias'),
    [`${CONFLICT} query_offset`]: () => fail('offsetTwice'),
    [`${CONFLICT} key_lengths`]: () => fail('openPadding'),
};

/**
 * @param {number} status not 0
 * @param {string} field
 * @param {string} words attn_status_string()
 * @param {Refused} call
 */
export function refusal(status, field, words, call) {
    const known = REFUSALS[`${status} ${field}`];
    return known ? known(call) : fail('refusedByCore', { field, words });
}
