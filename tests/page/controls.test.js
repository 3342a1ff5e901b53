// The controls of the steps: the scale, the temperature, the axis of the softmax and scores set by
// hand. What they show is held against attention in float64.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { said, setNumber, typeInto, undo } from './acts.js';
import { attention, example, largestError } from './attention.js';
import { cell, differences, leave, open, readGrids, useBrowser } from './browser.js';

const session = useBrowser();

const works = (page, step) =>
    page.$$eval(`.at-${step} .work`, (parts) => parts.map((part) => part.textContent));

const valueOf = (page, name) => page.$eval(`input[aria-label="${name}"]`, (input) => input.value);

test('the divisor can be a number of one’s own, and goes back to √d_k', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        const old = await readGrids(page);
        assert.equal(await valueOf(page, 'Divide the scores by'), '1.414');
        await setNumber(page, 'Divide the scores by', '3');
        const now = await readGrids(page);
        assert.ok(largestError(now, { ...example, scale: 1 / 3 }) <= 1e-6);
        assert.deepEqual(now['Scaled scores'].text[2], ['0.333', '1.333', '1.000']);
        assert.match(await said(page), /^The scores are divided by 3, no longer by 1.414\. /);
        await setNumber(page, 'Divide the scores by', '');
        assert.deepEqual(await readGrids(page), old);
        await undo(page);
        assert.equal(await valueOf(page, 'Divide the scores by'), '3');
        await undo(page);
        assert.deepEqual(await readGrids(page), old);
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('a divisor that is no number from 1e-6 to 1e6 is refused in one sentence', async () => {
    const { page } = await open(session.browser);
    const old = await readGrids(page);
    for (const typed of ['0', '-2', '1e-40', '1e9', 'x']) {
        await setNumber(page, 'Divide the scores by', typed);
        assert.deepEqual(await readGrids(page), old, typed);
        assert.equal(
            await said(page),
            `The divisor takes a number from 1e-6 to 1e6, not “${typed}”. ` +
                'Type another, or Escape for the old one.',
        );
        assert.equal(await valueOf(page, 'Divide the scores by'), typed, 'it stays to be mended');
        const field = '[aria-label="Divide the scores by"]';
        assert.equal(await page.$eval(field, (input) => input.ariaInvalid), 'true');
        await page.keyboard.press('Escape');
        assert.equal(await valueOf(page, 'Divide the scores by'), '1.414');
        assert.equal(await page.$(`${field}[aria-invalid]`), null);
    }
    await setNumber(page, 'Divide the scores by', 'x');
    await page.keyboard.press('Tab');
    assert.equal(await valueOf(page, 'Divide the scores by'), '1.414');
    assert.equal(
        await said(page),
        'The divisor takes a number from 1e-6 to 1e6, not “x”. It stays as it was.',
    );
    await leave(page);
});

test('a temperature divides inside the softmax, and the scores stay as they are', async () => {
    const { page, seen } = await open(session.browser);
    const old = await readGrids(page);
    await setNumber(page, 'Temperature', '0.5');
    const now = await readGrids(page);
    for (const name of ['Scores', 'Scaled scores', 'Masked scores'])
        assert.deepEqual(now[name], old[name], name);
    const sharp = attention({ ...example, scale: 2 / Math.SQRT2 });
    for (const [i, row] of sharp.weights.entries())
        for (const [j, weight] of row.entries())
            assert.ok(Math.abs(Number(now.Weights.value[i][j]) - weight) <= 1e-6);
    assert.deepEqual(
        await works(page, 'masked'),
        [0.707, 2.828, 2.121].map((x, j) => `e${x} ÷ 0.5 = ${sharp.exponentials[2][j].toFixed(3)}`),
    );
    assert.match(await said(page), /^The temperature went from 1 to 0.5: more goes to the largest/);
    await setNumber(page, 'Temperature', '100');
    assert.match(await said(page), /^The temperature went from 0.5 to 100: shares come closer /);
    await setNumber(page, 'Temperature', '1e-6');
    assert.deepEqual((await readGrids(page)).Weights.text, [
        ['1.000', '0', '0'],
        ['0', '1.000', '0'],
        ['0', '1.000', '0'],
    ]);
    for (let n = 0; n < 2; n++) await undo(page);
    await undo(page);
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a number in a frame is stepped by arrows and scrubbed by a drag', async () => {
    const { page } = await open(session.browser);
    const field = 'input[aria-label="Temperature"]';
    await page.focus(field);
    await page.keyboard.press('ArrowUp');
    assert.equal(await valueOf(page, 'Temperature'), '2');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.up('Shift');
    assert.equal(await valueOf(page, 'Temperature'), '1.9');
    await page.focus(cell('Q', 0, 0));
    const box = await (await page.$(field)).boundingBox();
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 10 + 28, box.y + 10, { steps: 6 });
    await page.mouse.up();
    assert.equal(await valueOf(page, 'Temperature'), '3.9');
    await undo(page);
    assert.equal(await valueOf(page, 'Temperature'), '1.9');
    await leave(page);
});

