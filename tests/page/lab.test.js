// The labs that train: what is learned there is what Node learns, bit for bit; a run can be stopped,
// saved and gone on with; and the page stays at hand meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSync } from '../../web/api/index.js';
import { LookupLesson } from '../../web/train/lookup.js';
import { PronounLesson } from '../../web/train/pronoun.js';
import { SpeakerLesson } from '../../web/train/speaker.js';
import { press, setNumber, typeInto } from './acts.js';
import { cell, leave, open, useBrowser } from './browser.js';
import { run } from './browsers.js';
import { has, hasSteps, isOver, line, openFile, saved, stopAt } from './training.js';

const session = useBrowser();

const engine = loadSync({ simd: 'simd128' });

function trained(options) {
    const lesson = new PronounLesson(engine, options);
    while (!lesson.isOver) lesson.next();
    const { curve } = lesson;
    const result = { curve, accuracy: lesson.accuracy(), shown: lesson.shown(), ...lesson.save() };
    lesson.dispose();
    return result;
}

const without = ({ accuracy, ...entry }) => entry;

/** Seconds of processor time that the main thread of Chromium takes from now on. */
async function processorTime(page) {
    const session = await page.createCDPSession();
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const taken = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        return metrics.find(({ name }) => name === 'TaskDuration').value;
    };
    const start = await taken();
    return async () => (await taken()) - start;
}

test('training in a worker: the curve of Node, while the page stays at hand', async (t) => {
    const { page, seen } = await open(session.browser, { hash: '#1=lab:pronoun,seed=3' });
    await page.evaluate(() => {
        globalThis.tasks = [];
        if (PerformanceObserver.supportedEntryTypes.includes('longtask'))
            new PerformanceObserver((list) => {
                globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration));
            }).observe({ type: 'longtask' });
    });
    assert.equal(await line(page), 'Not trained yet.');
    await press(page, 'about half', '.lab');
    const busy = run.browser === 'chromium' ? await processorTime(page) : null;
    await press(page, 'Train', '.lab');
    await hasSteps(page, 1);
    const at = Number(/Step (\d+)/.exec(await line(page))[1]);
    await typeInto(page, cell('Q', 2, 1), '1');
    assert.equal(
        await page.$eval(cell('Scores', 2, 1), (found) => found.textContent),
        '2',
        'an edit is answered while the model trains',
    );
    await isOver(page);
    assert.ok(at < 120, `it was going on: ${at}`);
    const node = trained({ seed: 3, auxiliary: 0.3 });
    const text = await saved(page);
    const [lesson] = JSON.parse(text).lessons;
    assert.deepEqual(lesson.curve.map(without), node.curve, 'bit for bit');
    assert.equal(lesson.curve.at(-1).accuracy, node.accuracy);
    assert.ok(node.accuracy >= 0.99);
    for (const [name, list] of Object.entries(node.parameters))
        assert.deepEqual(Float32Array.from(lesson.parameters[name]), list, name);
    const looks = await page.$$eval('.headmaps .taught', (all) => all.map((one) => one.textContent));
    assert.deepEqual(looks, ['1, taughtanimal 1street ≈0', '1, taughtanimal ≈0street 1']);
    assert.match(
        await line(page),
        /^Not as you said: nearly all\. Step 120 of 120: .* right 100 %\. Right in both, and/,
    );
    if (run.browser === 'chromium') {
        const tasks = await page.evaluate(() => globalThis.tasks);
        t.diagnostic(
            `tasks over 50 ms on the main thread while a model trained: ${tasks.length}` +
                (tasks.length ? ` (${tasks.map((ms) => ms.toFixed(0)).join(', ')} ms)` : '') +
                `; its processor time in all: ${((await busy()) * 1000).toFixed(0)} ms`,
        );
    }
    await press(page, 'Train again', '.lab');
    await page.waitForFunction(() =>
        /the run before: \S+ at 1, \S+ at 120, /.test(document.querySelector('.plot').ariaLabel),
    );
    await isOver(page);
    assert.equal(await saved(page), text, 'two runs in the page are the same');
    assert.deepEqual(seen, []);
    await page.close();
});

