// The mask as a whole, and where the hiding happens: −∞ before the softmax, 0 after it, or −1e9
// before it, for the pinned row. The lane that is chosen is the one the page follows.

import { showExample } from '../address.js';
import { classes } from '../classes.js';
import { choosePreset, clearPaint, invertMask, setOrder } from '../controls.js';
import { setCorner } from '../layers.js';
import { handsIn, hasCorner } from '../mask.js';
import { signedColor, weightColor } from '../color.js';
import { extents, key, model, query } from '../compute.js';
import { decimalsOf, isOne, plain } from '../format.js';
import { lanes, parting, shownKeys } from '../lanes.js';
import { vector } from '../phrase.js';
import { text } from '../text.en.js';
import { Phrase } from './Phrase.jsx';
import { Setting } from './Setting.jsx';

/** Which setting says how far a preset reaches. */
const SIZES = { padding: 'pad', window: 'window', prefix: 'prefix' };

/** Which two places meet, where there are more keys than queries or fewer. */
function Corner() {
    const { doc, queries, keys } = model.value;
    if (!hasCorner(doc, { queries: queries.length, keys: keys.length })) return null;
    return (
        <span class="segments" role="group" aria-label={text.mask.corner}>
            {Object.entries(text.mask.corners).map(([id, name]) => (
                <button
                    type="button"
                    aria-pressed={doc.mask.corner === id}
                    onClick={() => setCorner(id)}
                >
                    {name}
                </button>
            ))}
        </span>
    );
}

/** The number that is added to the pinned score. */
function Added() {
    const m = model.value;
    return (
        <label class="padname">
            <span>
                <Phrase parts={text.mask.adds(m.queries[query.value], m.keys[key.value])} />
            </span>
            <Setting id="bias" />
        </label>
    );
}

function Presets() {
    const { mask, bias } = model.value.doc;
    const byHand = handsIn({ mask, bias });
    return (
        <div class="presets">
            <div role="group" aria-label={text.mask.preset} class="pills">
                {Object.entries(text.mask.presets).map(([id, name]) => (
                    <button
                        type="button"
                        class="pill"
                        aria-pressed={mask.preset === id && !mask.inverted}
                        onClick={() => choosePreset(id)}
                    >
                        {name}
                    </button>
                ))}
                {SIZES[mask.preset] && (
                    <label class="padname">
                        {text.mask.sizes[mask.preset]} <Setting id={SIZES[mask.preset]} />
                    </label>
                )}
            </div>
            <Corner />
            <button type="button" class="pill" aria-pressed={mask.inverted} onClick={invertMask}>
                {text.mask.invert}
            </button>
            <Added />
            {byHand > 0 && (
                <button type="button" class="pill" onClick={clearPaint}>
                    <i class="dot" /> {text.mask.clear(byHand)}
                </button>
            )}
            <button type="button" class="pill example" onClick={() => showExample('future')}>
                {text.mask.example}
            </button>
        </div>
    );
}

/** A number of a lane; a hidden one is hatched. */
export function Tile({ value, kind, digits, off }) {
    const look = off
        ? {}
        : kind === 'weights'
          ? weightColor(value)
          : signedColor(value, extents.value.scores);
    const shown = plain(value, digits);
    return (
        <span class={classes('tile', off && 'off')} style={look}>
            <span class="n">{shown.replace('-', '\u2212')}</span>
        </span>
    );
}

function Tiles({ values, kind, off, name }) {
    const shown = shownKeys.value;
    const digits = kind === 'weights' ? 'fixed' : decimalsOf([shown.map((j) => values[j])]);
    return (
        <div class="tiles" role="group" aria-label={name}>
            {shown.map((j) => (
                <Tile value={values[j]} kind={kind} digits={digits} off={off(j)} />
            ))}
        </div>
    );
}

