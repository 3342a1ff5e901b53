// The labs: a list of what can be measured, and under it the one that is open, in the flow of the
// page. It covers nothing, and closing it leaves the page as it was.

import { useEffect, useRef } from 'preact/hooks';
import { model, query } from '../compute.js';
import { openLab } from '../lab/lab.js';
import { LABS } from '../lab/labs.js';
import { stopRuns } from '../lab/runs.js';
import { now } from '../state.js';
import { text } from '../text.en.js';
import { Cost } from './LabCost.jsx';
import { MaskLab } from './LabMask.jsx';
import { GapLab, NormsLab, SpreadLab } from './LabMeasures.jsx';
import { Pronoun } from './LabPronoun.jsx';
import { ScaleLab } from './LabScale.jsx';
import { Phrase } from './Phrase.jsx';

const labs = {
    pronoun: Pronoun,
    mask: MaskLab,
    spread: SpreadLab,
    gap: GapLab,
    scale: ScaleLab,
    norms: NormsLab,
    cost: Cost,
};

/** Closes the lab; the focus goes back to what opened it. */
function leave(id) {
    openLab(null);
    document.querySelector(`[data-lab=${id}]`)?.focus();
}

/** What a lab is about; of the pinned query, where it is about that. */
function About({ id }) {
    const { about } = text.labs[id];
    const parts = typeof about === 'function' ? about(model.value.queries[query.value]) : about;
    return (
        <p>
            <Phrase parts={[].concat(parts)} />
        </p>
    );
}

function Lab({ lab }) {
    const card = useRef();
    useEffect(() => {
        card.current.scrollIntoView({ block: 'start' });
        return stopRuns;
    }, [lab.id]);
    const Inside = labs[lab.id];
    const words = text.labs;
    return (
        <section
            ref={card}
            class={`room lab lab-${lab.id}`}
            id={`lab-${lab.id}`}
            aria-label={words.names[lab.id]}
        >
            <header class="roomhead">
                <h2>{words.names[lab.id]}</h2>
                <About id={lab.id} />
                <button
                    type="button"
                    class="icon close"
                    aria-label={words.close}
                    title={words.close}
                    onClick={() => leave(lab.id)}
                />
            </header>
            <Inside lab={lab} />
        </section>
    );
}

export function Labs() {
    const lab = now.lab.value;
    const words = text.labs;
    return (
        <>
            <nav class="labs" aria-label={words.label}>
                <span class="quiet">{words.label}</span>
                {Object.keys(LABS).map((id) => (
                    <button
                        type="button"
                        class="pill"
                        data-lab={id}
                        data-opens={`lab-${id}`}
                        aria-expanded={lab?.id === id}
                        aria-controls={lab?.id === id ? `lab-${id}` : null}
                        onClick={() => openLab(id)}
                    >
                        {words.names[id]}
                    </button>
                ))}
            </nav>
            {lab && <Lab lab={lab} />}
        </>
    );
}
