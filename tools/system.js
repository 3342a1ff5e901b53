/*
 * system.js - the system packages that the tests need, each with the sign that it is there.
 *
 * Missing ones are installed when that may be done unasked (CI=true, or root, on a system with apt-get), and
 * said so; otherwise the one command to type is printed. Those for Arm are installed likewise, but the tests
 * go on without them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ARM_PACKAGES } from './arm.js';
import { onPath } from './machine.js';

/** Debian's name of each package, and a test for its presence. */
const PACKAGES = [
    { name: 'gcc', present: () => onPath('cc') || onPath('gcc') },
    { name: 'g++', present: () => onPath('c++') || onPath('g++') },
    { name: 'make', present: () => onPath('make') },
    { name: 'cmake', present: () => onPath('cmake') },
    { name: 'pkg-config', present: () => onPath('pkg-config') || onPath('pkgconf') },
    { name: 'libcmocka-dev', present: () => anyExists('include/cmocka.h') },
    { name: 'chromium', present: () => Boolean(chromium()) },
    { name: 'firefox-esr', present: () => Boolean(firefox()) },
    { name: 'fonts-dejavu-core', present: () => !onPath('apt-get') || existsSync('/usr/share/fonts/truetype/dejavu') },
];

function anyExists(path) {
    return ['/usr', '/usr/local', '/opt/homebrew', '/opt/local'].some((prefix) => existsSync(join(prefix, path)));
}

/** The Chromium to test in: CHROMIUM, or the usual places; undefined when there is none. */
export function chromium() {
    const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
    return process.env.CHROMIUM ?? places.find((place) => existsSync(place));
}

/** The Firefox to test in: FIREFOX, or the usual places; undefined when there is none. */
export function firefox() {
    const places = ['/usr/bin/firefox-esr', '/usr/bin/firefox',
        '/Applications/Firefox.app/Contents/MacOS/firefox'];
    return process.env.FIREFOX ?? places.find((place) => existsSync(place));
}

function run(command, args) {
    console.log(`  $ ${command} ${args.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

const named = (entries) => entries.filter((entry) => !entry.present()).map((entry) => entry.name);

/** Installs what may be left out, on the machines whose compiler could be such a one. */
function installForArm(install) {
    const needed = process.platform === 'linux' && process.arch === 'x64' ? named(ARM_PACKAGES) : [];
    if (needed.length === 0) return;
    console.log(`Installing packages to run the Arm kernels: ${needed.join(' ')}`);
    if (!install(needed)) console.log('They could not be installed; that stage will be skipped.');
}

/**
 * Makes the packages present, or says what to type.
 *
 * @returns {string | undefined} undefined when all are there, else one sentence
 */
export function ensureSystemPackages() {
    const needed = named(PACKAGES), names = needed.join(' ');
    const root = process.getuid?.() === 0, mayInstall = root || process.env.CI === 'true';
    const hasApt = onPath('apt-get');
    const sudo = root ? [] : ['sudo', '-n'];
    const apt = (...args) => run([...sudo, 'apt-get'][0], [...sudo, 'apt-get', ...args].slice(1));
    let isUpdated = false;
    const install = (packages) => {
        isUpdated ||= apt('update', '-q');
        return isUpdated && apt('install', '-y', '-q', '--no-install-recommends', ...packages);
    };

    if (needed.length > 0) {
        const command = `${root ? '' : 'sudo '}apt-get install -y ${names}`;
        if (!hasApt) {
            return `missing: ${names} (Debian's names); install them and run npm test again`;
        }
        if (!mayInstall) return `missing: ${names}; type: ${command}`;
        console.log(`Installing missing system packages: ${names}`);
        if (!install(needed)) return `could not install ${names}; type: ${command}`;
        const still = named(PACKAGES);
        if (still.length > 0) return `installed, but not found afterwards: ${still.join(' ')}`;
    }
    if (hasApt && mayInstall) installForArm(install);
    return undefined;
}
