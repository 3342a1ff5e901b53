// Digits as pixels. A canvas that writes text makes the browser work out the styles of the whole
// page and draws each text anew, which for two hundred numbers an edit is most of a frame. Here each
// character is drawn once, on a sheet that is no part of the document, and then blended into the
// pixels of a map.

/** Places between two pixels that a character is drawn for. */
const SHIFTS = 4;

const MIDDLE = { '-': '\u2212' };

/** The coverage of a drawn character, of the rows and columns that it has any in. */
function trim(data, wide, high) {
    const at = (x, y) => data[4 * (y * wide + x) + 3];
    const [xs, ys] = [new Set(), new Set()];
    for (let n = 0; n < wide * high; n++) {
        const [x, y] = [n % wide, Math.floor(n / wide)];
        if (!at(x, y)) continue;
        xs.add(x);
        ys.add(y);
    }
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const [w, h] = xs.size ? [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1] : [0, 0];
    const cover = Uint8Array.from({ length: w * h }, (_, n) => at(x + (n % w), y + Math.floor(n / w)));
    return { x, y, w, h, cover };
}

/** A font of `size` device pixels: what it knows of each character. */
function makeFont(font, size) {
    const high = Math.ceil(size * 1.6);
    const sheet = new OffscreenCanvas(Math.ceil(size * 2), high);
    const pen = sheet.getContext('2d', { willReadFrequently: true });
    pen.font = font;
    pen.textBaseline = 'middle';
    const known = new Map();
    const draw = (letter, shift) => {
        pen.clearRect(0, 0, sheet.width, high);
        pen.fillText(letter, 2 + shift / SHIFTS, high / 2);
        const { data } = pen.getImageData(0, 0, sheet.width, high);
        return trim(data, sheet.width, high);
    };
    return {
        high,
        /** The width of a character, and its coverage at a shift. */
        glyph(letter) {
            if (!known.has(letter)) {
                const shown = MIDDLE[letter] ?? letter;
                const masks = Array.from({ length: SHIFTS }, (_, shift) => draw(shown, shift));
                known.set(letter, { advance: pen.measureText(shown).width, masks });
            }
            return known.get(letter);
        },
    };
}

const fonts = new Map();

/** The font that CSS writes so, its size in device pixels. */
export function fontOf(weight, size, family) {
    const font = `${weight} ${size}px ${family}`;
    if (!fonts.has(font)) fonts.set(font, makeFont(font, size));
    return fonts.get(font);
}

/** Blends a text into pixels of a surface, its middle at (x, y) in device pixels. */
export function print(surface, font, text, x, y, ink) {
    const glyphs = Array.from(text, font.glyph);
    let at = x - glyphs.reduce((sum, { advance }) => sum + advance, 0) / 2;
    const top = Math.round(y - font.high / 2);
    for (const { advance, masks } of glyphs) {
        const shift = Math.round((at - Math.floor(at)) * SHIFTS);
        const left = Math.floor(at) + (shift === SHIFTS ? 1 : 0) - 2;
        blend(surface, masks[shift % SHIFTS], left, top, ink);
        at += advance;
    }
}

function blend({ pixels, width, height }, mask, left, top, ink) {
    const [x, y] = [left + mask.x, top + mask.y];
    if (x < 0 || y < 0 || x + mask.w > width || y + mask.h > height) return;
    for (let v = 0, at = 0; v < mask.h; v++) {
        let n = (y + v) * width + x;
        for (let u = 0; u < mask.w; u++, n++, at++) {
            const cover = mask.cover[at];
            if (cover === 255) pixels[n] = ink;
            else if (cover) pixels[n] = mixed(pixels[n], ink, cover);
        }
    }
}

/** A channel of a pixel, from the bit `low` on, with some of an ink over it. */
function channel(under, ink, cover, low) {
    const below = (under >>> low) & 255;
    return (below + Math.round(((((ink >>> low) & 255) - below) * cover) / 255)) << low;
}

/** A pixel with some of an ink over it, both as ABGR; where nothing was, it is the ink's alone. */
function mixed(under, ink, cover) {
    const alpha = under >>> 24;
    if (alpha < 255) return ((Math.max(alpha, cover) << 24) | (ink & 0xffffff)) >>> 0;
    let pixel = 0xff000000;
    for (let low = 0; low < 24; low += 8) pixel |= channel(under, ink, cover, low);
    return pixel >>> 0;
}
