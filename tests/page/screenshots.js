// Pictures of the page in every state of states.js, on every screen, light and dark, as
// build/screenshots/<state>/<screen>.<theme>.png, to be looked at.
//
//     npm run screenshots [-- state | screen | light | dark ...] [--whole]
//
// Words choose among states, screens and themes; --whole shows what lies below the first screen too.
// The page is dist/index.html, or the file that ATTN_PAGE names.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { frames } from './acts.js';
import { launch, leave, open, screens } from './browser.js';
import { hashOf } from './long.js';
import { STATES } from './states.js';

const FOLDER = fileURLToPath(new URL('../../build/screenshots', import.meta.url));
const THEMES = ['light', 'dark'];

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const fullPage = process.argv.includes('--whole');
const lists = [Object.keys(STATES), Object.keys(screens), THEMES];
const unknown = words.find((word) => !lists.flat().includes(word));
if (unknown) {
    console.error(`expected some of ${lists.flat().join(', ')}; got '${unknown}'`);
    process.exit(2);
}
const chosen = (all) => all.filter((word) => words.includes(word));
const [states, shown, themes] = lists.map((all) => (chosen(all).length ? chosen(all) : all));

const session = await launch();
let count = 0;
for (const state of states) {
    const folder = `${FOLDER}/${state}`;
    mkdirSync(folder, { recursive: true });
    const { document, act } = STATES[state];
    const hash = document ? await hashOf(document) : '';
    for (const screen of shown) {
        for (const theme of themes) {
            const { page, seen } = await open(session.browser, { screen, theme, hash });
            await act?.(page);
            await frames(page);
            await page.screenshot({ path: `${folder}/${screen}.${theme}.png`, fullPage });
            if (seen.length) console.error(`${state}, ${screen}, ${theme}: ${seen.join('; ')}`);
            await leave(page);
            count += 1;
        }
    }
}
await session.close();
console.log(`${count} pictures in ${FOLDER}`);
