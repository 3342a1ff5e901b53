/*
 * machine.js - what this machine has: programs on the PATH, and relaxed SIMD in its Node.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} program */
export const onPath = (program) => (process.env.PATH ?? '').split(delimiter)
    .some((folder) => existsSync(join(folder, program)));

/** Node 20 has relaxed SIMD behind a flag; later ones have it, and refuse the flag. */
export const RELAXED_FLAGS = process.versions.node.startsWith('20.')
    ? ['--experimental-wasm-relaxed-simd'] : [];
