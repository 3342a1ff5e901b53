// The sentence: a grid of one row. Choosing a word pins its query; a word can be renamed, moved,
// removed and added. Keys from elsewhere are a second such strip. The more there is to say, the
// smaller the letters; words that fill more than a line are tinted by their weight.

import { useComputed } from '@preact/signals';
import { classes } from '../classes.js';
import { model, point, query } from '../compute.js';
import { handlers } from '../grid.js';
import { title } from '../layout.js';
import { GRIDS } from '../matrices.js';
import { narrow } from '../media.js';
import { focusWord } from '../place.js';
import { addToken, mayAdd, moveToken, removeToken, setCross } from '../sentence.js';
import { now, state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';
import { Field } from './Field.jsx';

/** Buttons for the chosen word: what dragging and keys do, by single taps. */
function Handles({ strip, i, token, count }) {
    const act = (run) => (event) => {
        event.stopPropagation();
        run();
        focusWord(strip);
    };
    return (
        <>
            {i > 0 && (
                <button
                    type="button"
                    tabIndex={-1}
                    class="handle back"
                    aria-label={text.moveBackLabel(token)}
                    onClick={act(() => moveToken(i, i - 1, { strip }))}
                />
            )}
            {i < count - 1 && (
                <button
                    type="button"
                    tabIndex={-1}
                    class="handle on"
                    aria-label={text.moveOnLabel(token)}
                    onClick={act(() => moveToken(i, i + 1, { strip }))}
                />
            )}
            {count > 1 && (
                <button
                    type="button"
                    tabIndex={-1}
                    class="handle remove"
                    aria-keyshortcuts="Delete"
                    aria-label={text.removeLabel(token)}
                    onClick={act(() => removeToken(i, strip))}
                />
            )}
        </>
    );
}

function Token({ strip, i, token, count, weight }) {
    const isQuery = strip === 'tokens';
    const pinned = useComputed(() => isQuery && query.value === i).value;
    const near = useComputed(() => {
        const isKey = !isQuery || model.value.doc.keyTokens === null;
        return isKey && point.value.key === i;
    }).value;
    const chosen = useComputed(() => (isQuery ? query.value : state.value.key) === i).value;
    const typed = useComputed(() => {
        const { edit } = state.value;
        return edit?.grid === strip && edit.col === i ? edit.text : null;
    }).value;
    return (
        <span
            role="gridcell"
            aria-colindex={i + 1}
            aria-selected={chosen}
            tabIndex={chosen ? 0 : -1}
            class={classes('token', pinned ? 'pinned' : near && 'near')}
            style={weight === null ? undefined : { '--tint': `${Math.round(Math.sqrt(weight) * 60)}%` }}
            data-at={`${strip}:0:${i}`}
            data-a={isQuery ? `token:${i}` : `key:${i}`}
        >
            {typed === null ? (
                <bdi>{token}</bdi>
            ) : (
                <Field name={text.renameLabel(token)} size={Math.max(2, typed.length)} />
            )}
            {chosen && typed === null && !narrow.value && (
                <Handles strip={strip} i={i} token={token} count={count} />
            )}
        </span>
    );
}

/** Narrow: the buttons of the word that is pinned stand in the sheet, where they cover no other. */
export function WordTools() {
    const { grid, col } = now.focus.value;
    const words = now.doc.value[grid];
    if (!narrow.value || GRIDS[grid].kind !== 'word' || !words || now.edit.value) return null;
    return (
        <div class="wordtools">
            <Handles strip={grid} i={col} token={words[col]} count={words.length} />
        </div>
    );
}

function Strip({ strip, words, tints }) {
    const grows = useComputed(() => mayAdd(now.doc.value, strip)).value;
    return (
        <div class={`strip strip-${strip}`}>
            <div
                role="grid"
                aria-label={text.grids[strip]}
                aria-rowcount={1}
                aria-colcount={words.length}
                aria-describedby="hint-word"
                {...handlers}
            >
                <div role="row" aria-rowindex={1} class="tokenrow">
                    {words.map((token, i) => (
                        <Token
                            strip={strip}
                            i={i}
                            token={token}
                            count={words.length}
                            weight={tints?.[i] ?? null}
                        />
                    ))}
                </div>
            </div>
            {grows ? (
                <button
                    type="button"
                    class="add"
                    aria-label={text.addLabel[strip]}
                    onClick={() => addToken(strip)}
                />
            ) : (
                <span class="limit quiet">{text.full[strip](words.length)}</span>
            )}
        </div>
    );
}

export function Tokens() {
    const { size, wraps, long, many } = title.value;
    const { tokens, keyTokens, tints } = useStill(() => {
        const { doc, grids } = model.value;
        const tints = title.value.wraps ? grids.weights[query.value] : null;
        return { tokens: doc.tokens, keyTokens: doc.keyTokens, tints };
    });
    const crossed = keyTokens !== null;
    const alone = useComputed(() => {
        const { keys, grids } = model.value;
        return keys.length === 1 && !crossed && grids.weights[0][0] === 1;
    }).value;
    return (
        <div
            class={classes(
                'tokens',
                long && 'long',
                wraps && 'wraps',
                many && 'many',
                crossed && 'crossed',
            )}
            data-a="strip"
            style={{ '--letters': `${size}px` }}
        >
            <Strip strip="tokens" words={tokens} tints={crossed ? null : tints} />
            {alone && <span class="alone quiet">{text.alone}</span>}
            {crossed && (
                <span class="looks quiet" aria-hidden="true">
                    {text.cross.at}
                </span>
            )}
            {crossed && <Strip strip="keyTokens" words={keyTokens} tints={tints} />}
            <button type="button" class="cross" onClick={() => setCross(!crossed)}>
                {crossed ? text.cross.off : text.cross.on}
            </button>
        </div>
    );
}
