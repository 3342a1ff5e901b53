// What the page says about training (C17, C18) is what these runs measure: a head with and without
// ÷ √d_k, and a model of the next word with and without the causal mask.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COURSES } from '../../web/train/courses.js';
import { WORDS } from '../../web/train/grammar.js';
import { LookupLesson } from '../../web/train/lookup.js';
import { normalFrom, randomFrom } from '../../web/train/random.js';
import { print, read } from '../../web/train/saved.js';
import { FLOOR, SpeakerLesson } from '../../web/train/speaker.js';
import { engineOf, onEveryBuild } from './builds.js';

const mean = (all) => all.reduce((sum, x) => sum + x, 0) / all.length;

function looked(engine, options) {
    const lesson = new LookupLesson(engine, { seed: 1, headDim: 128, ...options });
    const before = lesson.model.solve(lesson.heldOut);
    while (!lesson.isOver) lesson.next();
    const { curve } = lesson;
    const result = {
        ...lesson.look().numbers,
        largest: before.largest,
        slope: curve[0].gradientNorm,
        loss: mean(curve.slice(-20).map(({ answer }) => answer)),
    };
    lesson.dispose();
    return result;
}

test('normal numbers from a seed have mean 0 and variance 1', () => {
    const next = normalFrom(randomFrom(3)), all = Array.from({ length: 20000 }, next);
    const off = mean(all), variance = mean(all.map((x) => (x - off) ** 2));
    assert.ok(Math.abs(off) < 0.03 && Math.abs(variance - 1) < 0.04, `${off}, ${variance}`);
});

