// The bar at the top: name, what works on the page as a whole, undo, redo, colours. Where it is
// narrow, one button unfolds the rest.

import { isExample, shareLink, showExample } from '../address.js';
import { put } from '../clipboard.js';
import { openPanel } from '../controls.js';
import { narrow, nextTheme } from '../media.js';
import { go } from '../page.js';
import { now, update } from '../state.js';
import { text } from '../text.en.js';
import { Compare } from './Compare.jsx';
import { Help } from './Help.jsx';
import { Examples, Sizes } from './Menus.jsx';
import { Layers } from './Layers.jsx';
import { Values } from './Values.jsx';

function Icon({ children }) {
    return (
        <svg viewBox="0 0 24 24" aria-hidden="true">
            {children}
        </svg>
    );
}

function Tool({ name, children, ...more }) {
    return (
        <button type="button" class="icon" aria-label={name} title={name} {...more}>
            <Icon>{children}</Icon>
        </button>
    );
}

/** Back to the example that was opened last, as it was. */
function ResetTool() {
    const again = () => showExample(now.example.peek());
    return (
        <Tool
            name={text.reset}
            disabled={isExample.value}
            data-heir=".steps button"
            onClick={again}
        >
            <path d="M5 5v5h5M5.6 10a7.5 7.5 0 1 1-.9 5" />
        </Tool>
    );
}

function ThemeTool() {
    const theme = now.theme.value;
    const next = nextTheme.value;
    return (
        <Tool name={text.theme(theme, next)} onClick={() => update({ theme: next })}>
            <circle cx="12" cy="12" r="8" />
            {theme === 'auto' && <path class="solid" d="M12 4a8 8 0 0 1 0 16z" />}
            {theme === 'dark' && <circle class="solid" cx="12" cy="12" r="8" />}
        </Tool>
    );
}

/** What the bar unfolds, one at a time. */
const panels = { values: Values, layers: Layers, help: Help };

function Whole() {
    const panel = now.panel.value;
    return (
        <section class="whole" id="whole" aria-label={text.bar.whole}>
            {!narrow.value && <Compare />}
            <Sizes />
            {['values', 'layers'].map((id) => (
                <button
                    type="button"
                    class="button"
                    data-opens={`panel-${id}`}
                    aria-expanded={panel === id}
                    aria-controls={panel === id ? `panel-${id}` : null}
                    onClick={() => openPanel(id)}
                >
                    {text.bar[id]}
                    <i class="caret" />
                </button>
            ))}
            {narrow.value && <Compare />}
            <button type="button" class="button" onClick={() => shareLink(put)}>
                {text.bar.share}
            </button>
            {narrow.value && <ResetTool />}
            {narrow.value && <ThemeTool />}
        </section>
    );
}

export function Bar() {
    const [past, future, panel] = [now.past.value, now.future.value, now.panel.value];
    const Panel = panels[panel];
    const isOpen = narrow.value && panel !== null && panel !== 'help';
    return (
        <>
            <header class="top">
                <h1>
                    {text.title}
                    <span class="sr">: {text.subtitle}</span>
                </h1>
                <p class="tagline" aria-hidden="true">
                    {text.subtitle}
                </p>
                <Examples />
                <div class="tools">
                    {!narrow.value && <Whole />}
                    <span class="steps">
                        <Tool name={text.undo} disabled={!past.length} onClick={() => go('undo')}>
                            <path d="M9 4 4 9l5 5M4 9h10a6 6 0 0 1 0 12h-3" />
                        </Tool>
                        <Tool name={text.redo} disabled={!future.length} onClick={() => go('redo')}>
                            <path d="m15 4 5 5-5 5M20 9H10a6 6 0 0 0 0 12h3" />
                        </Tool>
                    </span>
                    {!narrow.value && <ResetTool />}
                    {narrow.value && (
                        <Tool
                            name={text.bar.more}
                            data-opens="whole"
                            aria-expanded={isOpen}
                            onClick={() => openPanel(isOpen ? panel : 'more')}
                        >
                            <path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3" />
                        </Tool>
                    )}
                    <Tool
                        name={text.help.name}
                        data-opens="panel-help"
                        aria-expanded={panel === 'help'}
                        aria-controls={panel === 'help' ? 'panel-help' : null}
                        onClick={() => openPanel('help')}
                    >
                        <path d="M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2V14M12 17.5h.01" />
                    </Tool>
                    {!narrow.value && <ThemeTool />}
                </div>
            </header>
            {isOpen && <Whole />}
            {Panel && <Panel />}
        </>
    );
}
