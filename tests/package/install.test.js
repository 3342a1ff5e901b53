// The tarball in an empty folder: what is in it, and import and require in old and new Node.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { IMPORT, PRINTED, REQUIRE, SLIM_IMPORT, SLIM_REQUIRE, printedBy } from './programs.js';
import { installedFolder, readJson, tarball } from './tarball.js';
import { NODE_VERSIONS, importTool, nodeBinary, run, toolFolder } from './tools.js';

const PROGRAMS = {
    'import.mjs': IMPORT,
    'require.cjs': REQUIRE,
    'slim-import.mjs': SLIM_IMPORT,
    'slim-require.cjs': SLIM_REQUIRE,
};

const folder = installedFolder('install', PROGRAMS);
const home = join(folder, 'node_modules/attn'), dist = join(home, 'dist');

test('the tarball holds these files and no others', (t) => {
    assert.deepEqual(readdirSync(home).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    assert.deepEqual(readdirSync(dist).sort(), [
        'attn.cjs', 'attn.d.cts', 'attn.d.ts', 'attn.global.js', 'attn.js', 'attn.relaxed.wasm',
        'attn.wasm', 'slim.cjs', 'slim.d.cts', 'slim.d.ts', 'slim.js', 'wasm.d.cts', 'wasm.d.ts',
    ]);
    const sizeOf = (file) => statSync(join(dist, file)).size;
    for (const file of readdirSync(dist)) t.diagnostic(`${file} ${sizeOf(file)} bytes`);
    for (const file of ['attn.wasm', 'attn.relaxed.wasm']) assert.ok(sizeOf(file) <= 65536, file);
    assert.equal(readJson(join(home, 'package.json')).dependencies, undefined);
});

for (const version of [process.versions.node, ...NODE_VERSIONS]) {
    const binary = version === process.versions.node ? process.execPath : nodeBinary(version);
    if (!binary) {
        const { platform, arch } = process;
        console.log(`# Node ${version} is not tested: npm has no binary for ${platform} ${arch}`);
        continue;
    }
    test(`Node ${version}: import and require print the same numbers`, (t) => {
        const printed = Object.keys(PROGRAMS).map((file) => run(binary, [file], { cwd: folder }));
        const [imported, required, slimImported, slimRequired] = printed;
        assert.equal(imported, required);
        assert.equal(slimImported, slimRequired);
        for (const text of printed) assert.deepEqual(printedBy(text), PRINTED);
        assert.equal(JSON.parse(slimImported).simd, 'simd128');
        t.diagnostic(`the default is ${JSON.parse(imported).simd}`);
    });
}

test('the classic script defines the global attn', () => {
    const context = createContext({ WebAssembly, atob });
    runInContext(readFileSync(join(dist, 'attn.global.js'), 'utf8'), context);
    const rows = runInContext('attn.loadSync().attention([[1]], [[1]], [[7]]).toNested()', context);
    assert.equal(JSON.stringify(rows), '[[7]]');
});

test('the hashes that the package states are those of its files', async () => {
    const { WASM_SHA256 } = await import(join(dist, 'attn.js'));
    const hashOf = (file) => (
        createHash('sha256').update(readFileSync(join(dist, file))).digest('hex'));
    assert.deepEqual(WASM_SHA256, {
        simd128: hashOf('attn.wasm'), relaxed: hashOf('attn.relaxed.wasm'),
    });
});

test('no eval, no new Function, no import of a platform', () => {
    for (const file of ['attn.js', 'attn.cjs', 'attn.global.js', 'slim.js', 'slim.cjs']) {
        const code = readFileSync(join(dist, file), 'utf8');
        const forbidden = /\beval\s*\(|\bnew Function\b|\bnode:|\brequire\s*\(|\bprocess\b/;
        assert.doesNotMatch(code, forbidden, file);
    }
});

test('publint has nothing to say', async () => {
    const { publint } = await importTool('publint', '0.3.25');
    const { buffer } = Uint8Array.from(readFileSync(tarball()));
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
    assert.deepEqual(messages, []);
});

test('the types are right for every way of importing', () => {
    const attw = join(toolFolder('@arethetypeswrong/cli', '0.18.5'), 'dist/index.js');
    run(process.execPath, [attw, tarball(), '--profile', 'node16', '--no-color']);
});
