// The heads side by side: the weights of each as a small map, the chosen one marked. Under a map
// stands the key that the pinned query takes most from in that head.

import { computed, useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { model, query } from '../compute.js';
import { hidingIn } from '../look.js';
import { narrow } from '../media.js';
import { form } from '../layout.js';
import { num, word } from '../phrase.js';
import { state, update } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { rowsOf, stretch } from '../trace.js';
import { Phrase } from './Phrase.jsx';
import { isOnSheet, Sheet, SheetMap, SmallMap } from './SmallMap.jsx';

let latest = [];

/** The weights of every head; those that an edit did not move stay the same. */
const weights = computed(() => {
    const { traces, doc, head, grids } = model.value;
    latest = Array.from({ length: doc.heads }, (_, h) =>
        h === head ? grids.weights : rowsOf(stretch(traces, 'weights', h), latest[h]),
    );
    return latest;
});

function Head({ n, side }) {
    const { rows, hides, keys } = useStill(() => {
        const rows = weights.value[n];
        return { rows, hides: hidingIn(model.value, rows), keys: model.value.keys };
    });
    const chosen = useComputed(() => state.value.head === n).value;
    const Picture = isOnSheet() ? SheetMap : SmallMap;
    const i = query.value;
    const most = rows[i].indexOf(Math.max(...rows[i]));
    return (
        <div class="headitem">
            <button
                type="button"
                class="head"
                aria-pressed={chosen}
                aria-label={text.heads.label(n + 1)}
                onClick={() => update({ head: n })}
            >
                <Picture {...{ rows, hides }} width={side} height={side} kind="weights" mark={i} />
            </button>
            <span class="headname">
                <b>{n + 1}</b>{' '}
                {rows[i][most] > 0 && (
                    <span class="most">
                        <Phrase parts={[word(keys[most], 'k'), ' ', num(rows[i][most], null, 'fixed')]} />
                    </span>
                )}
            </span>
        </div>
    );
}

/** What it is that stands under the maps. */
function Note() {
    const name = useComputed(() => model.value.queries[query.value]).value;
    return (
        <p class="headnote">
            <Phrase parts={text.heads.most(name)} />
        </p>
    );
}

export function Heads() {
    const count = useComputed(() => model.value.doc.heads).value;
    if (count === 1) return null;
    const side = narrow.value ? 64 : form.value === 'line' ? 48 : 88;
    return (
        <section class="heads" aria-label={text.heads.title(count)}>
            <h2>{text.heads.title(count)}</h2>
            <div class={classes('headlist', isOnSheet() && 'sheeted')}>
                {Array.from({ length: count }, (_, n) => (
                    <Head n={n} side={side} />
                ))}
                {isOnSheet() && <Sheet />}
            </div>
            <Note />
        </section>
    );
}
