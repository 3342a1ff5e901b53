// The lab in which one head is trained with its scores divided by √d_k and without.

import { COURSES, RATES } from '../../train/courses.js';
import { PACES } from '../lab/labs.js';
import { width } from '../media.js';
import { text } from '../text.en.js';
import { Chart, pointsOf } from './Chart.jsx';
import {
    Choice,
    Guess,
    Guessed,
    RunLine,
    runOf,
    RunTools,
    together,
} from './LabRun.jsx';
import { Phrase } from './Phrase.jsx';

const KINDS = ['with', 'without'];

/** Entries that the loss at the end is the mean of. */
const LAST = 20;

const mean = (all) => all.reduce((sum, x) => sum + x, 0) / all.length;

/** What is read of a curve. */
const READ = [
    (curve) => curve[0].gradientNorm,
    (curve) => curve.find(({ largest }) => largest !== undefined).largest,
    (curve) => mean(curve.slice(-LAST).map(({ answer }) => answer)),
    (curve) => curve.findLast(({ accuracy }) => accuracy !== undefined).accuracy,
];

/** One line for each kind; on a phone, where four columns have no room, one for each measure. */
function Results({ groups }) {
    const words = text.labs.scale;
    const kinds = KINDS.map((kind) => (
        <>
            <i class={`swatch ${kind}`} />
            {words.kinds[kind]}
        </>
    ));
    const found = groups.map((curves) =>
        READ.map((read, n) => (n === 3 ? words.shares : words.between)(curves.map(read))),
    );
    const isTurned = width.value < 720;
    const [heads, names] = isTurned ? [kinds, words.measured] : [words.measured, kinds];
    const lines = isTurned ? words.measured.map((_, n) => found.map((all) => all[n])) : found;
    return (
        <table class="results">
            <thead>
                <tr>
                    <th scope="col">{words.table}</th>
                    {heads.map((head) => (
                        <th scope="col">{head}</th>
                    ))}
                </tr>
            </thead>
            <tbody>
                {lines.map((line, n) => (
                    <tr>
                        <th scope="row">{names[n]}</th>
                        {line.map((each) => (
                            <td>{each}</td>
                        ))}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Charts({ lab, groups }) {
    const words = text.labs.scale;
    const { steps } = COURSES.lookup;
    const charts = [
        ['loss', 'answer', {}],
        ['norm', 'gradientNorm', {}],
        ['accuracy', 'accuracy', { y: [0, 100], log: false, factor: 100 }],
    ];
    return (
        <div class="charts">
            {charts.map(([id, name, { factor, ...more }]) => (
                <Chart
                    title={words.charts[id]}
                    unit={words.charts[`${id}Unit`]}
                    lines={KINDS.flatMap((kind, n) =>
                        groups[n].map((curve, m) => ({
                            id: kind,
                            name: m === 0 && words.kinds[kind],
                            points: pointsOf(curve, name, factor),
                        })),
                    )}
                    x={[0, steps]}
                    y={lab.log ? [] : [0]}
                    log={lab.log}
                    {...more}
                />
            ))}
        </div>
    );
}

export function ScaleLab({ lab }) {
    const words = text.labs.scale;
    const run = runOf(lab);
    const curves = together(run.curves ?? Array(6).fill([]));
    const groups = [curves.slice(0, 3), curves.slice(3)];
    const isSeen = run.seen?.every(Boolean) ?? false;
    const { steps } = COURSES.lookup;
    return (
        <>
            <RunTools lab={lab}>
                <Choice
                    name="dk"
                    label={words.dk}
                    value={lab.dk}
                    options={[8, 32, 128].map((n) => [n, words.dkOption(n)])}
                />
                <Choice
                    name="method"
                    label={words.method}
                    value={lab.method}
                    options={Object.entries(words.methods)}
                />
                <span class="padname">
                    <span aria-hidden="true">{words.pace}</span>
                    <Choice
                        name="pace"
                        label={words.pace}
                        value={lab.pace}
                        options={PACES.map((pace, n) => [pace, RATES[lab.method][n]])}
                    />
                </span>
            </RunTools>
            <Guess lab={lab} />
            {isSeen ? (
                <RunLine lab={lab}>
                    <Guessed lab={lab} curves={curves} />
                    <Phrase parts={words.status(Math.min(...curves.map((c) => c.length)), steps)} />
                </RunLine>
            ) : (
                <RunLine lab={lab} />
            )}
            <Charts lab={lab} groups={groups} />
            {isSeen && <Results groups={groups} />}
            {isSeen && (
                <div class="labnotes">
                    {words.notes.map((parts) => (
                        <p class="labnote">
                            <Phrase parts={parts} />
                        </p>
                    ))}
                </div>
            )}
        </>
    );
}
