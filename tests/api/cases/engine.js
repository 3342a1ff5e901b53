// Sentences of the engine itself: what it refuses, memory, results, heads under torch’s names.
//
// id of the sentence: [code, [message, call], ...]. # stands for a number that depends on the
// build.

import { masks } from '../../../web/api/index.js';
import { refusal } from '../../../web/api/refusals.js';
import { engineOf } from '../builds.js';
import {
    backward, disposed, Q, refuse, withOptions, withThousand, withWhatIf, zeros,
} from './given.js';
import { stub } from './stub.js';

export const ENGINE_CASES = {
    refusedByCore: ['BAD_OPTION', ['isa: the instruction set is not in this build', () => {
        throw refusal(8, 'isa', 'the instruction set is not in this build', {});
    }]],
    shapeDiffers: ['BAD_SHAPE',
        ['scores is [2,3], expected [3,3]', withWhatIf({ scores: [[1, 2, 3], [1, 2, 3]] })],
        ['dOutput is [2,3], expected [3,2]', backward([[1, 2, 3], [1, 2, 3]])],
    ],

    disposed: ['DISPOSED',
        ['attention: this engine was disposed',
            (attn, simd) => disposed(simd, withOptions({}))],
        ['inspect: this engine was disposed',
            (attn, simd) => disposed(simd, (gone) => gone.inspect(Q, Q, Q))],
        ...['forward', 'softmaxJacobian', 'optimizer'].map((name) => (
            [`${name}: this engine was disposed`,
                (attn, simd) => disposed(simd, (gone) => gone[name](Q, Q, Q))])),
        ['backward: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd), result = other.forward(Q, Q, Q);
            other.dispose();
            result.backward(Q);
        }],
        ['step: this engine was disposed', (attn, simd) => {
            const other = engineOf(simd), optimizer = other.optimizer({ kind: 'sgd', lr: 1 });
            other.dispose();
            optimizer.step([1], [1]);
        }],
        ['trim: this engine was disposed',
            (attn, simd) => disposed(simd, (gone) => gone.trim())],
    ],
    outOfMemory: ['OUT_OF_MEMORY', ['the call needs # bytes (# MiB) of memory, maxMemory is '
        + '1048576 bytes (1 MiB)',
    (attn, simd) => withThousand(engineOf(simd, { maxMemory: 1048576 }))]],
    memoryRefused: ['OUT_OF_MEMORY', ['the call needs # bytes (# MiB) of memory, which the runtime '
        + 'did not give', (attn, simd) => (
        stub(WebAssembly.Memory.prototype, 'grow', refuse, () => withThousand(engineOf(simd))))]],
    resultRefused: ['OUT_OF_MEMORY',
        ...[withOptions({}), (attn) => attn.forward(Q, Q, Q)].map((call) => (
            ['a result needs an array of 24 bytes, which the runtime did not give', (attn) => (
                stub(Object.getPrototypeOf(Float32Array.prototype), 'slice', refuse,
                    () => call(attn)))])),
        ['a result needs an array of # bytes (# PiB), which the runtime did not give',
            (attn) => attn.softmaxJacobian({ data: new Uint8Array(5e7), shape: [5e7] })],
    ],
    tooLargeToInspect: ['TOO_LARGE', ['inspect: 6 arrays of 1·1·20000·20000 = 400000000 scores, '
        + 'and the rest, need # bytes (# GiB), maxMemory is 2147483648 bytes (2 GiB): use '
        + 'attention(), which never holds a whole score matrix',
        (attn) => attn.inspect(zeros(20000, 1), zeros(20000, 1), zeros(20000, 1))]],

    noMasks: ['BAD_VALUE', ['masks.and: expected at least one mask, got none',
        () => masks.and()]],
    masksDiffer: ['BAD_SHAPE', ['masks.or: mask 1 is [1,4], which does not broadcast with [2,3]',
        () => masks.or(masks.causal(2, 3), [[true, true, true, false]])]],
    badTorchHeads: ['BAD_OPTION',
        ['heads is undefined: torch means batch·heads by the first axis of [4,2,2]: '
            + 'expected a divisor of 4',
        () => masks.fromTorchModule({ data: new Uint8Array(16), shape: [4, 2, 2] })],
        ['heads is 3: torch means batch·heads by the first axis of [4,2,2]: expected a '
            + 'divisor of 4',
        () => masks.fromTorchModule({ data: new Uint8Array(16), shape: [4, 2, 2] }, { heads: 3 })],
    ],
};
