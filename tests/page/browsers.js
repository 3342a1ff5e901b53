// The browsers that the page is tested in, and the two ways to it. One process runs in one of them:
//
//     ATTN_BROWSER=firefox ATTN_OVER=http node --test tests/page/edit.test.js
//
// Without a word it is Chromium by file://; run.js goes through all of RUNS. Chromium is driven by
// its own protocol, Firefox by WebDriver BiDi. BiDi cannot emulate a colour scheme or reduced
// motion, which are preferences of the browser there: a tab with another look is a tab of another
// Firefox, started when it is first asked for.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { chromium, firefox } from '../../tools/system.js';

export const RUNS = [
    { browser: 'chromium', over: 'file' },
    { browser: 'firefox', over: 'file' },
    { browser: 'chromium', over: 'http' },
    { browser: 'firefox', over: 'http' },
];

export const run = {
    browser: chosen('ATTN_BROWSER', ['chromium', 'firefox']),
    over: chosen('ATTN_OVER', ['file', 'http']),
};

function chosen(variable, values) {
    const value = process.env[variable] ?? values[0];
    if (values.includes(value)) return value;
    throw new Error(`${variable}: expected ${values.join(' or ')}, got '${value}'`);
}

const DRIVERS = {
    chromium: {
        options: () => ({
            executablePath: chromium(),
            args: ['--no-sandbox', '--disable-gpu'],
        }),
        lookOf: () => 'any',
        dress: (page, { theme, motion }) =>
            page.emulateMediaFeatures([
                { name: 'prefers-color-scheme', value: theme },
                { name: 'prefers-reduced-motion', value: motion },
            ]),
    },
    firefox: {
        options: ({ theme, motion }) => ({
            browser: 'firefox',
            executablePath: firefox(),
            extraPrefsFirefox: {
                // Automation makes all of file:// one origin; without these a test is a false green.
                'security.fileuri.strict_origin_policy': true,
                'privacy.file_unique_origin': true,
                // The process of pages from disk outlives its last tab, as the one of the web does.
                'dom.ipc.keepProcessesAlive.file': 1,
                // A page that was left is gone, and not kept for a way back.
                'browser.sessionhistory.max_total_viewers': 0,
                'layout.css.prefers-color-scheme.content-override': theme === 'dark' ? 0 : 1,
                'ui.prefersReducedMotion': motion === 'reduce' ? 1 : 0,
            },
        }),
        lookOf: ({ theme, motion }) => `${theme}, ${motion}`,
        dress: async () => {},
    },
};

const driver = DRIVERS[run.browser];
const PLAIN = { theme: 'light', motion: 'no-preference' };
/** A look with what was not said of it. */
const whole = ({ theme = PLAIN.theme, motion = PLAIN.motion } = {}) => ({ theme, motion });

/** Every browser that was launched, with the others of its session by their look. */
const sessions = new WeakMap();

/** A browser with a profile of its own; close() ends it, and those that tabs() started beside it. */
export async function launch() {
    const started = new Map();
    const start = (look) => {
        const name = driver.lookOf(look);
        if (!started.has(name)) started.set(name, startBrowser(look));
        return started.get(name);
    };
    const { browser } = await start(PLAIN);
    sessions.set(browser, start);
    return {
        browser,
        async close() {
            for (const one of await Promise.all(started.values())) await one.close();
        },
    };
}

/** A browser for the tests of a file: there before the first of them, gone after the last. */
export function useBrowser() {
    const session = {};
    before(async () => Object.assign(session, await launch()));
    after(() => session.close?.());
    return session;
}

async function startBrowser(look) {
    const profile = mkdtempSync(join(tmpdir(), 'attn-page-'));
    const browser = await puppeteer.launch({ userDataDir: profile, ...driver.options(look) });
    return {
        browser,
        async close() {
            await browser.close();
            rmSync(profile, { recursive: true, force: true });
        },
    };
}

/** The browser of its session in which a tab may have a look. */
export const browserFor = async (browser, look) =>
    (await sessions.get(browser)(whole(look))).browser;

/** Makes a tab prefer a theme ('light' or 'dark') and a motion ('no-preference' or 'reduce'). */
export const dress = (page, look) => driver.dress(page, whole(look));

/** A tab with a look. */
export async function newTab(browser, look) {
    const page = await (await browserFor(browser, look)).newPage();
    await dress(page, look);
    return page;
}

const served = new Map();
let port = null;

/** The address of a file, by the way of this run. */
export async function addressOf(file) {
    if (run.over === 'file') return pathToFileURL(file).href;
    const path = `/${basename(file)}`;
    served.set(path, file);
    port ??= await serve();
    return `http://127.0.0.1:${port}${path}`;
}

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };

/** A server of these files alone; it does not keep the process from ending. */
async function serve() {
    const server = createServer((request, response) => {
        const file = served.get(new URL(request.url, 'http://127.0.0.1').pathname);
        if (!file) return response.writeHead(404).end();
        response.writeHead(200, { 'content-type': TYPES[extname(file)] });
        return response.end(readFileSync(file));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    return server.address().port;
}
