// What can be laid over the four steps: the panel that switches it on, and the cards that stand
// above the steps it adds.

import { openLens, setLayer } from '../layers.js';
import { now } from '../state.js';
import { text } from '../text.en.js';
import { lenses } from './Lens.jsx';
import { Phrase } from './Phrase.jsx';
import { Setting } from './Setting.jsx';

function Switch({ id }) {
    const on = now.doc.value[id] !== null;
    return (
        <label class="layer">
            <button
                type="button"
                role="switch"
                aria-checked={on}
                aria-label={text.layers[id]}
                class="knob"
                onClick={() => setLayer(id, !on)}
            />
            <span aria-hidden="true">{text.layers[id]}</span>
        </label>
    );
}

export function Layers() {
    const lens = now.lens.value;
    return (
        <section class="panel" id="panel-layers" aria-label={text.bar.layers}>
            <Switch id="softcap" />
            <Switch id="dropout" />
            <span class="panelgroup" role="group" aria-label={text.lenses.label}>
                {Object.keys(lenses).map((id) => (
                    <button
                        type="button"
                        class="button"
                        data-lens={id}
                        aria-expanded={lens === id}
                        aria-controls={lens === id ? `lens-${id}` : null}
                        onClick={() => openLens(id)}
                    >
                        {text.lenses[id]}
                        <i class="caret" />
                    </button>
                ))}
            </span>
        </section>
    );
}

/** A card of a step that can be taken off again. */
function Card({ id, control, children }) {
    return (
        <div class={`card layercard ${control}`} data-a={`control:${control}`}>
            <span class="cardline">
                <span class="cardname">{text.layers[id]}</span>
                <button
                    type="button"
                    role="switch"
                    aria-checked="true"
                    aria-label={text.layers[id]}
                    class="knob"
                    onClick={() => setLayer(id, false)}
                />
            </span>
            {children}
        </div>
    );
}

const Labelled = ({ id, name }) => (
    <label class="cardline quiet">
        <Phrase parts={text.layers[name]} />
        <Setting id={id} />
    </label>
);

export const CapControl = () => (
    <Card id="softcap" control="cap">
        <Labelled id="softcap" name="cap" />
    </Card>
);

export const DropControl = () => (
    <Card id="dropout" control="drop">
        <Labelled id="dropout" name="p" />
        <Labelled id="dropSeed" name="seed" />
    </Card>
);
