/*
 * arm.js - what it takes to compile the core for 64-bit Arm and run it here, under QEMU.
 *
 * The preset is aarch64 in CMakePresets.json, the compiler and the emulator are named in
 * cmake/aarch64.cmake. Where they are not installed the NEON kernels are left out, and the reason
 * said.
 */
import { existsSync } from 'node:fs';
import { onPath } from './machine.js';

const SYSROOT = '/usr/aarch64-linux-gnu';

/** Runs a program of Arm. */
export const EMULATOR = ['qemu-aarch64', '-L', SYSROOT];

/** Debian's packages, about 56 MB to fetch; each with a test for its presence. */
export const ARM_PACKAGES = [
    { name: 'gcc-aarch64-linux-gnu', present: () => onPath('aarch64-linux-gnu-gcc') },
    { name: 'libc6-dev-arm64-cross', present: () => existsSync(`${SYSROOT}/include/stdio.h`) },
    { name: 'qemu-user', present: () => onPath('qemu-aarch64') },
];

/** Why NEON cannot be run under QEMU here, or null. */
export function armMissing() {
    if (process.arch === 'arm64') return 'this machine is Arm: its own build has the NEON kernels';
    const missing = ARM_PACKAGES.filter(({ present }) => !present()).map(({ name }) => name);
    return missing.length === 0 ? null : `NEON under QEMU needs ${missing.join(', ')}`;
}
