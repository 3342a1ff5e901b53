// Numbers from a seed, whole or half, as a person would type them: the same seed gives the same
// numbers on every machine. A 32-bit counter is mixed twice by a multiplication and a shift.

/** Integers 0 … 2³² − 1, one per call. */
export function integers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let x = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
        x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
        return (x ^ (x >>> 15)) >>> 0;
    };
}

/** Halves from -most to most, each as likely as the next, one per call. */
export function halves(seed, most = 2) {
    const next = integers(seed);
    return () => (next() % (4 * most + 1)) / 2 - most;
}
