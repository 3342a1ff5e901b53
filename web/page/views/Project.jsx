// Projected mode: X and the three matrices that make Q, K and V of it, above the line that they feed.

import { setIdentity } from '../mode.js';
import { model } from '../compute.js';
import { setSize } from '../sentence.js';
import { text } from '../text.en.js';
import { Matrix } from './Matrix.jsx';
import { Count, SIZES } from './Menus.jsx';
import { Phrase } from './Phrase.jsx';

function Source({ grid }) {
    const { letter, verb } = text.project.names[grid];
    return (
        <section class={`source source-${grid}`}>
            <h3>
                <b>
                    <Phrase parts={letter} />
                </b>{' '}
                <span>{verb}</span>
            </h3>
            <div class="sourcegrid">
                <Matrix grid={grid} size="full" upright />
            </div>
        </section>
    );
}

export function Project() {
    const { doc } = model.value;
    const grids = ['X', ...(doc.keyX ? ['keyX'] : []), 'WQ', 'WK', 'WV'];
    return (
        <section class="project" aria-label={text.project.title}>
            <div class="projecthead">
                <h2>{text.project.title}</h2>
                <p class="quiet">{text.project.about}</p>
                <Count
                    name={text.sizes.model.name}
                    value={doc.x[0].length}
                    offered={SIZES}
                    label={text.sizes.model.option}
                    take={(n) => setSize('model', n)}
                />
                <button type="button" class="button" onClick={setIdentity}>
                    <Phrase parts={text.project.identity} />
                </button>
            </div>
            <div class="sources">
                {grids.map((grid) => (
                    <Source grid={grid} />
                ))}
            </div>
        </section>
    );
}
