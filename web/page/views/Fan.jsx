// Lines of weight from the rows of the large matrix to the rows of the keys beside it: those of the
// pinned query in full, of the others only what matters, in grey.

import { model, point, query } from '../compute.js';

const WIDE = 92;

/** Weights of other queries below this draw no line. */
const FAINT = 0.1;

function line(i, j, pitch) {
    const [a, b] = [(i + 0.5) * pitch, (j + 0.5) * pitch];
    return `M0,${a}C${WIDE * 0.5},${a} ${WIDE * 0.5},${b} ${WIDE},${b}`;
}

function Others({ weights, pinned, pitch }) {
    return weights.map((row, i) =>
        i === pinned
            ? null
            : row.map((w, j) =>
                  w < FAINT ? null : (
                      <path
                          d={line(i, j, pitch)}
                          stroke="var(--ink2)"
                          stroke-width={1 + w * 5}
                          stroke-opacity={0.08 + w * 0.26}
                      />
                  ),
              ),
    );
}

export function Fan({ pitch: high }) {
    const m = model.value;
    const i = query.value;
    const near = point.value.key;
    const { weights } = m.grids;
    const pitch = high + 2;
    const height = pitch * Math.max(m.queries.length, m.keys.length);
    return (
        <svg class="fan" width={WIDE} height={height} aria-hidden="true">
            <Others weights={weights} pinned={i} pitch={pitch} />
            {weights[i].map((w, j) =>
                m.allowed[i][j] && w > 0 ? (
                    <path
                        d={line(i, j, pitch)}
                        stroke={j === near ? 'var(--k)' : 'var(--q)'}
                        stroke-width={1 + Math.sqrt(w) * 7}
                        stroke-opacity={j === near ? 1 : 0.35 + 0.5 * w}
                    />
                ) : null,
            )}
        </svg>
    );
}
