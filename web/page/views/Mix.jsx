// The sentence's answer: what the pinned query takes from each key, as one bar, and its output. Of
// weights that are dropped nothing is taken, and of the others more.

import { weightColor } from '../color.js';
import { model, query } from '../compute.js';
import { form, manyHeads } from '../layout.js';
import { narrow } from '../media.js';
import { isOne, percent } from '../format.js';
import { pointing } from '../pointing.js';
import { outputOf } from '../stages.js';
import { now } from '../state.js';
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

/** Where each share begins and ends, in parts of the bar: it is full at 1, or at more than that. */
function spansOf(taken) {
    const whole = Math.max(1, total(taken));
    let at = 0;
    return taken.map((w) => {
        const from = at;
        at += (w || 0) / whole;
        return { from, to: at };
    });
}

const percents = (part) => `${(part * 100).toFixed(3)}%`;

/** The shares as one picture: a colour for each, a gap after it. */
function pictureOf(taken, spans) {
    const gap = taken.length > 40 ? 1 : 2;
    const stops = spans.flatMap(({ from, to }, j) => {
        if (to === from) return [];
        const { background } = weightColor(taken[j]);
        const end = to > 1 - 1e-6 ? percents(to) : `calc(${percents(to)} - ${gap}px)`;
        return [`${background} ${percents(from)} ${end}`, `transparent 0 ${percents(to)}`];
    });
    return `linear-gradient(90deg, ${stops.join()}, transparent 0)`;
}

/** One bar, as a picture with the words that have room on it: forty elements would be a frame. */
function Shares({ taken, names, width, at }) {
    const spans = spansOf(taken);
    const cellAt = ({ currentTarget, clientX }) => {
        const box = currentTarget.getBoundingClientRect();
        const part = (clientX - box.left) / box.width;
        const col = spans.findIndex(({ from, to }) => part >= from && part < to);
        return col < 0 ? null : { ...at, col };
    };
    const room = ({ from, to }) => (to - from) * width;
    const fits = (j, label) => room(spans[j]) > label.length * 7 + 8;
    return (
        <div
            class="shares"
            data-a="mix"
            style={{ background: pictureOf(taken, spans) }}
            {...pointing(cellAt)}
        >
            {names.map((name, j) => {
                if (!fits(j, name)) return null;
                const share = percent(taken[j]);
                const { from, to } = spans[j];
                return (
                    <span
                        key={j}
                        class="share"
                        data-at={`${at.grid}:${at.row}:${j}`}
                        style={{
                            left: percents(from),
                            width: percents(to - from),
                            color: weightColor(taken[j]).color,
                        }}
                    >
                        <bdi>{name}</bdi>
                        {fits(j, `${name} ${share}`) && <span>{share}</span>}
                    </span>
                );
            })}
        </div>
    );
}

export function Mix() {
    const m = model.value;
    const i = query.value;
    const shows = text.compare.shows[now.compare.value];
    const taken = m.grids.dropped[i];
    const grid = m.doc.dropout === null ? 'weights' : 'dropped';
    const bare = bareOf(m, i, taken);
    const partial = m.allowed[i].includes(false);
    const head = m.rows[i].empty
        ? text.mix.nothing
        : partial && !narrow.value
          ? text.mix.past
          : text.mix.context;
    const width = narrow.value ? 300 : form.value === 'figure' ? 240 : manyHeads.value ? 330 : 430;
    return (
        <section class="mix" aria-label={text.mix.label(m.queries[i])}>
            <div class="mixhead">
                <h2>
                    <Phrase parts={head(m.queries[i])} />
                    {!bare && !isOne(total(taken)) && (
                        <span class="quiet">{text.mix.of(percent(total(taken)))}</span>
                    )}
                    {shows && <span class="quiet">, {shows}</span>}
                </h2>
                <span>
                    {text.mix.output} <Phrase parts={[outputOf(m, i)]} />
                </span>
            </div>
            {bare ? (
                <div class="shares off" data-a="mix">
                    <span class="none">
                        <span>{text.mix[bare]}</span>
                    </span>
                </div>
            ) : (
                <Shares taken={taken} names={m.keys} width={width} at={{ grid, row: i }} />
            )}
        </section>
    );
}
