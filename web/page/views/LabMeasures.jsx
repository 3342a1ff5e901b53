// The labs that train nothing: how far scores spread, what a saturated softmax passes on,
// and what a weight really brings.

import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { setValue } from '../actions.js';
import { showFields } from '../address.js';
import { engine, model, query } from '../compute.js';
import { contributionsOf, gapDocument, gapOf, gapsTo, spreadOf } from '../lab/measures.js';
import { num, result } from '../phrase.js';
import { product } from '../project.js';
import { isProjected, sizesOf } from '../shape.js';
import { text } from '../text.en.js';
import { Chart } from './Chart.jsx';
import { Choice, Seed } from './LabRun.jsx';
import { Phrase } from './Phrase.jsx';
import { Setting } from './Setting.jsx';

const Cell = ({ value, digits = 'fixed', strong = false }) => (
    <td>
        <Phrase parts={[strong ? result(value, digits) : num(value, null, digits)]} />
    </td>
);

function Table({ heads, label, name, children }) {
    return (
        <div class="scroller" tabIndex={0} role="group" aria-label={label}>
            <table class={name}>
                <thead>
                    <tr>
                        {heads.map((parts) => (
                            <th scope="col">
                                <Phrase parts={parts} />
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>{children}</tbody>
            </table>
        </div>
    );
}

const Note = ({ parts }) => (
    <p class="labnote">
        <Phrase parts={parts} />
    </p>
);

const normal = (x, deviation) =>
    Math.exp(-(x * x) / (2 * deviation * deviation)) / (deviation * Math.sqrt(2 * Math.PI));

function Spread({ n, found, dk, reach }) {
    const words = text.labs.spread;
    const { bars, predicted, measured, count } = found;
    const outline = [
        [bars[0].from, 0],
        ...bars.flatMap(({ from, to, density }) => [
            [from, density],
            [to, density],
        ]),
        [bars.at(-1).to, 0],
    ];
    const curve = Array.from({ length: 81 }, (_, m) => (m / 40 - 1) * reach);
    const { numbers } = words;
    return (
        <div>
            <Chart
                title={words.titles[n]}
                unit={words.unit(count)}
                lines={[
                    { id: 'bars', name: words.lines.bars, points: outline },
                    {
                        id: 'normal',
                        name: words.lines.normal,
                        points: curve.map((x) => [x, normal(x, predicted)]),
                    },
                ]}
                x={[-reach, reach]}
                y={[0]}
                xName={words.axis}
            />
            <dl class="labnumbers">
                <div>
                    <dt>{numbers.measured}</dt>
                    <dd>
                        <Phrase parts={[result(measured, 'fixed')]} />
                    </dd>
                </div>
                <div>
                    <dt>
                        <Phrase parts={numbers.predicted} />
                    </dt>
                    <dd>
                        <Phrase parts={[...(n ? [] : words.root(dk)), result(predicted)]} />
                    </dd>
                </div>
                <div>
                    <dt>{numbers.span}</dt>
                    <dd>
                        <Phrase parts={['6 · ', num(predicted), ' = ', result(6 * predicted)]} />
                    </dd>
                </div>
            </dl>
            <Note parts={words.notes[n]} />
        </div>
    );
}

export function SpreadLab({ lab }) {
    const words = text.labs.spread;
    const { dk, kind, seed } = lab;
    const found = useMemo(() => spreadOf(engine.value, lab), [dk, kind, seed]);
    const ends = ({ bars, predicted }) =>
        Math.max(4 * predicted, -bars[0].from, bars.at(-1).to);
    return (
        <>
            <div class="labtools">
                <label class="padname">
                    <span>
                        <Phrase parts={words.dk} />
                    </span>
                    <Setting id="labDim" />
                </label>
                <span class="padname">
                    <span aria-hidden="true">{words.kind}</span>
                    <Choice
                        name="kind"
                        label={words.kind}
                        value={kind}
                        options={Object.entries(words.kinds)}
                    />
                </span>
                <Seed />
            </div>
            <div class="charts two">
                {found.map((each, n) => (
                    <Spread n={n} found={each} dk={dk} reach={ends(each)} />
                ))}
            </div>
        </>
    );
}

/** Where the curve of gradients ends. */
const END = 30;

export function GapLab({ lab }) {
    const words = text.labs.gap;
    const curve = useMemo(() => gapsTo(engine.value, END), []);
    const shown = [lab.gap, lab.gap / 8].map((gap) => gapOf(engine.value, gap));
    return (
        <>
            <div class="labtools">
                <label class="padname">
                    {words.gap} <Setting id="labGap" />
                </label>
                <button
                    type="button"
                    class="button"
                    onClick={() => showFields(gapDocument(lab.gap), words.document(lab.gap))}
                >
                    {words.show}
                </button>
            </div>
            <div class="charts beside aside">
                <Table heads={words.heads} label={text.labs.names.gap}>
                    {Object.entries(words.rows).map(([name, parts]) => (
                        <tr>
                            <th scope="row">
                                <Phrase parts={parts} />
                            </th>
                            {shown.map((each) => (
                                <Cell
                                    value={each[name]}
                                    digits={name === 'gap' ? 'short' : 'fixed'}
                                    strong={name === 'other' || name === 'slope'}
                                />
                            ))}
                        </tr>
                    ))}
                </Table>
                <Chart
                    title={words.chart.title}
                    unit={words.chart.unit}
                    lines={[
                        {
                            id: 'slope',
                            name: words.lines.slope,
                            points: curve.map(({ gap, slope }) => [gap, slope]),
                        },
                    ]}
                    x={[0, END]}
                    log
                    least={1e-15}
                    xName={words.chart.axis}
                    marks={shown
                        .filter(({ gap }) => gap <= END)
                        .map(({ gap, slope }, n) => ({
                            id: ['without', 'with'][n],
                            name: words.marks[n],
                            x: gap,
                            y: slope,
                        }))}
                />
                <Note parts={words.note} />
            </div>
        </>
    );
}

/** A value that is left nearly nothing of. */
const NEARLY = 0.01;

/** Sets every number of a value, as one step of undo. */
function shrink(row, width) {
    const gesture = Symbol('shrink');
    for (let col = 0; col < width; col++) setValue({ grid: 'V', row, col }, NEARLY, gesture);
}

const strongest = (all) => all.indexOf(Math.max(...all));

function Bar({ value, most }) {
    return (
        <td class="normbar">
            <span class="normline">
                <span aria-hidden="true">
                    <span style={{ '--share': `${most ? (100 * value) / most : 0}%` }} />
                </span>
                <span>
                    <Phrase parts={[result(value, 'fixed')]} />
                </span>
            </span>
        </td>
    );
}

export function NormsLab() {
    const words = text.labs.norms;
    const m = model.value;
    const i = query.value;
    const { doc, head, grids, keys } = m;
    const rows = useComputed(() => {
        const { doc, head, grids } = model.value;
        const { channel } = sizesOf(doc);
        const part = doc.wo?.slice(head * channel, (head + 1) * channel);
        const project = part && ((values) => product(engine.value, values, part));
        return contributionsOf(engine.value, grids.dropped[query.value], grids.V, project);
    }).value;
    if (m.rows[i].empty) return <p class="labnote quiet">{words.empty}</p>;
    const hasOutput = Boolean(doc.wo);
    const all = (name) => rows.map((row) => row[name]);
    const most = (name) => Math.max(...all(name));
    const top = strongest(all('weight'));
    const brings = strongest(all(hasOutput ? 'out' : 'moved'));
    return (
        <>
            <p class="runline">
                <Phrase parts={words.most(keys[top], keys[brings], hasOutput)} />
            </p>
            <div class="charts aside">
                <Table
                    name="norms"
                    heads={words.heads(hasOutput)}
                    label={text.labs.names.norms}
                >
                    {rows.map(({ weight, length, moved, projected, out }, n) => (
                        <tr class={n === top ? 'near' : ''}>
                            <th scope="row">
                                <bdi>{keys[n]}</bdi>
                            </th>
                            <Bar value={weight} most={1} />
                            <Cell value={length} />
                            <Bar value={moved} most={most('moved')} />
                            {hasOutput && <Cell value={projected} />}
                            {hasOutput && <Bar value={out} most={most('out')} />}
                        </tr>
                    ))}
                </Table>
                <div>
                    <Note parts={words.note} />
                    {!isProjected(doc) && doc.heads === 1 && (
                        <div class="labtools">
                            <button
                                type="button"
                                class="button"
                                onClick={() => shrink(top, grids.V[0].length)}
                            >
                                <Phrase parts={words.shrink(keys[top])} />
                            </button>
                        </div>
                    )}
                </div>
            </div>
        </>
    );
}
