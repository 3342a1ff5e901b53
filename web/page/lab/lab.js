// What is done about labs, as writes of state: one is open at a time, closed until asked for.

import { state, update } from '../state.js';
import { labOf } from './labs.js';
import { stopRuns } from './runs.js';

/** Opens a lab and closes any other; the same again closes it. What was being trained stops. */
export function openLab(id) {
    stopRuns();
    update({ lab: id === null || state.peek().lab?.id === id ? null : labOf(id), edit: null });
}

/** Changes settings of the lab that is open. */
export function setLab(settings) {
    const { lab } = state.peek();
    if (lab) update({ lab: { ...lab, ...settings } });
}
