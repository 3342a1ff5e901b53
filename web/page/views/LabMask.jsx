// The lab in which a model of the next word is trained with the causal mask and without it: the
// losses, and what each then makes.

import { COURSES } from '../../train/courses.js';
import { fits, LENGTH } from '../../train/grammar.js';
import { FLOOR } from '../../train/speaker.js';
import { text } from '../text.en.js';
import { Chart, pointsOf } from './Chart.jsx';
import {
    Guess, Guessed, RunLine, runOf, RunTools, together,
} from './LabRun.jsx';
import { Phrase } from './Phrase.jsx';

const KINDS = ['with', 'without'];

/** A word as it is printed: the grammar has it as it is typed. */
const printed = (word) => word.replace("'", '’');

/** A sentence, word by word; what the grammar does not let stand there is marked. */
const Made = ({ words }) => (
    <li>
        {words.map((word, n) => (
            <>
                {n ? ' ' : ''}
                {fits(word, n) ? printed(word) : <s class="misfit">{printed(word)}</s>}
            </>
        ))}
    </li>
);

function Makes({ kind, curve, seen }) {
    const words = text.labs.mask;
    return (
        <section class="shown" aria-label={words.made(words.kinds[kind])}>
            <h3>{words.kinds[kind]}</h3>
            <p>
                <Phrase parts={words.makes(curve.at(-1))} />
            </p>
            <ul class="made">
                {seen.sentences.map((sentence) => (
                    <Made words={sentence.slice(0, LENGTH)} />
                ))}
            </ul>
        </section>
    );
}

export function MaskLab({ lab }) {
    const words = text.labs.mask;
    const run = runOf(lab);
    const { steps } = COURSES.speaker;
    const curves = together(run.curves ?? [[], []]);
    const isSeen = run.seen?.every(Boolean) ?? false;
    const lines = (name, factor) =>
        KINDS.map((id, n) => ({
            id,
            name: words.kinds[id],
            points: pointsOf(curves[n], name, factor),
        }));
    const floor = { id: 'chance', name: words.floor, points: [[0, FLOOR], [steps, FLOOR]] };
    const last = curves.map((curve) => curve.at(-1));
    return (
        <>
            <RunTools lab={lab} />
            <Guess lab={lab} />
            {isSeen ? (
                <RunLine lab={lab}>
                    <Guessed lab={lab} curves={curves} />
                    <Phrase parts={words.status(steps, last)} />{' '}
                    {run.status === 'over' && <span class="quiet">{words.over(last)}</span>}
                </RunLine>
            ) : (
                <RunLine lab={lab} />
            )}
            <div class="charts two">
                <Chart
                    title={words.charts.loss}
                    unit={words.charts.lossUnit}
                    lines={[floor, ...lines('answer')]}
                    x={[0, steps]}
                    y={lab.log ? [] : [0]}
                    log={lab.log}
                />
                <Chart
                    title={words.charts.grammatical}
                    unit={words.charts.grammaticalUnit}
                    lines={lines('grammatical', 100)}
                    x={[0, steps]}
                    y={[0, 100]}
                />
            </div>
            {isSeen && (
                <div class="sentences">
                    {KINDS.map((kind, n) => (
                        <Makes kind={kind} curve={curves[n]} seen={run.seen[n]} />
                    ))}
                </div>
            )}
            {run.status === 'over' && (
                <div class="labnotes two">
                    {KINDS.map((kind) => (
                        <p class="labnote">
                            <Phrase parts={words.notes[kind]} />
                        </p>
                    ))}
                </div>
            )}
        </>
    );
}
