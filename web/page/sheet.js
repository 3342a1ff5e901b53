// One canvas for many small maps. The browser keeps and hands on each canvas by itself, which for a
// dozen that change with every edit is a good part of a frame.

/** The geometry that a canvas, and each map on it, was laid out by. */
const laid = new WeakMap();
const places = new WeakMap();

const ratioOf = () => Math.min(2, devicePixelRatio || 1);

/** Where a map stands on its sheet, in device pixels. */
function placeOf(map, area, geometry) {
    const known = places.get(map);
    if (known?.geometry === geometry) return known;
    const [own, whole] = [map, area].map((element) => element.getBoundingClientRect());
    const [x, y] = [own.left - whole.left, own.top - whole.top];
    const place = { geometry, x: Math.round(x * ratioOf()), y: Math.round(y * ratioOf()) };
    places.set(map, place);
    return place;
}

/**
 * Puts the pixels of a map onto the sheet around it. After each new `geometry` the sheet is empty:
 * every map on it is to be put there again.
 */
export function putOnSheet(map, image, geometry) {
    const area = map.closest('.sheeted');
    const canvas = area.querySelector(':scope > .sheet');
    if (laid.get(canvas) !== geometry) {
        laid.set(canvas, geometry);
        canvas.width = Math.round(area.offsetWidth * ratioOf());
        canvas.height = Math.round(area.offsetHeight * ratioOf());
    }
    const { x, y } = placeOf(map, area, geometry);
    canvas.getContext('2d').putImageData(image, x, y);
}
