/*
 * train.js - npm run train -- --example pronoun [--seed N] [--steps N] [--causal] [--simd NAME]
 *
 * Trains the small model of web/train for each seed, with and without the auxiliary loss, and
 * prints what came of it: the last losses, the share of held-out sentences that are answered right,
 * and where "it" looks, in the head that the auxiliary loss teaches, when the animal is tired and
 * when the street is wide. --causal hides later words from every word: the model then cannot know.
 */
import { parseArgs } from 'node:util';
import { loadSync } from '../web/api/index.js';
import { sentences, SHOWN, WORDS } from '../web/train/grammar.js';
import { AUXILIARY, BATCH, PronounLesson, STEPS } from '../web/train/pronoun.js';

const SEEDS = [1, 2, 3, 4, 5, 6];

function fail(sentence) {
    console.error(`attn: ${sentence}`);
    process.exit(2);
}

function readArguments() {
    try {
        return parseArgs({ options: {
            example: { type: 'string', default: 'pronoun' },
            seed: { type: 'string' },
            steps: { type: 'string', default: String(STEPS) },
            causal: { type: 'boolean', default: false },
            simd: { type: 'string', default: 'auto' },
        } }).values;
    } catch (error) {
        return fail(error.message);
    }
}

/** @param {string} simd */
function start(simd) {
    try {
        return loadSync({ simd });
    } catch (error) {
        return fail(error.message);
    }
}

function readCount(name, text, high) {
    const n = Number(text);
    if (/^\d+$/.test(text) && n >= 1 && n <= high) return n;
    return fail(`--${name} is '${text}': expected an integer from 1 to ${high}`);
}

const WIDTHS = [4, 8, 10, 9, 10, 8, 9, 10, 8, 9];

/** @param {string[]} cells */
const printRow = (cells) => (
    console.log(cells.map((cell, n) => cell.padStart(WIDTHS[n])).join('').trimEnd()));

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** One line of the table: the losses of the last batch, and what was learned. */
function train(engine, seed, auxiliary, { steps, causal }) {
    const lesson = new PronounLesson(engine, { seed, auxiliary, causal, steps });
    try {
        let last = { answer: NaN, pointing: NaN };
        while (!lesson.isOver) last = lesson.next();
        const accuracy = lesson.accuracy();
        const looks = lesson.shown().flatMap(({ animal, place, answer }) => (
            [animal.toFixed(3), place.toFixed(3), answer]));
        const aside = auxiliary > 0 ? last.pointing.toFixed(4) : '';
        printRow([String(seed), last.answer.toFixed(4), aside, percent(accuracy), ...looks]);
        return accuracy;
    } finally {
        lesson.dispose();
    }
}

const values = readArguments();
if (values.example !== 'pronoun') {
    fail(`--example is '${values.example}': expected 'pronoun'`);
}
const options = { causal: values.causal, steps: readCount('steps', values.steps, 100000) };
const seeds = values.seed === undefined ? SEEDS : [readCount('seed', values.seed, 4294967295)];
const started = performance.now() / 1000, engine = start(values.simd);
const { training, heldOut } = sentences(), first = new PronounLesson(engine, { seed: 1 });
console.log(`${first.model.count} parameters, ${WORDS.length} words, ${training.length} sentences `
    + `to train on, ${heldOut.length} held out; ${options.steps} steps of ${BATCH} sentences; `
    + `${engine.features.simd}${options.causal ? '; causal mask' : ''}`);
first.dispose();
SHOWN.forEach(({ words }) => console.log(`held out: ${words.join(' ')}`));

for (const auxiliary of [AUXILIARY, 0]) {
    console.log(auxiliary > 0
        ? `\nWith an auxiliary loss, ${auxiliary} times, that asks one head to point at the noun:`
        : '\nWithout it: right answers, by whatever way:');
    printRow(['', '', '', '', 'tired:', '', '', 'wide:', '', '']);
    printRow(['seed', 'loss', 'auxiliary', 'held out',
        'it-animal', 'street', 'answer', 'it-animal', 'street', 'answer']);
    const accuracies = seeds.map((seed) => train(engine, seed, auxiliary, options));
    const good = accuracies.filter((share) => share >= 0.99).length;
    console.log(`at least 99 % of the held-out sentences: ${good} of ${seeds.length} seeds`);
}
const seconds = [performance.now() / 1000 - started, process.cpuUsage().user / 1e6];
const [passed, busy] = seconds.map((n) => n.toFixed(1));
console.log(`\n${passed} s, ${busy} s of processor time`);
