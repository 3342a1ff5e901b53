// Whether a score is mutual: q_i·k_j beside q_j·k_i, and, where words are projected, x_i·x_j, which
// cannot depend on the order. A word and itself take as much room as a pair, so that pointing moves
// nothing.

import { model, point } from '../compute.js';
import { products, result } from '../phrase.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';

export function DotRoom() {
    const m = model.value;
    const { query: i, key: j } = point.value;
    if (m.doc.keyTokens) return null;
    const words = text.symmetry;
    const isSelf = i === j;
    const [a, b] = [m.queries[i], m.queries[j]];
    const [there, back] = [m.grids.scores[i][j], m.grids.scores[j][i]];
    const { X } = m.grids;
    const terms = X && [...products(X[i], null, X[j], null), ' = '];
    const dot = X?.[i].reduce((sum, x, n) => sum + x * X[j][n], 0);
    return (
        <div class="mutual">
            <h4>{words.title}</h4>
            <ul>
                <li>
                    <Phrase parts={words.one(a, b, there)} />
                </li>
                {!isSelf && (
                    <li>
                        <Phrase parts={words.one(b, a, back)} />
                    </li>
                )}
                {X && (
                    <li>
                        <Phrase parts={[...words.words(a, b, terms), result(dot)]} />
                    </li>
                )}
            </ul>
            <p class="quiet">{isSelf ? words.self : there === back ? words.same : words.other}</p>
        </div>
    );
}
