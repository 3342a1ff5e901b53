// What the tests of the labs that train do there, and read back.

import { press } from './acts.js';

/** What the line beside the buttons says of the run. */
export const line = (page) => page.$eval('.runline', (found) => found.textContent);

/** Waits for the button of a name. */
export const has = (page, name) =>
    page.waitForFunction(
        (text) => [...document.querySelectorAll('.lab button')].some((b) => b.textContent === text),
        { timeout: 60000 },
        name,
    );

/** Waits for so many steps, and presses a button, if one is named, in the frame that shows them. */
const reach = (page, least, name = null) =>
    page.waitForFunction(
        (least, name) => {
            const line = document.querySelector('.runline').textContent;
            const [, step = 0] = /Step (\d+)/.exec(line) ?? [];
            if (step < least) return false;
            const all = [...document.querySelectorAll('.lab button')];
            if (name) all.find((button) => button.textContent === name).click();
            return true;
        },
        { timeout: 60000 },
        least,
        name,
    );

/** Waits until so many steps were taken. */
export const hasSteps = (page, least) => reach(page, least);

/** Presses Stop at so many steps at once: a slow driver would find the run over. */
export const stopAt = (page, least) => reach(page, least, 'Stop');

export const isOver = (page) => has(page, 'Train again');

/** What "Save the run" would put into a file. */
export async function saved(page) {
    await page.evaluate(() => {
        HTMLAnchorElement.prototype.click = () => {};
        const { createObjectURL } = URL;
        URL.createObjectURL = (blob) => {
            if (blob.type === 'application/json') globalThis.file = blob.text();
            return createObjectURL.call(URL, blob);
        };
    });
    await press(page, 'Save the run', '.lab');
    await page.waitForFunction(() => globalThis.file);
    const text = await page.evaluate(() => globalThis.file);
    await page.evaluate(() => delete globalThis.file);
    return text;
}

export const openFile = (page, text) =>
    page.evaluate((text) => {
        const input = document.querySelector('.lab input[type=file]');
        const files = new DataTransfer();
        files.items.add(new File([text], 'run.json'));
        input.files = files.files;
        input.dispatchEvent(new Event('change'));
    }, text);
