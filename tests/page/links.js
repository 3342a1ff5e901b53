// Links for the tests: how they are made, and what a wrong one is answered with.

import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { check } from '../../web/page/check.js';
import { print, toHash } from '../../web/page/codec.js';
import { link } from '../../web/page/text.link.en.js';

export const hashOf = async (document) => {
    const { hash, problem } = await toHash(print(document).text);
    assert.equal(problem, undefined);
    return hash;
};

export const zip = (text) => `#1=zip:${deflateSync(Buffer.from(text)).toString('base64url')}`;

/** What a hostile input may be answered with: a document that is valid, or one sentence. */
export function judged(answer) {
    if (answer.document) {
        assert.deepStrictEqual(check(answer.document), { document: answer.document });
        assert.equal(typeof print(answer.document).text, 'string');
        return 'document';
    }
    const sentence = link.problem(answer.problem);
    assert.match(sentence, /^[^\n]{10,200}\.$/u);
    assert.doesNotMatch(sentence, /got undefined|\[object/);
    return answer.problem.kind;
}

export const grid = (rows, columns, of) =>
    Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => of(i, j)));

export const sentence = (n) => Array.from({ length: n }, (_, i) => `word${i}`);

export const square = (n, width, of) => ({
    tokens: sentence(n),
    q: grid(n, width, of),
    k: grid(n, width, of),
    v: grid(n, width, of),
});
