// Builds the page: one HTML file with the script, the style and the wasm inside, and a policy whose
// hashes allow exactly those and nothing else.
//
//     node tools/page.js [--out dist] [--wasm dist]
//
// The scripts are classic and inline, since modules do not load from file://. The first is the engine
// and what is trained with it (core.js), whose text is a worker's too; the second is the page. Of the
// two wasm builds the page carries simd128, which gives the same bits on every machine. The viridis
// ramp is sampled here, so that the page carries 256 colours and not a colour library.

import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { interpolateViridis } from 'd3-scale-chromatic';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'web/page');

const ramps = {
    name: 'ramps',
    setup(build) {
        build.onResolve({ filter: /^ramp:/ }, ({ path }) => ({ path, namespace: 'ramp' }));
        build.onLoad({ filter: /^ramp:viridis$/, namespace: 'ramp' }, () => {
            const colors = Array.from({ length: 256 }, (_, i) => interpolateViridis(i / 255));
            return { contents: `export const viridis = ${JSON.stringify(colors)};` };
        });
    },
};

const READ_BYTES = /web[\\/]api[\\/]bytes\.js$/;

/** In place of web/api/bytes.js, which reads files: nothing, as load() is given the bytes. */
const noWasm = {
    name: 'no-wasm',
    setup(build) {
        build.onLoad({ filter: READ_BYTES }, () => ({
            contents: `export const WASM_SHA256 = {};
                export const readBytes = null;
                export const readBytesSync = null;`,
        }));
    },
};

/** In its place, where bytes are read: the wasm as base64, deflated, which halves it. */
function inlineWasm(folder) {
    const file = join(folder, 'attn.wasm');
    return {
        name: 'wasm',
        setup(build) {
            build.onLoad({ filter: READ_BYTES }, () => ({
                contents: `import wasm from 'wasm:attn';
                    export const readBytes = async () => {
                        const inflate = new DecompressionStream('deflate-raw');
                        const bytes = new Blob([wasm]).stream().pipeThrough(inflate);
                        return new Uint8Array(await new Response(bytes).arrayBuffer());
                    };`,
            }));
            build.onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
            build.onLoad({ filter: /^wasm:/, namespace: 'wasm' }, async () => ({
                contents: deflateRawSync(await readFile(file), { level: 9 }),
                loader: 'binary',
            }));
        },
    };
}

/** What core.js exports is a global to the page: modules outside web/page come from there. */
const core = {
    name: 'core',
    setup(build) {
        build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
            const file = join(resolveDir, path);
            const isOutside = relative(page, file).startsWith('..') && !READ_BYTES.test(file);
            return isOutside ? { path: 'attn', namespace: 'core' } : null;
        });
        build.onLoad({ filter: /.*/, namespace: 'core' }, async () => {
            const names = Object.keys(await import(pathToFileURL(join(page, 'core.js'))));
            return { contents: `export const { ${names.join()} } = globalThis.attn;` };
        });
    },
};

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function bundle(entry, options = {}) {
    const { outputFiles } = await build({
        entryPoints: [join(page, entry)],
        bundle: true,
        minify: true,
        write: false,
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'warning',
        ...options,
    });
    return outputFiles[0].text.trim();
}

/** A script as it stands in the page. */
const safe = (script) => script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

const script = async (entry, options) => (
    safe(await bundle(entry, { format: 'iife', target: 'es2022', ...options })));

/** The page as text, with the wasm of a folder in it. */
async function buildPage(wasm) {
    const [template, icon, style, ...scripts] = await Promise.all([
        readFile(join(page, 'index.html'), 'utf8'),
        readFile(join(page, 'icon.svg'), 'utf8'),
        bundle('style.css', { target: ['chrome123', 'firefox120', 'safari17.5'] }),
        script('core.js', { globalName: 'attn', plugins: [noWasm] }),
        script('main.jsx', {
            jsx: 'automatic',
            jsxImportSource: 'preact',
            plugins: [core, inlineWasm(wasm), ramps],
        }),
    ]);
    const policy = [
        "default-src 'none'",
        `script-src ${scripts.map(sha256).join(' ')} 'wasm-unsafe-eval'`,
        `style-src ${sha256(style)}`,
        'img-src data: blob:',
        'worker-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
    const parts = {
        policy,
        icon: `data:image/svg+xml,${encodeURIComponent(icon.trim())}`,
        style,
        core: scripts[0],
        script: scripts[1],
    };
    return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

const { values } = parseArgs({
    options: { out: { type: 'string', default: 'dist' }, wasm: { type: 'string' } },
});
/** Bytes that the page may take, with everything in it. */
const MOST = 500 * 1024;

const out = resolve(values.out);
const html = await buildPage(resolve(values.wasm ?? out));
await mkdir(out, { recursive: true });
await writeFile(join(out, 'index.html'), html);
const size = Buffer.byteLength(html);
const kilobytes = (bytes) => (bytes / 1024).toFixed(1);
console.log(`${join(out, 'index.html')}: ${kilobytes(size)} KB of ${MOST / 1024}`);
if (size > MOST) throw new Error(`the page takes ${kilobytes(size)} KB: expected ${MOST / 1024}`);
