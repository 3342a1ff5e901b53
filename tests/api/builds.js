// builds.js: the wasm builds that this runtime can run, each as an engine of the sources.
//
// The files come from dist/, or from the folder that ATTN_DIST names. A build that does not
// validate here is named with the reason, and no test of it runs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadSync } from '../../web/api/index.js';

export const DIST = process.env.ATTN_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));

export const FILES = { simd128: 'attn.wasm', relaxed: 'attn.relaxed.wasm' };

/** @param {'simd128' | 'relaxed'} simd */
export const wasmBytes = (simd) => readFileSync(join(DIST, FILES[simd]));

/** The builds that validate here. */
export const BUILDS = Object.keys(FILES).filter((simd) => WebAssembly.validate(wasmBytes(simd)));

for (const simd of Object.keys(FILES)) {
    if (BUILDS.includes(simd)) continue;
    const flag = '--experimental-wasm-relaxed-simd';
    console.log(`# ${FILES[simd]} is not tested: Node ${process.versions.node} does not validate it`
        + `${process.execArgv.includes(flag) ? '' : ` without ${flag}`}`);
}

/** A new engine of one build. */
export const engineOf = (simd, options = {}) => loadSync({ wasm: wasmBytes(simd), ...options });

/**
 * The same tests on every build.
 *
 * @param {string} title
 * @param {(engine: ReturnType<typeof engineOf>, simd: string) => void} body
 */
export function onEveryBuild(title, body) {
    for (const simd of BUILDS) describe(`${title} (${simd})`, () => body(engineOf(simd), simd));
}

/** The AttnError that a call throws, as [code, message]. */
export function errorOf(call) {
    try {
        call();
    } catch (error) {
        if (error.name !== 'AttnError') throw error;
        return [error.code, error.message];
    }
    throw new Error('the call threw nothing');
}
