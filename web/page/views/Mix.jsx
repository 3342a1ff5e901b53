// The sentence's answer: what the pinned query takes from each key, as one bar, and its output. Of
// weights that are dropped nothing is taken, and of the others more.

import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { classes } from '../classes.js';
import { weightColor } from '../color.js';
import { model, query } from '../compute.js';
import { geometry } from '../geometry.js';
import { headOf } from '../layout.js';
import { narrow } from '../media.js';
import { inline, isOne, percent } from '../format.js';
import { pointing } from '../pointing.js';
import { outputOf } from '../stages.js';
import { now } from '../state.js';
import { useStill } from '../still.js';
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

/** What a share says, from the most: its name and number in a line, or one over the other. */
const FORMS = [
    { form: 'line', needs: (name, share) => (name.length + share.length) * 7 + 14 },
    { form: 'stacked', needs: (name, share) => Math.max(name.length, share.length) * 6.6 + 6 },
    { form: 'number', needs: (name, share) => share.length * 6.6 + 4 },
];

/** How each share is labelled: in the first form that has room, or not at all. */
function labelsOf(taken, names, spans, width) {
    return names.map((name, j) => {
        const share = percent(taken[j]);
        const room = (spans[j].to - spans[j].from) * width - 2;
        const found = FORMS.find(({ needs }) => room >= needs(name, share));
        return taken[j] > 0 ? { name, share, form: found?.form ?? null } : null;
    });
}

/** One bar, as a picture with its labels on it: forty elements would be a frame. */
function Shares({ taken, spans, labels, at }) {
    const cellAt = ({ currentTarget, clientX }) => {
        const box = currentTarget.getBoundingClientRect();
        const part = (clientX - box.left) / box.width;
        const col = spans.findIndex(({ from, to }) => part >= from && part < to);
        return col < 0 ? null : { ...at, col };
    };
    return (
        <div
            class="shares"
            data-a="mix"
            style={{ background: pictureOf(taken, spans) }}
            {...pointing(cellAt)}
        >
            {labels.map((label, j) => {
                if (!label?.form) return null;
                const { from, to } = spans[j];
                return (
                    <span
                        key={j}
                        class={classes('share', label.form !== 'line' && 'stacked')}
                        data-at={`${at.grid}:${at.row}:${j}`}
                        style={{
                            left: percents(from),
                            width: percents(to - from),
                            color: weightColor(taken[j]).color,
                        }}
                    >
                        {label.form !== 'number' && <bdi>{label.name}</bdi>}
                        <span>{label.share}</span>
                    </span>
                );
            })}
        </div>
    );
}

/** Characters that have room under the bar. */
const ROOM = 34;

/** The shares that are too narrow for a number: by name while that is short, else their sum. */
function Unlabelled({ taken, labels }) {
    const bare = labels.map((_, j) => j).filter((j) => labels[j] && !labels[j].form);
    if (!bare.length) return null;
    const named = bare.map((j) => [labels[j].name, labels[j].share]);
    const words = text.mix;
    const sum = percent(total(bare.map((j) => taken[j])));
    const isShort = named.flat().join('  ').length + 12 <= ROOM;
    return (
        <p class="unlabelled">
            <Phrase
                parts={
                    isShort || bare.length === 1
                        ? words.unlabelled(named)
                        : words.unlabelledSum(bare.length, sum)
                }
            />
        </p>
    );
}

/** What is taken from, and how much: most edits leave it as it is. */
function Title({ bare, sum }) {
    const { name, empty, partial } = useStill(() => {
        const { queries, rows, allowed } = model.value;
        const i = query.value;
        return { name: queries[i], empty: rows[i].empty, partial: allowed[i].includes(false) };
    });
    const shows = text.compare.shows[now.compare.value];
    const head = empty
        ? text.mix.nothing
        : partial && !narrow.value
          ? text.mix.past
          : text.mix.context;
    return (
        <h2>
            <Phrase parts={head(name)} />
            {headOf.value && (
                <span class="quiet">
                    <Phrase parts={text.mix.head(headOf.value)} />
                </span>
            )}
            {!bare && sum && <span class="quiet">{text.mix.sum(sum)}</span>}
            {shows && <span class="quiet">, {shows}</span>}
        </h2>
    );
}

export function Mix() {
    const m = model.value;
    const i = query.value;
    const taken = m.grids.dropped[i];
    const grid = m.doc.dropout === null ? 'weights' : 'dropped';
    const bare = bareOf(m, i, taken);
    const whole = total(taken);
    const sum = isOne(whole) ? null : inline(whole, 'fixed');
    const title = useMemo(() => <Title bare={bare} sum={sum} />, [bare, sum]);
    const width = useComputed(() => Math.floor(geometry.value?.rects.get('mix')?.w ?? 240)).value;
    const spans = spansOf(taken);
    const labels = labelsOf(taken, m.keys, spans, width);
    return (
        <section class="mix" aria-label={text.mix.label(m.queries[i])}>
            <div class="mixhead">
                {title}
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
                <>
                    <Shares {...{ taken, spans, labels }} at={{ grid, row: i }} />
                    <Unlabelled {...{ taken, labels }} />
                </>
            )}
        </section>
    );
}
