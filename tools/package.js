/*
 * package.js: makes the files of the npm package from web/api and the two wasm files.
 *
 *     node tools/package.js [--out dist] [--wasm DIR]       DIR is --out unless given
 *
 *     attn.js  attn.cjs       module and CommonJS, the wasm inside as base64
 *     attn.global.js          classic script: a global `attn`
 *     slim.js  slim.cjs       without wasm, for load({ wasm })
 *     attn.d.ts  attn.d.cts   types; slim.d.*ts and wasm.d.*ts refer to them
 *     attn.wasm  attn.relaxed.wasm
 *
 * The bytes depend on the sources, the wasm and the locked versions of esbuild and typescript only.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { inlineWasm } from './inline.js';
import { buildTypes } from './types.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// The first versions with WebAssembly SIMD and private methods.
const TARGET = ['chrome91', 'firefox90', 'safari16.4', 'node18'];

// Modules keep their names, for stack traces; whoever bundles them will shorten them.
const BUNDLES = [
    { file: 'attn.js', format: 'esm', inside: true },
    { file: 'attn.cjs', format: 'cjs', inside: true },
    { file: 'attn.global.js', format: 'iife', inside: true, globalName: 'attn', minify: true },
    { file: 'slim.js', format: 'esm', inside: false },
    { file: 'slim.cjs', format: 'cjs', inside: false },
];

const WASM_FILES = ['attn.wasm', 'attn.relaxed.wasm'];

const TYPES = {
    'slim.d.ts': "export * from './attn.js';\n",
    'slim.d.cts': "export * from './attn.cjs';\n",
    'wasm.d.ts': "declare const code: import('./attn.js').WasmModule;\nexport default code;\n",
    'wasm.d.cts': "declare const code: import('./attn.cjs').WasmModule;\nexport = code;\n",
};

async function bundle({ file, inside, ...options }, wasm, version) {
    const { outputFiles } = await build({
        entryPoints: [join(ROOT, 'web/api/index.js')],
        absWorkingDir: ROOT,
        bundle: true,
        write: false,
        minifyWhitespace: true,
        minifySyntax: true,
        ...options,
        target: TARGET,
        charset: 'utf8',
        banner: { js: `/*! attn ${version}, MIT licence */` },
        logLevel: 'warning',
        plugins: [inlineWasm(wasm, { inside })],
    });
    return [file, outputFiles[0].text];
}

async function run() {
    const { values } = parseArgs({
        options: { out: { type: 'string', default: 'dist' }, wasm: { type: 'string' } },
    });
    const out = resolve(values.out), wasm = resolve(values.wasm ?? values.out);
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const types = buildTypes();
    const files = {
        ...Object.fromEntries(await Promise.all(BUNDLES.map((one) => bundle(one, wasm, version)))),
        'attn.d.ts': types,
        'attn.d.cts': types,
        ...TYPES,
    };
    await mkdir(out, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
        await writeFile(join(out, file), text);
        console.log(`${file}: ${Buffer.byteLength(text)} bytes`);
    }
    if (out === wasm) return;
    for (const file of WASM_FILES) await copyFile(join(wasm, file), join(out, file));
}

await run();
