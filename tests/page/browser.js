// What the browser tests share: the page under test in a real browser, and its grids as data.
//
// The page is dist/index.html, or the file that ATTN_PAGE names. In which browser it is opened and
// by which way, browsers.js says.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf } from './browsers.js';
import { takeTab } from './tabs.js';

export { launch, useBrowser } from './browsers.js';
export { leave } from './tabs.js';

export const pagePath = resolve(
    process.env.ATTN_PAGE ?? fileURLToPath(new URL('../../dist/index.html', import.meta.url)),
);

if (!existsSync(pagePath)) throw new Error(`no page to test at ${pagePath}: run npm run build`);

export const pageUrl = await addressOf(pagePath);

const touch = { deviceScaleFactor: 2, isMobile: true, hasTouch: true };

export const screens = {
    desktop: { width: 1440, height: 900 },
    laptop: { width: 1280, height: 800 },
    small: { width: 1366, height: 768 },
    tablet: { width: 768, height: 1024, ...touch },
    'tablet, turned': { width: 1024, height: 768, ...touch },
    phone: { width: 390, height: 844, ...touch },
    'phone, turned': { width: 844, height: 390, ...touch },
    narrow: { width: 320, height: 640, ...touch },
};

const seenIn = new WeakMap(); // tab → what it collects since the page was last loaded in it

function watch(page) {
    const note = (what) => seenIn.get(page).push(what);
    page.on('console', (message) => note(`console: ${message.text()}`));
    page.on('pageerror', (error) => note(`error: ${error.message}`));
    page.on('request', (request) => {
        const [url] = request.url().split('#');
        if (url !== pageUrl && !/^(data|blob):/.test(url)) note(`request: ${url}`);
    });
}

/**
 * A tab with the page, loaded anew and ready; leave() gives it back. `seen` collects console
 * messages, errors and foreign requests.
 */
export async function open(browser, { screen = 'desktop', theme, motion, hash = '' } = {}) {
    const page = await takeTab(browser, { theme, motion }, screens[screen]);
    if (!seenIn.has(page)) watch(page);
    const seen = [];
    seenIn.set(page, seen);
    await page.goto(pageUrl + hash);
    await isReady(page);
    return { page, seen };
}

/** Waits for a page that loads, in a script of its own: waiting for a selector takes far longer. */
export const isReady = (page) =>
    page.evaluate(
        () =>
            new Promise((done, fail) => {
                const root = document.documentElement;
                const timer = setTimeout(fail, 10000, new Error('not ready after 10 s'));
                const look = () => {
                    if (root.dataset.ready !== 'true') return;
                    clearTimeout(timer);
                    observer.disconnect();
                    done();
                };
                const observer = new MutationObserver(look);
                observer.observe(root, { attributes: true });
                look();
            }),
    );

/** Every grid by its name: { text, value } as rows of cells. */
export function readGrids(page) {
    return page.evaluate(() =>
        Object.fromEntries(
            [...document.querySelectorAll('[role=grid]')].map((grid) => {
                const rows = [...grid.querySelectorAll('[role=row]')]
                    .map((row) => [...row.querySelectorAll('[role=gridcell]')])
                    .filter((cells) => cells.length);
                const map = (read) => rows.map((cells) => cells.map(read));
                return [
                    grid.getAttribute('aria-label'),
                    {
                        text: map((cell) => cell.textContent),
                        value: map((cell) => cell.dataset.value),
                    },
                ];
            }),
        ),
    );
}

/** The cells whose text or value differs, as 'Scores 2,1'. */
export function differences(before, after) {
    const out = [];
    for (const name of Object.keys(before)) {
        before[name].text.forEach((row, i) =>
            row.forEach((text, j) => {
                if (
                    text !== after[name].text[i][j] ||
                    before[name].value[i][j] !== after[name].value[i][j]
                ) {
                    out.push(`${name} ${i},${j}`);
                }
            }),
        );
    }
    return out;
}

/** Selector of a cell of a grid; the first row of a matrix carries the headers. */
export const cell = (grid, i, j) =>
    `[role=grid][aria-label="${grid}"] [role=row]:nth-of-type(${i + 2})` +
    ` [role=gridcell]:nth-of-type(${j + 1})`;

/** Selector of a word of the queries. */
export const token = (n) => `[role=grid][aria-label="Tokens"] [role=gridcell]:nth-child(${n + 1})`;

async function control(page, key) {
    await page.keyboard.down('Control');
    await page.keyboard.press(key);
    await page.keyboard.up('Control');
}

/** Pastes a text at whatever has the focus: by the keys, from the browser's own clipboard. */
export async function paste(page, text) {
    await page.evaluate((text) => {
        const put = (event) => {
            event.preventDefault();
            event.stopImmediatePropagation();
            event.clipboardData.setData('text/plain', text);
        };
        document.addEventListener('copy', put, { capture: true, once: true });
    }, text);
    await control(page, 'c');
    await control(page, 'v');
}

/** Copies at whatever has the focus, by the keys; returns what the clipboard then holds. */
export async function copied(page) {
    await control(page, 'c');
    await page.evaluate(() => {
        const take = (event) => {
            event.preventDefault();
            event.stopImmediatePropagation();
            globalThis.taken = event.clipboardData.getData('text/plain');
        };
        document.addEventListener('paste', take, { capture: true, once: true });
    });
    await control(page, 'v');
    await page.waitForFunction(() => globalThis.taken !== undefined);
    return page.evaluate(() => {
        const { taken } = globalThis;
        delete globalThis.taken;
        return taken;
    });
}
