// A matrix of the line: with its numbers while they fit, else as a small map that shows it large.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { difference, key, model, query } from '../compute.js';
import { form } from '../layout.js';
import { lookOf } from '../look.js';
import { narrow } from '../media.js';
import { GRIDS } from '../matrices.js';
import { state, update } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Matrix } from './Matrix.jsx';
import { SheetMap } from './SmallMap.jsx';

/** Side of a map, of many steps a smaller one; a map that has few columns is narrower. */
const side = (isNarrow, steps) => (isNarrow ? (steps > 5 ? 40 : 56) : 66);

const across = (columns, whole) => Math.max(20, Math.min(whole, columns * 10));

/** The pixels: all that most edits change. */
function Picture({ grid, ...place }) {
    const look = useStill(() => {
        const m = model.value;
        return { rows: (difference.value ?? m).grids[grid], ...lookOf(m, grid) };
    });
    return <SheetMap {...place} {...look} />;
}

function Thumb({ grid }) {
    const spec = GRIDS[grid];
    const { count, columns, steps } = useStill(() => {
        const { grids, steps } = model.value;
        return { count: grids[grid].length, columns: grids[grid][0].length, steps: steps.length };
    });
    const large = useComputed(() => state.value.stage === grid).value;
    const whole = side(narrow.value, steps);
    const turned = spec.turned && !narrow.value;
    const framed = spec.kind === 'input' || spec.kind === 'mask';
    const few = spec.axes[1] !== 'key';
    const width = few && !turned ? across(columns, whole) : whole;
    const height = turned ? across(columns, whole) : whole;
    const mark = { query: query.value, key: key.value }[spec.axes[0]];
    return (
        <button
            type="button"
            class={classes('thumb', spec.role && `role-${spec.role}`, framed && 'framed')}
            aria-pressed={large}
            aria-label={text.showLarge(text.grids[grid])}
            title={text.showLarge(text.grids[grid])}
            data-map={grid}
            data-rows={count}
            data-cols={columns}
            data-turned={turned ? '' : null}
            onClick={() => update({ stage: grid })}
        >
            <Picture
                grid={grid}
                width={width}
                height={height}
                mark={mark}
                ink={spec.axes[0] === 'key' ? 'k' : 'q'}
                turned={turned}
            />
        </button>
    );
}

export const Plate = ({ grid }) =>
    form.value === 'figure' ? <Thumb grid={grid} /> : <Matrix grid={grid} />;
