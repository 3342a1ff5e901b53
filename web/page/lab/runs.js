// The training runs of the labs: one worker for each lab that trains, started from the text of the
// page's first script, and what it has told. Runs are no part of the state, as results of the
// engine are none; which settings they are made of is.

import { signal } from '@preact/signals';
import { state } from '../state.js';
import { setLab } from './lab.js';
import { LABS } from './labs.js';

/**
 * Lab → what its worker told: status ('running', 'rested', 'over'), and for each lesson its
 * options, its curve, what was seen last, and whether it ended. `before` is the run before.
 */
export const runs = signal({});

const workers = new Map();

/** The bytes of the engine, which every worker is sent. */
let wasm = null;

export const giveWasm = (bytes) => {
    wasm = bytes;
};

function patch(id, more) {
    runs.value = { ...runs.peek(), [id]: { ...runs.peek()[id], ...more } };
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The lessons that the settings of a lab ask for. */
const asked = (lab) => LABS[lab.id].lessonsOf(lab);

/** Whether the run of a lab is of other settings than those that are set. */
export const isStale = (run, lab) => !same(run.options, asked(lab));

const TOLD = {
    begun(id, { count }) {
        const { curves, options, before } = runs.peek()[id] ?? {};
        const none = Array(count).fill(null);
        patch(id, {
            before: curves?.some((curve) => curve.length) ? { curves, options } : before,
            curves: none.map(() => []),
            seen: none,
            options: none,
            ended: none,
            problem: null,
        });
    },
    lesson(id, { n, options, from, curve, seen, isOver }) {
        const run = runs.peek()[id];
        patch(id, {
            curves: run.curves.with(n, [...run.curves[n].slice(0, from), ...curve]),
            seen: run.seen.with(n, seen),
            options: run.options.with(n, options),
            ended: run.ended.with(n, isOver),
        });
    },
    rested(id, { restored = false }) {
        const { ended, options } = runs.peek()[id];
        const isOver = ended?.every(Boolean);
        patch(id, { status: isOver ? 'over' : ended && 'rested' });
        if (restored) setLab(LABS[id].settingsOf(options));
    },
    text(id, { text }) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
        link.download = `attn-${id}.json`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
    problem(id, { problem }) {
        patch(id, { problem });
        TOLD.rested(id, {});
    },
    failed: (id, { message }) => TOLD.problem(id, { problem: { kind: 'failed', message } }),
};

function workerOf(id) {
    if (workers.has(id)) return workers.get(id);
    const text = document.getElementById('core').textContent;
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    const worker = new Worker(address);
    worker.onmessage = ({ data: { kind, ...more } }) => {
        TOLD[kind](id, more);
        URL.revokeObjectURL(address);
    };
    worker.onerror = ({ message }) => TOLD.failed(id, { message: message || 'it did not start' });
    workers.set(id, worker);
    return worker;
}

/** Tells the worker of a lab what to do. Where a page may start none, that is said. */
function send(id, act, more) {
    try {
        workerOf(id).postMessage({ act, ...more });
    } catch (error) {
        TOLD.failed(id, error);
    }
}

/** Stops whatever is being trained, in this lab or another. */
export function stopRuns() {
    for (const [id, { status }] of Object.entries(runs.peek()))
        if (status === 'running') send(id, 'stop');
}

/** Trains with the settings of the lab, from the first step. */
export function startRun() {
    const { lab } = state.peek();
    stopRuns();
    patch(lab.id, { status: 'running', problem: null });
    send(lab.id, 'begin', { wasm, course: LABS[lab.id].course, options: asked(lab) });
}

/** Goes on from where it was stopped. */
export function goOn(id) {
    stopRuns();
    patch(id, { status: 'running' });
    send(id, 'go');
}

/** Saves the run as a file: what was learned, the memory of the optimiser, the curve. */
export const exportRun = (id) => send(id, 'save');

/** Goes on from a file; the settings follow what it was made with. */
export function importRun(id, text) {
    stopRuns();
    patch(id, { problem: null });
    send(id, 'restore', { wasm, text, course: LABS[id].course });
}
