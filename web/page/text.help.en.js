// Words of the panel that lists what hands and keys can do, in English. The keys themselves come
// from the table of keys.js. Part of the table text.en.js.

export const help = {
    name: 'What hands and keys can do',
    close: 'Close the help',
    keyOn: 'The ? key opens this',
    names: {
        ArrowUp: '↑',
        ArrowDown: '↓',
        ArrowLeft: '←',
        ArrowRight: '→',
        Escape: 'Esc',
        ' ': 'Space',
    },
    keys: {
        title: 'With keys',
        walk: 'go from cell to cell, Tab from matrix to matrix',
        ends: 'to the ends of a row, with Ctrl to the corners',
        edit: 'edit a number, a score or a word; typing replaces it',
        step: 'change a number by 1',
        tenth: 'change it by 0.1',
        zero: 'set a framed number to 0',
        release: 'take back a score that was set by hand, or what the mask adds',
        remove: 'remove a word',
        carry: 'move a word',
        paint: 'hide a key in the mask, or show it',
        leave: 'leave a cell, a drag or a panel as it was',
        clipboard: 'copy a matrix, paste a block of numbers',
        undo: 'undo',
        redo: 'redo',
        help: 'this help, from a cell or an empty page',
    },
    mouse: {
        title: 'With the mouse',
        rows: [
            ['point', 'at any number, word, line or label to see what it is made of'],
            ['click', 'pins it: its query and its key stay'],
            ['double click', 'edits a framed number, a score or a word'],
            ['drag a number', 'sideways: by whole steps, with Shift or Alt by 0.1'],
            ['drag a word', 'to another place, its numbers with it'],
            ['drag in the mask', 'hides keys, or shows them'],
        ],
    },
    touch: {
        title: 'By touch',
        rows: [
            ['tap', 'pins a number or a word and says what it is made of'],
            ['tap again', 'edits it'],
            ['drag a number', 'sideways changes it'],
            ['hold a word', 'then drag it to another place'],
            ['tap in the mask', 'hides a key, a drag hides many'],
        ],
    },
};
