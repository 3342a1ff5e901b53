// Colour from numbers. Weights: viridis, fixed 0..1, never rescaled, with black or white text,
// whichever contrasts more. Signed numbers: terracotta above 0, steel below, mixed into the cell
// colour up to 58 % so that ink stays readable on it. The role colours themselves are custom
// properties of the style sheet.

import { viridis } from 'ramp:viridis';

const channel = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);

function luminance(hex) {
    const [r, g, b] = [1, 3, 5].map((at) => channel(parseInt(hex.slice(at, at + 2), 16) / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const ink = viridis.map((hex) => (luminance(hex) > 0.179 ? '#000' : '#fff'));

/** Background and text colour of a weight. */
export function weightColor(weight) {
    const at = Math.round(Math.min(1, Math.max(0, weight || 0)) * (viridis.length - 1));
    return { background: viridis[at], color: ink[at] };
}

/** Background of a signed number on a scale of -extent..extent. */
export function signedColor(x, extent) {
    if (!x || !Number.isFinite(x)) return {};
    const share = Math.round(Math.min(1, Math.abs(x) / extent) * 58);
    const hue = x > 0 ? 'above' : 'below';
    return { background: `color-mix(in oklab, var(--${hue}) ${share}%, var(--cell))` };
}
