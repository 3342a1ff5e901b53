// The labs: what is measured there is what the engine says in Node, bit for bit where it is trained;
// a run can be stopped, saved and gone on with; and the page stays at hand meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadSync } from '../../web/api/index.js';
import { examples } from '../../web/page/examples.js';
import { labOf } from '../../web/page/lab/labs.js';
import { gapOf, spreadOf } from '../../web/page/lab/measures.js';
import { LookupLesson } from '../../web/train/lookup.js';
import { PronounLesson } from '../../web/train/pronoun.js';
import { SpeakerLesson } from '../../web/train/speaker.js';
import { press, said, setNumber, typeInto, undo } from './acts.js';
import { cell, launch, open, readGrids } from './browser.js';
import { run } from './browsers.js';
import { axeFindings, cutText, fitsWidth } from './judge.js';
import { hashOf } from './long.js';
import { STATES } from './states.js';

let session;
before(async () => {
    session = await launch();
});
after(() => session.close());

const engine = loadSync({ simd: 'simd128' });

const line = (page) => page.$eval('.runline', (found) => found.textContent);

const has = (page, name) =>
    page.waitForFunction(
        (text) => [...document.querySelectorAll('.lab button')].some((b) => b.textContent === text),
        { timeout: 60000 },
        name,
    );

/** Waits until so many steps were taken. */
const hasSteps = (page, least) =>
    page.waitForFunction(
        (least) => {
            const line = document.querySelector('.runline').textContent;
            const [, step = 0] = /Step (\d+)/.exec(line) ?? [];
            return step >= least;
        },
        { timeout: 60000 },
        least,
    );

const isOver = (page) => has(page, 'Train again');

/** What "Save the run" would put into a file. */
async function saved(page) {
    await page.evaluate(() => {
        HTMLAnchorElement.prototype.click = () => {};
        const { createObjectURL } = URL;
        URL.createObjectURL = (blob) => {
            if (blob.type === 'application/json') globalThis.file = blob.text();
            return createObjectURL.call(URL, blob);
        };
    });
    await press(page, 'Save the run', '.lab');
    await page.waitForFunction(() => globalThis.file);
    const text = await page.evaluate(() => globalThis.file);
    await page.evaluate(() => delete globalThis.file);
    return text;
}

const openFile = (page, text) =>
    page.evaluate((text) => {
        const input = document.querySelector('.lab input[type=file]');
        const files = new DataTransfer();
        files.items.add(new File([text], 'run.json'));
        input.files = files.files;
        input.dispatchEvent(new Event('change'));
    }, text);

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
    await press(page, 'Train', '.lab');
    await press(page, 'Stop', '.lab');
    await has(page, 'Go on');
    assert.equal(await line(page), 'Not trained yet.', 'stopped before it began');
    await press(page, 'Go on', '.lab');
    await hasSteps(page, 20);
    await press(page, 'Stop', '.lab');
    await has(page, 'Go on');
    const half = await saved(page);
    const { step } = JSON.parse(half).lessons[0];
    assert.ok(step >= 20 && step < 120, `stopped at ${step}`);
    await page.close();

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
    await other.close();
});

test('every gradient of the pinned row is the engine’s, and a hard argmax has none', async () => {
    const { page, seen } = await open(session.browser);
    await page.click('[data-gate=weights]');
    const { q, k, v } = examples.sentence;
    for (const row of [2, 0]) {
        await page.focus(cell('Weights', row, 0));
        const { data } = engine.softmaxJacobian(engine.inspect(q, k, v).weights.toNested()[row]);
        const [softmax, argmax] = await page.$$eval('.jacobian', (tables) =>
            tables.map((table) => [...table.querySelectorAll('td')].map((td) => td.textContent)),
        );
        assert.deepEqual(
            softmax,
            Array.from(data, (x) => x.toFixed(3).replace('-', '−')),
        );
        assert.deepEqual(argmax, Array(9).fill('0'));
    }
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(seen, []);
    await page.close();
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
        ['As measured, three seeds', 'with ÷ √dₖ', 'without'],
    );
    await press(page, 'Train without the mask');
    await alike(
        page,
        'mask',
        [true, false].map((causal) => new SpeakerLesson(engine, { seed: 1, causal })),
    );
    assert.equal((await page.$$('.made li')).length, 8);
    assert.deepEqual(seen, []);
    await page.close();
});

