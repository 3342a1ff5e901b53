// The page in reading order. Pointing is delegated: whatever carries data-at previews that cell.

import { useComputed } from '@preact/signals';
import { hoverCell, pinCell } from '../actions.js';
import { classes } from '../classes.js';
import { model, previewing } from '../compute.js';
import { form, manyHeads, title } from '../layout.js';
import { cellOf, headedBy } from '../place.js';
import { preview } from '../pointing.js';
import { text } from '../text.en.js';
import { Bar } from './Bar.jsx';
import { Figure } from './Figure.jsx';
import { Flow } from './Flow.jsx';
import { Heads } from './Heads.jsx';
import { Labs } from './Labs.jsx';
import { Lens } from './Lens.jsx';
import { Mix } from './Mix.jsx';
import { Problem } from './Problem.jsx';
import { Project } from './Project.jsx';
import { Reading } from './Reading.jsx';
import { Said } from './Said.jsx';
import { Tokens, WordTools } from './Tokens.jsx';
import { Try } from './Try.jsx';
import { HitWires, OverWires, UnderWires } from './Wires.jsx';

const onPointerMove = (event) => preview(event, cellOf(event.target) ?? headedBy(event.target));

const onPointerLeave = () => hoverCell(null);

/** Lines and shares outside a grid pin on a click; cells do so by taking focus. */
const onClick = (event) => {
    const cell = cellOf(event.target);
    if (cell && !event.target.closest('[role=grid]')) pinCell(cell);
};

function Main({ children }) {
    return (
        <main
            class={classes(
                `${form.value}-form`,
                manyHeads.value && 'several',
                title.value.wraps && 'wrapped',
                previewing.value && 'preview',
            )}
            onPointerMove={onPointerMove}
            onPointerLeave={onPointerLeave}
            onClick={onClick}
        >
            {children}
        </main>
    );
}

export function App() {
    const projected = useComputed(() => Boolean(model.value.grids.X)).value;
    return (
        <>
            <Bar />
            <Main>
                <UnderWires />
                <Tokens />
                {form.value === 'line' && <Heads />}
                <Mix />
                {projected && <Project />}
                <Flow />
                {form.value === 'figure' && <Figure />}
                <Lens />
                <HitWires />
                <OverWires />
                <div class="words">
                    <WordTools />
                    <Reading />
                    <Said />
                </div>
                <Try />
                <Labs />
                <Problem />
            </Main>
            <p id="hint-input" hidden>
                {text.editHint}
            </p>
            <p id="hint-word" hidden>
                {text.wordHint}
            </p>
            <p id="hint-setting" hidden>
                {text.settingHint}
            </p>
            <p id="hint-mask" hidden>
                {text.maskHint}
            </p>
        </>
    );
}
