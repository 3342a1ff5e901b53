// A matrix as pixels: one per cell, scaled up without smoothing, then the hatch over what the mask
// hides. For small pictures of a matrix, and for one that has too many cells to be elements.

import { viridis } from 'ramp:viridis';

/** Steps of the signed ramp on either side of 0. */
const STEPS = 64;

const byScheme = new Map();

const packed = (r, g, b) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

const weightPixels = viridis.map((hex) =>
    packed(...[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))),
);

/** The signed ramp and the hatch as the style sheet has them, read once per colour scheme. */
function inksOf(scheme) {
    if (byScheme.has(scheme)) return byScheme.get(scheme);
    const probe = document.body.appendChild(document.createElement('i'));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2 * STEPS + 1, 1];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const read = (color) => {
        probe.style.color = color;
        return getComputedStyle(probe).color;
    };
    for (let n = -STEPS; n <= STEPS; n++) {
        const share = Math.round((Math.abs(n) / STEPS) * 58);
        const hue = n > 0 ? 'above' : 'below';
        context.fillStyle = read(`color-mix(in oklab, var(--${hue}) ${share}%, var(--cell))`);
        context.fillRect(n + STEPS, 0, 1, 1);
    }
    const { data } = context.getImageData(0, 0, canvas.width, 1);
    const signed = new Uint32Array(data.buffer.slice(0));
    const inks = { signed, hatch: read('var(--hatch)'), page: read('var(--page)') };
    probe.remove();
    byScheme.set(scheme, inks);
    return inks;
}

/** Diagonal lines, 6 px apart, as the style sheet draws them. */
function hatching(context, color, ratio) {
    const tile = document.createElement('canvas');
    const size = Math.round(8 * ratio);
    [tile.width, tile.height] = [size, size];
    const pen = tile.getContext('2d');
    pen.strokeStyle = color;
    pen.lineWidth = 1.5 * ratio;
    for (const shift of [-size, 0, size]) {
        pen.moveTo(shift, size);
        pen.lineTo(shift + size, 0);
    }
    pen.stroke();
    return context.createPattern(tile, 'repeat');
}

const source = document.createElement('canvas');
const sourceContext = source.getContext('2d', { willReadFrequently: true });

/** The cells of `rows` as an image of one pixel each; hidden ones stay clear. */
function pixelsOf(rows, { kind, extent, hides }, { signed }) {
    const [height, width] = [rows.length, rows[0].length];
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    let at = 0;
    for (let i = 0; i < height; i++) {
        const row = rows[i];
        for (let j = 0; j < width; j++, at++) {
            const x = row[j];
            if (hides?.(i, j) || x === -Infinity) continue;
            if (kind === 'weights') {
                pixels[at] = weightPixels[Math.round(Math.min(1, Math.max(0, x || 0)) * 255)];
            } else {
                const share = Math.max(-1, Math.min(1, x / extent || 0));
                pixels[at] = signed[Math.round(share * STEPS) + STEPS];
            }
        }
    }
    return image;
}

/** Runs of hidden cells of a row, as [from, to). */
function* runs(row, i, hides) {
    let from = -1;
    for (let j = 0; j <= row.length; j++) {
        const is = j < row.length && (hides?.(i, j) || row[j] === -Infinity);
        if (is && from < 0) from = j;
        if (!is && from >= 0) {
            yield [from, j];
            from = -1;
        }
    }
}

/**
 * Draws a matrix into a canvas of `width` × `height` CSS pixels. `turned` swaps rows and columns,
 * `hides(i, j)` says what the mask takes out.
 */
export function drawMap(canvas, rows, { width, height, scheme, turned = false, ...look }) {
    const inks = inksOf(scheme);
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const shown = turned ? rows[0].map((_, j) => rows.map((row) => row[j])) : rows;
    const image = pixelsOf(shown, look, inks);
    [source.width, source.height] = [image.width, image.height];
    sourceContext.putImageData(image, 0, 0);
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, w, h);
    context.imageSmoothingEnabled = false;
    context.drawImage(source, 0, 0, w, h);
    const [cw, ch] = [w / image.width, h / image.height];
    context.beginPath();
    let some = false;
    shown.forEach((row, i) => {
        for (const [from, to] of runs(row, i, look.hides)) {
            some = true;
            context.rect(from * cw, i * ch, (to - from) * cw, ch);
        }
    });
    if (some) {
        context.fillStyle = hatching(context, inks.hatch, ratio);
        context.fill();
    }
    context.fillStyle = inks.page;
    if (cw / ratio >= 8) {
        for (let j = 1; j < image.width; j++) context.fillRect(Math.round(j * cw) - 1, 0, 1, h);
    }
    if (ch / ratio >= 8) {
        for (let i = 1; i < image.height; i++) context.fillRect(0, Math.round(i * ch) - 1, w, 1);
    }
}

/** A horizontal gradient of the ramp of weights, for a colour bar. */
export const weightGradient = `linear-gradient(90deg, ${viridis
    .filter((_, n) => n % 15 === 0)
    .join()})`;
