// What the page is about, chosen from lists: an example, the number of heads, and d_k and d_v.

import { showExample, shownExample } from '../address.js';
import { examples } from '../examples.js';
import { LIMITS } from '../schema.js';
import { mayHaveHeads, setHeads, setSize } from '../sentence.js';
import { sizesOf } from '../shape.js';
import { state } from '../state.js';
import { useStill } from '../still.js';
import { text } from '../text.en.js';

/** Sentences to start from, and which of them is shown; choosing one is a new entry of the history. */
export function Examples() {
    return (
        <select
            class="menu examples"
            aria-label={text.examples.label}
            value={shownExample.value ?? ''}
            onChange={(event) => showExample(event.currentTarget.value)}
        >
            <option value="" disabled hidden>
                {text.examples.label}
            </option>
            {Object.keys(text.examples.names).map((id) => (
                <option value={id}>{text.examples.names[id]}</option>
            ))}
        </select>
    );
}

export function Count({ name, value, offered, label, take }) {
    const all = [...new Set([...offered, value])].sort((a, b) => a - b);
    return (
        <select
            class="menu"
            aria-label={name}
            title={name}
            value={value}
            onChange={(event) => take(Number(event.currentTarget.value))}
        >
            {all.map((n) => (
                <option value={String(n)}>{label(n)}</option>
            ))}
        </select>
    );
}

const HEADS = [1, 2, 3, 4, 6, 8];
export const SIZES = [1, 2, 3, 4, 5, 6, 8, 16, 32, 64];

export function Sizes() {
    const { count, feature, channel } = useStill(() => {
        const { doc } = state.value;
        return { ...sizesOf(doc), count: doc.heads };
    });
    const fit = SIZES.filter((n) => n * count <= LIMITS.dims);
    const { heads, sizes } = text;
    return (
        <span class="menus">
            <Count
                name={heads.choose}
                value={count}
                offered={HEADS.filter((n) => mayHaveHeads(state.peek().doc, n))}
                label={heads.option}
                take={setHeads}
            />
            <Count
                name={sizes.feature.name}
                value={feature}
                offered={fit}
                label={sizes.feature.option}
                take={(n) => setSize('feature', n)}
            />
            <Count
                name={sizes.channel.name}
                value={channel}
                offered={fit}
                label={sizes.channel.option}
                take={(n) => setSize('channel', n)}
            />
        </span>
    );
}
