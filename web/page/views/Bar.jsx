// The bar at the top: name, undo, redo, colours.

import { nextTheme } from '../actions.js';
import { state, travel } from '../state.js';
import { text } from '../text.en.js';

function Icon({ children }) {
    return (
        <svg viewBox="0 0 24 24" aria-hidden="true">
            {children}
        </svg>
    );
}

export function Bar() {
    const { past, future, theme } = state.value;
    return (
        <header class="top">
            <h1>
                {text.title}
                <span class="sr">: {text.subtitle}</span>
            </h1>
            <p class="tagline" aria-hidden="true">
                {text.subtitle}
            </p>
            <div class="tools">
                <button
                    type="button"
                    class="icon"
                    aria-label={text.undo}
                    title={text.undo}
                    disabled={!past.length}
                    onClick={() => travel('undo')}
                >
                    <Icon>
                        <path d="M9 4 4 9l5 5M4 9h10a6 6 0 0 1 0 12h-3" />
                    </Icon>
                </button>
                <button
                    type="button"
                    class="icon"
                    aria-label={text.redo}
                    title={text.redo}
                    disabled={!future.length}
                    onClick={() => travel('redo')}
                >
                    <Icon>
                        <path d="m15 4 5 5-5 5M20 9H10a6 6 0 0 0 0 12h3" />
                    </Icon>
                </button>
                <button
                    type="button"
                    class="icon"
                    aria-label={text.theme[theme]}
                    title={text.theme[theme]}
                    onClick={nextTheme}
                >
                    <Icon>
                        <circle cx="12" cy="12" r="8" />
                        {theme === 'auto' && <path class="solid" d="M12 4a8 8 0 0 1 0 16z" />}
                        {theme === 'dark' && <circle class="solid" cx="12" cy="12" r="8" />}
                    </Icon>
                </button>
            </div>
        </header>
    );
}
