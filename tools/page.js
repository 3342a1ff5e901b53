// Builds the page: one HTML file with the script, the style and the wasm inside, and a policy whose
// hashes allow exactly those and nothing else.
//
//     node tools/page.js [--out dist] [--wasm dist]
//
// The script is classic and inline, since modules do not load from file://. Of the two wasm builds
// the page carries simd128, which gives the same bits on every machine. The viridis ramp is sampled
// here, so that the page carries 256 colours and not a colour library.

import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/**
 * In place of web/api/bytes.js, which reads files: the wasm as base64 in the script, deflated, which
 * halves it.
 */
function inlineWasm(folder) {
    const file = join(folder, 'attn.wasm');
    return {
        name: 'wasm',
        setup(build) {
            build.onLoad({ filter: /web[\\/]api[\\/]bytes\.js$/ }, () => ({
                contents: `import wasm from 'wasm:attn';
                    export const WASM_SHA256 = {};
                    export const readBytes = async () => {
                        const inflate = new DecompressionStream('deflate-raw');
                        const bytes = new Blob([wasm]).stream().pipeThrough(inflate);
                        return new Uint8Array(await new Response(bytes).arrayBuffer());
                    };
                    export const readBytesSync = null; // the page waits for its engine`,
            }));
            build.onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
            build.onLoad({ filter: /^wasm:/, namespace: 'wasm' }, async () => ({
                contents: deflateRawSync(await readFile(file), { level: 9 }),
                loader: 'binary',
            }));
        },
    };
}

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

/** The page as text, with the wasm of a folder in it. */
async function buildPage(wasm) {
    const [template, icon, style, script] = await Promise.all([
        readFile(join(page, 'index.html'), 'utf8'),
        readFile(join(page, 'icon.svg'), 'utf8'),
        bundle('style.css', { target: ['chrome123', 'firefox120', 'safari17.5'] }),
        bundle('main.jsx', {
            format: 'iife',
            target: 'es2022',
            jsx: 'automatic',
            jsxImportSource: 'preact',
            plugins: [inlineWasm(wasm), ramps],
        }),
    ]);
    const safe = script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
    const policy = [
        "default-src 'none'",
        `script-src ${sha256(safe)} 'wasm-unsafe-eval'`,
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
        script: safe,
    };
    return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

const { values } = parseArgs({
    options: { out: { type: 'string', default: 'dist' }, wasm: { type: 'string' } },
});
const out = resolve(values.out);
const html = await buildPage(resolve(values.wasm ?? out));
await mkdir(out, { recursive: true });
await writeFile(join(out, 'index.html'), html);
console.log(`${join(out, 'index.html')}: ${(Buffer.byteLength(html) / 1024).toFixed(1)} KB`);