test('softmax over the queries: columns sum to 1, rows do not', async () => {
    for (const screen of ['desktop', 'phone']) {
        const { page, seen } = await open(session.browser, { screen });
        await page.select('select[aria-label="Softmax over"]', 'queries');
        const grids = await readGrids(page);
        const { exponentials } = attention(example);
        const columns = [0, 1, 2].map((j) => exponentials.reduce((sum, row) => sum + row[j], 0));
        const weights = exponentials.map((row) => row.map((e, j) => e / columns[j]));
        weights.forEach((row, i) =>
            row.forEach((weight, j) =>
                assert.ok(Math.abs(Number(grids.Weights.value[i][j]) - weight) <= 1e-6),
            ),
        );
        const rows = weights.map((row) => row.reduce((a, b) => a + b, 0).toFixed(3));
        assert.ok(rows.every((sum) => sum !== '1.000'));
        assert.equal(
            await page.$eval('.stage > p.sr', (p) => p.textContent),
            `Row sums: the ${rows[0]}, cat ${rows[1]}, sat ${rows[2]}. ` +
                'Column sums: 1.000, 1.000, 1.000.',
        );
        const shown = screen === 'phone' ? '.rowline' : '.rowsums';
        const sums = await page.$eval(shown, (line) => line.textContent);
        for (const sum of rows) assert.ok(sums.includes(sum), sums);
        assert.equal(
            await page.$eval('.columnsums', (line) => line.textContent.replace('Σ', '')),
            '1.0001.0001.000',
        );
        assert.deepEqual(
            await works(page, 'weights'),
            columns.map((sum, j) => `÷ ${sum.toFixed(3)} = ${weights[2][j].toFixed(3)}`),
        );
        const whole = weights[2].reduce((sum, weight) => sum + weight, 0);
        const title = await page.$eval('.mixhead h2', (line) => line.textContent);
        assert.ok(title.endsWith(` shares sum to ${whole.toFixed(3)}`), title);
        const totals = () => page.$eval('.line.total', (line) => line.textContent);
        const rowSum = exponentials[2].reduce((sum, e) => sum + e, 0).toFixed(3);
        assert.ok(!(await totals()).includes(rowSum), 'nothing is divided by it');
        await page.select('select[aria-label="Softmax over"]', 'keys');
        assert.ok((await totals()).includes(rowSum));
        assert.equal(await page.$('.rowsums'), null, 'what is off takes no space');
        assert.deepEqual(seen, []);
        await leave(page);
    }
});

test('raising one score lowers every other allowed weight of its row', async () => {
    const { page, seen } = await open(session.browser);
    await page.select('select[aria-label="Mask preset"]', 'causal');
    const old = await readGrids(page);
    await typeInto(page, cell('Scores', 2, 0), '6');
    const now = await readGrids(page);
    assert.deepEqual(differences(old, now), [
        'Scores 2,0',
        'Scaled scores 2,0',
        'Masked scores 2,0',
        'Weights 2,0',
        'Weights 2,1',
        'Weights 2,2',
        'Output 2,0',
        'Output 2,1',
    ]);
    const scaled = [6, 4, 3].map((score) => score / Math.SQRT2);
    const sum = scaled.reduce((total, x) => total + Math.exp(x), 0);
    scaled.forEach((x, j) =>
        assert.ok(Math.abs(Number(now.Weights.value[2][j]) - Math.exp(x) / sum) <= 1e-6),
    );
    for (const j of [1, 2])
        assert.ok(Number(now.Weights.value[2][j]) < Number(old.Weights.value[2][j]));
    assert.equal(
        await said(page),
        'score(sat, the) is set to 6. It rose, so the weight of cat and sat fell. ' +
            '8 numbers followed: each has a  and its old value.',
    );
    assert.equal((await works(page, 'scores'))[0], '1·1 + 2·0, set to 6');
    const framed = '[role=grid][aria-label="Scores"] .framed';
    assert.deepEqual(
        await page.$$eval(framed, (cells) => cells.map((element) => element.dataset.at)),
        ['scores:2:0'],
    );

    await typeInto(page, cell('Q', 2, 0), '5');
    assert.equal((await readGrids(page)).Scores.text[2][0], '6', 'what is set stays');
    await undo(page);
    assert.deepEqual(await readGrids(page), now);

    await page.focus(cell('Scores', 2, 0));
    await page.keyboard.press('Delete');
    assert.deepEqual(await readGrids(page), old, 'released');
    await undo(page);
    assert.deepEqual(await readGrids(page), now, 'the edit survives undo');
    await page.click('.foot .inline');
    assert.deepEqual(await readGrids(page), old, 'released by its button');
    assert.deepEqual(seen, []);
    await leave(page);
});