/** Targets of the lab that a finger could miss. */
const smallTargets = (page) =>
    page.$$eval('.lab :is(button, input:not([hidden])), .labs button', (all) =>
        all
            .map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 24 || height < 24)
            .map(([name]) => name),
    );

const column = (page, n) =>
    page.$$eval(
        '.lab tbody tr',
        (rows, n) => rows.map((row) => row.querySelectorAll('td')[n].textContent),
        n,
    );

test('scores spread as √d_k, as measured by the engine', async () => {
    const { page } = await open(session.browser, { hash: '#1=lab:spread,kind=coin,seed=5' });
    const numbers = () => page.$$eval('.labnumbers dd', (all) => all.map((dd) => dd.textContent));
    for (const dk of [64, 2, 256]) {
        if (dk !== 64)
            await setNumber(page, 'Numbers in a query and a key, measured', String(dk));
        const found = spreadOf(engine, { dk, kind: 'coin', seed: 5 });
        const [raw, scaled] = found.map(({ measured }) => measured);
        assert.ok(Math.abs(raw / Math.sqrt(dk) - 1) < 0.05, `${raw}`);
        assert.ok(Math.abs(scaled - 1) < 0.05, `${scaled}`);
        const area = found[0].bars.reduce((sum, b) => sum + b.density * (b.to - b.from), 0);
        assert.ok(Math.abs(area - 1) < 1e-9);
        const shown = await numbers();
        assert.equal(shown[0], raw.toFixed(3));
        assert.equal(shown[3], scaled.toFixed(3));
        assert.equal(shown[4], '1');
    }
    assert.deepEqual((await numbers()).slice(1, 3), ['√256 = 16', '6 · 16 = 96']);
    assert.match(page.url(), /lab:spread/);
    await page.close();
});

test('a saturated softmax passes no gradient, a hard argmax none', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=lab:gap' });
    assert.deepEqual(await column(page, 0), ['24', '1.000', '0', '3.8·10−11', '3.8·10−11', '0']);
    assert.deepEqual(await column(page, 1), ['3', '0.953', '0.047', '0.047', '0.045', '0']);
    await press(page, 'Put it into the page', '.lab');
    await page.waitForFunction(() => document.querySelectorAll('.token').length === 2);
    assert.match(await said(page), /^A gap of 24 is on the page\./);
    const weights = async () => (await readGrids(page)).Weights.value[0].map(Number);
    const near = (found, wanted) =>
        found.every((x, n) => Math.abs(x - wanted[n]) <= 1e-6 * wanted[n]);
    const [half, whole] = [gapOf(engine, 3), gapOf(engine, 24)];
    assert.ok(near(await weights(), [half.other, half.weight]));
    await page.click('[role=switch][aria-label="Scale by √d_k"]');
    assert.ok(near(await weights(), [whole.other, whole.weight]));
    assert.ok(await page.$('.lab-gap'), 'the lab is open still');
    await setNumber(page, 'Gap between two scores', '8');
    assert.deepEqual(await column(page, 1), ['1', '0.731', '0.269', '0.269', '0.197', '0']);
    await setNumber(page, 'Gap between two scores', '81');
    assert.match(await said(page), /^The gap takes a whole number from 0 to 80, not “81”\./);
    assert.deepEqual(seen, []);
    await page.close();
});