function Lane({ lane }) {
    const { order, m, scaled, between, weights, total, output } = lane;
    const i = query.value;
    const words = text.lanes[order];
    const isHidden = (j) => !m.allowed[i][j];
    const dead = !m.allowed[i].includes(true);
    const isRight = dead ? order === 'before' : isOne(total);
    const lost = order === 'after' && !isRight;
    return (
        <div class={classes('lane', order === model.value.doc.maskOrder && 'chosen')}>
            <label class="lanename">
                <input
                    type="radio"
                    name="order"
                    checked={order === model.value.doc.maskOrder}
                    onChange={() => setOrder(order)}
                />
                <span>
                    <b>
                        <Phrase parts={words.name} />
                    </b>
                    <span class="quiet">{words.about}</span>
                </span>
            </label>
            <Tiles values={scaled} kind="signed" off={() => false} name={text.grids.scaled} />
            <span class="laneop">
                <Phrase parts={words.first} />
            </span>
            <Tiles
                values={between}
                kind={order === 'after' ? 'weights' : 'signed'}
                off={(j) => order !== 'after' && isHidden(j)}
                name={text.lanes.between}
            />
            <span class="laneop">
                <Phrase parts={words.second} />
            </span>
            <Tiles
                values={weights}
                kind="weights"
                off={(j) => isHidden(j) && weights[j] === 0}
                name={text.grids.weights}
            />
            <span class={`lanesum ${isRight ? 'right' : 'wrong'}`}>
                <b>{plain(total, 'fixed')}</b> <span>{words.verdict(total, dead, lost)}</span>
            </span>
            <span class="laneout">
                <Phrase parts={[vector(output, 'o', true)]} />
            </span>
        </div>
    );
}

/** Whether the three ways give the same numbers, and if not, where they first differ. */
function Parting() {
    const m = model.value;
    const token = m.queries[query.value];
    const { hides, col, weights } = parting.value;
    const parts = weights
        ? text.lanes.parts(token, m.keys[col], weights)
        : text.lanes.same[hides ? 'hidden' : 'open'](token);
    return (
        <p class="quiet parting">
            <Phrase parts={parts} />
        </p>
    );
}

function Lanes() {
    const m = model.value;
    const i = query.value;
    const shown = shownKeys.value;
    return (
        <div
            class="lanes"
            role="radiogroup"
            aria-labelledby="lanes-title"
            style={{ '--keys': shown.length }}
        >
            <div class="lane lanehead">
                <h4 class="lanetitle" id="lanes-title">
                    <Phrase parts={text.lanes.title(m.queries[i])} />
                </h4>
                {[0, 1, 2].map(() => (
                    <>
                        <div class="tiles" aria-hidden="true">
                            {shown.map((j) => (
                                <bdi>{m.keys[j]}</bdi>
                            ))}
                        </div>
                        <span />
                    </>
                ))}
                <span aria-hidden="true">{text.lanes.output}</span>
            </div>
            {lanes.value.map((lane) => (
                <Lane lane={lane} />
            ))}
            {shown.length < m.keys.length && (
                <p class="quiet">{text.lanes.some(shown.length, m.keys.length)}</p>
            )}
            <Parting />
        </div>
    );
}

/** Rows that see no key, and what others make of one. */
function Empty() {
    const m = model.value;
    const dead = m.queries.filter((_, i) => !m.allowed[i].includes(true));
    if (!dead.length) return null;
    return (
        <div class="emptyrow">
            <h4>
                <Phrase parts={text.empty.title(dead)} />
            </h4>
            <p>
                <Phrase parts={text.empty.why} />
            </p>
            <dl>
                {text.empty.others.map(([who, what]) => (
                    <div>
                        <dt>{who}</dt>
                        <dd>
                            <Phrase parts={what} />
                        </dd>
                    </div>
                ))}
            </dl>
        </div>
    );
}

export function MaskRoom() {
    return (
        <>
            <Presets />
            <Lanes />
            <Empty />
        </>
    );
}