test('a score is set by touch, and an emptied field releases it', async () => {
    const { page, seen } = await open(session.browser, { screen: 'phone' });
    const old = await readGrids(page);
    await page.tap(cell('Scores', 2, 1));
    assert.equal(await page.$('.field'), null, 'the first tap pins');
    await page.tap(cell('Scores', 2, 1));
    await page.waitForSelector('.field');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    assert.equal((await readGrids(page)).Scores.text[2][1], '0');
    await page.tap(cell('Scores', 2, 1));
    await page.waitForSelector('.field');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    assert.deepEqual(await readGrids(page), old);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('entropy, keys effectively read and the slopes of the pinned row', async () => {
    const { page, seen } = await open(session.browser);
    await page.click('[title="Softmax: how it works"]');
    const { weights } = attention(example);
    const row = weights[2];
    const entropy = -row.reduce((sum, w) => sum + w * Math.log(w), 0);
    assert.deepEqual(await page.$$eval('.rownumbers dd', (all) => all.map((d) => d.textContent)), [
        '1.000',
        entropy.toFixed(3),
        `e${entropy.toFixed(3)} = ${Math.exp(entropy).toFixed(3)}`,
    ]);
    const slopes = await page.$$eval('.slopes tr', (lines) =>
        lines.map((line) => line.textContent),
    );
    assert.deepEqual(slopes, [
        'the0.074·(0−0.620) = −0.046',
        'cat0.620·(1−0.620) = 0.236',
        'sat0.306·(0−0.620) = −0.190',
    ]);
    const h = 1e-5;
    for (const [n, line] of slopes.entries()) {
        const scaled = attention(example).scaled[2];
        const softmax = (x) => Math.exp(x[n]) / x.reduce((sum, s) => sum + Math.exp(s), 0);
        const moved = scaled.map((s, j) => (j === 1 ? s + h : s));
        const measured = (softmax(moved) - softmax(scaled)) / h;
        const stated = Number(line.split(' = ')[1].replace('−', '-'));
        assert.ok(Math.abs(measured - stated) < 1e-3, `${measured} ${line}`);
    }
    assert.equal(
        await page.$eval('.room .formula', (formula) => formula.textContent),
        'αsat,cat=exi,j∑nexi,n=e2.828e0.707+e2.828+e2.121=16.91927.289=0.620',
    );
    assert.deepEqual(seen, []);
    await leave(page);
});

test('every gate opens a room with a formula in MathML, one at a time', async () => {
    const { page, seen } = await open(session.browser);
    const formulas = {
        Dot: 'ssat,cat=qsat·kcat=1·0+2·2=4',
        Scale: 'xsat,cat=ssat,catdk=42=2.828',
        Softmax: 'αsat,cat=exi,j∑nexi,n=e2.828e0.707+e2.828+e2.121=16.91927.289=0.620',
        Sum: 'osat=∑jαjvj=0.074·[2,0]+0.620·[0,4]+0.306·[1,1]=[0.454,2.786]',
    };
    for (const [step, formula] of Object.entries(formulas)) {
        const gate = `[title="${step}: how it works"]`;
        await page.focus(gate);
        await page.keyboard.press('Enter');
        assert.equal(await page.$$eval('.room', (rooms) => rooms.length), 1, step);
        assert.equal(await page.$eval('.room .formula', (element) => element.textContent), formula);
        assert.equal(
            await page.$eval('.room math', (math) => math.namespaceURI),
            'http://www.w3.org/1998/Math/MathML',
        );
        assert.equal(await page.$eval(gate, (button) => button.ariaExpanded), 'true');
    }
    await page.click('.room [aria-label="Close"]');
    assert.equal(await page.$('.room'), null);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('on a phone a sum of vectors ends its lines at its signs, and none is cut', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    await page.click('[data-gate=output]');
    const { wide, lines } = await page.$eval('.formula', (formula) => {
        const all = [...formula.querySelectorAll('math')];
        const lines = all.map((one) => one.getBoundingClientRect().top);
        return { wide: formula.scrollWidth - formula.clientWidth, lines };
    });
    assert.equal(wide, 0);
    assert.equal(lines.length, 6, 'o, = Σ, = first, + second, + third, = output');
    assert.ok(lines.at(-1) > lines[1] + 10, 'in more than one line');
    await leave(page);
});
