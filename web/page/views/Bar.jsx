// The bar at the top: name, what works on the page as a whole, undo, redo, colours. Where it is
// narrow, one button unfolds the rest.

import { nextTheme } from '../actions.js';
import { shareLink } from '../address.js';
import { put } from '../clipboard.js';
import { openPanel } from '../controls.js';
import { narrow } from '../media.js';
import { now, travel } from '../state.js';
import { text } from '../text.en.js';
import { Compare } from './Compare.jsx';
import { Examples, Sizes } from './Menus.jsx';
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

function Whole() {
    const panel = now.panel.value;
    return (
        <section class="whole" aria-label={text.bar.whole}>
            <Sizes />
            <button
                type="button"
                class="button"
                aria-expanded={panel === 'values'}
                aria-controls={panel === 'values' ? 'panel-values' : null}
                onClick={() => openPanel('values')}
            >
                {text.bar.values}
                <i class="caret" />
            </button>
            <Compare />
            <button type="button" class="button" onClick={() => shareLink(put)}>
                {text.bar.share}
            </button>
        </section>
    );
}

export function Bar() {
    const [past, future] = [now.past.value, now.future.value];
    const [theme, panel] = [now.theme.value, now.panel.value];
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
                    <Tool name={text.undo} disabled={!past.length} onClick={() => travel('undo')}>
                        <path d="M9 4 4 9l5 5M4 9h10a6 6 0 0 1 0 12h-3" />
                    </Tool>
                    <Tool name={text.redo} disabled={!future.length} onClick={() => travel('redo')}>
                        <path d="m15 4 5 5-5 5M20 9H10a6 6 0 0 0 0 12h3" />
                    </Tool>
                    {narrow.value && (
                        <Tool
                            name={text.bar.more}
                            aria-expanded={panel !== null}
                            onClick={() => openPanel(panel ?? 'more')}
                        >
                            <path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3" />
                        </Tool>
                    )}
                    <Tool name={text.theme[theme]} onClick={nextTheme}>
                        <circle cx="12" cy="12" r="8" />
                        {theme === 'auto' && <path class="solid" d="M12 4a8 8 0 0 1 0 16z" />}
                        {theme === 'dark' && <circle class="solid" cx="12" cy="12" r="8" />}
                    </Tool>
                </div>
            </header>
            {narrow.value && panel !== null && <Whole />}
            {panel === 'values' && <Values />}
        </>
    );
}
