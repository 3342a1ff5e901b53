// refusals.js: the sentence for what attn_check() refuses, from its status, the field and the values.
//
// The rules themselves are in check.c alone. A pair that no call of this package can bring about falls
// through to the field's name and the core's own words.

/** @import { Call } from './params.js' */

import * as errors from './errors.js';

/** attn_status of attention.h. */
const SIZE = 3, HEADS = 4, RANGE = 6, CONFLICT = 7, UNSUPPORTED = 8;

/** @type {(call: Call, at: number, expected: string) => errors.AttnError} */
const badWindow = ({ options }, at, expected) => errors.badNumber(`window[${at}]`, options.window?.[at], expected);

/** @type {Record<string, (call: Call) => errors.AttnError>} */
const REFUSALS = {
    [`${SIZE} query_heads`]: ({ q }) => errors.zeroExtent('q', q.shape, 'the number of heads'),
    [`${SIZE} kv_heads`]: ({ k }) => errors.zeroExtent('k', k.shape, 'the number of heads'),
    [`${SIZE} head_dim`]: ({ q }) => errors.zeroExtent('q', q.shape, 'the last dimension'),
    [`${SIZE} value_dim`]: ({ v }) => errors.zeroExtent('v', v.shape, 'the last dimension'),
    [`${SIZE} q`]: ({ q }) => errors.tooLargeToAddress('q', q.shape),
    [`${SIZE} k`]: ({ k }) => errors.tooLargeToAddress('k', k.shape),
    [`${SIZE} v`]: ({ v }) => errors.tooLargeToAddress('v', v.shape),
    [`${SIZE} out`]: ({ outShape }) => errors.tooLargeToAddress('the output', outShape),
    [`${HEADS} query_heads`]: ({ sizes }) => errors.badHeads(sizes.queryHeads, sizes.kvHeads),
    [`${RANGE} scale`]: ({ options }) => errors.badNumber('scale', options.scale, 'a finite float32'),
    [`${RANGE} softcap`]: ({ options }) => (
        errors.badNumber('softcap', options.softcap, 'a finite number, positive or 0 for none')),
    [`${RANGE} window_left`]: (call) => badWindow(call, 0, 'an integer from 0, or -1 for no bound'),
    [`${RANGE} window_right`]: (call) => badWindow(call, 1, 'an integer from 0, or -1 for no bound'),
    [`${RANGE} dropout`]: ({ options }) => (
        errors.badNumber('dropout.p', options.dropout?.p, 'a number from 0 to 1')),
    [`${CONFLICT} query_offset`]: () => errors.offsetTwice(),
    [`${CONFLICT} key_lengths`]: () => errors.openPadding(),
    [`${UNSUPPORTED} softcap`]: () => errors.notComputed('softcap'),
    [`${UNSUPPORTED} alibi_slopes`]: () => errors.notComputed('alibi'),
    [`${UNSUPPORTED} dropout`]: () => errors.notComputed('dropout'),
};

/**
 * @param {number} status not 0
 * @param {string} field
 * @param {string} words attn_status_string()
 * @param {Call} call
 */
export function refusal(status, field, words, call) {
    const known = REFUSALS[`${status} ${field}`];
    return known ? known(call) : errors.refusedByCore(field, words);
}
