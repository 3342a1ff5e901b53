// Inputs to start from. `sentence` is the worked example of claim C1: q(sat) = [1, 2] meets the
// keys of the, cat and sat; its output is [0.454, 2.786].

export const examples = {
    sentence: {
        tokens: ['the', 'cat', 'sat'],
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
    },
};
