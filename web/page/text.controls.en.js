// Words of the controls, the mask and what they say, in English. Part of the table text.en.js.

import { num, quiet, result, sup } from './phrase.js';
import { list, plural } from './text.words.en.js';

/** Words that stand beside the arithmetic of a changed step. */
export const work = {
    given: [quiet(', set to ')],
    erased: 'erased: ',
    thenErased: [quiet(', then set to ')],
};

export const controls = {
    columnWhat: ['÷ the sum of each column'],
    powerWhat: (temperature, shifted) => [
        'e',
        sup(
            'x',
            ...(temperature === 1 ? [] : [' ÷ ', num(temperature)]),
            shifted ? ' − max' : '',
        ),
    ],
    settings: {
        divisor: 'Divide the scores by',
        temperature: 'Temperature',
        pad: 'Hidden keys at the end',
        seed: 'Seed',
    },
    settingHint: 'Type a number. Arrow keys step, a drag scrubs, an empty field goes back.',
    scale: {
        label: 'Scale by √d_k',
        on: (dk) => [`√${dk} =`],
        own: ['÷'],
        ownName: 'own',
        off: ['off, so ÷ 1'],
        reset: 'Divide by √d_k again',
    },
    softmax: {
        axis: 'Softmax over',
        axes: { keys: 'over keys', queries: 'over queries' },
        temperature: 'temperature',
    },
    sums: {
        row: 'Σ',
        rows: 'row sums',
        columns: 'Σ',
        spoken: (rows, columns) =>
            `Row sums: ${rows.map(([name, sum]) => `${name} ${sum}`).join(', ')}. ` +
            (columns.length ? `Column sums: ${columns.join(', ')}.` : ''),
    },
    release: 'release',
    mask: {
        label: 'mask',
        edit: 'edit the mask',
        done: 'done',
        presetName: 'preset',
        preset: 'Mask preset',
        presets: {
            none: 'none',
            causal: 'causal',
            window: 'window',
            prefix: 'prefix',
            padding: 'padding',
            all: 'all',
        },
        chosen: (name, { inverted }, byHand) =>
            `${inverted ? `not ${name}` : name}${byHand ? ` + ${byHand}` : ''}`,
        byHand: (n) => `${n} ${plural(n, 'cell', 'cells')} by hand`,
        state: ({ preset, inverted, painted }, hidden) =>
            inverted || Object.keys(painted).length ? `${hidden} hidden` : preset,
    },
};

export const saidControls = {
    setting: {
        divisor: (from, to) => [
            'The scores are divided by ',
            result(to),
            ', no longer by ',
            num(from),
            '. ',
        ],
        temperature: (from, to, moved) => [
            'The temperature went from ',
            num(from),
            ' to ',
            result(to),
            ...(moved
                ? [to > from ? ': shares come closer to equal' : ': more goes to the largest score']
                : []),
            '. ',
        ],
        pad: (from, to) => [
            'The last ',
            result(to),
            to === 1 ? ' key is' : ' keys are',
            ' hidden. ',
        ],
    },
    link: ['The page is as the link says. '],
    axis: {
        keys: ['The softmax shares each row out among its keys again. '],
        queries: [
            'The softmax shares each column out among the queries: columns sum to 1, rows do not. ',
        ],
    },
    score: (a, b, to) => ['score(', a, ', ', b, ') is set to ', result(to), '. '],
    others: (up, names) => [
        up ? 'It rose, so the weight of ' : 'It fell, so the weight of ',
        ...list(names, 'k'),
        up ? ' fell. ' : ' rose. ',
    ],
    order: {
        before: ['Hidden keys are −∞ before the softmax again, as the definition says. '],
        after: ['Hidden keys keep their share in the softmax and are set to 0 after it. '],
        bias: ['Hidden keys get −1e9 added, not −∞. '],
    },
    invert: ['What was hidden is shown, and what was shown is hidden. '],
    clearPaint: ['The paint is gone: the preset alone decides. '],
    release: (a, b) => ['score(', a, ', ', b, ') follows from q·k again. '],
    releaseAll: ['Every score follows from q·k again. '],
    badSetting: {
        divisor: (typed) => [
            `The divisor takes a number from 1e-6 to 1e6, not “${typed}”. `,
        ],
        temperature: (typed) => [
            `The temperature takes a number from 1e-6 to 1e6, not “${typed}”. `,
        ],
        pad: (typed) => [`There are not “${typed}” keys to hide. `],
        seed: (typed) => [`A seed is a whole number from 0 to 4294967295, not “${typed}”. `],
    },
    backControls: {
        setting: ['the number is as it was.'],
        axis: ['the softmax is as it was.'],
        link: ['the page is as it was.'],
        order: ['the mask works as it did.'],
        score: ['the score is as it was.'],
        release: ['the scores are as they were.'],
    },
};
