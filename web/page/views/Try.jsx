// Three things to try. They are plain writes of state, as a hand would make them; once something
// was said about an edit they leave the line to it.

import { useComputed } from '@preact/signals';
import { pinCell, setValue } from '../actions.js';
import { choosePreset, setScale } from '../controls.js';
import { examples } from '../examples.js';
import { state } from '../state.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

const tries = [
    {
        id: 'scale',
        run: () => {
            pinCell({ grid: 'weights', row: 2, col: 1 });
            setScale(false);
        },
    },
    {
        id: 'future',
        run: () => {
            pinCell({ grid: 'weights', row: 0, col: 0 });
            choosePreset('causal');
        },
    },
    { id: 'value', run: () => setValue({ grid: 'V', row: 1, col: 1 }, 8) },
];

/** The questions are about the worked example. */
const isFirst = ({ tokens, keyTokens }) =>
    keyTokens === null && tokens.join() === examples.sentence.tokens.join();

export function Try() {
    const silent = useComputed(() => state.value.notice === null && isFirst(state.value.doc)).value;
    return (
        silent && (
            <div class="try">
                <span class="quiet">{text.tryLabel}</span>
                {tries.map(({ id, run }) => (
                    <button type="button" class="pill" onClick={run}>
                        <Phrase parts={text.tries[id]} />
                    </button>
                ))}
            </div>
        )
    );
}
