// What there is to try, as data: each is a question about the page as it is, a guess, one edit,
// and what the engine then says. `may` tells whether the question makes sense here, `subject` the
// cell that it is about, `run` makes the edit, `seen` measures what came of it, and `answer` is the
// guess that was right.

import { pinCell, setValue } from './actions.js';
import { model } from './compute.js';
import { choosePreset, setScale } from './controls.js';
import { isProjected } from './shape.js';
import { state, update } from './state.js';
import { text } from './text.en.js';

const isPlain = ({ doc }) => doc.softmaxAxis === 'keys' && doc.maskOrder === 'before';

/** How many keys a query may look at. */
const allowedTo = ({ allowed }, i) => allowed[i].filter(Boolean).length;

const strongest = (weights) => weights.indexOf(Math.max(...weights));

/** How many numbers of a matrix are not what they were. */
const moved = (now, old) =>
    now.flat().filter((x, n) => !Object.is(x, old.flat()[n])).length;

const STEP = 4;

const TRIES = {
    scale: {
        may: (m, i) =>
            m.doc.scale === 'sqrt' && m.dk > 1 && isPlain(m) && allowedTo(m, i) > 1,
        subject: (m, i) => ({ grid: 'weights', row: i, col: strongest(m.grids.weights[i]) }),
        run: () => setScale(false),
        seen: (now, old, { row, col }) => ({
            from: old.grids.weights[row][col],
            to: now.grids.weights[row][col],
        }),
        answer: ({ from, to }) => (to > from ? 'more' : to < from ? 'less' : 'same'),
    },
    future: {
        may: (m) =>
            m.hidden === 0 && m.doc.keyTokens === null && m.queries.length > 1 && isPlain(m),
        subject: () => ({ grid: 'weights', row: 0, col: 0 }),
        run: () => choosePreset('causal'),
        seen: (now) => ({
            seen: allowedTo(now, 0),
            weight: now.grids.weights[0][0],
        }),
        answer: ({ seen }) => (seen === 0 ? 'none' : seen === 1 ? 'itself' : 'all'),
    },
    value: {
        may: (m) => !isProjected(m.doc),
        subject: (m, i) => ({ grid: 'V', row: strongest(m.grids.weights[i]), col: 0 }),
        run: (cell) => setValue(cell, goal(model.peek(), cell).to),
        seen: (now, old) => ({
            weights: moved(now.grids.weights, old.grids.weights),
            all: now.queries.length * now.keys.length,
            outputs: moved(now.grids.output, old.grids.output),
        }),
        answer: ({ weights }) => (weights ? 'yes' : 'no'),
    },
};

/** The number that is to be changed, and to what. */
const goal = ({ grids }, { grid, row, col }) => {
    const from = grids[grid][row][col];
    return { from, to: from + STEP };
};

/** The ids of what makes sense on the page as it is. */
export const offered = (m, i) => Object.keys(TRIES).filter((id) => TRIES[id].may(m, i));

/** Chooses one: the row that it is about is pinned, and a guess is asked for. */
export function choose(id) {
    const cell = TRIES[id].subject(model.peek(), state.peek().query);
    pinCell(cell);
    update({ trial: { id, ...cell }, notice: null });
}

export const leave = () => update({ trial: null });

/** The words of a cell: its query and its key. */
const names = (m, { grid, row, col }) =>
    grid === 'weights' ? [m.queries[row], m.keys[col]] : [null, m.keys[row]];

export const question = (m, trial) =>
    text.tries[trial.id].ask(...names(m, trial), goal(m, trial));

/** Makes the edit and says how the guess fared. Undo takes it back, and it can be tried again. */
export function guess(answer) {
    const { trial } = state.peek();
    const { id, ...cell } = trial;
    TRIES[id].run(cell);
    update({ notice: { kind: 'tried', trial, guess: answer } });
    return cell;
}

/** What came of it, in the engine's numbers. */
export function toldOf(m, old, { trial, guess }) {
    if (!old) return [];
    const { seen, answer } = TRIES[trial.id];
    const numbers = seen(m, old, trial);
    return [
        text.tried(answer(numbers) === guess),
        ...text.tries[trial.id].told(numbers, ...names(m, trial)),
    ];
}
