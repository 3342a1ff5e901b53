// Every sentence that attn can say, said once at least, with its code; and the engine works on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SENTENCES } from '../../web/api/sentences.js';
import { onEveryBuild } from './builds.js';
import { ENGINE_CASES } from './cases/engine.js';
import { HANDLE_CASES } from './cases/handles.js';
import { LOADING_CASES } from './cases/loading.js';
import { OPTION_CASES } from './cases/options.js';
import { TENSOR_CASES } from './cases/tensors.js';

const ON_CALLS = [TENSOR_CASES, OPTION_CASES, ENGINE_CASES, HANDLE_CASES];

function assertSays(error, code, message) {
    if (error.name !== 'AttnError') throw error;
    assert.equal(error.code, code);
    const literal = message.split('#').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    assert.match(error.message, new RegExp(`^${literal.join('[\\d.]+')}$`));
}

test('no sentence is without a case', () => {
    const tables = [...ON_CALLS, LOADING_CASES];
    const said = new Set(tables.flatMap((table) => Object.keys(table)));
    const all = Object.values(SENTENCES).flatMap((sentences) => Object.keys(sentences));
    assert.deepEqual([...said].sort(), all.sort());
});

onEveryBuild('sentences of calls', (engine, simd) => {
    const tables = ON_CALLS.flatMap((table) => Object.entries(table));
    for (const [id, [code, ...cases]] of tables) {
        test(id, () => {
            for (const [message, call] of cases) {
                let thrown;
                try {
                    call(engine, simd);
                } catch (error) {
                    thrown = error;
                }
                assert.ok(thrown, `nothing said: ${message}`);
                assertSays(thrown, code, message);
                assert.equal(engine.memory().used, 0);
                assert.deepEqual(engine.attention([[1]], [[1]], [[7]]).toNested(), [[7]]);
            }
        });
    }
});

describe('sentences of loading', () => {
    for (const [id, [code, ...cases]] of Object.entries(LOADING_CASES)) {
        test(id, async () => {
            for (const [message, start] of cases) {
                await assert.rejects(async () => start(), (error) => {
                    assertSays(error, code, message);
                    return true;
                });
            }
        });
    }
});
