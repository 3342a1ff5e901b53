// bytes.js: where the wasm comes from when the sources run as they are: the files in dist/.
//
// The builds replace this one module: by base64 texts in attn.js, by nothing in slim.js. Node reads
// the files, a browser fetches them; neither happens anywhere else in the sources.

/** @typedef {'simd128' | 'relaxed'} Simd */

const FILES = { simd128: '../../dist/attn.wasm', relaxed: '../../dist/attn.relaxed.wasm' };

/**
 * SHA-256 of each wasm file, as hexadecimal text. (Sources that run as they are do not know it.)
 * @type {{ readonly simd128: string, readonly relaxed: string }}
 */
export const WASM_SHA256 = Object.freeze({ simd128: 'not built', relaxed: 'not built' });

const { process } = /** @type {any} */ (globalThis);

/**
 * @param {Simd} simd
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function readBytesSync(simd) {
    return process.getBuiltinModule('fs').readFileSync(new URL(FILES[simd], import.meta.url));
}

/**
 * @param {Simd} simd
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readBytes(simd) {
    if (process?.getBuiltinModule) return readBytesSync(simd);
    const response = await fetch(new URL(FILES[simd], import.meta.url));
    return new Uint8Array(await response.arrayBuffer());
}
