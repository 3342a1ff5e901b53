// The line that says what the last action did, and offers to take it back.

import { classes } from '../classes.js';
import { saidOf } from '../said.js';
import { go } from '../page.js';
import { now } from '../state.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

export function Said() {
    const said = saidOf(now.notice.value, now.change.value);
    /** What is wrong with a text stands beside it; here it is only for the ear. */
    const isShown = said && !now.edit.value?.isBad;
    return (
        <div class={classes('said', !isShown && 'silent')}>
            <p role="status" class={isShown ? said.kind : 'sr'}>
                {said && <Phrase parts={said.phrase} />}
            </p>
            {isShown && now.past.value.length > 0 && (
                <button type="button" class="button" onClick={() => go('undo')}>
                    {text.undo}
                </button>
            )}
        </div>
    );
}
