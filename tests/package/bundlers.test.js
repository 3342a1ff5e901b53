// Bundles of esbuild and Vite, made without configuration: they run and print the worked example.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { BUNDLED, PRINTED, SLIM_BUNDLED, printedBy } from './programs.js';
import { installedFolder } from './tarball.js';
import { importTool, run } from './tools.js';

const folder = installedFolder('bundlers', { 'main.js': BUNDLED, 'slim.js': SLIM_BUNDLED });

const runBundle = (file) => printedBy(run(process.execPath, [file], { cwd: folder }));

for (const format of ['esm', 'cjs', 'iife']) {
    test(`esbuild, ${format}`, async () => {
        const outfile = join(folder, format === 'esm' ? 'esbuild.mjs' : `esbuild-${format}.cjs`);
        const entryPoints = [join(folder, 'main.js')];
        const { warnings } = await build({ entryPoints, bundle: true, format, outfile });
        assert.deepEqual(warnings, []);
        assert.deepEqual(runBundle(outfile), PRINTED);
    });
}

for (const entry of ['main.js', 'slim.js']) {
    test(`Vite, ${entry === 'main.js' ? 'attn' : 'attn/slim with attn.wasm?url'}`, async () => {
        const vite = await importTool('vite', '8.4.0');
        const outDir = join(folder, `vite-${entry}`), fileName = () => 'bundle.mjs';
        await vite.build({
            root: folder,
            configFile: false,
            logLevel: 'silent',
            build: { lib: { entry, formats: ['es'], fileName }, outDir },
        });
        assert.deepEqual(runBundle(join(outDir, 'bundle.mjs')), PRINTED);
    });
}
