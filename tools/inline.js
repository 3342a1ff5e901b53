/*
 * inline.js: the esbuild plugin that puts the wasm into a bundle of web/api, in place of bytes.js.
 *
 *     inlineWasm('dist')     both files as base64 texts: nothing is fetched, nothing is configured
 *     inlineWasm('dist', { inside: false })     no wasm: load({ wasm }) must bring it
 *
 * The texts are decoded by a plain loop: fetching a data: URL is forbidden by many pages' policies.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILES = { simd128: 'attn.wasm', relaxed: 'attn.relaxed.wasm' };

const readers = (texts) => `
const TEXTS = ${JSON.stringify(texts)};

export function readBytesSync(simd) {
    const text = atob(TEXTS[simd]);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

export const readBytes = async (simd) => readBytesSync(simd);
`;

const NO_READERS = `
import { fail } from './errors.js';

export const readBytesSync = () => { throw fail('noWasmInside'); };
export const readBytes = async () => readBytesSync();
`;

export function inlineWasm(dir, { inside = true } = {}) {
    return {
        name: 'inline-wasm',
        setup(build) {
            build.onLoad({ filter: /[\\/]web[\\/]api[\\/]bytes\.js$/ }, async ({ path }) => {
                const texts = {}, hashes = {}, watchFiles = [];
                for (const [simd, file] of Object.entries(FILES)) {
                    const bytes = await readFile(join(dir, file));
                    texts[simd] = bytes.toString('base64');
                    hashes[simd] = createHash('sha256').update(bytes).digest('hex');
                    watchFiles.push(join(dir, file));
                }
                const sha256 = `export const WASM_SHA256 = Object.freeze(${JSON.stringify(hashes)});`;
                const contents = sha256 + (inside ? readers(texts) : NO_READERS);
                return { contents, resolveDir: join(path, '..'), watchFiles };
            });
        },
    };
}
