// Builds the page: one HTML file with the script, the style and the wasm inside, and a policy whose
// hashes allow exactly those and nothing else.
//
//     node tools/page.js [--out dist]
//
// The script is classic and inline, since modules do not load from file://. The viridis ramp is sampled
// here, so that the page carries 256 colours and not a colour library.

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { interpolateViridis } from 'd3-scale-chromatic';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'web/page');

const ramps = {
    name: 'ramps',
    setup(build) {
        build.onResolve({ filter: /^ramp:/ }, ({ path }) => ({ path, namespace: 'ramp' }));
        build.onLoad({ filter: /^ramp:viridis$/, namespace: 'ramp' }, () => {
            const colors = Array.from({ length: 256 }, (_, i) => interpolateViridis(i / 255).slice(1));
            return { contents: `export const viridis = '${colors.join(' ')}'.split(' ').map((x) => '#' + x);` };
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

/** The page as text. `plugins` are esbuild's. */
export async function buildPage({ plugins = [] } = {}) {
    const [template, icon, style, script] = await Promise.all([
        readFile(join(page, 'index.html'), 'utf8'),
        readFile(join(page, 'icon.svg'), 'utf8'),
        bundle('style.css', { target: ['chrome123', 'firefox120', 'safari17.5'] }),
        bundle('main.jsx', {
            format: 'iife',
            target: 'es2022',
            jsx: 'automatic',
            jsxImportSource: 'preact',
            plugins: [...plugins, ramps],
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
    const parts = { policy, icon: `data:image/svg+xml,${encodeURIComponent(icon.trim())}`, style, script: safe };
    return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const at = process.argv.indexOf('--out');
    const out = join(process.cwd(), at < 0 ? 'dist' : process.argv[at + 1]);
    const html = await buildPage();
    await mkdir(out, { recursive: true });
    await writeFile(join(out, 'index.html'), html);
    console.log(`${join(out, 'index.html')}: ${(Buffer.byteLength(html) / 1024).toFixed(1)} KB`);
}
