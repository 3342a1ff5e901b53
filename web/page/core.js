// The first of the page's two scripts: the engine, and what is trained with it. The page uses it by
// the global attn; a worker is started from its text, so that it is carried once.

import { attend } from './lab/worker.js';

export { load } from '../api/index.js';
export { alibiSlopes, sinusoidal } from '../api/tables.js';

export { COURSES, RATES } from '../train/courses.js';
export { fits, LENGTH, PLACE_OF, SHOWN } from '../train/grammar.js';
export { POINTER } from '../train/model.js';
export { AUXILIARY } from '../train/pronoun.js';
export { normalFrom, randomFrom } from '../train/random.js';
export { FLOOR } from '../train/speaker.js';

attend();
