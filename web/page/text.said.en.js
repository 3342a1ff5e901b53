// What the page says after an action, in English. Part of the table text.en.js.

import { num, result, sub, tick, word } from './phrase.js';
import { saidBar } from './text.compare.en.js';
import { saidControls } from './text.controls.en.js';
import { labs } from './text.lab.en.js';
import { saidLayers } from './text.layers.en.js';
import { saidProject } from './text.project.en.js';
import { saidRooms } from './text.rooms.en.js';
import { plural } from './text.words.en.js';

export const said = {
    value: (name, from, to) => [...name, ' went from ', num(from), ' to ', result(to), '. '],
    followed: (n) =>
        n
            ? [
                  result(n),
                  plural(n, ' number followed: it has a ', ' numbers followed: each has a '),
                  tick,
                  plural(n, ' and its old value.', ' and its old value.'),
              ]
            : ['Nothing else moved.'],
    ...saidControls,
    ...saidLayers,
    setting: { ...saidControls.setting, ...saidLayers.setting },
    badSetting: { ...saidControls.badSetting, ...saidLayers.bad, ...labs.bad },
    ...saidProject,
    ...saidBar,
    ...saidRooms,
    scale: (on) => [
        on ? 'The scores are divided by √d' : 'The scores are no longer divided by √d',
        sub('k'),
        '. ',
    ],
    hide: (a, b) => [a, ' no longer sees ', b, '. '],
    show: (a, b) => [a, ' sees ', b, ' again. '],
    hideMany: (n) => [result(n), ' pairs were hidden. '],
    showMany: (n) => [result(n), ' pairs were shown again. '],
    rename: (from, to) => [word(from), ' is now called ', word(to), '. '],
    add: (name) => [word(name), ' joined, with numbers from a seed. They are yours to set. '],
    move: (name, from, to) => [
        word(name),
        ` moved from place ${from + 1} to place ${to + 1}, its numbers with it. `,
    ],
    cross: (on) => [
        on
            ? 'Cross-attention: keys and values come from words of their own now. '
            : 'Self-attention: keys and values come from the sentence itself again. ',
    ],
    size: (axis, from, to) => [
        { feature: 'Queries and keys have ', channel: 'Values have ', model: 'Words have ' }[axis],
        result(to),
        plural(to, ' number now, not ', ' numbers now, not '),
        num(from),
        '. ',
    ],
    heads: (from, to) => [
        result(to),
        plural(to, ' head now, not ', ' heads now, not '),
        num(from),
        '. ',
    ],
    example: (name) => [word(name), ' is on the page. '],
    backSize: ['the matrices are as wide as they were.'],
    backHeads: (n) => [result(n), plural(n, ' head again.', ' heads again.')],
    backExample: ['the page is as it was.'],
    remove: (name) => [word(name), ' left, with its rows and columns.'],
    backRename: (name) => ['the word is ', word(name), ' again.'],
    backWords: ['the sentence is as it was.'],
    badWord: ['A word needs at least one character. '],
    badEnd: (leaving) => [
        leaving ? 'It stays as it was.' : 'Type another, or Escape for the old one.',
    ],
    undone: 'Undone: ',
    redone: 'Done again: ',
    back: (name, value) => [...name, ' is ', result(value), ' again.'],
    backScale: (on) => [
        on ? 'the scores are divided again.' : 'the scores are not divided again.',
    ],
    backMask: ['the mask is as it was.'],
    bad: (name, typed) => [
        ...name,
        ` takes a number, such as 2, -0.5 or 1e3, not “${typed}”. `,
    ],
    lastWord: (name) => [word(name), ' stays: a sentence keeps at least one word.'],
    computed: (name) => [
        word(name),
        ': computed from what stands before. ' +
            'Change a framed number, or set a score by hand, and this follows.',
    ],
    beyond: (name, typed) => [
        ...name,
        ` takes a number up to ±3.4e38, where numbers end here, not “${typed}”. `,
    ],
};
