// Random shapes and options against the oracle, for attention() and for every stage of inspect().
// ATTN_SEED repeats a run; the worst share of the bound that was used is printed.

import { test } from 'node:test';
import fc from 'fast-check';
import { onEveryBuild } from './builds.js';
import { assertBound, oracle, STAGES } from './oracle.js';
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
});
