// The sentence: a grid of one row. Choosing a word pins its query.

import { useComputed } from '@preact/signals';
import { model, point, query } from '../compute.js';
import * as operate from '../grid.js';
import { text } from '../text.en.js';

function Token({ i, token }) {
    const pinned = useComputed(() => query.value === i).value;
    const near = useComputed(() => point.value.key === i).value;
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
            <bdi>{token}</bdi>
        </span>
    );
}

export function Tokens() {
    const { queries } = model.value;
    return (
        <div
            role="grid"
            aria-label={text.grids.tokens}
            aria-rowcount={1}
            aria-colcount={queries.length}
            aria-readonly="true"
            aria-describedby="reading"
            class="tokens"
            onKeyDown={operate.onKeyDown}
            onFocusCapture={operate.onFocus}
        >
            <div role="row" aria-rowindex={1} class="tokenrow">
                {queries.map((token, i) => (
                    <Token i={i} token={token} />
                ))}
            </div>
        </div>
    );
}
