// What the bar unfolds about the numbers: a seed to fill them from, and the matrices as text.

import { useComputed } from '@preact/signals';
import { copyMatrix } from '../clipboard.js';
import { setMode } from '../mode.js';
import { fillFrom } from '../values.js';
import { now } from '../state.js';
import { text } from '../text.en.js';
import { Setting } from './Setting.jsx';

const GRIDS = { direct: ['Q', 'K', 'V'], projected: ['X', 'WQ', 'WK', 'WV'] };

export function Values() {
    const seed = now.seed.value;
    const mode = useComputed(() => now.doc.value.mode).value;
    return (
        <section class="panel" id="panel-values" aria-label={text.bar.values}>
            <span class="segments" role="group" aria-label={text.project.label}>
                {Object.entries(text.project.modes).map(([id, name]) => (
                    <button
                        type="button"
                        aria-pressed={mode === id}
                        onClick={() => setMode(id)}
                    >
                        {name}
                    </button>
                ))}
            </span>
            <span class="panelgroup">
                <label class="padname">
                    {text.bar.seed} <Setting id="seed" />
                </label>
                <button type="button" class="button" onClick={() => fillFrom(seed)}>
                    {text.bar.fill}
                </button>
                <button type="button" class="button" onClick={() => fillFrom((seed + 1) >>> 0)}>
                    {text.bar.again}
                </button>
            </span>
            <span class="panelgroup">
                {GRIDS[mode].map((grid) => (
                    <button type="button" class="button" onClick={() => copyMatrix(grid)}>
                        {text.bar.copy(text.grids[grid])}
                    </button>
                ))}
            </span>
            <span class="quiet">{text.bar.pasteHint}</span>
        </section>
    );
}
