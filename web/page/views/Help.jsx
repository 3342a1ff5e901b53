// What hands and keys can do, in a panel of the bar: it pushes the page down and covers nothing.

import { openPanel } from '../controls.js';
import { KEYS } from '../keys.js';
import { now, update } from '../state.js';
import { text } from '../text.en.js';

const spelled = (key) => text.help.names[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key);

/**
 * Combinations as keys to press; what several hold down in common is written once, and one with
 * Ctrl not at all where the sentence tells of it.
 */
function Combos({ keys }) {
    const isMore = (combo) => combo.startsWith('Ctrl+') && keys.includes(combo.slice(5));
    const plain = keys.filter((combo) => !isMore(combo));
    const parts = plain.map((combo) => combo.split(/\+(?=.)/));
    const held = parts[0].slice(0, -1);
    const isShared = parts.every((part) => part.slice(0, -1).join() === held.join());
    const all = isShared ? [...held, ...parts.map((part) => part.at(-1))] : null;
    return (all ? [all] : parts).map((names, n) => (
        <>
            {n > 0 && ' '}
            {names.map((name, m) => (
                <>
                    {m > 0 && (all ? ' ' : '+')}
                    <kbd>{spelled(name)}</kbd>
                </>
            ))}
        </>
    ));
}

function List({ id, title, rows }) {
    return (
        <div class={`helplist by-${id}`}>
            <h2>{title}</h2>
            <dl>
                {rows.map(([how, what]) => (
                    <div>
                        <dt>{how}</dt>
                        <dd>{what}</dd>
                    </div>
                ))}
            </dl>
        </div>
    );
}

export function Help() {
    const { mouse, touch, keys, name, close, keyOn } = text.help;
    const rows = KEYS.filter(({ hidden }) => !hidden);
    return (
        <section class="panel help" id="panel-help" aria-label={name}>
            <List id="mouse" title={mouse.title} rows={mouse.rows} />
            <List id="touch" title={touch.title} rows={touch.rows} />
            <List
                id="keys"
                title={keys.title}
                rows={rows.map((row) => [<Combos keys={row.keys} />, keys[row.does]])}
            />
            <footer>
                <label class="padname">
                    <input
                        type="checkbox"
                        checked={now.helpKey.value}
                        onChange={(event) => update({ helpKey: event.currentTarget.checked })}
                    />
                    {keyOn}
                </label>
                <button type="button" class="button" onClick={() => openPanel(null)}>
                    {close}
                </button>
            </footer>
        </section>
    );
}
