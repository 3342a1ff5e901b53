// What a picture of a matrix is drawn with: the domain of its colours, and what the mask hides in it.

import { weightColor } from './color.js';
import { difference, extents } from './compute.js';
import { GRIDS } from './matrices.js';

const hidings = new WeakMap();

/** One function per matrix and mask, so that a picture of them is drawn once. */
export function hidingIn({ allowed, hidden }, rows) {
    if (!hidden) return undefined;
    if (hidings.get(rows)?.allowed !== allowed) {
        hidings.set(rows, { allowed, hides: (i, j) => !allowed[i][j] && !(rows[i][j] > 0) });
    }
    return hidings.get(rows).hides;
}

/** A matrix of differences is signed, and hides nothing. */
export function lookOf(m, grid) {
    const { kind, extent, axes } = GRIDS[grid];
    const isWeights = kind === 'weights';
    if (difference.value) return { kind: 'signed', extent: difference.value.extentOf(grid) };
    const isPair = axes[0] === 'query' && axes[1] === 'key';
    return {
        kind: isWeights ? 'weights' : 'signed',
        extent: domain(extent),
        hides: isPair && (isWeights || kind === 'mask') ? hidingIn(m, m.grids[grid]) : undefined,
    };
}

const domain = (name) => extents.value[name ?? 'values'];

/** The ink on a cell of a picture with such a look: black or white on a weight, else of the page. */
export const inkIn =
    ({ kind, hides }) =>
    (x, i, j) =>
        hides?.(i, j) ? 'm' : kind === 'weights' ? weightColor(x).color : 'ink';
