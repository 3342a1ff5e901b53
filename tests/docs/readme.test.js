/*
 * What the README says is run: its JavaScript against the built package, its links, its commands. (Its C
 * is compiled and run by ctest.)
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

test('the JavaScript example prints the numbers written beside it', () => {
    const code = readme.match(/```js\n([\s\S]*?)```/)[1];
    const folder = mkdtempSync(join(tmpdir(), 'attn-readme-'));
    try {
        mkdirSync(join(folder, 'node_modules'));
        symlinkSync(ROOT, join(folder, 'node_modules/attn'), 'dir');
        writeFileSync(join(folder, 'example.mjs'), code);
        const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        const rows = stdout.trim().split('\n[').map((part) => part.match(/-?\d+(\.\d+)?/g).map(Number));
        const printed = rows.map((row) => row.map((x) => Number(x.toFixed(3))));
        assert.deepEqual(printed, [[0.074, 0.62, 0.306], [0.454, 2.786], [3, 2]]);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('the example has the ten lines or so that it promises', () => {
    for (const language of ['js', 'c']) {
        const lines = readme.match(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``))[1].trim().split('\n');
        assert.ok(lines.length <= 18, `${language}: ${lines.length} lines`);
    }
});

test('every relative link and picture of the README exists', () => {
    const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]).filter((target) => !/^\w+:/.test(target));
    assert.ok(targets.length > 0);
    for (const target of targets) assert.ok(existsSync(join(ROOT, target)), target);
});

test('the README names every npm command and no other; every path of its layout exists', () => {
    const named = readme.matchAll(/npm (?:run (\w+)|(start|test)\b)/g);
    const commands = new Set(Array.from(named, ([, script, short]) => script ?? short));
    assert.deepEqual([...commands].sort(), Object.keys(manifest.scripts).sort());
    for (const [, path] of readme.matchAll(/^\| `([^`]+\/)` \|/gm)) assert.ok(existsSync(join(ROOT, path)), path);
});

test('the version is the same in the header, the package, its lock and the changelog', () => {
    const header = read('src/attention.h').match(/#define ATTN_VERSION "([^"]+)"/)[1];
    const lock = JSON.parse(read('package-lock.json'));
    assert.equal(manifest.version, header);
    assert.equal(lock.version, header);
    assert.equal(lock.packages[''].version, header);
    assert.equal(read('CHANGELOG.md').match(/^## (\d+\.\d+\.\d+)/m)[1], header);
});

test('the command for a build by hand compiles the C example', () => {
    const command = readme.match(/^cc .*$/m)[0];
    const folder = mkdtempSync(join(tmpdir(), 'attn-readme-'));
    try {
        symlinkSync(join(ROOT, 'src'), join(folder, 'src'), 'dir');
        writeFileSync(join(folder, 'main.c'), readme.match(/```c\n([\s\S]*?)```/)[1]);
        const run = (line) => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' });
        const { stderr, status } = run(command);
        assert.equal(status, 0, stderr);
        assert.equal(run('./a.out').stdout, '0.454 2.786\n');
    } finally {
        rmSync(folder, { recursive: true });
    }
});
