// errors.js: the one class of error, and how it is made from a sentence and its values.
//
// The sentences stand in sentences.js, under their codes.

import { SENTENCES } from './sentences.js';

/**
 * @typedef {'NO_WASM' | 'NO_SIMD' | 'COMPILE_BLOCKED' | 'FETCH_FAILED' | 'VERSION_MISMATCH'
 *     | 'OUT_OF_MEMORY' | 'TOO_LARGE' | 'BAD_SHAPE' | 'BAD_OPTION' | 'BAD_VALUE' | 'CACHE_FULL'
 *     | 'ABORTED' | 'DISPOSED'} ErrorCode
 */

/** What attn throws, and nothing else. `code` is for programs, `message` for people. */
export class AttnError extends Error {
    /**
     * @param {ErrorCode} code
     * @param {string} message
     * @param {unknown} [cause]
     */
    constructor(code, message, cause) {
        super(message, cause === undefined ? undefined : { cause });
        /** @type {ErrorCode} */
        this.code = code;
    }
}

AttnError.prototype.name = 'AttnError';

/** @typedef {{ [C in keyof typeof SENTENCES]: keyof typeof SENTENCES[C] }} IdsByCode */
/** @typedef {IdsByCode[keyof IdsByCode]} SentenceId */

/** @type {Map<string, [ErrorCode, (values: any) => string]>} */
const byId = new Map();
for (const [code, sentences] of Object.entries(SENTENCES)) {
    for (const [id, sentence] of Object.entries(sentences)) {
        byId.set(id, [/** @type {ErrorCode} */ (code), sentence]);
    }
}

/**
 * The error to throw.
 *
 * @param {SentenceId} id of a sentence
 * @param {Record<string, unknown>} [values] what the sentence names
 * @param {unknown} [cause]
 */
export function fail(id, values = {}, cause) {
    const [code, sentence] = /** @type {[ErrorCode, (values: any) => string]} */ (byId.get(id));
    return new AttnError(code, sentence(values), cause);
}
