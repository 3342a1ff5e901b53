// The lab in which a small model learns what "it" stands for: its curves, its answers for two
// sentences that it was never trained on, and where every head of "it" looks as that forms.

import { useEffect, useState } from 'preact/hooks';
import { COURSES } from '../../train/courses.js';
import { LENGTH, PLACE_OF, SHOWN } from '../../train/grammar.js';
import { POINTER } from '../../train/model.js';
import { mapSide } from '../layout.js';
import { text } from '../text.en.js';
import { Chart, pointsOf } from './Chart.jsx';
import {
    Cases,
    Guess,
    Guessed,
    RunLine,
    runOf,
    RunTools,
    Switch,
} from './LabRun.jsx';
import { SmallMap } from './SmallMap.jsx';
import { Phrase } from './Phrase.jsx';

function Charts({ lab, curve, before }) {
    const words = text.labs.pronoun;
    const { charts, lines } = words;
    const line = (name, factor) => ({
        id: name,
        name: lines[name],
        points: pointsOf(curve, name, factor),
    });
    const old = (name, factor) =>
        (before ? [pointsOf(before, name, factor)] : []).map((points) => ({
            id: 'before',
            name: text.labs.run.before,
            points,
        }));
    const taught = curve.some(({ pointing }) => pointing > 0);
    const { steps } = COURSES.pronoun;
    const x = [0, steps];
    const chance = { id: 'chance', name: lines.chance, points: [[0, 50], [steps, 50]] };
    return (
        <div class="charts">
            <Chart
                title={charts.loss}
                unit={charts.lossUnit}
                lines={[...old('answer'), ...(taught ? [line('pointing')] : []), line('answer')]}
                x={x}
                y={lab.log ? [] : [0]}
                log={lab.log}
            />
            <Chart
                title={charts.norm}
                unit={charts.normUnit}
                lines={[...old('gradientNorm'), line('gradientNorm')]}
                x={x}
                y={lab.log ? [] : [0]}
                log={lab.log}
            />
            <Chart
                title={charts.accuracy}
                unit={charts.accuracyUnit}
                lines={[chance, ...old('accuracy', 100), line('accuracy', 100)]}
                x={x}
                y={[0, 100]}
            />
        </div>
    );
}

/** The rows of one head's map. */
const rowsOf = ({ data }, head) =>
    Array.from({ length: LENGTH }, (_, i) => {
        const start = (head * LENGTH + i) * LENGTH;
        return data.subarray(start, start + LENGTH);
    });

function HeadMap({ map, side, head, isTaught }) {
    const words = text.labs.pronoun;
    const rows = rowsOf(map, head);
    const row = rows[PLACE_OF.it];
    return (
        <li class={isTaught ? 'taught' : ''}>
            <SmallMap
                rows={rows}
                width={side}
                height={side}
                kind="weights"
                gap={0}
                mark={PLACE_OF.it}
            />
            <span class="headword">
                {isTaught ? <b>{words.taught(head + 1)}</b> : words.head(head + 1)}
            </span>
            {words.weights(row[PLACE_OF.animal], row[PLACE_OF.place]).map((parts) => (
                <span class="lookat">
                    <Phrase parts={parts} />
                </span>
            ))}
        </li>
    );
}

function Sentence({ n, seen, auxiliary, layers }) {
    const words = text.labs.pronoun;
    const { words: all, referent } = SHOWN[n];
    const adjective = all[PLACE_OF.adjective];
    const { answer, probability, maps } = seen;
    const side = mapSide(LENGTH);
    return (
        <section class="shown" aria-label={words.maps(adjective)}>
            <h3>
                {words.sentence}
                <b>{adjective}</b>
            </h3>
            <p>
                <Phrase parts={words.answer(answer, probability, answer === all[referent])} />
            </p>
            {maps.slice(0, layers).map((map, layer) => (
                <div class="maplayer">
                    <h4>{words.layer(layer + 1)}</h4>
                    <ul class="headmaps" style={{ '--side': `${side}px` }}>
                        {Array.from({ length: map.shape[0] }, (_, head) => (
                            <HeadMap
                                map={map}
                                side={side}
                                head={head}
                                isTaught={auxiliary > 0 && layer === 1 && head === POINTER}
                            />
                        ))}
                    </ul>
                </div>
            ))}
        </section>
    );
}

