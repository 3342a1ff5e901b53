// A document as the hash of an address, and back. Only fields that differ from their default are
// written, one part each, in the notation of notation.js:
//
//     #1=tokens:the,cat/q:1,2;0,-1/…/scale:off
//
// The 1 is the version. A text too long to read is deflated, as zlib does it, into base64url:
// #1=zip:eJxT…, whose checksum finds out a link that was cut on its way. The browser's own
// (de)compressor is asynchronous, and so are toHash and fromHash; print and parse are not.

import { attempt, brief, check, Refusal } from './check.js';
import { NOTATION } from './notation.js';
import { applies, defaultOf, FIELDS } from './schema.js';

export const VERSION = 1;

/** Characters of an address, characters of a hash that stays readable, bytes of any text. */
export const MOST = { address: 32 * 1024, readable: 1000, bytes: 1 << 20 };

const ZIP = 'zip:';

/** @returns {{ text: string } | { problem: object }} the fields that are not at their default */
export function print(document) {
    const { document: doc, problem } = check(document, { trim: true });
    if (problem) return { problem };
    const parts = [];
    for (const [name, row] of Object.entries(FIELDS)) {
        if (!applies(name, doc) || doc[name] === null) continue;
        const form = NOTATION[row.type];
        const text = form.print(doc[name]);
        const usual = defaultOf(name, doc) ?? null;
        if (usual === null || form.print(usual) !== text) parts.push(`${name}:${text}`);
    }
    return { text: parts.join('/') };
}

/** @returns {{ document: object } | { problem: object }} */
export function parse(text) {
    return attempt(() => {
        const input = {};
        for (const part of text === '' ? [] : text.split('/')) {
            const [, name, value = ''] = /^([^:]*):?(.*)$/s.exec(part);
            if (!Object.hasOwn(FIELDS, name)) throw new Refusal('unknown', { got: brief(name) });
            if (Object.hasOwn(input, name)) throw new Refusal('twice', { field: name, got: name });
            input[name] = NOTATION[FIELDS[name].type].parse(value, name);
        }
        return check(input);
    });
}

/** The hash of a printed text; that of the default document is empty. */
export async function toHash(text) {
    if (text === '') return { hash: '' };
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MOST.bytes) return problem('large', { most: MOST.address });
    const readable = `#${VERSION}=${encodeURI(text)}`;
    const isShort = readable.length <= MOST.readable;
    const hash = isShort ? readable : `#${VERSION}=${ZIP}${await deflate(bytes)}`;
    return hash.length > MOST.address ? problem('large', { most: MOST.address }) : { hash };
}

/** The document that a hash stands for, or what is wrong with it; never an exception. */
export async function fromHash(hash) {
    if (hash === '' || hash === '#') return parse('');
    if (hash.length > MOST.address) return problem('long', { most: MOST.address });
    const [, version, body] = /^#(\d+)=(.*)$/s.exec(hash) ?? [];
    if (version === undefined) return problem('foreign');
    if (version !== String(VERSION)) {
        return problem('version', { expected: VERSION, got: brief(version) });
    }
    const text = await textOf(body);
    return text === null ? problem('damaged') : parse(text);
}

const problem = (kind, detail) => ({ problem: { kind, ...detail } });

/** The text of a body, or null when it is damaged. */
async function textOf(body) {
    try {
        const text = decodeURIComponent(body);
        return text.startsWith(ZIP) ? await inflate(text.slice(ZIP.length)) : text;
    } catch {
        return null;
    }
}

async function deflate(bytes) {
    const packed = await run(bytes, new CompressionStream('deflate'), Infinity);
    let letters = '';
    for (const byte of packed) letters += String.fromCharCode(byte);
    return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function inflate(text) {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await run(packed, new DecompressionStream('deflate'), MOST.bytes);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** All that a stream makes of some bytes: a few may stand for gigabytes, hence the bound. */
async function run(bytes, stream, most) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const chunks = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
        chunks.push(value);
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new RangeError(`more than ${most} bytes`);
        }
    }
}
