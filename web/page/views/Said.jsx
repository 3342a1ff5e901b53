// The line that says what the last action did, and offers to take it back.

import { saidOf } from '../said.js';
import { now, travel } from '../state.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

export function Said() {
    const said = saidOf(now.notice.value, now.change.value);
    return (
        <div class={`said ${said ? '' : 'silent'}`}>
            <p role="status" class={said?.kind}>
                {said && <Phrase parts={said.phrase} />}
            </p>
            {said && now.past.value.length > 0 && (
                <button type="button" class="button" onClick={() => travel('undo')}>
                    {text.undo}
                </button>
            )}
        </div>
    );
}
