// Longer sentences and wider heads: one matrix large, as cells while there are at most 16 a side,
// beside the row table of the pinned query. Where rows and keys share one pitch, lines of weight
// join them, so that map, lines and bars are a single figure.

import { useRef } from 'preact/hooks';
import { classes } from '../classes.js';
import { difference, extents, model, pin, query } from '../compute.js';
import { inline } from '../format.js';
import { headOf, manyHeads, NUMBERS, TILES } from '../layout.js';
import { weightGradient } from '../map.js';
import { narrow, width } from '../media.js';
import { useMore } from '../more.js';
import { word } from '../phrase.js';
import { GRIDS } from '../matrices.js';
import { now } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Canvas } from './Canvas.jsx';
import { Fan } from './Fan.jsx';
import { Heads } from './Heads.jsx';
import { Matrix } from './Matrix.jsx';
import { Phrase } from './Phrase.jsx';
import { RowTable } from './RowTable.jsx';

/** Width and height of a cell, in pixels, for the larger side of a matrix. */
function cellOf(spec, longest) {
    if (spec.kind === 'input' || spec.axes[1] === 'channel') {
        return longest > TILES ? [Math.max(24, 24), 24] : [46, longest > NUMBERS ? 28 : 36];
    }
    if (longest <= NUMBERS) return narrow.value ? [44, 38] : [48, 36];
    const alone = width.value < 960; // the row table stands below, as in tablet.css
    if (longest <= TILES && alone && width.value >= 720)
        return [Math.min(43, Math.floor((width.value - 140) / longest)), 28];
    if (longest <= 12) return narrow.value ? [26, 28] : [36, 26];
    if (longest <= TILES) return narrow.value ? [24, 26] : [27, 24];
    const beside = narrow.value ? 440 : Math.min(600, width.value - 760);
    const room = alone ? width.value - 100 : beside;
    const pitch = Math.max(4, Math.min(22, Math.floor(room / longest)));
    return [pitch, pitch];
}

function ColorBar({ grid }) {
    const { kind: own, extent } = GRIDS[grid];
    const differs = difference.value;
    const kind = differs ? 'signed' : own;
    if (kind !== 'weights' && kind !== 'signed') return null;
    const end = differs?.extentOf(grid) ?? (kind === 'weights' ? 1 : extents.value[extent]);
    const ends = kind === 'weights' ? ['0', '1'] : [inline(-end), inline(end)];
    const ramp =
        kind === 'weights'
            ? weightGradient
            : 'linear-gradient(90deg in oklab, color-mix(in oklab, var(--below) 58%, var(--cell)), var(--cell), color-mix(in oklab, var(--above) 58%, var(--cell)))';
    return (
        <p class="colorbar">
            <span>{ends[0]}</span>
            <i style={{ background: ramp }} aria-hidden="true" />
            <span>{ends[1]}</span>
            <span class="quiet">{text.colorbar[differs ? 'differs' : kind]}</span>
        </p>
    );
}

/** The matrix that is shown large. */
const Large = ({ grid, size, pitch, high }) =>
    size === 'canvas' ? (
        <Canvas key={grid} grid={grid} pitch={pitch} high={high} />
    ) : (
        <Matrix key={grid} grid={grid} size={size} tile={{ pitch, high }} upright />
    );

function Heading({ grid }) {
    return (
        <h2>
            <Phrase parts={text.figure.title(text.grids[grid], headOf.value)} />
        </h2>
    );
}

/** q of the pinned query, k and v of the pinned key: always at hand, whatever is shown large. */
function Slices({ large }) {
    const { query: i, key: j } = pin.value;
    const rows = { Q: i, K: j, V: j };
    const strip = useRef();
    const more = useMore(strip);
    return (
        <div class={classes('slicebox', more.before && 'before', more.after && 'after')}>
            <div class="slices" ref={strip}>
                {Object.entries(rows)
                    .filter(([grid]) => grid !== large)
                    .map(([grid, row]) => (
                        <div class={`slice ${grid.toLowerCase()}`}>
                            <b aria-hidden="true">{GRIDS[grid].letter}</b>
                            <Matrix grid={grid} size="full" only={row} upright />
                        </div>
                    ))}
            </div>
            {(more.before || more.after) && <p class="more quiet">{seen(rows, large, more)}</p>}
        </div>
    );
}

/** Which of the numbers are in sight, of q and k and of v: 1–15 of 64. */
function seen(rows, large, { from, to }) {
    const { grids } = model.value;
    const counts = Object.keys(rows)
        .filter((grid) => grid !== large)
        .map((grid) => grids[grid][0].length);
    return text.figure.seen(from, to, [...new Set(counts)]);
}

export function Figure() {
    const { grid, longest, queries, keys } = useStill(() => {
        const { grids, queries, keys } = model.value;
        const grid = now.stage.value;
        const longest = Math.max(grids[grid].length, grids[grid][0].length);
        return { grid, longest, queries, keys };
    });
    const spec = GRIDS[grid];
    const [pitch, high] = cellOf(spec, longest);
    const size = longest > TILES ? 'canvas' : pitch >= 44 ? 'full' : 'tiled';
    const small = Math.max(queries.length, keys.length) <= TILES;
    const isPair = spec.axes[0] === 'query' && spec.axes[1] === 'key';
    const joined = small && isPair && !narrow.value && width.value >= 1300;
    /* Names of columns that are not turned; where the row table is joined, it sets their height. */
    const isLevel = size === 'full' && !joined;
    const i = query.value;
    const sizes = {
        '--wide': `${pitch}px`,
        '--high': `${high}px`,
        '--longest': Math.min(12, Math.max(3, ...queries.map((token) => [...token].length))),
    };
    return (
        <section
            class={classes(
                'figure',
                joined && 'joined',
                isLevel && 'level',
                manyHeads.value && 'several',
            )}
            style={sizes}
            aria-label={text.figure.label}
        >
            <Heads />
            <div class="large">
                <header class="figurehead">
                    <Heading grid={grid} />
                    <ColorBar grid={grid} />
                </header>
                {isPair && (
                    <p class="axis across-axis" aria-hidden="true">
                        {text.figure.keys}
                    </p>
                )}
                <div class="scroller">
                    <Large grid={grid} size={size} pitch={pitch} high={high} />
                </div>
                <p class="axisnote quiet">{text.figure.note(isPair, size, spec.kind)}</p>
            </div>
            {joined && <Fan pitch={high} />}
            <div class="beside">
                <header class="besidehead">
                    <h2>
                        <Phrase parts={text.figure.row(word(queries[i], 'q'))} />
                    </h2>
                    <Slices large={grid} />
                </header>
                <RowTable high={joined ? high : null} />
            </div>
        </section>
    );
}
