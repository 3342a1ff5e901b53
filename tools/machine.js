/*
 * machine.js - what this machine has: programs on the PATH, and relaxed SIMD in its Node.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} program */
export const onPath = (program) => (process.env.PATH ?? '').split(delimiter)
    .some((folder) => existsSync(join(folder, program)));

/**
 * Node 20 has relaxed SIMD behind a flag; later ones have it, and refuse the flag.
 *
 * @param {string} version
 */
export const relaxedFlagsOf = (version) => (
    /^20\b/.test(version) ? ['--experimental-wasm-relaxed-simd'] : []);

/** The flags of this Node. */
export const RELAXED_FLAGS = relaxedFlagsOf(process.versions.node);
