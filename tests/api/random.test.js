// Random shapes and options against the oracle, for attention() and for every stage of inspect().
// ATTN_SEED repeats a run; the worst share of the bound that was used is printed.

import { test } from 'node:test';
import fc from 'fast-check';
import { onEveryBuild } from './builds.js';
import { assertBound, numbersFrom, oracle, STAGES, unitOf } from './oracle.js';
import { SEED, argumentsFor, calls, makeCall, swapAxes } from './random.js';

onEveryBuild('random calls', (engine) => {
    for (const name of ['attention', 'inspect']) {
        test(`${name}: within the bound of the oracle`, (t) => {
            let worst = 0;
            fc.assert(fc.property(calls, (chosen) => {
                const call = makeCall(chosen);
                const exact = oracle(call), plain = oracle(call, Math.fround);
                const result = engine[name](...argumentsFor(call, chosen));
                const output = name === 'inspect' ? result.output : result;
                const isSwapped = chosen.layout === 'BTHD' && chosen.rank > 2;
                const data = isSwapped
                    ? swapAxes(output.data, call.B, call.Tq, call.Hq, call.Dv)
                    : output.data;
                const check = (stage, ours, scale) => {
                    const share = assertBound(stage, ours, exact[stage], plain[stage], scale);
                    worst = Math.max(worst, share);
                };
                check('output', data, call.v);
                if (name !== 'inspect') return;
                for (const stage of STAGES) check(stage, result[stage].data);
            }), { seed: SEED, numRuns: 400 });
            t.diagnostic(`seed ${SEED}, worst share of the bound: ${worst.toFixed(3)}`);
        });
    }

    test('a few keys near one another, with scores from 100 to 10 000: within the bound', (t) => {
        let worst = 0;
        const sizes = fc.record({
            Tq: fc.integer({ min: 1, max: 3 }), Tk: fc.integer({ min: 1, max: 4 }),
            D: fc.integer({ min: 1, max: 8 }), seed: fc.integer(),
            size: fc.integer({ min: 12, max: 60 }),
        });
        fc.assert(fc.property(sizes, ({ Tq, Tk, D, seed, size }) => {
            const next = numbersFrom(seed), first = Array.from({ length: D }, next);
            const call = {
                B: 1, Hq: 1, Hk: 1, Tq, Tk, D, Dv: 2,
                q: Float32Array.from({ length: Tq * D }, () => 2 * size * next()),
                k: Float32Array.from({ length: Tk * D }, (_, n) => (
                    2 * size * first[n % D] + next() / size)),
                v: Float32Array.from({ length: Tk * 2 }, next),
            };
            const exact = oracle(call), plain = oracle(call, Math.fround);
            const args = argumentsFor(call, { rank: 4 }), unit = unitOf(call, exact);
            const outputs = [engine.attention(...args), engine.inspect(...args).output];
            for (const { data } of outputs) {
                const share = assertBound('output', data, exact.output, plain.output, call.v, unit);
                worst = Math.max(worst, share);
            }
        }), { seed: SEED, numRuns: 1500 });
        t.diagnostic(`seed ${SEED}, worst share of the bound: ${worst.toFixed(3)}`);
    });
});
