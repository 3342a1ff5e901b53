// The sentence: a grid of one row. Choosing a word pins its query; a word can be renamed, removed
// and added. The more there is to say, the smaller the letters.

import { useComputed } from '@preact/signals';
import { addToken, removeToken } from '../actions.js';
import { model, point, query } from '../compute.js';
import * as operate from '../grid.js';
import { narrow } from '../media.js';
import { MOST_TOKENS, state } from '../state.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';

function Token({ i, token, alone }) {
    const pinned = useComputed(() => query.value === i).value;
    const near = useComputed(() => point.value.key === i).value;
    const typed = useComputed(() => {
        const { edit } = state.value;
        return edit?.grid === 'tokens' && edit.col === i ? edit.text : null;
    }).value;
    return (
        <span
            role="gridcell"
            aria-colindex={i + 1}
            aria-selected={pinned}
            tabIndex={pinned ? 0 : -1}
            class={`token ${pinned ? 'pinned' : near ? 'near' : ''}`}
            data-at={`tokens:0:${i}`}
            data-a={`token:${i}`}
        >
            {typed === null ? (
                <bdi>{token}</bdi>
            ) : (
                <Field name={text.renameLabel(token)} size={Math.max(2, typed.length)} />
            )}
            {pinned && !alone && typed === null && (
                <button
                    type="button"
                    tabIndex={-1}
                    class="remove"
                    aria-label={text.removeLabel(token)}
                    onClick={(event) => {
                        event.stopPropagation();
                        removeToken(i);
                    }}
                />
            )}
        </span>
    );
}

/** Letters that let the sentence fit its line. */
function letters(tokens, isNarrow) {
    const [line, frame, most, least] = isNarrow ? [300, 38, 32, 16] : [660, 52, 52, 22];
    const count = tokens.reduce((sum, token) => sum + Math.min(14, [...token].length), 0);
    return Math.max(least, Math.min(most, (line - tokens.length * frame) / (count * 0.52)));
}

export function Tokens() {
    const { queries } = model.value;
    return (
        <div class="tokens" style={{ '--letters': `${letters(queries, narrow.value)}px` }}>
            <div
                role="grid"
                aria-label={text.grids.tokens}
                aria-rowcount={1}
                aria-colcount={queries.length}
                aria-describedby="hint-word"
                onKeyDown={operate.onKeyDown}
                onFocusCapture={operate.onFocus}
                onDblClick={operate.onDoubleClick}
                onPointerDown={operate.onPointerDown}
                onPointerUp={operate.onPointerUp}
            >
                <div role="row" aria-rowindex={1} class="tokenrow">
                    {queries.map((token, i) => (
                        <Token i={i} token={token} alone={queries.length === 1} />
                    ))}
                </div>
            </div>
            {queries.length < MOST_TOKENS && (
                <button type="button" class="add" aria-label={text.addLabel} onClick={addToken} />
            )}
        </div>
    );
}
