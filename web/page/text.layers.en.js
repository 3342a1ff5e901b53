// Words of what is laid over the four steps, in English. Part of the table text.en.js.

import { num, quiet, result, strong, sub, word } from './phrase.js';
import { plural } from './text.words.en.js';

export const gridLayers = {
    capped: 'Capped scores',
    dropped: 'Kept weights',
    concat: 'Concatenation',
    projected: 'Projected output',
};

export const stepLayers = {
    capped: { name: 'Cap', what: ['c·tanh(x ÷ c)'], label: 'Cap', short: ['c·tanh'] },
    dropped: { name: 'Drop', what: ['÷ (1 − p)'], label: 'Drop', short: ['÷ (1 − p)'] },
};

export const workLayers = { dropped: 'dropped: ' };

export const footLayers = {
    capped: ['capped', ['softly']],
    dropped: (p) => ['kept', ['÷ ', num(1 - p)]],
};

export const roomLayers = {
    capped: {
        name: 'Softcap',
        about: ['Bends scores so that none goes beyond ±c; small ones stay nearly as they are.'],
    },
    dropped: {
        name: 'Dropout',
        about: [
            'In training only: each weight is dropped with probability p, and those left are ' +
                'divided by 1 − p. The weights to look at are those before: rows sum to 1.',
        ],
    },
};

export const lenses = {
    label: 'Look closer',
    close: 'Close',
    positions: 'Positions',
    sharing: 'Heads',
    decode: 'Decoding',
};

export { positions } from './text.positions.en.js';

export const sharing = {
    label: 'Key-value heads',
    kinds: { mha: 'MHA', gqa: 'GQA', mqa: 'MQA' },
    choice: (kind, n) => `${kind} ${n}`,
    about: {
        mha: 'Every head has keys and values of its own.',
        gqa: 'Heads in a group share keys and values.',
        mqa: 'All heads share one set of keys and values.',
    },
    one: 'With one head there is nothing to share. Choose more heads at the top.',
    group: (n) => `keys and values ${n}`,
    head: (n) => `head ${n}`,
    parameters: 'What is learned',
    direct: [
        'Nothing: ',
        result(0),
        ' parameters. Q, K and V are given, and attention itself has none.',
    ],
    names: { wq: ['W', sub('Q')], wk: ['W', sub('K')], wv: ['W', sub('V')], wo: ['W', sub('O')] },
    formula: (hasOutput) => [
        'd·H·d',
        sub('k'),
        ' + d·H',
        sub('kv'),
        '·(d',
        sub('k'),
        ' + d',
        sub('v'),
        ')',
        ...(hasOutput ? [' + H·d', sub('v'), '·d', sub('out')] : []),
    ],
    cache: (kvHeads, dk, dv) => [
        'A cache keeps ',
        num(kvHeads),
        ' × (',
        num(dk),
        ' + ',
        num(dv),
        ') = ',
        result(kvHeads * (dk + dv)),
        ' numbers for each word.',
    ],
    output: 'Output projection',
    joins: ['Heads side by side, times W', sub('O')],
};

export const decode = {
    next: 'Next word',
    back: 'Back',
    again: 'Start again',
    about:
        'Generation reads one query at a time. Keys and values stay in a cache, and nothing ' +
        'before is computed again.',
    cross: 'Keys come from elsewhere here: there is nothing to generate one by one.',
    rules: 'Always causal; without what was set by hand and without dropout.',
    at: (n, all) => `${n} of ${all} read`,
    heads: ['word', 'keys', 'from the cache', 'all at once', 'difference'],
    keys: 'keys in the cache',
    values: 'values in the cache',
    empty: 'The cache is empty.',
};

export const layers = {
    softcap: 'Softcap',
    dropout: 'Dropout',
    cap: ['c ='],
    p: ['p ='],
    seed: ['seed'],
};

export const maskLayers = {
    sizes: { padding: 'last', window: 'keys seen', prefix: 'first' },
    corner: 'Where places are counted from',
    corners: { bottom: 'last meets last', top: 'first meets first' },
    adds: (a, b) => ['add to score(', word(a, 'q'), ', ', word(b, 'k'), ')'],
    clear: (n) => `clear ${n} by hand`,
};

export const settingLayers = {
    window: 'Keys in the window',
    prefix: 'Keys of the prefix',
    bias: 'Number added to the score',
    softcap: 'Cap of the scores',
    dropout: 'Share of weights that is dropped',
    dropSeed: 'Seed of the dropout',
};

