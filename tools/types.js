/*
 * types.js: the declarations of web/api as one text, for attn.d.ts and attn.d.cts.
 *
 * tsc writes one file per module. Here their top-level statements are joined: those that index.d.ts
 * exports, and all that these name, directly or not. Types stay exported; a class or function that
 * index.js does not export becomes a type or stays inside. Two statements may not share a name.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = 'index.d.ts';

// Symbol.dispose is declared by this library, which TypeScript has had since 5.2.
const HEADER = '/// <reference lib="esnext.disposable" />\n';

function runTsc(out) {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal'];
    const args = [tsc, '-p', join(ROOT, 'web/api'), ...emit, '--outDir', out];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`tsc -p web/api:\n${stdout}${stderr}`);
}

/** Names that code refers to: no comments, no texts, no names of properties or methods. */
function namesIn(code) {
    const bare = code.replace(/\/\*[^]*?\*\/|'[^']*'|"[^"]*"/g, '').replace(/^ +\w+(?=\()/gm, '');
    return bare.match(/\b[A-Za-z_]\w*\b(?!\??:)/g);
}

/** Statements begin at the margin; a comment there belongs to the statement after it. */
function splitStatements(text) {
    const statements = [];
    let comment = '', current = null, inComment = false;
    for (const line of text.split('\n')) {
        if (inComment || line.startsWith('/**')) {
            comment = inComment ? `${comment}${line}\n` : `${line}\n`;
            inComment = !line.includes('*/');
        } else if (/^(export|import)\b/.test(line)) {
            current = { comment, code: `${line}\n` };
            statements.push(current);
            comment = '';
        } else if (line && current) {
            current.code += `${line}\n`;
        }
    }
    return statements;
}

function readStatement({ comment, code }, file) {
    const declared = code.match(/^export (?:declare )?(type|class|const|function) (\w+)/);
    if (declared) {
        const isDoc = comment && !/@(import|typedef)\b/.test(comment);
        return { kind: declared[1], name: declared[2], comment: isDoc ? comment : '', code, file };
    }
    const names = code.match(/^(?:export|import)(?: type)? \{([^}]*)\}/)?.[1];
    if (names === undefined || names.includes(' as ')) {
        throw new Error(`${file}: a statement that tools/types.js does not know: ${code}`);
    }
    const listed = names.split(',').map((name) => name.trim()).filter(Boolean);
    return { kind: 'names', names: code.startsWith('export') ? listed : [] };
}

function readAll(dir) {
    const declarations = new Map(), exported = new Set();
    for (const file of readdirSync(dir).sort()) {
        for (const raw of splitStatements(readFileSync(join(dir, file), 'utf8'))) {
            const statement = readStatement(raw, file);
            if (statement.kind === 'names') {
                if (file === ENTRY) statement.names.forEach((name) => exported.add(name));
                continue;
            }
            if (file === ENTRY) exported.add(statement.name);
            const isTwice = declarations.has(statement.name);
            declarations.set(statement.name, { ...statement, isTwice });
        }
    }
    return { declarations, exported };
}

function reach(declarations, exported) {
    const reached = new Set(), waiting = [...exported];
    while (waiting.length > 0) {
        const name = waiting.pop(), statement = declarations.get(name);
        if (!statement || reached.has(name)) continue;
        if (statement.isTwice) throw new Error(`two modules of web/api declare ${name}`);
        reached.add(name);
        waiting.push(...namesIn(statement.code));
    }
    return [...declarations.values()].filter(({ name }) => reached.has(name));
}

function print({ kind, name, comment, code }, exported) {
    const isPublic = exported.has(name) || kind === 'type';
    const declared = code.replace(/^export (declare )?/, kind === 'type' ? '' : 'declare ');
    return `\n${comment}${isPublic ? 'export ' : ''}${declared}`;
}

/** The text of attn.d.ts. */
export function buildTypes() {
    const dir = mkdtempSync(join(tmpdir(), 'attn-types-'));
    try {
        runTsc(dir);
        const { declarations, exported } = readAll(dir);
        const used = reach(declarations, exported);
        const classes = used.filter(({ kind, name }) => kind === 'class' && !exported.has(name));
        const asTypes = `\nexport type { ${classes.map(({ name }) => name).join(', ')} };\n`;
        return HEADER + used.map((statement) => print(statement, exported)).join('') + asTypes;
    } finally {
        rmSync(dir, { recursive: true, force: true });
    }
}
