// kinds.js: what a value is, in any realm and whatever it says of itself. Never by instanceof.

/** The getter that reads a typed array's own slot: undefined for everything else. */
const { get: nameOfTyped } = /** @type {{ get: () => string | undefined }} */ (
    Object.getOwnPropertyDescriptor(
        Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag));

/**
 * 'Float32Array' and so on, or undefined for what is no typed array.
 *
 * @param {unknown} value
 */
export const typedKind = (value) => nameOfTyped.call(value);

/**
 * 'Object', 'Map', 'URL', ...
 *
 * @param {unknown} value
 */
export const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
