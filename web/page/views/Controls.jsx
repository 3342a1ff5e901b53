// The controls that stand above the step they change.

import { choosePreset, setScale } from '../actions.js';
import { model } from '../compute.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { Matrix } from './Matrix.jsx';
import { Phrase } from './Phrase.jsx';

export function ScaleControl() {
    const { doc } = model.value;
    const on = doc.scale !== 'off';
    const dk = doc.q[0].length;
    return (
        <button
            type="button"
            role="switch"
            aria-checked={on}
            aria-label={text.scale.label}
            class="scale"
            data-a="control:scale"
            onClick={() => setScale(!on)}
        >
            <span class="scalename">
                <span>
                    √<i>d</i>
                    <sub>k</sub>
                </span>
                <span class="knob" />
            </span>
            <span class="scalevalue">
                <Phrase parts={on ? text.scale.on(dk, Math.sqrt(dk)) : text.scale.off} />
            </span>
            <span class="scaleshort">{text.scale.short(dk, on)}</span>
        </button>
    );
}

/** Wide: a preset and the grid. Narrow: a button that unfolds both. */
export function MaskControl() {
    const { doc, hidden } = model.value;
    const { maskOpen } = state.value;
    return (
        <div class={`maskbox ${maskOpen ? 'open' : ''}`} data-a="control:mask">
            <div class="maskname">
                <b aria-hidden="true">{text.mask.label}</b>
                <button
                    type="button"
                    class="unfold"
                    aria-expanded={maskOpen}
                    onClick={() => update({ maskOpen: !maskOpen })}
                >
                    {text.mask.state(doc.mask, hidden)}
                    <i class="caret" />
                </button>
            </div>
            <select
                aria-label={text.mask.preset}
                value={doc.mask.preset}
                onChange={(event) => choosePreset(event.currentTarget.value)}
            >
                {Object.entries(text.mask.presets).map(([id, name]) => (
                    <option value={id}>{name}</option>
                ))}
            </select>
            <Matrix grid="mask" />
        </div>
    );
}

/** Narrow: the results show the pinned row, or every row. */
export function RowsControl() {
    const { allRows } = state.value;
    return (
        <button
            type="button"
            class="rowsbutton"
            aria-expanded={allRows}
            onClick={() => update({ allRows: !allRows })}
        >
            <Phrase parts={allRows ? text.rows.one : text.rows.all} />
            <i class="caret" />
        </button>
    );
}
