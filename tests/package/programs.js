// programs.js: what a user of the package would write: the worked example, printed as JSON.

const EXAMPLE = `
const q = [[2, -1], [-1, 1], [1, 2]], k = [[1, 0], [0, 2], [1, 1]], v = [[2, 0], [0, 4], [1, 1]];
const { weights, output } = attn.inspect(q, k, v);
console.log(JSON.stringify({
    simd: attn.features.simd,
    weights: weights.toNested(),
    output: output.toNested(),
    attention: attn.attention(q, k, v, { causal: true }).toNested(),
    mask: [...masks.causal(2).data],
}));
`;

export const IMPORT = `import { load, masks } from 'attn';
const attn = await load();
${EXAMPLE}`;

export const REQUIRE = `const { loadSync, masks } = require('attn');
const attn = loadSync();
${EXAMPLE}`;

/** Without top-level await, for bundles of any kind. */
export const BUNDLED = `import { load, masks } from 'attn';
load().then((attn) => {${EXAMPLE}});
`;

export const SLIM_IMPORT = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { load, masks } from 'attn/slim';
const { resolve } = createRequire(import.meta.url);
const attn = await load({ wasm: readFileSync(resolve('attn/attn.wasm')) });
${EXAMPLE}`;

export const SLIM_REQUIRE = `const { readFileSync } = require('node:fs');
const { loadSync, masks } = require('attn/slim');
const attn = loadSync({ wasm: readFileSync(require.resolve('attn/attn.wasm')) });
${EXAMPLE}`;

/** Vite gives the address of the file. */
export const SLIM_BUNDLED = `import { load, masks } from 'attn/slim';
import wasm from 'attn/attn.wasm?url';
load({ wasm }).then((attn) => {${EXAMPLE}});
`;

/** The numbers of the worked example as the program must print them, to three digits. */
export const PRINTED = {
    weights: ['0.074', '0.620', '0.306'],
    output: ['0.454', '2.786'],
    attention: ['0.454', '2.786'],
};

/** Three digits of the row of "sat". */
export function printedBy(text) {
    const shown = JSON.parse(text);
    const row = (name) => shown[name][2].map((x) => x.toFixed(3));
    return Object.fromEntries(Object.keys(PRINTED).map((name) => [name, row(name)]));
}
