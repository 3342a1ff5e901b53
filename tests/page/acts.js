// What the browser tests do time and again on the page, and read back from it.

/** What was said last: the text of the live line. */
export const said = (page) => page.$eval('[role=status]', (status) => status.textContent);

/** The reading line, its white space folded. */
export const reading = (page) =>
    page.$eval('#reading', (line) => line.textContent.replace(/\s+/g, ' ').trim());

/** A number as prose has it with three decimals. */
export const f3 = (x) => x.toFixed(3).replace('-', '\u2212');

/** Two frames: what was written has been drawn. */
export const frames = (page) =>
    page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );

export const undo = (page) => page.click('[aria-label="Undo"]');

/** Presses the button that reads `name`: the first one under a selector. */
export const press = (page, name, under = 'body') =>
    page.evaluate(
        (name, under) => {
            const all = [...document.querySelectorAll(`${under} button`)];
            all.find((button) => button.textContent.trim() === name).click();
        },
        name,
        under,
    );

/** Presses a key while others are held. */
export async function chord(page, key, ...held) {
    for (const name of held) await page.keyboard.down(name);
    await page.keyboard.press(key);
    for (const name of held.toReversed()) await page.keyboard.up(name);
}

/** The middle of an element, in CSS pixels. */
export async function middle(page, selector) {
    const { x, y, width, height } = await (await page.$(selector)).boundingBox();
    return [x + width / 2, y + height / 2];
}

/** Drags sideways from the middle of an element. */
export async function drag(page, selector, dx) {
    const [x, y] = await middle(page, selector);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let n = 1; n <= 10; n++) await page.mouse.move(x + (dx * n) / 10, y + (n % 2));
    await page.mouse.up();
}

/** Types a text at an element, and Enter. */
export async function typeInto(page, selector, typed) {
    await page.focus(selector);
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
}

/** Sets the field of a name to what is typed; '' empties it. */
export async function setNumber(page, name, typed) {
    const field = `input[aria-label="${name}"]`;
    await page.focus(field);
    await page.$eval(field, (input) => input.select());
    if (typed) await page.keyboard.type(typed);
    else await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
}
