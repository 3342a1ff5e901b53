// stub.js: runs something, which may be asynchronous, while one property of an object is another.

/**
 * @template T
 * @param {any} object
 * @param {string} name
 * @param {unknown} value
 * @param {() => T} run
 * @returns {T}
 */
export function stub(object, name, value, run) {
    const own = Object.getOwnPropertyDescriptor(object, name);
    const restore = () => Object.defineProperty(object, name, own);
    Object.defineProperty(object, name, { ...own, value });
    let result;
    try {
        result = run();
    } catch (error) {
        restore();
        throw error;
    }
    if (typeof result?.then === 'function') return result.finally(restore);
    restore();
    return result;
}
