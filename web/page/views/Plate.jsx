// A matrix of the line: with its numbers while they fit, else as a small map that shows it large.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { difference, key, model, query } from '../compute.js';
import { form } from '../layout.js';
import { lookOf } from '../look.js';
import { narrow } from '../media.js';
import { GRIDS } from '../matrices.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { Matrix } from './Matrix.jsx';
import { SheetMap } from './SmallMap.jsx';

/** Side of a map, of many steps a smaller one; a map that has few columns is narrower. */
const side = (isNarrow, steps) => (isNarrow ? (steps > 5 ? 40 : 56) : 66);

const across = (columns, whole) => Math.max(20, Math.min(whole, columns * 10));

function Thumb({ grid }) {
    const m = model.value;
    const spec = GRIDS[grid];
    const rows = (difference.value ?? m).grids[grid];
    const large = useComputed(() => state.value.stage === grid).value;
    const whole = side(narrow.value, m.steps.length);
    const turned = spec.turned && !narrow.value;
    const framed = spec.kind === 'input' || spec.kind === 'mask';
    const few = spec.axes[1] !== 'key';
    const width = few && !turned ? across(rows[0].length, whole) : whole;
    const height = turned ? across(rows[0].length, whole) : whole;
    const mark = { query: query.value, key: key.value }[spec.axes[0]];
    return (
        <button
            type="button"
            class={classes('thumb', spec.role && `role-${spec.role}`, framed && 'framed')}
            aria-pressed={large}
            aria-label={text.showLarge(text.grids[grid])}
            title={text.showLarge(text.grids[grid])}
            data-map={grid}
            data-rows={rows.length}
            data-cols={rows[0].length}
            data-turned={turned ? '' : null}
            onClick={() => update({ stage: grid })}
        >
            <SheetMap
                rows={rows}
                width={width}
                height={height}
                mark={mark}
                ink={spec.axes[0] === 'key' ? 'k' : 'q'}
                turned={turned}
                {...lookOf(m, grid)}
            />
        </button>
    );
}

export const Plate = ({ grid }) =>
    form.value === 'figure' ? <Thumb grid={grid} /> : <Matrix grid={grid} />;
