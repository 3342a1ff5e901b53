// Keeps what gets the focus clear of what sticks to the edges of the window: the words at the bottom
// and, where the page is narrow, the bar at the top. Browsers scroll by these paddings.

/** Room for the outline of a cell. */
const OUTLINE = 12;

const SIDES = { '.top': 'scrollPaddingTop', '.words': 'scrollPaddingBottom' };

const stuck = (element) => getComputedStyle(element).position === 'sticky';

export function keepClear() {
    const { style } = document.documentElement;
    const measure = () => {
        for (const [selector, side] of Object.entries(SIDES)) {
            const element = document.querySelector(selector);
            style[side] = stuck(element) ? `${element.offsetHeight + OUTLINE}px` : '';
        }
    };
    const observer = new ResizeObserver(measure);
    for (const selector of Object.keys(SIDES))
        observer.observe(document.querySelector(selector));
}