onEveryBuild('experiments in training', (engine, simd) => {
    test('the gradients of the head and of the speaker are central differences', () => {
        const lessons = [
            new LookupLesson(engine, {
                seed: 2, headDim: 8, scaled: false, method: 'sgd', rate: 0.3,
            }),
            new SpeakerLesson(engine, { seed: 2, causal: true }),
            new SpeakerLesson(engine, { seed: 2, causal: false }),
        ];
        for (const lesson of lessons) {
            const batch = lesson.draw(), { slopes } = lesson.learn(batch);
            for (const [name, list] of Object.entries(lesson.model.parameters)) {
                const size = slopes[name].map(Math.abs), at = size.indexOf(Math.max(...size));
                const before = list[at], [above, below] = [0.01, -0.01].map((step) => {
                    list[at] = before + step;
                    return lesson.learn(batch).loss.answer;
                });
                list[at] = before;
                const slope = (above - below) / 0.02, ours = slopes[name][at];
                const isNear = Math.abs(ours - slope) <= 2e-4 + 0.01 * Math.abs(slope);
                assert.ok(isNear, `${name}[${at}] is ${ours}, the difference says ${slope}`);
            }
            lesson.dispose();
        }
    });

    test('without √d_k a wide head begins saturated, its gradient larger, and it learns', () => {
        const [scaled, raw] = [true, false].map((scaled) => (
            looked(engine, { scaled, method: 'adamw', rate: 0.01 })));
        assert.ok(scaled.largest < 0.3 && raw.largest > 0.8, JSON.stringify([scaled, raw]));
        assert.ok(raw.slope > 3 * scaled.slope);
        assert.ok(scaled.accuracy >= 0.99 && raw.accuracy >= 0.95);
        assert.ok(raw.loss > 4 * scaled.loss && raw.loss < 0.3);
    });

    /* The last bits of a kernel change how far a run gets that does not converge: the bounds are wide. */
    test('what √d_k buys is room for the learning rate', () => {
        const sgd = [true, false].map((scaled) => [0.3, 3].map((rate) => (
            looked(engine, { scaled, method: 'sgd', rate }))));
        const [[slow, fast], [slowRaw, fastRaw]] = sgd;
        assert.ok(slow.accuracy >= 0.99 && slowRaw.accuracy >= 0.95 && slowRaw.loss < slow.loss);
        assert.ok(fast.accuracy >= 0.99 && fastRaw.accuracy < 0.75, JSON.stringify(sgd));
        const raw = looked(engine, { scaled: false, method: 'adamw', rate: 0.03 });
        assert.ok(raw.accuracy < 0.95, JSON.stringify(raw));
    });

    test('trained without the causal mask: almost no loss, and no use in generation', () => {
        const [masked, open] = [true, false].map((causal) => {
            const lesson = new SpeakerLesson(engine, { seed: 1, causal });
            while (!lesson.isOver) lesson.next();
            const { numbers, sentences } = lesson.look();
            lesson.dispose();
            assert.ok(sentences.flat().every((word) => WORDS.includes(word)));
            return { loss: lesson.curve.at(-1).answer, ...numbers };
        });
        assert.ok(open.loss < 0.001 && open.grammatical < 0.1, JSON.stringify(open));
        assert.ok(masked.loss > FLOOR - 0.03 && masked.loss < FLOOR + 0.1, JSON.stringify(masked));
        assert.ok(masked.grammatical > 0.8, JSON.stringify(masked));
    });

    test('lessons of every course go through a file and on, bit for bit', () => {
        const options = {
            pronoun: { seed: 4, auxiliary: 0.3, causal: false, steps: 6 },
            lookup: { seed: 4, headDim: 8, scaled: true, method: 'sgd', rate: 0.3, steps: 6 },
            speaker: { seed: 4, causal: true, steps: 6 },
        };
        for (const [course, { Lesson }] of Object.entries(COURSES)) {
            const whole = new Lesson(engine, options[course]);
            while (whole.step < 3) whole.next();
            const text = print(course, [whole]);
            const { shapes, parameters } = JSON.parse(text).lessons[0];
            assert.deepEqual(
                Object.entries(shapes).map(([name, shape]) => [name, shape.reduce((a, b) => a * b)]),
                Object.entries(parameters).map(([name, { length }]) => [name, length]),
            );
            const { lessons: [other], problem } = read(engineOf(simd), text);
            assert.equal(problem, undefined);
            for (const lesson of [whole, other]) while (!lesson.isOver) lesson.next();
            assert.deepEqual(other.save(), whole.save());
            [whole, other].forEach((lesson) => lesson.dispose());
        }
        assert.deepEqual([engine.memory().used, engine.memory().handles], [0, 0]);
    });

    test('a file that is no training run is refused by its first fault, and nothing is kept', () => {
        const lesson = new SpeakerLesson(engine, { seed: 1, causal: true, steps: 4 });
        lesson.next();
        const good = JSON.parse(print('speaker', [lesson]));
        lesson.dispose();
        const change = (path, value) => {
            const file = structuredClone(good), at = path.slice(0, -1).reduce((o, k) => o[k], file);
            at[path.at(-1)] = value;
            return JSON.stringify(file);
        };
        const one = ['lessons', 0];
        for (const [text, problem] of [
            ['{', { kind: 'json' }],
            ['[]', { kind: 'format' }],
            [change(['version'], 2), { kind: 'version', expected: 1, got: '2' }],
            [change(['course'], 'constructor'), {
                kind: 'choice', field: 'course', of: Object.keys(COURSES), got: 'constructor',
            }],
            [change(['lessons'], []), { kind: 'part', field: 'lessons' }],
            [change([...one, 'options', 'seed'], 0), {
                kind: 'whole', field: 'seed', from: 1, to: 4294967295, got: '0',
            }],
            [change([...one, 'options', 'causal'], 'yes'), {
                kind: 'choice', field: 'causal', of: [false, true], got: 'yes',
            }],
            [change([...one, 'step'], 5), {
                kind: 'whole', field: 'step', from: 0, to: 4, got: '5',
            }],
            [change([...one, 'parameters', 'readout', 7], null), {
                kind: 'number', field: 'readout', at: 8,
            }],
            [change([...one, 'parameters', 'readout'], [1]), {
                kind: 'count', field: 'readout', expected: WORDS.length * 32, got: 1,
            }],
            [change([...one, 'moments', 'readout'], [[1]]), {
                kind: 'part', field: 'moments of readout',
            }],
            [change([...one, 'curve', 0, 'answer'], 'x'), { kind: 'number', field: 'curve', at: 1 }],
        ]) assert.deepEqual(read(engine, text), { problem });
        assert.deepEqual([engine.memory().used, engine.memory().handles], [0, 0]);
    });
});
