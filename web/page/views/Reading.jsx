// The reading line: the pointed-at cell as one sentence with its numbers. It has a place of its
// own, so it covers nothing. A grid names it as its description; it is no live region, as pointing
// is not news.

import { classes } from '../classes.js';
import { difference, model, moved, point } from '../compute.js';
import { readingBetween } from '../difference.js';
import { reading } from '../explain.js';
import { inline } from '../format.js';
import { GRIDS } from '../matrices.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

/** The number that an old one stands beside: of a cell of the mask it is the weight. */
const toldOf = (grid) => (GRIDS[grid].kind === 'mask' ? 'weights' : grid);

/** What the number was before the last edit. */
function was({ grid, row, col }) {
    if (GRIDS[grid].kind === 'word') return null;
    const told = toldOf(grid);
    const old = moved(told, row, col);
    return old === undefined
        ? null
        : text.was(inline(old, GRIDS[told].kind === 'weights' ? 'fixed' : 'short'));
}

export function Reading() {
    const at = point.value;
    const old = was(at);
    const base = difference.value?.base;
    const segments = base
        ? readingBetween(model.value, base, at)
        : reading(model.value, at);
    return (
        <p id="reading" class="reading">
            {segments.map(({ stage, phrase }, n, all) => (
                <span class={classes('segment', stage === at.grid && 'strong')}>
                    {n > 0 && stage && all[n - 1].stage && (
                        <span class="arrow" aria-hidden="true">
                            →{' '}
                        </span>
                    )}
                    <Phrase parts={phrase} />
                    {stage === toldOf(at.grid) && old && <span class="quiet"> ({old})</span>}{' '}
                </span>
            ))}
        </p>
    );
}
