// Scores set by hand, in a document by 'query,key'. Where there are several heads a score is set in
// one of them, 'head,query,key'; a pair alone is meant for each head that has no other.

/** The name of a score of the head that is shown. */
const nameOf = ({ doc, head }, { row, col }) =>
    doc.heads === 1 ? `${row},${col}` : `${head},${row},${col}`;

const known = new WeakMap();
const NONE = Object.freeze(Object.create(null));

/** Those of one head by 'query,key', own or inherited; the same object while nothing changed. */
export function editsOf({ heads, scoreEdits }, head) {
    if (heads === 1) return scoreEdits;
    if (!known.has(scoreEdits)) known.set(scoreEdits, split(scoreEdits));
    const { all, own } = known.get(scoreEdits);
    return own[head] ?? all;
}

function split(scoreEdits) {
    const all = Object.create(NONE);
    const own = {};
    for (const [name, score] of Object.entries(scoreEdits)) {
        const [head, i, j] = name.split(',');
        if (j === undefined) all[name] = score;
        else (own[head] ??= Object.create(all))[`${i},${j}`] = score;
    }
    return { all, own };
}

/** How many scores of a head were set by hand. */
export function countOf(edits) {
    let count = 0;
    for (const _ in edits) count++;
    return count;
}

/** The score that was set by hand in the head that is shown, or undefined where it follows. */
export const handEdit = ({ doc, head }, { row, col }) => editsOf(doc, head)[`${row},${col}`];

export const withEdit = (now, cell, score) => ({
    ...now.doc.scoreEdits,
    [nameOf(now, cell)]: score,
});

/** Without the edit of one head: one that was meant for all stays in the others. */
export function withoutEdit(now, cell) {
    const { heads, scoreEdits } = now.doc;
    const pair = `${cell.row},${cell.col}`;
    const { [nameOf(now, cell)]: _, ...rest } = scoreEdits;
    if (!(pair in rest)) return rest;
    const { [pair]: score, ...others } = rest;
    for (let head = 0; head < heads; head++)
        if (head !== now.head) others[`${head},${pair}`] ??= score;
    return others;
}

/** The same edits in a document with another number of heads; those of heads that left are gone. */
export function withHeads(scoreEdits, from, to) {
    const kept = {};
    for (const [name, score] of Object.entries(scoreEdits)) {
        const place = name.split(',');
        const head = from === 1 ? '0' : place.length > 2 ? place.shift() : null;
        const pair = place.join();
        if (head === null) kept[pair] ??= score;
        else if (Number(head) < to) kept[to === 1 ? pair : `${head},${pair}`] = score;
    }
    return kept;
}

/** Without any edit of the head that is shown. */
export function withoutEdits({ doc, head }) {
    let { scoreEdits } = doc;
    for (const pair in editsOf(doc, head)) {
        const [row, col] = pair.split(',');
        scoreEdits = withoutEdit({ doc: { ...doc, scoreEdits }, head }, { row, col });
    }
    return scoreEdits;
}