export const readLayers = {
    ofHead: (n) => quiet(`, from head ${n}`),
    joins: (row, col) => [
        quiet('takes '),
        word('o', 'o'),
        sub(String(row + 1)),
        quiet(' of every word into '),
        'y',
        sub(String(col + 1)),
    ],
    placed: { sinusoidal: [quiet(', with its place ')], rope: [quiet(', turned to ')] },
    adds: (a, b, added) => ['the mask adds ', result(added), ' to how ', a, ' scores ', b],
};

const sign = (x) => (x < 0 ? ' − ' : ' + ');

export const saidLayers = {
    preset: {
        none: () => ['Every word may look at every word. '],
        padding: () => ['Keys at the end are hidden, as padding is. '],
        all: () => ['Every key is hidden. '],
        causal: () => ['Each word sees itself and the words before it. '],
        window: ({ window }) => [
            'Each word sees itself and ',
            ...(window === 1 ? ['no other'] : ['the ', result(window - 1), ' before it']),
            '. ',
        ],
        prefix: ({ prefix }) => [
            'The first ',
            ...(prefix === 1 ? ['key is'] : [result(prefix), ' keys are']),
            ' open to all; a later one only to itself and those after it. ',
        ],
    },
    setting: {
        window: (from, to) => saidLayers.preset.window({ window: to }),
        prefix: (from, to) => saidLayers.preset.prefix({ prefix: to }),
        softcap: (from, to) => ['Scores stay within ±', result(to), '. '],
        dropout: (from, to) => ['Each weight is dropped with probability ', result(to), '. '],
        dropSeed: (from, to) => [
            'Seed ',
            strong(String(to)),
            ' chooses which weights are dropped. ',
        ],
    },
    layer: {
        softcap: (on, { softcap }) =>
            on
                ? ['Scores are bent to stay within ±', result(softcap), '. ']
                : ['Scores are no longer capped. '],
        dropout: (on, { dropout, dropSeed }) =>
            on
                ? [
                      'Seed ',
                      num(dropSeed),
                      ' drops each weight with probability ',
                      result(dropout),
                      ', as in training. ',
                  ]
                : ['No weight is dropped any more. '],
    },
    positions: {
        none: () => ['Attention is no longer told where a word stands. '],
        sinusoidal: (mode) => [
            `Sinusoidal positions are added to ${mode === 'direct' ? 'Q and K' : 'X'}. `,
        ],
        rope: () => ['RoPE turns queries and keys by their places. '],
        alibi: () => ['ALiBi takes from each score a slope times the distance. '],
    },
    kvHeads: {
        mha: () => ['Every head has keys and values of its own'],
        gqa: (heads, n) => [num(heads), ' heads share ', result(n), ' sets of keys and values'],
        mqa: (heads) => [num(heads), ' heads share one set of keys and values'],
        pooled: [', the mean of those before. '],
        copied: [', a copy of those that it shared. '],
        back: [', as they were. '],
    },
    output: (on) => [on ? 'W' : 'No W', sub('O'), on ? ' joins the heads. ' : ' any more. '],
    decoded: (token, { keys, gap }) => [
        word(token, 'q'),
        ' was read against ',
        num(keys.length),
        plural(keys.length, ' key', ' keys'),
        ' of the cache: its output is that of all words at once, ',
        ...(gap === 0 ? ['bit for bit.'] : ['but for ', result(gap), '.']),
    ],
    notDecoded: ['The cache is empty again.'],
    backLayer: ['the steps are as they were.'],
    corner: {
        top: ['The first query stands at the first key, as PyTorch and JAX count. '],
        bottom: ['The last query stands at the last key, as FlashAttention counts. '],
    },
    bias: (a, b, score, added, sum) =>
        added === 0
            ? ['Nothing is added to score(', a, ', ', b, ') any more. ']
            : [
                  'The mask adds to score(',
                  a,
                  ', ',
                  b,
                  '): ',
                  num(score),
                  sign(added),
                  num(Math.abs(added)),
                  ' = ',
                  result(sum),
                  '. ',
              ],
    bad: {
        window: (typed) => [`A window takes 1 to 128 keys, not “${typed}”. `],
        prefix: (typed) => [`A prefix takes 0 to 128 keys, not “${typed}”. `],
        softcap: (typed) => [`A cap takes a number from 0.001 to 1e6, not “${typed}”. `],
        dropout: (typed) => [`p takes a number from 0 to 1, not “${typed}”. `],
        dropSeed: (typed) => [`A seed is a whole number from 0 to 4294967295, not “${typed}”. `],
        bias: (typed) => [
            `What is added takes a number, such as 2 or -0.5, not “${typed}”. `,
        ],
    },
    pair: (grid, a, b) => [`${grid}(`, a, ', ', b, ')'],
};
