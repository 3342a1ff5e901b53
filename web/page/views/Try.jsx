// What there is to try on the page as it is: an offer, then its question with the guesses. What
// came of it is told in the line that tells of every edit, and the offers are back.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { model, query } from '../compute.js';
import { compareWith } from '../controls.js';
import { focusCell } from '../place.js';
import { now } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { choose, decline, guess, leave, offered, question } from '../tries.js';
import { Phrase } from './Phrase.jsx';

/** One that cannot be asked now stays in its place, and says why to whoever points at it. */
function Offer({ id, why }) {
    const reason = why && `why-${id}`;
    return (
        <span class="offer">
            <button
                type="button"
                class="pill"
                aria-disabled={why ? 'true' : null}
                aria-describedby={reason}
                onClick={() => (why ? decline(why) : choose(id))}
            >
                <Phrase parts={text.tries[id].offer} />
            </button>
            {why && (
                <span class="reason" id={reason} role="tooltip">
                    {text.notNow[why]}
                </span>
            )}
        </span>
    );
}

function Offers() {
    const { all } = useStill(() => ({ all: JSON.stringify(offered(model.value, query.value)) }));
    return (
        <>
            <span class="quiet">{text.tryLabel}</span>
            {JSON.parse(all).map(([id, why]) => (
                <Offer id={id} why={why} />
            ))}
        </>
    );
}

function Question({ trial }) {
    const group = useRef();
    useLayoutEffect(() => {
        group.current.querySelector('button').focus();
    }, [trial]);
    return (
        <div ref={group} class="question" role="group" aria-labelledby="question">
            <p id="question">
                <Phrase parts={question(model.value, trial)} />
            </p>
            {Object.entries(text.tries[trial.id].answers).map(([id, name]) => (
                <button type="button" class="pill" onClick={() => focusCell(guess(id))}>
                    {name}
                </button>
            ))}
            <button type="button" class="pill leave" onClick={leave}>
                {text.tryCancel}
            </button>
        </div>
    );
}

/** While the baseline or a difference is shown: what it is that is shown, and the way back. */
function Aside({ compare }) {
    return (
        <>
            <span class="quiet">{text.compare.aside[compare]}</span>
            <button type="button" class="pill" onClick={() => compareWith('now')}>
                {text.compare.modes.now}
            </button>
        </>
    );
}

export function Try() {
    const trial = now.trial.value;
    const compare = now.compare.value;
    return (
        <div class="try">
            {compare !== 'now' ? (
                <Aside compare={compare} />
            ) : trial ? (
                <Question trial={trial} />
            ) : (
                <Offers />
            )}
        </div>
    );
}
