// What there is to try, as data: each is a question about the page as it is, a guess, one edit,
// and what the engine then says. `why` tells why the question makes no sense here, if it makes
// none (null: it may be asked), `subject` the cell that it is about, `run` makes the edit, `seen`
// measures what came of it, and `answer` is the guess that was right.

import { pinCell, setValue } from './actions.js';
import { model } from './compute.js';
import { choosePreset, setScale } from './controls.js';
import { isProjected } from './shape.js';
import { pinsBefore, state, update } from './state.js';
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
        why(m, i) {
            if (m.doc.scale !== 'sqrt') return 'unscaled';
            if (m.dk === 1) return 'rootIsOne';
            if (!isPlain(m)) return 'notPlain';
            return allowedTo(m, i) < 2 ? 'oneKey' : null;
        },
        subject: (m, i) => ({ grid: 'weights', row: i, col: strongest(m.grids.weights[i]) }),
        run: () => setScale(false),
        seen: (now, old, { row, col }) => ({
            from: old.grids.weights[row][col],
            to: now.grids.weights[row][col],
        }),
        answer: ({ from, to }) => (to > from ? 'more' : to < from ? 'less' : 'same'),
    },
    future: {
        why(m) {
            if (m.doc.keyTokens !== null) return 'elsewhere';
            if (m.queries.length === 1) return 'oneWord';
            if (m.hidden > 0) return 'hidden';
            return isPlain(m) ? null : 'notPlain';
        },
        subject: () => ({ grid: 'weights', row: 0, col: 0 }),
        run: () => choosePreset('causal'),
        seen: (now) => ({
            seen: allowedTo(now, 0),
            weight: now.grids.weights[0][0],
        }),
        answer: ({ seen }) => (seen === 0 ? 'none' : seen === 1 ? 'itself' : 'all'),
    },
    value: {
        why: (m) => (isProjected(m.doc) ? 'made' : null),
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

/** Every offer as [id, why it makes no sense on the page as it is, or null]. */
export const offered = (m, i) => Object.entries(TRIES).map(([id, { why }]) => [id, why(m, i)]);

/** Says why something cannot be tried now. */
export const decline = (why) => update({ notice: { kind: 'declined', why } });

/** Chooses one: the row that it is about is pinned, and a guess is asked for. */
export function choose(id) {
    const { query, key, focus } = state.peek();
    const cell = TRIES[id].subject(model.peek(), query);
    pinCell(cell);
    update({ trial: { id, ...cell, pins: { query, key, focus } }, notice: null });
}

/** Leaves the question, and what was pinned before it is pinned again. */
export const leave = () => update({ trial: null, ...pinsBefore(state.peek()) });

/** The words of a cell: its query and its key. */
const names = (m, { grid, row, col }) =>
    grid === 'weights' ? [m.queries[row], m.keys[col]] : [null, m.keys[row]];

export const question = (m, trial) =>
    text.tries[trial.id].ask(...names(m, trial), goal(m, trial));

/** Makes the edit and says how the guess fared. Undo takes it back, and it can be tried again. */
export function guess(answer) {
    const { trial } = state.peek();
    const { id, pins, ...cell } = trial;
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
