// The lab on what attention costs: a calculator of bytes and operations with the length at which
// attention overtakes the projections, and a race of the two paths on the reader's machine.

import { BYTES, costOf, lengthsAround } from '../lab/cost.js';
import { exponentOf } from '../lab/exponent.js';
import { text } from '../text.en.js';
import { Chart } from './Chart.jsx';
import { Choice, RunButtons, RunLine, runOf } from './LabRun.jsx';
import { Phrase } from './Phrase.jsx';
import { Setting } from './Setting.jsx';

function Counted({ lab, cost }) {
    const words = text.labs.cost;
    return (
        <div class="counted">
            <h3>{words.counted}</h3>
            <dl>
                {Object.entries(words.rows).map(([id, name]) => (
                    <div>
                        <dt>{name}</dt>
                        <dd>
                            <Phrase parts={words.work[id](lab, cost, BYTES[lab.type])} />
                        </dd>
                    </div>
                ))}
            </dl>
            <p>
                <Phrase parts={words.verdict(lab, cost)} />
            </p>
        </div>
    );
}

/** Both costs against T, with the place of this one and that where they cross. */
function Operations({ lab, cost }) {
    const words = text.labs.cost;
    const lengths = [...new Set([...lengthsAround(cost), lab.tokens])].sort((a, b) => a - b);
    const line = (id) => ({
        id,
        name: words.lines[id],
        points: lengths.map((tokens) => [tokens, costOf({ ...lab, tokens })[id]]),
    });
    return (
        <Chart
            title={words.charts.operations}
            unit={words.charts.operationsUnit}
            lines={[line('projections'), line('attention')]}
            x={[lengths[0], lengths.at(-1)]}
            log
            logX
            xName={words.tokens}
            marks={[{ id: 'here', name: words.here, x: lab.tokens, y: cost.attention }]}
        />
    );
}

const PATHS = ['definition', 'tiles'];

const pointsOf = (curve, path, of) =>
    curve.filter((entry) => entry.path === path).map((entry) => [entry.length, of(entry)]);

const MEASURES = { time: (entry) => entry.seconds, memory: (entry) => entry.bytes };

/** What the axes show at least. */
const SHOWN = { time: [1e-5, 1], memory: [1e4, 1e8] };

/** The exponents that were measured, and both paths at the greatest length that both have run. */
function outcome(curve) {
    const [definition, tiles] = PATHS.map((path) =>
        Object.fromEntries(
            Object.entries(MEASURES).map(([id, of]) => [id, exponentOf(pointsOf(curve, path, of))]),
        ),
    );
    const last = curve.findLast(({ path }) => path === 'definition');
    const other = curve.find(({ path, length }) => path === 'tiles' && length === last.length);
    return {
        definition, tiles, length: last.length,
        quicker: last.seconds / other.seconds, smaller: last.bytes / other.bytes,
    };
}

function Status({ lab }) {
    const words = text.labs.cost;
    const { curves, status } = runOf(lab);
    const curve = curves?.[0] ?? [];
    if (!curve.length) return <RunLine lab={lab} />;
    return (
        <RunLine lab={lab}>
            <Phrase parts={status === 'over' ? words.over(outcome(curve)) : words.status(curve.at(-1))} />
        </RunLine>
    );
}

function Race({ lab }) {
    const words = text.labs.cost;
    const curve = runOf(lab).curves?.[0] ?? [];
    const longest = Math.max(4096, ...curve.map(({ length }) => length));
    return (
        <>
            {Object.entries(MEASURES).map(([id, of]) => (
                <Chart
                    title={words.charts[id]}
                    unit={words.charts[`${id}Unit`]}
                    lines={PATHS.map((path) => (
                        { id: path, name: words.lines[path], points: pointsOf(curve, path, of) }
                    ))}
                    x={[64, longest]}
                    y={SHOWN[id]}
                    log
                    logX
                    xName={words.tokens}
                />
            ))}
        </>
    );
}

export function Cost({ lab }) {
    const words = text.labs.cost;
    const cost = costOf(lab);
    return (
        <>
            <div class="labtools">
                {Object.entries(words.fields).map(([id, name]) => (
                    <label class="padname">
                        {name} <Setting id={id} />
                    </label>
                ))}
                <Choice
                    name="type"
                    label={words.type}
                    value={lab.type}
                    options={Object.entries(words.types)}
                />
            </div>
            <Counted lab={lab} cost={cost} />
            <div class="labtools">
                <RunButtons lab={lab} />
                <p class="quiet lababout">{words.raceAbout}</p>
            </div>
            <Status lab={lab} />
            <div class="charts">
                <Operations lab={lab} cost={cost} />
                <Race lab={lab} />
            </div>
        </>
    );
}
