// Who shares keys and values, how many numbers are learned, and what joins the heads.

import { model } from '../compute.js';
import { num, quiet, result } from '../phrase.js';
import { groupings, kindOf, parametersOf, readersOf, setKvHeads, setOutput } from '../sharing.js';
import { isProjected, sizesOf } from '../shape.js';
import { now, update } from '../state.js';
import { text } from '../text.en.js';
import { Matrix } from './Matrix.jsx';
import { Phrase } from './Phrase.jsx';

/** More groups than this are not drawn. */
const DRAWN = 16;

function Groups({ doc }) {
    if (doc.heads === 1 || doc.kvHeads > DRAWN) return null;
    const head = now.head.value;
    return (
        <ul class="groups">
            {Array.from({ length: doc.kvHeads }, (_, shared) => (
                <li>
                    <span class="members">
                        {readersOf(doc, shared).map((h) => (
                            <button
                                type="button"
                                class="pill"
                                aria-pressed={h === head}
                                onClick={() => update({ head: h })}
                            >
                                {text.sharing.head(h + 1)}
                            </button>
                        ))}
                    </span>
                    <span class="quiet">{text.sharing.group(shared + 1)}</span>
                </li>
            ))}
        </ul>
    );
}

function Parameters({ doc }) {
    const words = text.sharing;
    const found = parametersOf(doc);
    const { feature, channel } = sizesOf(doc);
    const all = found.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
    return (
        <div class="parameters">
            <h3>{words.parameters}</h3>
            <p>
                <Phrase
                    parts={
                        found.length
                            ? [
                                  ...found.flatMap(({ field, rows, cols }, n) => [
                                      n ? ' + ' : '',
                                      ...words.names[field],
                                      ' ',
                                      num(rows),
                                      quiet('×'),
                                      num(cols),
                                  ]),
                                  ' = ',
                                  result(all),
                                  quiet(' = ', ...words.formula(doc.wo !== null)),
                              ]
                            : words.direct
                    }
                />
            </p>
            <p>
                <Phrase parts={words.cache(doc.kvHeads, feature, channel)} />
            </p>
        </div>
    );
}

function Output({ m }) {
    const { doc } = m;
    const words = text.sharing;
    if (!isProjected(doc)) return null;
    return (
        <div class="joining">
            <label class="layer">
                <button
                    type="button"
                    role="switch"
                    aria-checked={doc.wo !== null}
                    aria-label={words.output}
                    class="knob"
                    onClick={() => setOutput(doc.wo === null)}
                />
                <span aria-hidden="true">{words.output}</span>
                {doc.wo && (
                    <span class="quiet">
                        <Phrase parts={words.joins} />
                    </span>
                )}
            </label>
            {m.grids.WO && (
                <div class="sources">
                    {['concat', 'WO', 'projected'].map((grid) => (
                        <section class="source">
                            <h3>
                                <Phrase
                                    parts={grid === 'WO' ? words.names.wo : [text.grids[grid]]}
                                />
                            </h3>
                            <div class="sourcegrid">
                                <Matrix grid={grid} size="full" upright />
                            </div>
                        </section>
                    ))}
                </div>
            )}
        </div>
    );
}

export function Sharing() {
    const m = model.value;
    return (
        <>
            <Groups doc={m.doc} />
            <Parameters doc={m.doc} />
            <Output m={m} />
        </>
    );
}

Sharing.Head = () => {
    const { doc } = model.value;
    const words = text.sharing;
    if (doc.heads === 1) return <p>{words.one}</p>;
    return (
        <>
            <span class="segments" role="group" aria-label={words.label}>
                {groupings(doc).map((n) => (
                    <button
                        type="button"
                        aria-pressed={doc.kvHeads === n}
                        onClick={() => setKvHeads(n)}
                    >
                        {words.choice(words.kinds[kindOf(doc.heads, n)], n)}
                    </button>
                ))}
            </span>
            <p>{words.about[kindOf(doc.heads, doc.kvHeads)]}</p>
        </>
    );
};