test('stopped, saved, opened elsewhere and gone on with: the same run, bit for bit', async () => {
    const { page } = await open(session.browser, { hash: '#1=lab:pronoun' });
    await setNumber(page, 'Seed of the experiment', '8');
    await page.click('[aria-label="Auxiliary loss"]');
    await page.evaluate(async () => {
        const named = (name) =>
            [...document.querySelectorAll('.lab button')].find((b) => b.textContent === name);
        named('Train').click();
        for (let n = 0; n < 1000 && !named('Stop'); n++) await null; // in the same task
        named('Stop').click();
    });
    await has(page, 'Go on');
    assert.equal(await line(page), 'Not trained yet.', 'stopped before it began');
    await press(page, 'Go on', '.lab');
    await stopAt(page, 20);
    await has(page, 'Go on');
    const half = await saved(page);
    const { step } = JSON.parse(half).lessons[0];
    assert.ok(step >= 20 && step < 120, `stopped at ${step}`);
    await leave(page);

    const { page: other, seen } = await open(session.browser, { hash: '#1=lab:pronoun' });
    await openFile(other, half);
    await has(other, 'Go on');
    assert.match(await line(other), new RegExp(`^Step ${step} of 120`));
    assert.equal(await other.$eval('[aria-label="Seed of the experiment"]', (i) => i.value), '8');
    assert.equal(
        await other.$eval('[aria-label="Auxiliary loss"]', (s) => s.ariaChecked),
        'false',
        'the settings are those of the file',
    );
    await openFile(other, half.replace('"step":1,', '"step":1.5,'));
    await other.waitForSelector('.runline .bad');
    assert.equal(
        await other.$eval('.runline .bad', (found) => found.textContent),
        'curve, entry 1: expected a number that float32 holds.',
    );
    await press(other, 'Go on', '.lab');
    await isOver(other);
    const [whole] = JSON.parse(await saved(other)).lessons;
    const node = trained({ seed: 8 });
    assert.deepEqual(whole.curve.map(without), node.curve);
    assert.deepEqual(Float32Array.from(whole.parameters.readout), node.parameters.readout);
    assert.match(await line(other), /yet no head of layer 2 gives street more than 0\.0/);
    assert.deepEqual(seen, []);
    await leave(other);
});

/** The lessons that a lab of several has trained, and those of Node, as far as the page came. */
async function alike(page, lab, lessons) {
    await press(page, 'Train', '.lab');
    await hasSteps(page, 1);
    await press(page, 'Stop', '.lab');
    await has(page, 'Go on');
    const file = JSON.parse(await saved(page));
    assert.equal(file.lessons.length, lessons.length, lab);
    file.lessons.forEach(({ curve, step, options }, n) => {
        const lesson = lessons[n];
        assert.deepEqual(options, lesson.options);
        assert.ok(step >= 5, `${lab}: ${step}`);
        while (lesson.step < step) lesson.next();
        assert.deepEqual(
            curve.map(({ answer, gradientNorm }) => [answer, gradientNorm]),
            lesson.curve.map(({ answer, gradientNorm }) => [answer, gradientNorm]),
        );
        assert.deepEqual(curve.at(-1), { ...lesson.curve.at(-1), ...lesson.look().numbers });
        lesson.dispose();
    });
}

test('a head with and without √d_k, a speaker with and without its mask: as in Node', async () => {
    const { page, seen } = await open(session.browser, {
        hash: '#1=lab:scale,dk=8,method=sgd,pace=high',
    });
    const heads = [true, false].flatMap((scaled) =>
        [1, 2, 3].map(
            (seed) =>
                new LookupLesson(engine, { seed, headDim: 8, scaled, method: 'sgd', rate: 3 }),
        ),
    );
    await alike(page, 'scale', heads);
    assert.deepEqual(
        await page.$$eval('.results thead th', (all) => all.map((th) => th.textContent)),
        [
            'As measured, three seeds',
            'gradient norm at step 1',
            'largest weight at step 5',
            'loss of the last 20 steps',
            'solved',
        ],
    );
    assert.deepEqual(
        await page.$$eval('.results tbody th', (all) => all.map((th) => th.textContent)),
        ['with ÷ √dₖ', 'without'],
    );
    await press(page, 'Train without the mask');
    await alike(
        page,
        'mask',
        [true, false].map((causal) => new SpeakerLesson(engine, { seed: 1, causal })),
    );
    const sentences = await page.$$eval('.made li', (all) => all.map((one) => one.textContent));
    assert.equal(sentences.length, 8);
    assert.ok(!sentences.join().includes("'"), 'an apostrophe is no straight quote');
    assert.deepEqual(seen, []);
    await leave(page);
});
