// vectors.js: where the vectors of other suites lie: beside the checkout, or where ATTN_VECTORS
// says.
//
// They are read and never copied; without them the tests of them say so.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.ATTN_VECTORS
    ?? fileURLToPath(new URL('../../../shared/vectors', import.meta.url));

/** @returns {{ path: string, reason: string | false }} why there is none, or false */
export function vectors(name) {
    const path = join(FOLDER, name);
    return { path, reason: existsSync(path) ? false : `there is no ${path} (set ATTN_VECTORS)` };
}
