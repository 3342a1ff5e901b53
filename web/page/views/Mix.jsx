// The sentence's answer: what the pinned query takes from each key, as one bar, and its output. Of
// weights that are dropped nothing is taken, and of the others more.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { model, point, query } from '../compute.js';
import { form, manyHeads } from '../layout.js';
import { narrow } from '../media.js';
import { percent } from '../format.js';
import { outputOf } from '../stages.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** Why a query takes nothing, as the text table names it, or false. */
function bareOf(m, i, taken) {
    const { empty, beyond } = m.rows[i];
    if (beyond) return 'beyond';
    if (empty) return m.allowed[i].includes(true) ? 'below' : 'empty';
    return !taken.some((w) => w > 0) && 'dropped';
}

export function Mix() {
    const m = model.value;
    const i = query.value;
    const near = useComputed(() => point.value.key).value;
    const taken = m.grids.dropped[i];
    const grid = m.doc.dropout === null ? 'weights' : 'dropped';
    const bare = bareOf(m, i, taken);
    const partial = m.allowed[i].includes(false);
    const head = m.rows[i].empty
        ? text.mix.nothing
        : narrow.value
          ? text.mix.context
          : partial
            ? text.mix.past
            : text.mix.after;
    const width = narrow.value ? 300 : form.value === 'figure' ? 240 : manyHeads.value ? 330 : 430;
    /** The bar is full at 1; shares of more than that are drawn smaller. */
    const scale = width / Math.max(1, total(taken));
    const fits = (w, label) => w * scale > label.length * 7 + 8;
    return (
        <section class="mix" aria-label={text.mix.label(m.queries[i])}>
            <div class="mixhead">
                <h2>
                    <Phrase parts={head(m.queries[i])} />
                </h2>
                <span>
                    {text.mix.output} <Phrase parts={[outputOf(m, i)]} />
                </span>
            </div>
            <div class={classes('shares', bare && 'off')} data-a="mix">
                {bare ? (
                    <span class="none">
                        <span>{text.mix[bare]}</span>
                    </span>
                ) : (
                    taken.map((w, j) =>
                        w > 0 ? (
                            <span
                                class={classes('share', j === near && 'near')}
                                data-at={`${grid}:${i}:${j}`}
                                style={{ flexGrow: w, ...weightColor(w) }}
                            >
                                {fits(w, m.keys[j]) && <bdi>{m.keys[j]}</bdi>}
                                {fits(w, `${m.keys[j]} ${percent(w)}`) && (
                                    <span>{percent(w)}</span>
                                )}
                            </span>
                        ) : null,
                    )
                )}
            </div>
        </section>
    );
}
