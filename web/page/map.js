// A matrix as pixels, for small pictures of it, and for one that has too many cells to be elements.
// Every device pixel is written here, in one pass: a frame may hold ten such pictures.

import { viridis } from 'ramp:viridis';

/** Steps of the signed ramp on either side of 0. */
const STEPS = 64;

/** The colours of the page that are drawn with, beside the ramps. */
const NAMED = ['hatch', 'page', 'surface', 'q', 'k', 'ink', 'ink2', 'm'];

const byScheme = new Map();

const packed = (r, g, b) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

const weightPixels = viridis.map((hex) =>
    packed(...[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))),
);

/** The signed ramp and the named colours as the style sheet has them, once per colour scheme. */
export function inksOf(scheme) {
    if (byScheme.has(scheme)) return byScheme.get(scheme);
    const probe = document.body.appendChild(document.createElement('i'));
    const canvas = document.createElement('canvas');
    const shares = Array.from({ length: 2 * STEPS + 1 }, (_, n) => n - STEPS);
    const colors = shares.map((n) => {
        const share = Math.round((Math.abs(n) / STEPS) * 58);
        return `color-mix(in oklab, var(--${n > 0 ? 'above' : 'below'}) ${share}%, var(--cell))`;
    });
    colors.push(...NAMED.map((name) => `var(--${name})`));
    const lines = Object.fromEntries(
        NAMED.map((name) => {
            probe.style.color = `var(--${name})`;
            return [name, getComputedStyle(probe).color];
        }),
    );
    canvas.width = colors.length;
    canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    colors.forEach((color, n) => {
        probe.style.color = color;
        context.fillStyle = getComputedStyle(probe).color;
        context.fillRect(n, 0, 1, 1);
    });
    probe.remove();
    const pixels = new Uint32Array(context.getImageData(0, 0, colors.length, 1).data.buffer);
    const named = { '#000': packed(0, 0, 0), '#fff': packed(255, 255, 255) };
    NAMED.forEach((name, n) => (named[name] = pixels[shares.length + n]));
    const { fontFamily } = getComputedStyle(document.body);
    const inks = { signed: pixels.slice(0, shares.length), named, lines, fontFamily };
    byScheme.set(scheme, inks);
    return inks;
}

/** The ramp of a kind of matrix, and where a number stands in it. */
const scaleOf = ({ kind, extent }, { signed }) =>
    kind === 'weights'
        ? { ramp: weightPixels, scale: 255, zero: 0 }
        : { ramp: signed, scale: STEPS / extent, zero: STEPS };

/**
 * The pixels of line i, one for each of `count` cells; 0 where the mask hides it. Returns whether any
 * is hidden.
 */
function fillCells(cells, count, i, { rows, turned, hides }, { ramp, scale, zero }) {
    const last = ramp.length - 1;
    let hasGaps = false;
    for (let j = 0; j < count; j++) {
        const x = turned ? rows[j][i] : rows[i][j];
        if (x === -Infinity || (hides !== undefined && hides(i, j))) {
            cells[j] = 0;
            hasGaps = true;
            continue;
        }
        const n = Math.round(x * scale) + zero;
        cells[j] = ramp[n > last ? last : n > 0 ? n : x < 0 ? 0 : zero];
    }
    return hasGaps;
}

const surfaces = new WeakMap();

/** The pixels of a picture, kept for the next one in its place. */
function surfaceOf(owner, width, height) {
    const old = surfaces.get(owner);
    if (old?.image.width === width && old.image.height === height) return old;
    const image = new ImageData(width, height);
    const made = { image, pixels: new Uint32Array(image.data.buffer) };
    surfaces.set(owner, made);
    return made;
}

const tracks = new Map();

/** For each pixel of a width the cell that it belongs to; `count` stands for the space between. */
function tracksOf(width, count, edge) {
    const name = `${width} ${count} ${edge}`;
    if (!tracks.has(name)) {
        if (tracks.size > 200) tracks.clear();
        const cells = new Uint16Array(width).fill(count);
        for (let j = 0; j < count; j++) {
            const [from, to] = [j, j + 1].map((n) => Math.round((n * width) / count));
            cells.fill(j, from, Math.max(from, to - edge));
        }
        tracks.set(name, cells);
    }
    return tracks.get(name);
}

/** Cells of at least this many CSS pixels stand apart by a line of the page's colour. */
const APART = 8;

/**
 * The pixels of a matrix in `width` × `height` CSS pixels. `turned` swaps rows and columns,
 * `hides(i, j)` says what the mask takes out: it is hatched. `gap` is the space between cells. Each
 * of `over` draws onto the pixels (marks.js). An element `owner` has its pixels by itself.
 */
export function imageOf(owner, rows, look, over = []) {
    const { width, height, scheme, turned = false, gap = 0.5, hides } = look;
    const inks = inksOf(scheme);
    const { hatch, page } = inks.named;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    const [down, across] = turned ? [rows[0].length, rows.length] : [rows.length, rows[0].length];
    const [cw, ch] = [w / across, h / down];
    const { image, pixels } = surfaceOf(owner, w, h);
    const cells = new Uint32Array(across + 1).fill(page, across);
    const line = new Uint32Array(w);
    const scale = scaleOf(look, inks);
    const [thick, period] = [Math.round(1.5 * ratio), Math.round(8 * ratio)];
    const edge = gap && Math.max(1, Math.round(ratio * gap));
    const track = tracksOf(w, across, cw >= APART * ratio ? edge : 0);
    for (let i = 0; i < down; i++) {
        const hasGaps = fillCells(cells, across, i, { rows, turned, hides }, scale);
        for (let x = 0; x < w; x++) line[x] = cells[track[x]];
        const [from, to] = [Math.round(i * ch), Math.round((i + 1) * ch)];
        for (let y = from; y < to; y++) {
            const at = y * w;
            if (y >= to - edge && ch >= APART * ratio) {
                pixels.fill(page, at, at + w);
                continue;
            }
            pixels.set(line, at);
            if (!hasGaps) continue;
            for (let x = 0; x < w; x++)
                if (line[x] === 0 && (x + y) % period < thick) pixels[at + x] = hatch;
        }
    }
    for (const draw of over) draw({ pixels, width: w, height: h, cw, ch, ratio, edge, inks });
    return image;
}

/** Draws a matrix into a canvas of its own. */
export function drawMap(canvas, ...what) {
    const image = imageOf(canvas, ...what);
    const { width, height } = image;
    if (canvas.width !== width || canvas.height !== height)
        [canvas.width, canvas.height] = [width, height];
    canvas.getContext('2d').putImageData(image, 0, 0);
}

/** A horizontal gradient of the ramp of weights, for a colour bar. */
export const weightGradient = `linear-gradient(90deg, ${viridis
    .filter((_, n) => n % 15 === 0)
    .join()})`;
