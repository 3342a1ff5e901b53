// The line: inputs above, results below, a gate before each result, and the row table under them on
// the same tracks. The steps come from the stage table.

import { useComputed } from '@preact/signals';
import { model } from '../compute.js';
import { STEPS } from '../stages.js';
import { state } from '../state.js';
import { text } from '../text.en.js';
import { MaskControl, RowsControl, ScaleControl } from './Controls.jsx';
import { Ledger } from './Ledger.jsx';
import { Matrix } from './Matrix.jsx';
import { Phrase } from './Phrase.jsx';

const controls = { scale: ScaleControl, mask: MaskControl };

function Input({ grid }) {
    return (
        <section class={`input input-${grid}`}>
            <h3 class={`letter ${grid.toLowerCase()}`}>
                <b>{grid}</b> <span>{text.verbs[grid]}</span>
            </h3>
            <Matrix grid={grid} />
        </section>
    );
}

function Foot({ id }) {
    const m = model.value;
    const entry = text.foot[id];
    const [name, rest] =
        {
            scaled: () => entry(m.doc.scale !== 'off'),
            masked: () => entry(m.hidden, m.queries.length * m.keys.length),
            weights: () => entry(m.rows.some((row) => row.empty)),
        }[id]?.() ?? entry;
    return (
        <p class="foot">
            <b class={id === 'output' ? 'o' : ''}>{name}</b> <Phrase parts={rest} />
        </p>
    );
}

function Step({ step, n }) {
    const Control = controls[step.control];
    const words = text.steps[step.id];
    return (
        <section class={`step step-${step.id}`} style={{ '--col': 2 * n + 3 }}>
            <div class="gate" aria-hidden="true" data-a={`gate:${step.id}`}>
                <span>
                    <span>
                        <Phrase parts={step.gate} />
                    </span>
                </span>
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
            <div class="stage" data-a={`stage:${step.id}`}>
                <Matrix grid={step.id} />
                <Foot id={step.id} />
            </div>
        </section>
    );
}

export function Flow() {
    const m = model.value;
    const allRows = useComputed(() => state.value.allRows).value;
    const sizes = {
        '--longest': Math.max(3, ...m.keys.map((token) => [...token].length)),
        '--steps': STEPS.length,
        '--keys': m.keys.length,
        '--dk': m.doc.q[0].length,
        '--dv': m.doc.v[0].length,
        '--tracks': Math.max(m.keys.length, m.doc.v[0].length),
    };
    return (
        <div class={`flow ${allRows ? 'all' : ''} ${m.keys.length > 3 ? 'many' : ''}`} style={sizes}>
            <p class="yours-note">
                <span class="specimen" aria-hidden="true">
                    {text.yours.specimen}
                </span>{' '}
                <b>{text.yours.rule}</b>
                <br />
                {text.yours.how}
                <br />
                <span class="quiet">{text.yours.rest}</span>
            </p>
            <div class="inputs">
                <Input grid="Q" />
                <Input grid="K" />
                <Input grid="V" />
            </div>
            {STEPS.map((step, n) => (
                <Step step={step} n={n} />
            ))}
            <Ledger />
        </div>
    );
}
