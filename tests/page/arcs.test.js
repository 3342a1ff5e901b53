// The arcs over the words: each label can be read, and what is left of an arc is still a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeInto } from './acts.js';
import { attention, example } from './attention.js';
import { leave, open, useBrowser } from './browser.js';
import { hashOf, long } from './long.js';
import { STATES } from './states.js';

const session = useBrowser();

/** The labels with their boxes, the arcs as points piece by piece, and the boxes of the words. */
const drawn = (page) =>
    page.evaluate(() => {
        const boxOf = (part) => {
            const { left, top, right, bottom } = part.getBoundingClientRect();
            return { left, top, right, bottom };
        };
        const svg = document.querySelector('.wires');
        const origin = svg.getBoundingClientRect();
        const arcs = [...svg.querySelectorAll('path')].filter(
            (path) => path.getAttribute('stroke-linecap') || path.getAttribute('stroke-dasharray'),
        );
        const pieces = arcs
            .filter((path) => path.getAttribute('stroke-dasharray') !== '1 5')
            .map((path) =>
                path
                    .getAttribute('d')
                    .split(/(?=M)/)
                    .map((d) => {
                        const piece = document.createElementNS(svg.namespaceURI, 'path');
                        piece.setAttribute('d', d);
                        const length = piece.getTotalLength();
                        const points = Array.from({ length: 41 }, (_, n) => {
                            const { x, y } = piece.getPointAtLength((length * n) / 40);
                            return [x + origin.left, y + origin.top];
                        });
                        const half = Number(path.getAttribute('stroke-width')) / 2;
                        return { length, points, half };
                    }),
            );
        return {
            /* Digits stand on the base line and are 10 px high, whatever a browser calls a box. */
            labels: [...svg.querySelectorAll('text.arc')].map((label) => {
                const { x, width } = label.getBBox();
                const [left, right] = [x + origin.left, x + width + origin.left];
                const bottom = Number(label.getAttribute('y')) + origin.top + 0.5;
                return { text: label.textContent, left, right, top: bottom - 10, bottom };
            }),
            pieces,
            words: [...document.querySelectorAll('.token')].map(boxOf),
            bar: boxOf(document.querySelector('.top')),
            seeThrough: document.querySelectorAll('.wires path[stroke-opacity]').length,
        };
    });

const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const documents = {
    'the worked example': {},
    'two words': STATES['two words'],
    'the future hidden': STATES['future hidden'],
    'another sentence': STATES['two sentences'],
    'ten words': { document: long(10) },
    'four heads': STATES['four heads'],
};

test('no arc runs through a label, and no stub of one is left between two', async () => {
    for (const [name, { document }] of Object.entries(documents))
        for (const screen of ['desktop', 'laptop', 'phone']) {
            const hash = document ? await hashOf(document) : '';
            const { page } = await open(session.browser, { screen, hash });
            const { labels, pieces, words, bar, seeThrough } = await drawn(page);
            const where = `${name}, ${screen}`;
            assert.equal(seeThrough, 0, where);
            for (const { text, ...digits } of labels) {
                for (const { points, half } of pieces.flat()) {
                    const touches = points.some(
                        ([x, y]) =>
                            x > digits.left - half &&
                            x < digits.right + half &&
                            y > digits.top - half &&
                            y < digits.bottom + half,
                    );
                    assert.ok(!touches, `${where}: an arc runs through ${text}`);
                }
                assert.ok(!words.some((word) => meet(word, digits)), `${where}: ${text} on a word`);
                assert.ok(digits.top >= bar.bottom, `${where}: ${text} on the bar`);
            }
            for (const arc of pieces)
                for (const { length } of arc.slice(1, -1))
                    assert.ok(length >= 30, `${where}: a stub of ${length}`);
            await leave(page);
        }
});

test('on a phone every arc of the worked example is whole or carries its own label', async () => {
    const { page } = await open(session.browser, { screen: 'phone' });
    const { labels, pieces } = await drawn(page);
    const { weights } = attention(example);
    assert.deepEqual(
        labels.map(({ text }) => text).toSorted(),
        weights[2].map((x) => x.toFixed(3)).toSorted(),
    );
    assert.deepEqual(pieces.map((arc) => arc.length).toSorted(), [1, 1, 2]);
    await leave(page);
});

test('on a small screen every arc goes from word to word, whatever stands between', async () => {
    const states = ['future hidden', 'mask after', 'two words', 'long word', 'large scores'];
    for (const state of states)
        for (const screen of ['phone', 'narrow']) {
            const hash = await hashOf(STATES[state].document);
            const { page } = await open(session.browser, { screen, hash });
            const { pieces, words } = await drawn(page);
            const floor = Math.min(...words.map(({ top }) => top));
            for (const arc of pieces)
                for (const [, y] of [arc[0].points[0], arc.at(-1).points.at(-1)])
                    assert.ok(Math.abs(y - floor) < 4, `${state}, ${screen}: ends at ${floor - y}`);
            await leave(page);
        }
});

test('an edit of a longer sentence moves its arcs; every line stays the element it is', async () => {
    const document = long(12, { heads: 4, dims: 4 });
    const { page, seen } = await open(session.browser, { hash: await hashOf(document) });
    await page.evaluate(() => {
        globalThis.lines = [...window.document.querySelectorAll('.wires :is(path, circle)')];
    });
    const told = () =>
        page.$$eval('.wires text.arc', (all) => all.map((text) => Number(text.textContent)));
    const opened = await told();
    await typeInto(page, '[role=grid][aria-label="K"] [role=gridcell]', '3');
    const input = Object.fromEntries(
        ['q', 'k', 'v'].map((name) => [name, document[name].map((row) => row.slice(0, 4))]),
    );
    input.k[document.key][0] = 3;
    const weights = attention(input).weights[document.query];
    const labelled = weights.filter((x, j) => x >= 0.07 || j === document.key);
    const edited = await told();
    assert.deepEqual(edited.toSorted(), labelled.map((x) => Number(x.toFixed(3))).toSorted());
    assert.notDeepEqual(edited, opened);
    const hits = await page.$$eval('.hits path', (all) => all.map((path) => path.dataset.at));
    assert.deepEqual(
        hits.toSorted(),
        weights.map((_, j) => `weights:${document.query}:${j}`).toSorted(),
    );
    assert.deepEqual(
        await page.evaluate(() => globalThis.lines.map((line) => line.isConnected)),
        await page.$$eval('.wires :is(path, circle)', (all) => all.map(() => true)),
    );
    await page.click('[aria-label="Undo"]');
    assert.deepEqual(await told(), opened);
    assert.deepEqual(seen, []);
    await leave(page);
});

test('of the many arcs to keys that are hidden one says so, of few each', async () => {
    for (const [name, count] of [
        ['mask of a long sentence', 1],
        ['all hidden', 3],
    ]) {
        const { document, act } = STATES[name];
        const hash = document ? await hashOf(document) : '';
        const { page } = await open(session.browser, { hash });
        if (!document) await act(page);
        const labels = await page.$$eval('.wires text.arc', (all) =>
            all.map((text) => text.textContent),
        );
        assert.equal(labels.filter((text) => text === 'hidden').length, count, name);
        await leave(page);
    }
});
