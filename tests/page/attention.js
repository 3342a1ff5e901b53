// Attention in float64, written from the definition: what the tests expect the page to show.

/** softmax(q·kᵀ·scale, masked)·v, every step. `allowed(i, j)` says who may look at whom. */
export function attention({ q, k, v, scale = 1 / Math.sqrt(q[0].length), allowed = () => true }) {
    const scores = q.map((a) => k.map((b) => a.reduce((sum, x, d) => sum + x * b[d], 0)));
    const scaled = scores.map((row) => row.map((s) => s * scale));
    const masked = scaled.map((row, i) => row.map((s, j) => (allowed(i, j) ? s : -Infinity)));
    const exponentials = masked.map((row) => row.map(Math.exp));
    const weights = exponentials.map((row) => {
        const sum = row.reduce((a, b) => a + b, 0);
        return row.map((e) => (sum === 0 ? 0 : e / sum));
    });
    const output = weights.map((row) =>
        v[0].map((_, d) => row.reduce((sum, w, j) => sum + w * v[j][d], 0)),
    );
    return { scores, scaled, masked, exponentials, weights, output };
}

/** The worked example. */
export const example = {
    q: [
        [2, -1],
        [-1, 1],
        [1, 2],
    ],
    k: [
        [1, 0],
        [0, 2],
        [1, 1],
    ],
    v: [
        [2, 0],
        [0, 4],
        [1, 1],
    ],
};

const names = {
    scores: 'Scores',
    scaled: 'Scaled scores',
    masked: 'Masked scores',
    weights: 'Weights',
    output: 'Output',
};

/** The largest difference between the page's values and the expected ones, over all results. */
export function largestError(grids, input) {
    const expected = attention(input);
    let largest = 0;
    for (const [step, name] of Object.entries(names)) {
        grids[name].value.forEach((row, i) =>
            row.forEach((text, j) => {
                const [got, want] = [Number(text), expected[step][i][j]];
                if (got !== want) largest = Math.max(largest, Math.abs(got - want));
                if (Number.isNaN(got)) largest = NaN;
            }),
        );
    }
    return largest;
}
