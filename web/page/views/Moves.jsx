// The order experiment as a picture: the words at their places before, and below at those after,
// each joined to itself; with it what moved along, and what stayed.

import { text } from '../text.en.js';
import { classes } from '../classes.js';
import { Phrase } from './Phrase.jsx';

const Words = ({ words, isMoved }) => (
    <div class="moverow">
        {words.map((token, n) => (
            <bdi class={classes(isMoved(n) && 'q')}>{token}</bdi>
        ))}
    </div>
);

/** `order` has for each place after the place before. */
function Picture({ tokens, words, order }) {
    const count = order.length;
    const goal = (n) => order.indexOf(n);
    return (
        <div class="moves" style={{ '--count': count }} aria-hidden="true">
            <div class="moverow orderplaces">
                {order.map((_, n) => (
                    <span>{n + 1}</span>
                ))}
            </div>
            <Words words={tokens} isMoved={(n) => goal(n) !== n} />
            <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none">
                {order.map((from, at) => (
                    <path
                        d={`M${from + 0.5},0C${from + 0.5},.5 ${at + 0.5},.5 ${at + 0.5},1`}
                        class={classes(from !== at && 'gone')}
                    />
                ))}
            </svg>
            <Words words={words} isMoved={(at) => order[at] !== at} />
        </div>
    );
}

export function Moves({ m, found, isSmall }) {
    const { doc } = m;
    const { order, words } = found;
    const told = text.positions;
    const moved = doc.tokens.filter((_, n) => order[n] !== n);
    return (
        <div class="ordermoves">
            {isSmall && <Picture tokens={doc.tokens} words={words} order={order} />}
            <p>
                <Phrase parts={told.moved(moved, doc.tokens.length, told.along[doc.mode])} />
                {moved.length > 0 && told.stays(doc.mask.preset !== 'none', doc.positions)}
            </p>
        </div>
    );
}
