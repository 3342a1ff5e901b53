// The line that says what the last action did, and offers to take it back. Before the first edit the same
// place holds three things to try: its height never changes, so nothing above it moves.

import { choosePreset, pinCell, setScale, setValue } from '../actions.js';
import { saidOf } from '../said.js';
import { state, travel } from '../state.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

function Try() {
    const tries = [
        { id: 'scale', run: () => { pinCell({ grid: 'weights', row: 2, col: 1 }); setScale(false); } },
        { id: 'future', run: () => { pinCell({ grid: 'weights', row: 0, col: 0 }); choosePreset('causal'); } },
        { id: 'value', run: () => setValue({ grid: 'V', row: 1, col: 1 }, 8) },
    ];
    return (
        <div class="try">
            <span class="quiet">{text.tryLabel}</span>
            {tries.map(({ id, run }) => (
                <button type="button" class="pill" onClick={run}><Phrase parts={text.tries[id]} /></button>
            ))}
        </div>
    );
}

export function Said() {
    const { notice, change, past } = state.value;
    const said = saidOf(notice, change);
    return (
        <div class="said">
            <p role="status" class={said ? said.kind : 'sr'}>{said && <Phrase parts={said.phrase} />}</p>
            {said && past.length > 0 && (
                <button type="button" class="button" onClick={() => travel('undo')}>{text.undo}</button>
            )}
            {!said && <Try />}
        </div>
    );
}
