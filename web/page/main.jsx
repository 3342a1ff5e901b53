// Starts the page: the engine from the wasm inlined in this script, then one render. Everything
// after that follows from state by signals.

import { render } from 'preact';
import { effect } from '@preact/signals';
import { readBytes } from '../api/bytes.js';
import { load } from '../api/index.js';
import { keepAddress } from './address.js';
import { engine } from './compute.js';
import { keepClear } from './dock.js';
import { keepFocus } from './focus.js';
import { giveWasm } from './lab/runs.js';
import { onPageKeys } from './page.js';
import { state } from './state.js';
import { text } from './text.en.js';
import { App } from './views/App.jsx';
import { Failure } from './views/Failure.jsx';

const root = document.getElementById('page');

effect(() => {
    const { theme } = state.value;
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
});

onPageKeys();
keepFocus(root);

const wasm = readBytes('simd128');

load({ wasm, simd: 'simd128' }).then(
    async (started) => {
        engine.value = started;
        giveWasm(await wasm);
        await keepAddress();
        render(<App />, root);
        keepClear();
        const ready = () => {
            document.documentElement.dataset.ready = 'true';
        };
        if (document.hidden) ready();
        else requestAnimationFrame(ready);
    },
    (error) => {
        render(
            <Failure message={text.failed[error.code] ?? text.failed.other(error.message)} />,
            root,
        );
    },
);
