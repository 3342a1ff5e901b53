// A wasm module with one function, written as bytes: what the limits of the machine are probed with,
// so that no compiler stands between them and the instructions that they name.

export const leb = (n) => {
    const bytes = [];
    for (; n > 127; n >>>= 7) bytes.push((n & 127) | 128);
    return [...bytes, n];
};
const section = (id, content) => [id, ...leb(content.length), ...content];
const vector = (items) => [...leb(items.length), ...items.flat()];

export const simd = (code) => [0xfd, ...leb(code)];
export const get = (n) => [0x20, ...leb(n)], set = (n) => [0x21, ...leb(n)];
export const i32 = (n) => {
    const bytes = [];
    for (;;) {
        const low = n & 127;
        n >>= 7;
        if ((n === 0 && !(low & 64)) || (n === -1 && low & 64)) return [0x41, ...bytes, low];
        bytes.push(low | 128);
    }
};
export const at = (offset) => [2, ...leb(offset)];
export const LOAD = simd(0), SPLAT = simd(9), STORE = simd(11), ADD = simd(0xe4), MUL = simd(0xe6);

/**
 * (func (export "run") (param i32)) with a memory of its own (export "mem"), from local groups and
 * a body that ends with 0x0b.
 *
 * @param {number[][]} locals
 * @param {number[]} body
 * @param {number} pages of 64 KiB
 */
export function moduleOf(locals, body, pages) {
    const code = [...vector(locals), ...body];
    return Uint8Array.from([
        0, 97, 115, 109, 1, 0, 0, 0,
        ...section(1, vector([[0x60, 1, 0x7f, 0]])),
        ...section(3, vector([[0]])),
        ...section(5, vector([[0, ...leb(pages)]])),
        ...section(7, vector([[3, 114, 117, 110, 0, 0], [3, 109, 101, 109, 2, 0]])), // run, mem
        ...section(10, vector([[...leb(code.length), ...code]])),
    ]);
}
