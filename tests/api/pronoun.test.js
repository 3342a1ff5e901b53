// The small model of web/train: its gradients, its grammar, and that a run repeats bit for bit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exp, log } from '../../web/train/exact.js';
import { PLACE_OF, SHOWN, WORDS, sentences } from '../../web/train/grammar.js';
import { PronounLesson } from '../../web/train/pronoun.js';
import { Model } from '../../web/train/model.js';
import { engineOf, onEveryBuild } from './builds.js';
import { numbersFrom } from './oracle.js';

function run(engine, options) {
    const lesson = new PronounLesson(engine, options), curve = [];
    while (!lesson.isOver) curve.push(lesson.next());
    const { apart } = lesson.look();
    const result = { curve, apart, accuracy: lesson.accuracy(), shown: lesson.shown(),
        parameters: lesson.model.parameters, count: lesson.model.count };
    lesson.dispose();
    return result;
}

test('the grammar: 1000 sentences, 200 held out, among them those that are shown', () => {
    const { training, heldOut } = sentences();
    const texts = [training, heldOut].map((list) => list.map(({ words }) => words.join(' ')));
    assert.deepEqual(texts.map((list) => list.length), [800, 200]);
    assert.equal(new Set(texts.flat()).size, 1000);
    for (const { words } of SHOWN) assert.ok(texts[1].includes(words.join(' ')));
    assert.deepEqual([...new Set(training.flatMap(({ words }) => words))].sort(),
        [...WORDS].sort());
    for (const { words, referent } of [...training, ...heldOut]) {
        const isOfAnimals = ['tired', 'hungry', 'sleepy', 'scared', 'old'].includes(words[10]);
        assert.equal(referent, isOfAnimals ? 1 : 5);
    }
    assert.equal(SHOWN[0].words.join(' '),
        "the animal didn't cross the street because it was too tired");
    assert.deepEqual(SHOWN.map(({ words, referent }) => words[referent]), ['animal', 'street']);
});

test('exp and log of sums and products are within 2 units in the last place', () => {
    const next = numbersFrom(5), off = (x, y) => Math.abs(x - y) / (Math.abs(y) * 2 ** -52);
    let most = 0;
    for (let n = 0; n < 20000; n++) {
        const x = 700 * next() / 3, near = 1 + next() * 10 ** (-n % 12);
        most = Math.max(most, off(exp(x), Math.exp(x)), off(log(exp(x)), Math.log(exp(x))));
        if (near > 0 && near !== 1) most = Math.max(most, off(log(near), Math.log(near)));
    }
    assert.ok(most <= 2, `${most}`);
    assert.deepEqual([exp(0), exp(-1000), exp(1000), log(1), log(0), log(Infinity), log(-1)],
        [1, 0, Infinity, 0, -Infinity, Infinity, NaN]);
    assert.ok(off(log(5e-324), -744.4400719213812) < 1);
});

onEveryBuild('a small model', (engine, simd) => {
    test('the gradient of every parameter is the central difference of the loss', () => {
        const { training } = sentences(), batch = training.slice(0, 5), next = numbersFrom(12);
        for (const causal of [false, true]) {
            const model = new Model(engine, { seed: 3, causal }), auxiliary = 0.3;
            for (const list of Object.values(model.parameters)) {
                for (let n = 0; n < list.length; n++) list[n] += 0.1 * next();
            }
            const { slopes } = model.learn(batch, auxiliary);
            const loss = () => {
                const { answer, pointing } = model.learn(batch, auxiliary).loss;
                return answer + auxiliary * pointing;
            };
            for (const [name, list] of Object.entries(model.parameters)) {
                const order = [...slopes[name].keys()]
                    .sort((a, b) => Math.abs(slopes[name][b]) - Math.abs(slopes[name][a]));
                for (const at of [...order.slice(0, 2), order[Math.floor(order.length / 3)]]) {
                    const before = list[at], [above, below] = [0.01, -0.01].map((step) => {
                        list[at] = before + step;
                        return loss();
                    });
                    list[at] = before;
                    const slope = (above - below) / 0.02, ours = slopes[name][at];
                    const isNear = Math.abs(ours - slope) <= 2e-4 + 0.01 * Math.abs(slope);
                    assert.ok(isNear, `${name}[${at}] is ${ours}, the difference says ${slope}`);
                }
            }
            model.dispose();
        }
        assert.deepEqual([engine.memory().used, engine.memory().handles], [0, 0]);
    });

    test('a run repeats bit for bit, in another engine too', () => {
        const options = { seed: 4, auxiliary: 0.3, steps: 12 };
        const first = run(engine, options), { curve } = first;
        assert.deepEqual(run(engine, options), first);
        assert.deepEqual(run(engineOf(simd), options), first);
        assert.notDeepEqual(run(engine, { ...options, seed: 5 }).curve, curve);
        assert.ok(curve.every((x) => x.answer > 0 && x.pointing > 0 && x.gradientNorm > 0));
        assert.equal(first.count, 11205);
    });

    test('a run that was saved and restored goes on bit for bit', () => {
        const options = { seed: 4, auxiliary: 0.3, steps: 12 }, whole = run(engine, options);
        const first = new PronounLesson(engine, options);
        while (first.step < 5) first.next();
        const saved = first.save(), frozen = structuredClone(saved);
        first.next();
        assert.deepEqual(saved, frozen);
        const second = new PronounLesson(engineOf(simd), options);
        second.restore(saved);
        while (!second.isOver) second.next();
        assert.deepEqual(second.curve, whole.curve);
        assert.deepEqual(second.model.parameters, whole.parameters);
        [first, second].forEach((lesson) => lesson.dispose());
    });

    test('with the auxiliary loss it answers for sentences never seen, and points', () => {
        const { curve, accuracy, shown, apart } = run(engine, { seed: 2, auxiliary: 0.3 });
        assert.ok(apart > 1, `${apart}`);
        assert.ok(accuracy >= 0.99, `${accuracy}`);
        assert.ok(curve[0].answer > 3 && curve.at(-1).answer < 0.05);
        const [tired, wide] = shown;
        assert.deepEqual([tired.answer, wide.answer], ['animal', 'street']);
        assert.ok(tired.animal > 0.9 && tired.place < 0.1, JSON.stringify(tired));
        assert.ok(wide.place > 0.9 && wide.animal < 0.1, JSON.stringify(wide));
    });

    test('behind a causal mask "it" cannot know: chance, and both sentences alike', () => {
        const { accuracy, apart, shown: [tired, wide] } = run(engine, {
            seed: 2, auxiliary: 0.3, causal: true,
        });
        assert.ok(accuracy > 0.2 && accuracy < 0.7, `${accuracy}`);
        assert.equal(apart, 0);
        assert.deepEqual([tired.answer, tired.animal, tired.place],
            [wide.answer, wide.animal, wide.place]);
        assert.ok(PLACE_OF.adjective > PLACE_OF.it);
    });
});
