// tarball.js: the package as others get it: packed by npm, and installed into an empty folder.
//
// What is packed is dist/ (or the folder that ATTN_DIST names); without one it is built first.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { npm, run } from './tools.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const temporary = [];
after(() => temporary.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone after the tests. */
function emptyFolder(name) {
    const folder = mkdtempSync(join(tmpdir(), `attn-${name}-`));
    temporary.push(folder);
    return folder;
}

function stage() {
    const folder = emptyFolder('stage'), out = join(folder, 'dist');
    for (const file of ['package.json', 'LICENSE', 'README.md']) {
        cpSync(join(ROOT, file), join(folder, file));
    }
    const dist = process.env.ATTN_DIST ?? join(ROOT, 'dist');
    if (existsSync(join(dist, 'attn.js'))) {
        cpSync(dist, out, { recursive: true });
        return folder;
    }
    const hasWasm = existsSync(join(dist, 'attn.wasm'));
    if (!hasWasm) run(process.execPath, [join(ROOT, 'tools/wasm.js'), '--out', out]);
    const wasm = hasWasm ? dist : out;
    run(process.execPath, [join(ROOT, 'tools/package.js'), '--out', out, '--wasm', wasm]);
    return folder;
}

let packed;

/** Path of the tarball; packed once per test file. */
export function tarball() {
    if (!packed) {
        const folder = stage();
        const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts'], folder));
        packed = join(folder, filename);
    }
    return packed;
}

/**
 * An empty folder with the tarball installed and some files written.
 *
 * @param {string} name
 * @param {Record<string, string>} files
 */
export function installedFolder(name, files = {}) {
    const folder = emptyFolder(name);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    npm(['install', '--offline', '--ignore-scripts', tarball()], folder);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return folder;
}

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