/** How many of so many parts are drawn: one more with each task, so that none is long. */
function usePartsDrawn(all) {
    const [drawn, draw] = useState(0);
    useEffect(() => {
        if (drawn === all) return undefined;
        const next = setTimeout(() => draw(drawn + 1));
        return () => clearTimeout(next);
    }, [drawn, all]);
    return drawn;
}

const LAYERS = 2;

function Sentences({ sentences, auxiliary }) {
    const drawn = usePartsDrawn(LAYERS * sentences.length);
    return (
        <div class="sentences">
            {sentences.map((each, n) => (
                <Sentence
                    n={n}
                    seen={each}
                    auxiliary={auxiliary}
                    layers={Math.max(0, drawn - LAYERS * n)}
                />
            ))}
        </div>
    );
}

/** The share of the held-out sentences, as it was looked at last. */
const accuracyOf = (curve) => curve.findLast(({ accuracy }) => accuracy !== undefined)?.accuracy;

/** What came of it, in a sentence. */
function outcome({ sentences }, causal) {
    const { over } = text.labs.pronoun;
    if (causal) return over.causal;
    const nouns = SHOWN.map(({ words, referent }) => words[referent]);
    if (sentences.some(({ answer }, n) => answer !== nouns[n])) return over.wrong;
    const most = sentences.map(({ maps: [, map] }, n) => {
        const heads = Array.from({ length: map.shape[0] }, (_, head) => rowsOf(map, head));
        return Math.max(...heads.map((rows) => rows[PLACE_OF.it][SHOWN[n].referent]));
    });
    const least = most.indexOf(Math.min(...most));
    return most[least] < 0.5 ? over.elsewhere(nouns[least], most[least]) : over.points;
}

function Status({ lab, run, curve, seen }) {
    const words = text.labs.pronoun;
    if (!curve.length || !seen) return <RunLine lab={lab} />;
    const accuracy = accuracyOf(curve);
    const [{ causal, steps }] = run.options;
    return (
        <RunLine lab={lab}>
            <Guessed lab={lab} curves={run.curves} />
            <Phrase parts={words.status(curve.at(-1), accuracy, steps)} />{' '}
            {run.status === 'over' && <span class="quiet">{outcome(seen, causal)}</span>}
        </RunLine>
    );
}

export function Pronoun({ lab }) {
    const words = text.labs.pronoun;
    const run = runOf(lab);
    const [curve = []] = run.curves ?? [];
    const [seen = null] = run.seen ?? [];
    return (
        <>
            <RunTools lab={lab} />
            <div class="labtools switches">
                <Switch
                    name="auxiliary"
                    label={words.auxiliary}
                    about={words.auxiliaryAbout(lab.auxiliary)}
                    value={lab.auxiliary}
                />
                <Switch
                    name="causal"
                    label={words.causal}
                    about={words.causalAbout(lab.causal)}
                    value={lab.causal}
                />
            </div>
            <Cases lab={lab} />
            <Guess lab={lab} />
            <Status lab={lab} run={run} curve={curve} seen={seen} />
            <Charts lab={lab} curve={curve} before={run.before?.curves[0]} />
            {seen ? (
                <>
                    <Sentences
                        sentences={seen.sentences}
                        auxiliary={run.options[0].auxiliary}
                    />
                    <div class="labnotes two">
                        <p class="labnote">
                            <Phrase parts={words.apart(seen.apart)} />
                        </p>
                        <p class="labnote quiet">{words.mapNote}</p>
                    </div>
                </>
            ) : (
                <p class="quiet labnote">{words.noMaps}</p>
            )}
        </>
    );
}
