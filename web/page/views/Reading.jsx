// The reading line: the pointed-at cell as one sentence with its numbers. It has a place of its
// own, so it covers nothing. A grid names it as its description; it is no live region, as pointing
// is not news.

import { model, point } from '../compute.js';
import { reading } from '../explain.js';
import { Phrase } from './Phrase.jsx';

export function Reading() {
    const at = point.value;
    return (
        <p id="reading" class="reading">
            {reading(model.value, at).map(({ stage, phrase }, n, all) => (
                <span class={`segment ${stage === at.grid ? 'strong' : ''}`}>
                    {n > 0 && stage && all[n - 1].stage && (
                        <span class="arrow" aria-hidden="true">
                            →{' '}
                        </span>
                    )}
                    <Phrase parts={phrase} />{' '}
                </span>
            ))}
        </p>
    );
}
