// kinds.js: what a value is, in any realm and whatever it says of itself. Never by instanceof.

/**
 * 'Float32Array' and so on, or undefined for what is no typed array: by the getter that reads a
 * typed array's own slot. It is a constant of a function, which a bundle leaves one: calls through
 * a variable of the module take longer.
 *
 * @type {(value: unknown) => string | undefined}
 */
export const typedKind = (() => {
    const { get } = /** @type {{ get: () => string | undefined }} */ (
        Object.getOwnPropertyDescriptor(
            Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag));
    return (value) => get.call(value);
})();

/** @param {unknown} value */
export const isTyped = (value) => typedKind(value) !== undefined;

/** @param {unknown} value */
export function isNumeric(value) {
    const kind = typedKind(value);
    return kind !== undefined && !kind.startsWith('Big');
}

/** @param {unknown} value */
export const isBytes = (value) => /^Uint8(Clamped)?Array$/.test(typedKind(value) ?? '');

/** '[object Object]' and so on. @type {(value: unknown) => string} */
const describe = (value) => Object.prototype.toString.call(value);

/**
 * 'Object', 'Map', 'URL', ...
 *
 * @param {unknown} value
 */
export const tagOf = (value) => describe(value).slice(8, -1);

/** @param {unknown} value */
export const isObject = (value) => describe(value) === '[object Object]';
