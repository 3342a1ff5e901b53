// A chart: lines over steps, with axes, units and ticks. The lines are stretched to the room there
// is, the words are not. What it shows is told in words too.

import { chartOf, SIDE } from '../lab/chart.js';
import { text } from '../text.en.js';

const percent = (x) => `${x * 100}%`;

/** One entry of a curve of training over its steps, where it has it. */
export const pointsOf = (curve, name, factor = 1) =>
    curve
        .filter((entry) => entry[name] !== undefined)
        .map((entry) => [entry.step, entry[name] * factor]);

/** One sentence for each line. */
function spoken(title, log, lines) {
    const words = text.labs.chart;
    const told = lines
        .filter(({ points }) => points.length)
        .map(({ name, points }) =>
            words.line(name, points[0], points.at(-1), Math.min(...points.map((p) => p[1]))),
        );
    return words.spoken(title, log, told);
}

/**
 * `lines` are { id, name, points }, `marks` are dots { id, name, x, y }; `xName` says what x
 * counts.
 */
export function Chart({
    title,
    unit,
    lines,
    x,
    y,
    log = false,
    least,
    logX,
    xName = text.labs.chart.step,
    marks = [],
}) {
    const { paths, rows, columns, place } = chartOf(lines, { x, y, log, least, logX });
    const named = lines.filter(({ name }) => name);
    return (
        <figure class="chart">
            <figcaption>
                <b>{title}</b> <span class="quiet">{unit}</span>
            </figcaption>
            <div class="plot" role="img" aria-label={spoken(title, log, named)}>
                <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
                    {rows.map(({ at }) => (
                        <path class="rule" d={`M0 ${at * SIDE}H${SIDE}`} />
                    ))}
                    {paths.map(({ id, d }) => (
                        <path class={`curve ${id}`} d={d} />
                    ))}
                </svg>
                {lines.some(({ points }) => !points.length) && (
                    <span class="coming">{text.labs.chart.empty}</span>
                )}
                {marks.map(({ id, x: px, y: py }) => {
                    const [left, top] = place(px, py);
                    const style = { left: percent(left), top: percent(top) };
                    return <i class={`mark ${id}`} style={style} />;
                })}
                {rows.map(({ at, label }) => (
                    <span class="ytick" style={{ top: percent(at) }}>
                        {label}
                    </span>
                ))}
                {columns.map(({ at, label }) => (
                    <span class="xtick" style={{ left: percent(at) }}>
                        {label}
                    </span>
                ))}
            </div>
            <p class="legend">
                <span class="xname">{xName}</span>
                {named.length > 1 &&
                    named.map(({ id, name }) => (
                        <span>
                            <i class={`swatch ${id}`} />
                            {name}
                        </span>
                    ))}
                {marks.map(({ id, name }) => (
                    <span>
                        <i class={`swatch dot ${id}`} />
                        {name}
                    </span>
                ))}
            </p>
        </figure>
    );
}
