// The heads side by side: the weights of each as a small map, the chosen one marked. Under a map
// stands the key that the pinned query takes most from in that head.

import { useComputed } from '@preact/signals';
import { model, query } from '../compute.js';
import { narrow } from '../media.js';
import { form } from '../layout.js';
import { num, word } from '../phrase.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { rowsOf, stretch } from '../trace.js';
import { Map } from './Map.jsx';
import { Phrase } from './Phrase.jsx';

const pictures = new WeakMap();

/** The weights of every head of a call of the engine. */
function weightsOf({ traces, doc }) {
    if (!pictures.has(traces)) {
        const all = Array.from({ length: doc.heads }, (_, h) =>
            rowsOf(stretch(traces, 'weights', h)),
        );
        pictures.set(traces, all);
    }
    return pictures.get(traces);
}

function Head({ n, rows, hides, side }) {
    const m = model.value;
    const chosen = useComputed(() => state.value.head === n).value;
    const i = query.value;
    const most = rows[i].indexOf(Math.max(...rows[i]));
    return (
        <button
            type="button"
            class="head"
            aria-pressed={chosen}
            aria-label={text.heads.label(n + 1)}
            onClick={() => update({ head: n })}
        >
            <Map rows={rows} width={side} height={side} kind="weights" hides={hides} mark={i} />
            <span class="headname">
                <b>{n + 1}</b>{' '}
                {rows[i][most] > 0 && (
                    <span class="most">
                        <Phrase parts={[word(m.keys[most], 'k'), ' ', num(rows[i][most], null, 'fixed')]} />
                    </span>
                )}
            </span>
        </button>
    );
}

export function Heads() {
    const m = model.value;
    if (m.doc.heads === 1) return null;
    const all = weightsOf(m);
    const side = narrow.value ? 64 : form.value === 'line' ? 48 : 88;
    return (
        <section class="heads" aria-label={text.heads.title(all.length)}>
            <h2>{text.heads.title(all.length)}</h2>
            <div class="headlist">
                {all.map((rows, n) => (
                    <Head
                        n={n}
                        rows={rows}
                        side={side}
                        hides={m.hidden ? (i, j) => !m.allowed[i][j] && !(rows[i][j] > 0) : undefined}
                    />
                ))}
            </div>
        </section>
    );
}
