// The line: inputs above, results below, a gate before each result, and the row table under them on
// the same tracks. The steps come from the stage table. A room opens under its gate; where the line
// is small, under all of it, as wide as the page.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { difference, model } from '../compute.js';
import { form, headOf, isClose } from '../layout.js';
import { releaseScores } from '../controls.js';
import { narrow } from '../media.js';
import { countOf } from '../scores.js';
import { now, state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { MaskControl, RowsControl, ScaleControl, SoftmaxControl } from './Controls.jsx';
import { CapControl, DropControl } from './Layers.jsx';
import { Ledger } from './Ledger.jsx';
import { Origin } from './Origin.jsx';
import { Gate } from './Gate.jsx';
import { Plate } from './Plate.jsx';
import { Phrase } from './Phrase.jsx';
import { Room } from './Room.jsx';
import { Sheet } from './SmallMap.jsx';
import { ColumnSums, RowSums } from './Sums.jsx';

const controls = {
    scale: ScaleControl,
    cap: CapControl,
    mask: MaskControl,
    softmax: SoftmaxControl,
    drop: DropControl,
};

function Input({ grid }) {
    return (
        <section class={`input input-${grid}`}>
            <h3 class={`letter ${grid.toLowerCase()}`}>
                <b>{grid}</b> <span>{text.verbs[grid]}</span>
            </h3>
            <Plate grid={grid} />
        </section>
    );
}

function Foot({ id }) {
    const { edits, scale, positions, dropout, maskOrder, hidden, added, cells, sums } = useStill(
        () => {
            const { doc, hidden, added, sums, queries, keys, edits: given } = model.value;
            const { scale, positions, dropout, maskOrder } = doc;
            const edits = countOf(given);
            const cells = queries.length * keys.length;
            return { edits, scale, positions, dropout, maskOrder, hidden, added, cells, sums };
        },
    );
    const entry = text.foot[id];
    const differs = useComputed(() => difference.value !== null).value;
    const given = !differs && id === 'scores' && edits > 0;
    const [name, own] =
        {
            scores: () => entry(edits, positions),
            scaled: () => entry(scale),
            masked: () => entry(hidden, cells, added, maskOrder === 'after'),
            weights: () => entry(sums),
            dropped: () => entry(dropout),
            output: () => entry(headOf.value),
        }[id]?.() ?? entry;
    return (
        <p class={classes('foot', given && 'given')}>
            <b class={id === 'output' ? 'o' : ''}>{name}</b>{' '}
            <span class="footrest">
                <Phrase parts={differs ? text.compare.foot : own} />
            </span>
            {given && (
                <button type="button" class="inline" onClick={releaseScores}>
                    {text.release}
                </button>
            )}
        </p>
    );
}

/** Whether the rows sum to anything but 1. */
const hasSums = ({ sums }) => sums === 'columns' || sums === 'lost';

function Step({ step, n }) {
    const Control = controls[step.control];
    const words = text.steps[step.id];
    const sums = useComputed(() => step.id === 'weights' && hasSums(model.value)).value;
    const differs = useComputed(() => difference.value !== null).value;
    const open = useComputed(() => form.value === 'line' && state.value.room === step.id).value;
    return (
        <section class={`step step-${step.id}`} style={{ '--col': 2 * n + 3 }}>
            <div class="gate" data-a={`gate:${step.id}`}>
                <Gate step={step} />
            </div>
            <div class="control">
                {n === 0 && <RowsControl />}
                <h3 class="stepname">
                    {words.label}{' '}
                    {!Control && (
                        <span>
                            <Phrase parts={words.short} />
                        </span>
                    )}
                </h3>
                {Control && <Control />}
            </div>
            <div class={classes('stage', sums && 'summed')} data-a={`stage:${step.id}`}>
                <Plate grid={step.id} />
                {sums && !differs && <RowSums />}
                {sums && !differs && <ColumnSums />}
                <Foot id={step.id} />
            </div>
            {open && <Room id={step.id} />}
        </section>
    );
}

export function Flow() {
    const { keys, dk, dv, steps, crossed, summed } = useStill(() => {
        const { keys, grids, steps } = model.value;
        const [dk, dv] = [grids.Q[0].length, grids.V[0].length];
        const crossed = model.value.doc.keyTokens !== null;
        return { keys, dk, dv, steps, crossed, summed: hasSums(model.value) };
    });
    const allRows = now.allRows.value;
    const isMini = form.value === 'figure';
    const sizes = {
        '--longest': Math.max(3, ...keys.map((token) => [...token].length)),
        '--steps': steps.length,
        '--keys': keys.length,
        '--dk': dk,
        '--dv': dv,
        '--tracks': Math.max(keys.length, dv),
    };
    const room = now.room.value;
    return (
        <>
            <div
                class={classes(
                    'flow',
                    isMini && 'mini sheeted',
                    summed && 'sums',
                    crossed && 'crossed',
                    allRows && 'all',
                    !isMini && keys.length < 3 && 'few',
                    isClose(keys.length, dk) && 'many',
                    keys.length > 4 && 'crowded',
                    steps.length > 5 && 'stepped',
                )}
                style={sizes}
            >
                <p class="yours-note">
                    <span class="specimen" aria-hidden="true">
                        {text.yours.specimen}
                    </span>{' '}
                    <b>{text.yours.rule}</b>
                    {narrow.value ? (
                        ` ${text.yours.byTouch}`
                    ) : (
                        <>
                            <br />
                            {text.yours.how}
                            <br />
                            <span class="quiet">{text.yours.rest}</span>
                        </>
                    )}
                </p>
                <div class="inputs">
                    <Input grid="Q" />
                    <Input grid="K" />
                    <Input grid="V" />
                    <Origin />
                </div>
                {steps.map((step, n) => (
                    <Step key={step.id} step={step} n={n} />
                ))}
                {isMini ? <Sheet /> : <Ledger />}
                {!isMini && <p class="rounding quiet">{text.rounding}</p>}
            </div>
            {isMini && steps.some(({ id }) => id === room) && <Room key={room} id={room} />}
        </>
    );
}
