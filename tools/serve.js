/*
 * serve.js - npm start: serves dist/ to this machine and prints the page's address. No dependency.
 *
 * The page is one file that works from disk as well; a server only spares typing the path. PORT chooses
 * the port; without it the first free one from 8080 on is taken.
 */
import { createServer } from 'node:http';
import { createReadStream, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../dist/', import.meta.url));
const FIRST_PORT = 8080, PORTS_TRIED = 20;
const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.cjs': 'text/javascript; charset=utf-8',
    '.ts': 'text/plain; charset=utf-8',
    '.wasm': 'application/wasm',
    '.png': 'image/png',
};

/** The file that a request path names, or null when it is none of ours. */
function fileOf(url) {
    let path;
    try {
        path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    } catch {
        return null;
    }
    const file = normalize(join(ROOT, path.endsWith('/') ? `${path}index.html` : path));
    if (!file.startsWith(ROOT.endsWith(sep) ? ROOT : ROOT + sep)) return null;
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() ? { file, size: stat.size } : null;
}

const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET, HEAD' }).end();
        return;
    }
    const found = fileOf(request.url);
    if (!found) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
        return;
    }
    response.writeHead(200, {
        'content-type': TYPES[extname(found.file)] ?? 'application/octet-stream',
        'content-length': found.size,
        'cache-control': 'no-cache',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(found.file).pipe(response);
});

function fail(sentence) {
    console.error(`attn: ${sentence}`);
    process.exit(1);
}

const given = process.env.PORT;
if (given !== undefined && !/^\d{1,5}$/.test(given)) fail(`PORT: expected a number from 0 to 65535, got '${given}'`);
if (given !== undefined && Number(given) > 65535) fail(`PORT: expected a number from 0 to 65535, got ${given}`);
if (!statSync(join(ROOT, 'index.html'), { throwIfNoEntry: false })) {
    fail('dist/index.html is missing: run npm run build');
}

let port = given === undefined ? FIRST_PORT : Number(given);
server.on('error', (error) => {
    if (error.code !== 'EADDRINUSE') fail(error.message);
    if (given !== undefined) fail(`port ${port} is in use: set PORT to another, or leave it out`);
    if (++port >= FIRST_PORT + PORTS_TRIED) fail(`ports ${FIRST_PORT} to ${port - 1} are all in use: set PORT`);
    server.listen(port, '127.0.0.1');
});
server.on('listening', () => {
    console.log(`attn is at http://localhost:${server.address().port}/  (stop with Ctrl+C)`);
});
server.listen(port, '127.0.0.1');