test('a high weight on a value of nearly nothing, and undo', async () => {
    const { page, seen } = await open(session.browser, { hash: '#1=lab:norms' });
    const rows = () => page.$$eval('.lab tbody tr', (all) => all.map((row) => row.textContent));
    const first = ['the0.0742.0000.149', 'cat0.6204.0002.480', 'sat0.3061.4140.432'];
    assert.deepEqual(await rows(), first);
    await press(page, 'Make v(cat) nearly 0', '.lab');
    assert.deepEqual((await rows())[1], 'cat0.6200.0140.009');
    assert.equal(
        await page.$eval('.lab .runline', (found) => found.textContent),
        'Most weight is on cat, but sat brings most.',
    );
    await undo(page);
    assert.deepEqual(await rows(), first, 'one step of undo');
    assert.deepEqual(seen, []);
    await page.close();
    const projected = { ...STATES.projected.document, lab: labOf('norms') };
    const wo = [
        [0, 0],
        [0, 3],
    ];
    const { page: other } = await open(session.browser, {
        hash: await hashOf({ ...projected, wo }),
    });
    const doc = projected;
    assert.deepEqual(doc.wv, [[2, 0], [0, 4], [1, 1]]);
    const lines = await other.$$eval('.lab tbody tr', (all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((td) => td.textContent)),
    );
    assert.deepEqual(
        lines.map((cells) => cells.slice(3)),
        [['0', '0'], ['12.000', '7.440'], ['3.000', '0.917']],
        '‖W_O·v‖ of [2, 0], [0, 4] and [1, 1], and times the weight',
    );
    await other.close();
});

for (const id of ['mask', 'spread', 'gap', 'scale', 'norms']) {
    test(`for everyone, by its address: ${id}`, async () => {
        for (const [screen, theme] of [
            ['desktop', 'dark'],
            ['phone', 'light'],
        ]) {
            const hash = `#1=lab:${id}`;
            const { page, seen } = await open(session.browser, { screen, theme, hash });
            assert.deepEqual(await axeFindings(page), [], screen);
            assert.deepEqual(await cutText(page), [], screen);
            assert.ok(await fitsWidth(page), screen);
            assert.deepEqual(await smallTargets(page), [], screen);
            assert.deepEqual(seen, []);
            await page.close();
        }
    });
}

for (const [screen, theme] of [
    ['laptop', 'light'],
    ['phone', 'dark'],
]) {
    test(`for everyone, trained and not: ${screen}, ${theme}`, async () => {
        const { page, seen } = await open(session.browser, { screen, theme });
        await press(page, 'Train a small model');
        const judge = async (state) => {
            assert.deepEqual(await axeFindings(page), [], state);
            assert.deepEqual(await cutText(page), [], state);
            assert.ok(await fitsWidth(page), state);
            assert.deepEqual(await smallTargets(page), [], state);
        };
        await judge('opened');
        await press(page, 'causal: it cannot know', '.lab');
        await page.waitForSelector('.headmaps');
        await press(page, 'Stop', '.lab');
        await has(page, 'Go on');
        await judge('stopped');
        assert.match(
            await page.$eval('.labnote', (note) => note.textContent),
            /the same in both sentences\. After them the two are 0 apart: the same still\./,
        );
        const spoken = await page.$$eval('.plot', (all) => all.map((plot) => plot.ariaLabel));
        assert.match(spoken[0], /^Loss, logarithmic scale\. pointing: .* answer: \S+ at 1, /);
        assert.match(page.url(), /lab:pronoun,causal=on$/);
        if (screen === 'phone') await page.tap('.lab .close');
        else {
            await page.focus('.lab [aria-label="Causal mask"]');
            await page.keyboard.press('Escape');
        }
        assert.equal(await page.$('.lab'), null);
        assert.equal(
            await page.evaluate(() => document.activeElement.textContent),
            'Train a small model',
        );
        assert.deepEqual(seen, []);
        await page.close();
    });
}
