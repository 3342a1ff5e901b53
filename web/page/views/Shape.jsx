// A shape of strokes.js as an element of SVG, and where it is pointed at.

import { TAG } from '../strokes.js';

const paint = { lane: 'url(#lane)', fall: 'url(#fall)' };
const color = (role) => paint[role] ?? `var(--${role})`;

/** As much of a colour, with nothing behind it to be seen through. */
const tinted = (role, tint = 1) =>
    tint === 1 ? color(role) : `color-mix(in srgb, ${color(role)} ${tint * 100}%, var(--page))`;

function Label({ x, y, value, role }) {
    return (
        <text x={x} y={y} text-anchor="middle" class={`arc ${role}`}>
            {value}
        </text>
    );
}

function Tag({ x, y, w, shown, role }) {
    return (
        <g class={role}>
            <rect
                x={x - w / 2}
                y={y - TAG / 2}
                width={w}
                height={TAG}
                rx={TAG / 2}
                fill="var(--surface)"
                stroke="currentColor"
                stroke-width="1.5"
            />
            <text x={x} y={y + 4.5} text-anchor="middle" class="tag">
                {shown}
            </text>
        </g>
    );
}

export function Shape(shape) {
    switch (shape.kind) {
        case 'path':
            return (
                <>
                    {shape.halo && (
                        <path
                            d={shape.d}
                            fill="none"
                            stroke="var(--page)"
                            stroke-width={shape.width + 5}
                        />
                    )}
                    <path
                        d={shape.d}
                        fill="none"
                        stroke={tinted(shape.role, shape.tint)}
                        stroke-width={shape.width}
                        stroke-dasharray={shape.dash}
                        stroke-linecap={shape.cap}
                    />
                </>
            );
        case 'tip':
            return <path d={shape.d} fill={color(shape.role)} />;
        case 'band':
            return (
                <rect
                    x={shape.x}
                    y={shape.y}
                    width={Math.max(0, shape.w)}
                    height={Math.max(0, shape.h)}
                    rx={shape.rx}
                    fill={color(shape.role)}
                    opacity={shape.opacity}
                />
            );
        case 'node':
            return (
                <circle
                    cx={shape.x}
                    cy={shape.y}
                    r="6.5"
                    fill="var(--surface)"
                    stroke={color(shape.role)}
                    stroke-width="3.5"
                />
            );
        case 'label':
            return <Label {...shape} />;
        case 'tag':
            return <Tag {...shape} />;
        default:
            throw new Error(`no such shape: ${shape.kind}`);
    }
}

/** Where a shape is pointed at: never thinner than a hand is steady. */
export function hitOf({ kind, cell, x, y, d, w, width }) {
    if (kind === 'path') return { cell, d, width: Math.max(14, width) };
    const [across, down, up] = kind === 'tag' ? [w, TAG + 4, TAG / 2 + 2] : [48, 24, 17];
    return { cell, x: x - across / 2, y: y - up, across, down };
}

export const HitArea = ({ cell, d, width, x, y, across, down }) =>
    d ? (
        <path data-at={cell} d={d} stroke-width={width} />
    ) : (
        <rect data-at={cell} x={x} y={y} width={across} height={down} />
    );
