// grammar.js: a toy grammar whose every sentence asks what "it" stands for.
//
//     the <animal> didn't cross the <place> because it was too <adjective>
//
// The adjective, which comes after "it", decides: animals are tired, places are wide. One in five
// combinations is held out of training, among them those of the sentence that is shown.

import { randomFrom, shuffled } from './random.js';

const ANIMALS = ['animal', 'dog', 'cat', 'horse', 'cow', 'fox', 'hen', 'goat', 'pig', 'sheep'];
const PLACES = ['street', 'road', 'river', 'bridge', 'field', 'valley', 'square', 'canal', 'lake',
    'track'];
const OF_ANIMALS = ['tired', 'hungry', 'sleepy', 'scared', 'old'];
const OF_PLACES = ['wide', 'deep', 'long', 'steep', 'muddy'];
const FRAME = ['the', '', "didn't", 'cross', 'the', '', 'because', 'it', 'was', 'too', ''];

/** Where the words that matter stand. */
export const PLACE_OF = { animal: 1, place: 5, it: 7, adjective: 10 };
export const LENGTH = FRAME.length;

export const WORDS = [
    ...new Set(FRAME.filter((word) => word !== '')),
    ...ANIMALS, ...PLACES, ...OF_ANIMALS, ...OF_PLACES,
];

/**
 * A sentence: its words as numbers, where the noun stands that "it" means, and that noun, which is
 * what is right at "it".
 *
 * @typedef {{ words: string[], tokens: number[], referent: number, targets: number[] }} Sentence
 */

/**
 * @param {string} animal
 * @param {string} place
 * @param {string} adjective
 * @returns {Sentence}
 */
function sentenceOf(animal, place, adjective) {
    const words = [...FRAME];
    words[PLACE_OF.animal] = animal;
    words[PLACE_OF.place] = place;
    words[PLACE_OF.adjective] = adjective;
    const referent = OF_ANIMALS.includes(adjective) ? PLACE_OF.animal : PLACE_OF.place;
    const tokens = words.map((word) => WORDS.indexOf(word));
    return { words, tokens, referent, targets: [tokens[referent]] };
}

/** Which words may stand at each place. */
const MAY = FRAME.map((word) => [word]);
MAY[PLACE_OF.animal] = ANIMALS;
MAY[PLACE_OF.place] = PLACES;
MAY[PLACE_OF.adjective] = [...OF_ANIMALS, ...OF_PLACES];

/** Whether the grammar lets a word stand at a place. */
export const fits = (word, place) => MAY[place]?.includes(word) === true;

/** The two sentences that are shown; neither is ever trained on. */
export const SHOWN = ['tired', 'wide'].map((adjective) => (
    sentenceOf('animal', 'street', adjective)));

/**
 * Every sentence, split once and for all.
 *
 * @returns {{ training: Sentence[], heldOut: Sentence[] }}
 */
export function sentences() {
    const all = ANIMALS.flatMap((animal) => PLACES.flatMap((place) => (
        [...OF_ANIMALS, ...OF_PLACES].map((adjective) => sentenceOf(animal, place, adjective)))));
    const shown = new Set(SHOWN.map(({ words }) => words.join(' ')));
    const isShown = ({ words }) => shown.has(words.join(' '));
    const rest = shuffled(all.filter((one) => !isShown(one)), randomFrom(15));
    const count = all.length / 5 - SHOWN.length;
    return {
        training: rest.slice(count), heldOut: [...all.filter(isShown), ...rest.slice(0, count)],
    };
}
