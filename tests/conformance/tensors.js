/*
 * tensors.js: what the adapters do to tensors { data, shape }.
 */
export const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/** (B, X, Y, D) to (B, Y, X, D). */
export function turn({ data, shape: [B, X, Y, D] }) {
    const turned = new Array(data.length);
    for (let n = 0; n < data.length; n++) {
        const d = n % D, y = Math.floor(n / D) % Y, x = Math.floor(n / D / Y) % X;
        turned[((Math.floor(n / D / Y / X) * Y + y) * X + x) * D + d] = data[n];
    }
    return { data: turned, shape: [B, Y, X, D] };
}

/** Two tensors (B, H, T, D) one after the other along T. */
export function join(past, { data, shape: [B, H, T, D] }) {
    const P = past.shape[2], joined = [];
    for (let bh = 0; bh < B * H; bh++) {
        joined.push(...past.data.slice(bh * P * D, (bh + 1) * P * D));
        joined.push(...data.slice(bh * T * D, (bh + 1) * T * D));
    }
    return { data: joined, shape: [B, H, P + T, D] };
}

/** For each number of a whole tensor, the place in one that broadcasts to it. */
function placesIn(shape, full) {
    const own = [...new Array(full.length - shape.length).fill(1), ...shape];
    return Array.from({ length: sizeOf(full) }, (_, n) => {
        let at = 0, rest = n;
        const index = new Array(full.length);
        for (let axis = full.length - 1; axis >= 0; axis--) {
            index[axis] = rest % full[axis];
            rest = Math.floor(rest / full[axis]);
        }
        own.forEach((extent, axis) => { at = at * extent + (extent === 1 ? 0 : index[axis]); });
        return at;
    });
}

/** A tensor that broadcasts, written out whole. */
export const broadcast = ({ data, shape }, full) => placesIn(shape, full).map((at) => data[at]);

/** The sums of a whole tensor over the axes along which one of a shape is repeated. */
export function summed(data, full, shape) {
    const sums = new Float64Array(sizeOf(shape));
    placesIn(shape, full).forEach((at, n) => { sums[at] += data[n]; });
    return sums;
}
