// What every lab that trains has: its buttons, a seed, switches, the scale of its charts, and the
// line that says where it is.

import { useRef } from 'preact/hooks';
import { setLab } from '../lab/lab.js';
import { LABS } from '../lab/labs.js';
import { exportRun, goOn, importRun, isStale, runs, startRun, stopRuns } from '../lab/runs.js';
import { text } from '../text.en.js';
import { Setting } from './Setting.jsx';

export const runOf = ({ id }) => runs.value[id] ?? {};

/** The curves of lessons that train in turns, up to the step that all of them have taken. */
export function together(curves) {
    const steps = Math.min(...curves.map((curve) => curve.length));
    return curves.map((curve) => curve.slice(0, steps));
}

/** The words of every run, or a lab's own. */
const wordsOf = ({ id }) => ({ ...text.labs.run, ...text.labs[id].run });

const Button = ({ name, onClick, isMain }) => (
    <button type="button" class={`button ${isMain ? 'main' : ''}`} onClick={onClick}>
        {name}
    </button>
);

/** What can be done now; the first button is what one most likely wants. */
export function RunButtons({ lab }) {
    const words = wordsOf(lab);
    const run = runOf(lab);
    const { status } = run;
    const isNew = run.options?.[0] && isStale(run, lab);
    const buttons = {
        undefined: [[words.train, startRun]],
        running: [[words.stop, stopRuns]],
        rested: [
            [words.goOn, () => goOn(lab.id)],
            [words.again, startRun],
        ],
        over: [[words.again, startRun]],
    }[status];
    const all = isNew
        ? [...buttons.filter(([, act]) => act !== startRun), [words.these, startRun]]
        : buttons;
    return (
        <span class="panelgroup">
            {all.map(([name, act], n) => (
                <Button name={name} onClick={act} isMain={n === 0} />
            ))}
        </span>
    );
}

/** To a file and back. */
function RunFile({ lab }) {
    const words = text.labs.run;
    const { status, curves } = runOf(lab);
    const file = useRef();
    const onChange = async ({ currentTarget }) => {
        const [chosen] = currentTarget.files;
        if (chosen) importRun(lab.id, await chosen.text());
        currentTarget.value = '';
    };
    const isReady = status !== 'running' && curves?.some((curve) => curve.length);
    return (
        <span class="panelgroup runfile">
            {isReady && <Button name={words.save} onClick={() => exportRun(lab.id)} />}
            <Button name={words.open} onClick={() => file.current.click()} />
            <input ref={file} type="file" accept=".json" hidden onChange={onChange} />
        </span>
    );
}

export const Seed = () => (
    <label class="padname">
        {text.labs.run.seed} <Setting id="labSeed" />
    </label>
);

export function Switch({ name, about, value, label }) {
    return (
        <div class="labswitch">
            <label class="layer">
                <button
                    type="button"
                    role="switch"
                    aria-checked={value}
                    aria-label={label}
                    class="knob"
                    onClick={() => setLab({ [name]: !value })}
                />
                <span aria-hidden="true">{label}</span>
            </label>
            {about && <p class="quiet">{about}</p>}
        </div>
    );
}

/** One of a few, side by side. */
export function Choice({ name, label, value, options }) {
    return (
        <span class="segments" role="group" aria-label={label}>
            {options.map(([each, word]) => (
                <button
                    type="button"
                    aria-pressed={value === each}
                    onClick={() => setLab({ [name]: each })}
                >
                    {word}
                </button>
            ))}
        </span>
    );
}

const LogChoice = ({ lab }) => (
    <Choice
        name="log"
        label={text.labs.run.log}
        value={lab.log}
        options={[true, false].map((log) => [log, text.labs.run.scales[log]])}
    />
);

/** The row of tools of a lab that trains, with choices of its own between. */
export const RunTools = ({ lab, children }) => (
    <div class="labtools">
        <RunButtons lab={lab} />
        {children}
        <Seed />
        <LogChoice lab={lab} />
        <RunFile lab={lab} />
    </div>
);

/** Settings that show something: pressing one trains with them. */
export function Cases({ lab }) {
    const { cases } = LABS[lab.id];
    const words = text.labs[lab.id];
    return (
        <span class="pills" role="group" aria-label={words.casesLabel}>
            <span class="quiet">{words.casesLabel}</span>
            {Object.entries(cases).map(([id, settings]) => (
                <button
                    type="button"
                    class="pill"
                    aria-pressed={Object.entries(settings).every(([name, x]) => lab[name] === x)}
                    onClick={() => {
                        setLab(settings);
                        startRun();
                    }}
                >
                    {words.cases[id]}
                </button>
            ))}
        </span>
    );
}

/** A guess, before anything is trained. */
export function Guess({ lab }) {
    const { ask, answers } = text.labs[lab.id].guess;
    if (runOf(lab).status) return null;
    return (
        <span class="pills" role="group" aria-label={ask}>
            <span class="quiet">{ask}</span>
            {Object.entries(answers).map(([id, name]) => (
                <button
                    type="button"
                    class="pill"
                    aria-pressed={lab.guess === id}
                    onClick={() => setLab({ guess: id })}
                >
                    {name}
                </button>
            ))}
        </span>
    );
}

/** How the guess fared, once the run is over. */
export function Guessed({ lab, curves }) {
    if (lab.guess === 'none' || runOf(lab).status !== 'over') return null;
    const right = LABS[lab.id].right(curves);
    const { told } = text.labs[lab.id].guess;
    return (
        <b>
            {text.tried(lab.guess === right)}
            {told[right]}{' '}
        </b>
    );
}

/** Where the run is; it is spoken when it begins and when it rests, not at every step. */
export function RunLine({ lab, children }) {
    const { status, problem } = runOf(lab);
    const words = wordsOf(lab);
    const isResting = status === 'rested' || status === 'over';
    const trouble = problem && text.labs.problem(problem);
    return (
        <>
            <div class="runline">
                {trouble && <p class="bad">{trouble}</p>}
                <p aria-hidden={isResting ? 'true' : null}>
                    {children ?? (status === 'running' ? words.starting : words.none)}
                </p>
            </div>
            <p class="sr" role="status">
                {trouble} {words.spoken[status]} {isResting && children}
            </p>
        </>
    );
}

