// The sentence's answer: what the pinned query takes from each key, as one bar, and its output.

import { useComputed } from '@preact/signals';
import { weightColor } from '../color.js';
import { model, point, query } from '../compute.js';
import { form, manyHeads } from '../layout.js';
import { narrow } from '../media.js';
import { percent } from '../format.js';
import { outputOf } from '../stages.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

export function Mix() {
    const m = model.value;
    const i = query.value;
    const near = useComputed(() => point.value.key).value;
    const weights = m.grids.weights[i];
    const { empty, beyond } = m.rows[i];
    const reason = m.allowed[i].includes(true) ? 'below' : 'empty';
    const bare = beyond ? 'beyond' : empty && reason;
    const partial = m.allowed[i].includes(false);
    const head = empty
        ? text.mix.nothing
        : narrow.value
          ? text.mix.context
          : partial
            ? text.mix.past
            : text.mix.after;
    const width = narrow.value ? 300 : form.value === 'figure' ? 240 : manyHeads.value ? 330 : 430;
    /** The bar is full at 1; shares of more than that are drawn smaller. */
    const scale = width / Math.max(1, m.rows[i].total);
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
            <div class={`shares ${bare ? 'off' : ''}`} data-a="mix">
                {bare ? (
                    <span class="none">
                        <span>{text.mix[bare]}</span>
                    </span>
                ) : (
                    weights.map((w, j) =>
                        w > 0 ? (
                            <span
                                class={j === near ? 'share near' : 'share'}
                                data-at={`weights:${i}:${j}`}
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
