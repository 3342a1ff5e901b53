// The controls that stand above the step they change.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { choosePreset, resetScale, setAxis, setScale } from '../controls.js';
import { model } from '../compute.js';
import { handsIn } from '../mask.js';
import { form } from '../layout.js';
import { now, update } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Plate } from './Plate.jsx';
import { Phrase } from './Phrase.jsx';
import { Setting } from './Setting.jsx';

/** The divisor: √d_k, none, or a number of one's own. */
export function ScaleControl() {
    const { scale, dk } = useStill(() => ({ scale: model.value.doc.scale, dk: model.value.dk }));
    const on = scale !== 'off';
    const own = typeof scale === 'number';
    return (
        <div class={classes('card scale', own && 'own')} data-a="control:scale">
            <span class="cardline">
                <span class="cardname">
                    {own ? (
                        text.scale.ownName
                    ) : (
                        <>
                            √<i>d</i>
                            <sub>k</sub>
                        </>
                    )}
                </span>
                {own && (
                    <button
                        type="button"
                        class="reset"
                        aria-label={text.scale.reset}
                        title={text.scale.reset}
                        onClick={resetScale}
                    />
                )}
                <button
                    type="button"
                    role="switch"
                    aria-checked={on}
                    aria-label={text.scale.label}
                    class="knob"
                    onClick={() => setScale(!on)}
                />
            </span>
            <span class="cardline quiet">
                <span class="cardword">
                    <Phrase
                        parts={own ? text.scale.own : on ? text.scale.on(dk) : text.scale.off}
                    />
                </span>
                {on && <Setting id="divisor" />}
            </span>
        </div>
    );
}

/** The temperature, and along which axis the weights sum to 1. */
export function SoftmaxControl() {
    const axis = useComputed(() => model.value.doc.softmaxAxis).value;
    return (
        <div class="card softmax" data-a="control:softmax">
            <span class="cardline">
                <span class="cardword">
                    {text.softmax.temperature}
                    <span class="short" aria-hidden="true">
                        T
                    </span>
                </span>
                <Setting id="temperature" />
            </span>
            <select
                aria-label={text.softmax.axis}
                value={axis}
                onChange={(event) => setAxis(event.currentTarget.value)}
            >
                {Object.entries(text.softmax.axes).map(([id, name]) => (
                    <option value={id}>{name}</option>
                ))}
            </select>
        </div>
    );
}

/** Wide: a preset and the grid. Narrow: a button that unfolds both. */
export function MaskControl() {
    const { mask, hidden, byHand } = useStill(() => {
        const { doc, hidden } = model.value;
        return { mask: doc.mask, hidden, byHand: handsIn(doc) };
    });
    const maskOpen = now.maskOpen.value;
    return (
        <div class={classes('maskbox', maskOpen && 'open')} data-a="control:mask">
            <div class="maskname">
                <b aria-hidden="true">{text.mask.label}</b>
                <button
                    type="button"
                    class="unfold"
                    aria-expanded={maskOpen}
                    onClick={() => update({ maskOpen: !maskOpen })}
                >
                    {maskOpen ? (
                        text.mask.done
                    ) : (
                        <>
                            {text.mask.state(mask, hidden)}
                            <span class="sr">, {text.mask.edit}</span>
                            <svg class="pencil" viewBox="0 0 12 12" aria-hidden="true">
                                <path d="M1.5 10.5 2 8 8.5 1.5l2 2L4 10z" />
                            </svg>
                        </>
                    )}
                </button>
            </div>
            <span class="presetname quiet" aria-hidden="true">
                {form.value === 'figure' ? text.mask.label : text.mask.presetName}
            </span>
            <select
                aria-label={text.mask.preset}
                title={byHand ? text.mask.byHand(byHand) : null}
                value={mask.preset}
                onChange={(event) => choosePreset(event.currentTarget.value)}
            >
                {Object.entries(text.mask.presets).map(([id, name]) => (
                    <option value={id}>
                        {id === mask.preset ? text.mask.chosen(name, mask, byHand) : name}
                    </option>
                ))}
            </select>
            <Plate grid="mask" />
        </div>
    );
}

/** Narrow: the results show the pinned row, or every row. */
export function RowsControl() {
    const allRows = now.allRows.value;
    return (
        <button
            type="button"
            class="rowsbutton"
            aria-expanded={allRows}
            onClick={() => update({ allRows: !allRows })}
        >
            <Phrase parts={allRows ? text.rows.one : text.rows.all} />
        </button>
    );
}
