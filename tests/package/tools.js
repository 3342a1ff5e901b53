// tools.js: programs of other people, at one version each, installed once under build/tools.
//
// They are no dependencies of the project: only these tests use them, and some weigh a lot.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../build/tools/', import.meta.url));

export const NODE_VERSIONS = ['18.20.8', '26.12.1'];
export const TYPESCRIPT_VERSIONS = ['5.4.5', '5.9.3', '7.0.2'];

/**
 * Runs a program to its end; a failure is an error with all that it said.
 *
 * @returns {string} standard output
 */
export function run(command, args, options = {}) {
    const ended = spawnSync(command, args, { encoding: 'utf8', ...options });
    if (ended.status === 0) return ended.stdout;
    const said = ended.error?.message ?? `${ended.stdout}${ended.stderr}`;
    throw new Error(`${command} ${args.join(' ')} in ${options.cwd ?? '.'}:\n${said}`);
}

export const npm = (args, cwd) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd });

/** A folder in which one package of the npm registry is installed, with what it needs. */
function install(name, version) {
    const home = join(CACHE, `${name}-${version}`);
    if (!existsSync(home)) {
        const unfinished = `${home}.${process.pid}`;
        mkdirSync(unfinished, { recursive: true });
        writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n');
        npm(['install', '--save-exact', `${name}@${version}`], unfinished);
        try {
            renameSync(unfinished, home);
        } catch (error) {
            if (!existsSync(home)) throw error;
            rmSync(unfinished, { recursive: true });
        }
    }
    return home;
}

/** The folder of a package. */
export const toolFolder = (name, version) => join(install(name, version), 'node_modules', name);

/** What a package exports. */
export function importTool(name, version) {
    const entry = join(install(name, version), 'entry.mjs');
    writeFileSync(entry, `export * from '${name}';\n`);
    return import(entry);
}

/** Path of a Node binary of another version, or null where npm has none for this machine. */
export function nodeBinary(version) {
    const { platform, arch } = process;
    if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch)) return null;
    return join(toolFolder(`node-${platform}-${arch}`, version), 'bin/node');
}
