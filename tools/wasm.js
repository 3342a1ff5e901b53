/*
 * wasm.js: compiles the C core into attn.wasm (simd128) and attn.relaxed.wasm (relaxed SIMD).
 *
 *     node tools/wasm.js [--out DIR] [--unlocked]
 *
 * Both modules are checked before they are put into DIR (dist by default): they import nothing,
 * hold no debug section and stay within 64 KB. Their bytes depend on sources and toolchain.lock:
 * the compiler runs in the root of the checkout with relative paths, and variables that would add
 * flags or headers are taken out of its environment. --unlocked is passed on to toolchain.sh; since
 * other compilers have other warnings, warnings are no errors then.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_BYTES = 65536;

const TARGETS = [
    { file: 'attn.wasm', flags: [] },
    { file: 'attn.relaxed.wasm', flags: ['-mrelaxed-simd'] },
];

// The kernels are where the time goes. Their loops are written as vectors already: what the compiler
// would vectorise, or unroll by a count known only at run time, makes them larger and no faster.
const KERNEL_FLAGS = [
    '-O3', '-fno-vectorize', '-fno-slp-vectorize', '-mllvm', '-unroll-runtime=false',
];
// Masks are plain loops over keys, which the compiler is to make vectors of.
const MASK_FLAGS = ['-O2', '-fno-unroll-loops', '-mllvm', '-force-vector-interleave=1'];

// What every call passes, however small it is.
const EACH_CALL = ['src/check.c', 'src/forward.c', 'src/split.c'];
const CALL_FLAGS = ['-Os', '-fno-vectorize', '-fno-slp-vectorize'];

function optimisationOf(source) {
    if (source.startsWith('src/kernel/')) return KERNEL_FLAGS;
    if (source === 'src/mask.c') return MASK_FLAGS;
    return EACH_CALL.includes(source) ? CALL_FLAGS : ['-Oz']; // all the rest as small as it can be
}

const COMPILE_FLAGS = [
    '-std=c11', '-ffp-contract=off', '-fno-math-errno', '-Wall', '-Wextra', '-Wconversion',
    '-msimd128', '-mbulk-memory', '-mnontrapping-fptoint', '-msign-ext',
];

// JavaScript alone grows the memory, but without growth the maximum would be the initial size. With
// the stack first, an overflow traps.
const LINK_FLAGS = [
    '-O3', '--no-entry', '-sSTANDALONE_WASM', '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=1MB',
    '-sMAXIMUM_MEMORY=4GB', '-sSTACK_SIZE=64KB', '-Wl,--stack-first',
];

class BuildError extends Error {}

function readOptions() {
    try {
        const { values } = parseArgs({
            options: {
                out: { type: 'string', default: join(ROOT, 'dist') },
                unlocked: { type: 'boolean', default: false },
            },
        });
        return values;
    } catch (error) {
        const usage = 'usage: node tools/wasm.js [--out DIR] [--unlocked].';
        throw new BuildError(`${error.message}; ${usage}`);
    }
}

// The last line that toolchain.sh prints is the path of emcc.
function findCompiler(unlocked) {
    const { status, stdout, error } = spawnSync(
        'bash', [join(ROOT, 'tools/toolchain.sh'), ...(unlocked ? ['--unlocked'] : [])],
        { encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] },
    );
    if (error) {
        throw new BuildError(`tools/toolchain.sh cannot be started: ${error.message}.`);
    }
    if (status !== 0) {
        const message = `no compiler: tools/toolchain.sh ended with status ${status}.`;
        throw new BuildError(message, { cause: status });
    }
    return stdout.trimEnd().split('\n').at(-1);
}

function listSources() {
    const core = readFileSync(join(ROOT, 'src/sources.txt'), 'utf8')
        .split('\n')
        .map((line) => line.replace(/#.*/, '').trim())
        .filter(Boolean);
    const sources = [...core, 'wasm.c', 'kernel/kernel.c'].map((file) => `src/${file}`);
    for (const source of sources) {
        if (!existsSync(join(ROOT, source))) {
            throw new BuildError(`${source} is a source of the wasm build, but missing.`);
        }
    }
    return sources;
}

function run(emcc, flags, output) {
    const env = { ...process.env };
    for (const name of ['EMCC_CFLAGS', 'EMCC_DEBUG', 'CPATH', 'C_INCLUDE_PATH']) {
        delete env[name];
    }
    const { status, error } = spawnSync(emcc, [...flags, '-o', output], {
        cwd: ROOT, env, stdio: 'inherit',
    });
    if (error || status !== 0) {
        throw new BuildError(`${emcc} failed: ${error?.message ?? `status ${status}`}.`);
    }
}

function openModule(bytes) {
    if (!WebAssembly.validate(bytes)) {
        setFlagsFromString('--experimental-wasm-relaxed-simd');
    }
    return new WebAssembly.Module(bytes);
}

function check(file, bytes) {
    const compiled = openModule(bytes);
    const imports = WebAssembly.Module.imports(compiled).map((i) => `${i.module}.${i.name}`);
    if (imports.length > 0) {
        throw new BuildError(`${file} must import nothing, but imports ${imports.join(', ')}.`);
    }
    for (const section of ['name', 'producers', 'sourceMappingURL']) {
        if (WebAssembly.Module.customSections(compiled, section).length > 0) {
            throw new BuildError(`${file} must hold no debug section, but has ${section}.`);
        }
    }
    if (bytes.length > MAX_BYTES) {
        throw new BuildError(`${file} must fit ${MAX_BYTES} bytes, but has ${bytes.length}.`);
    }
    return WebAssembly.Module.exports(compiled).map(({ name }) => name);
}

function report(file, bytes, exported) {
    const hash = createHash('sha256').update(bytes).digest('hex');
    console.log(`${file}: ${bytes.length} bytes, sha256 ${hash}`);
    console.log(`    exports ${exported.join(' ')}`);
}

function build({ out, unlocked }) {
    const sources = listSources();
    const emcc = findCompiler(unlocked);
    const scratch = mkdtempSync(join(tmpdir(), 'attn-wasm-'));
    try {
        const strict = unlocked ? [] : ['-Werror'];
        const modules = TARGETS.map(({ file, flags }) => {
            const output = join(scratch, file);
            const objects = sources.map((source, n) => {
                const object = join(scratch, `${file}.${n}.o`);
                const options = [...COMPILE_FLAGS, ...optimisationOf(source), ...strict, ...flags];
                run(emcc, ['-c', source, ...options], object);
                return object;
            });
            run(emcc, [...COMPILE_FLAGS, ...flags, ...LINK_FLAGS, ...objects], output);
            const bytes = readFileSync(output);
            report(file, bytes, check(file, bytes));
            return { file, bytes };
        });
        mkdirSync(out, { recursive: true });
        for (const { file, bytes } of modules) {
            writeFileSync(join(out, file), bytes);
        }
    } finally {
        rmSync(scratch, { recursive: true, force: true });
    }
}

try {
    build(readOptions());
} catch (error) {
    if (!(error instanceof BuildError)) {
        throw error;
    }
    console.error(`wasm: ${error.message}`);
    process.exitCode = typeof error.cause === 'number' ? error.cause : 1;
}
