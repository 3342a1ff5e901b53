// A matrix of the line: with its numbers while they fit, else as a small map that shows it large.

import { useComputed } from '@preact/signals';
import { extents, key, model, query } from '../compute.js';
import { form } from '../layout.js';
import { narrow } from '../media.js';
import { GRIDS } from '../stages.js';
import { state, update } from '../state.js';
import { text } from '../text.en.js';
import { Map } from './Map.jsx';
import { Matrix } from './Matrix.jsx';

/** Side of a map; one that has few columns is narrower. */
const side = (isNarrow) => (isNarrow ? 56 : 66);

const across = (columns, whole) => Math.max(20, Math.min(whole, columns * 10));

/** What a matrix is drawn with: the domain of its colours, and what the mask hides in it. */
export function lookOf(m, grid) {
    const spec = GRIDS[grid];
    const kind = spec.kind === 'weights' ? 'weights' : 'signed';
    const isPair = spec.axes[0] === 'query' && spec.axes[1] === 'key';
    const out = spec.kind === 'weights' || spec.kind === 'mask';
    return {
        kind,
        extent: extents.value[spec.extent ?? 'values'],
        hides: isPair && out && m.hidden ? hiding(m, grid) : undefined,
    };
}

const hidings = new WeakMap();

/** One function per matrix, so that a picture of it is drawn once. */
function hiding(m, grid) {
    const rows = m.grids[grid];
    if (!hidings.has(rows)) {
        hidings.set(rows, (i, j) => !m.allowed[i][j] && !(rows[i][j] > 0));
    }
    return hidings.get(rows);
}

function Thumb({ grid }) {
    const m = model.value;
    const spec = GRIDS[grid];
    const rows = m.grids[grid];
    const large = useComputed(() => state.value.stage === grid).value;
    const whole = side(narrow.value);
    const turned = spec.turned && !narrow.value;
    const framed = spec.kind === 'input' || spec.kind === 'mask';
    const few = spec.axes[1] !== 'key';
    const width = few && !turned ? across(rows[0].length, whole) : whole;
    const height = turned ? across(rows[0].length, whole) : whole;
    const mark = { query: query.value, key: key.value }[spec.axes[0]];
    return (
        <button
            type="button"
            class={`thumb ${spec.role ? `role-${spec.role}` : ''} ${framed ? 'framed' : ''}`}
            aria-pressed={large}
            aria-label={text.showLarge(text.grids[grid])}
            title={text.showLarge(text.grids[grid])}
            data-map={grid}
            data-rows={rows.length}
            data-cols={rows[0].length}
            data-turned={turned ? '' : null}
            onClick={() => update({ stage: grid })}
        >
            <Map
                rows={rows}
                width={width}
                height={height}
                mark={mark}
                turned={turned}
                {...lookOf(m, grid)}
            />
        </button>
    );
}

export const Plate = ({ grid }) =>
    form.value === 'figure' ? <Thumb grid={grid} /> : <Matrix grid={grid} />;
