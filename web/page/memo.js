/** `make` of an object, worked out once for as long as the object is kept. */
export const memo = (make) => {
    const known = new WeakMap();
    return (key) => {
        if (!known.has(key)) known.set(key, make(key));
        return known.get(key);
    };
};
