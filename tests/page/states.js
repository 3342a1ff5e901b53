// The states that the page is looked at in: by people as pictures (screenshots.js), by a test as
// boxes (shape.test.js). A state is a document, and what a hand does to it after it has opened.

import { defaultDocument } from '../../web/page/schema.js';
import { examples } from '../../web/page/examples.js';
import { labOf } from '../../web/page/lab/labs.js';
import { cell } from './browser.js';
import { long } from './long.js';

/** The first words of the worked example, with the inputs that they had there. */
function first(count, more = {}) {
    const { tokens, q, k, v } = examples.sentence;
    const { query = count - 1, key = Math.min(1, count - 1) } = more;
    return {
        ...defaultDocument(),
        tokens: tokens.slice(0, count),
        q: q.slice(0, count),
        k: k.slice(0, count),
        v: v.slice(0, count),
        query,
        key,
        focus: { grid: 'weights', row: query, col: key },
        ...more,
    };
}

const { name: _, ...animal } = examples.animal;

const filled = (rows, cols, x) => Array.from({ length: rows }, () => Array(cols).fill(x));

/** Inputs with long decimals, of four numbers a word. */
const decimals = (words, dims) =>
    first(words, {
        q: filled(words, dims, -12.345),
        k: filled(words, dims, 0.001),
        v: filled(words, dims, -12.345).with(0, Array(dims).fill(0.001)),
    });

/** Scores far apart, and inputs from 1e-9 to 1e9. */
const powers = () =>
    first(3, {
        q: [
            [1e-9, -1e9],
            [1e-9, 2],
            [1e-9, 3.8e-11],
        ],
        v: [
            [1e-9, -1e9],
            [3.8e-11, 1],
            [-1e-9, 0],
        ],
    });

/** The keys and values of two of the four heads. */
const shared = {
    k: animal.k.map((row) => row.slice(0, 8)),
    v: animal.v.map((row) => row.slice(0, 8)),
};

const { q, k, v } = examples.sentence;
const projected = first(3, {
    mode: 'projected',
    q: null,
    k: null,
    v: null,
    x: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ],
    wq: q,
    wk: k,
    wv: v,
});

/** Works on what is on screen: the wide form and the narrow one have other places for some. */
async function type(page, grid, i, j, text) {
    await page.focus(cell(grid, i, j));
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
}
const press = (selector) => (page) =>
    page.evaluate((found) => document.querySelector(found)?.click(), selector);
const named = (page, name) =>
    page.evaluate((text) => {
        [...document.querySelectorAll('button')].find((b) => b.textContent === text).click();
    }, name);
/** A lens, through the bar and its panel. */
const lens = (id) => async (page) => {
    await page.evaluate(() => document.querySelector('[aria-label=More]')?.click());
    for (const opener of ['[data-opens=panel-layers]', `[data-lens=${id}]`]) {
        await page.waitForSelector(opener);
        await press(opener)(page);
    }
};
const room = (id) => press(`[data-gate=${id}]`);
const mask = (preset, more = {}) => ({
    preset,
    pad: 1,
    inverted: false,
    painted: {},
    ...more,
});

/** Name → { document, act }. The worked example where none is given. */
export const STATES = {
    opened: {},
    edited: { act: (page) => type(page, 'Q', 2, 1, '1') },
    'bad input': { act: (page) => type(page, 'K', 1, 1, '1..') },
    'one word': { document: first(1) },
    'two words': { document: first(2) },
    'long word': {
        document: first(2, { tokens: ['incomprehensibilities', 'otorhinolaryngologist'] }),
    },
    'four words': { document: { ...defaultDocument(), ...examples.future } },
    'future hidden': { document: first(3, { mask: mask('causal'), query: 1, key: 2 }) },
    'all hidden': { document: first(3, { mask: mask('all') }) },
    'large scores': { document: first(3, { q: [[20, -10], [-10, 10], [10, 20]] }) },
    decimals: { document: decimals(3, 2) },
    'decimals of four': { document: decimals(3, 4) },
    powers: { document: powers() },
    'wrong axis': { document: first(3, { softmaxAxis: 'queries' }) },
    'mask after': {
        document: first(3, { mask: mask('causal'), maskOrder: 'after', query: 1, key: 2 }),
    },
    'all rows': { act: press('.rowsbutton') },
    compared: {
        async act(page) {
            await page.evaluate(() => document.querySelector('[aria-label=More]')?.click());
            await named(page, 'Keep as baseline');
            await type(page, 'Q', 2, 1, '1');
            await named(page, 'Difference');
        },
    },
    'room of the mask': { document: first(3, { mask: mask('causal'), query: 1, key: 2 }), act: room('masked') },
    'room of the softmax': { act: room('weights') },
    projected: { document: projected },
    'mask of a long sentence': { document: long(16, { mask: mask('causal') }), act: room('masked') },
    'added to the mask': {
        document: first(3, { mask: mask('window'), bias: { '2,1': 1.5 } }),
        act: room('masked'),
    },
    'further steps': { document: first(3, { softcap: 2, dropout: 0.3 }) },
    positions: { document: first(3, { positions: 'sinusoidal' }), act: lens('positions') },
    'shared heads': {
        document: { ...defaultDocument(), ...animal, kvHeads: 2, ...shared },
        act: lens('sharing'),
    },
    decoding: {
        async act(page) {
            await lens('decode')(page);
            await named(page, 'Next word');
            await named(page, 'Next word');
        },
    },
    'training lab': { document: first(3, { lab: labOf('pronoun') }) },
    'two sentences': { document: { ...defaultDocument(), ...examples.cross } },
    'four heads': { document: { ...defaultDocument(), ...animal } },
    'eight words': { document: long(8) },
    'forty words': { document: long(40) },
    'forty words, four heads': { document: long(40, { heads: 4, dims: 4 }) },
};
