// Tabs that are used again. To open and close a tab takes longer than to load the page in it, so a
// tab that its test is done with shows an empty page, which ends all that went on in it, and the
// next test has the page loaded there anew. What outlives a page in its tab is set again: the
// viewport, the look, the pointer. A test that leaves more than that in its tab closes it instead.

import { browserFor, dress, newTab } from './browsers.js';

const shelves = new WeakMap(); // browser → its tabs: free ones by what they take, and those in use
const homes = new WeakMap(); // tab → where it stands then

function shelfOf(browser) {
    if (!shelves.has(browser)) shelves.set(browser, { mouse: [], touch: [], used: new Set() });
    return shelves.get(browser);
}

/** A tab with an empty page that has a look and a screen: one that was left, or a new one. */
export async function takeTab(browser, look, screen) {
    const shelf = shelfOf(await browserFor(browser, look));
    const free = shelf[screen.hasTouch ? 'touch' : 'mouse'];
    let page = free.pop();
    if (page) {
        await page.bringToFront();
        await dress(page, look);
    } else {
        page = await newTab(browser, look);
        homes.set(page, { free, used: shelf.used });
    }
    shelf.used.add(page);
    await page.setViewport(screen);
    return page;
}

/** Whether keys go to a tab: Tab leads from the end of a page to the bars of the browser. */
const hasFocus = (page) => page.evaluate(() => document.hasFocus());

/**
 * Gives a tab back that takeTab() gave. One beside another is closed, so that the other is in front
 * again, and so is one that has lost the focus.
 */
export async function leave(page) {
    const { free, used } = homes.get(page);
    used.delete(page);
    if ([...used].some((tab) => !tab.isClosed())) return page.close();
    await page.goto('about:blank');
    await page.mouse.reset();
    if (!(await hasFocus(page))) return page.close();
    free.push(page);
}
