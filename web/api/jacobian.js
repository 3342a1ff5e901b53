// jacobian.js: how a row of weights answers to its scores.
//
//     dw_i / ds_j = w_i · ((i = j) - w_j)
//
// Each row sums to 0, so the diagonal is w_i times the sum of the other weights: where one weight
// is almost 1, 1 - w_i would be 0 in float32, and that sum is not.

/** @import { Tensor, TensorLike } from './types.js' */

import { writeNumbers } from './elements.js';
import { fail } from './errors.js';
import { typedKind } from './kinds.js';
import { Result } from './result.js';
import { readNumbers } from './tensor.js';

/**
 * @param {TensorLike | Float32Array | Float64Array} given
 * @returns {Tensor}
 */
export function jacobianOf(given) {
    const isList = /^Float/.test(typedKind(given) ?? '');
    const list = /** @type {Float32Array} */ (given);
    const row = isList ? { data: list, shape: [list.length] } : /** @type {TensorLike} */ (given);
    const input = readNumbers(row, 'weightsRow'), { name, shape, size } = input;
    if (shape.length !== 1) throw fail('badShape', { name, shape, expected: '[T], one row' });
    const weights = new Float64Array(size);
    writeNumbers(input, { f32: weights }, 0);
    let jacobian;
    try {
        jacobian = new Float32Array(size * size);
    } catch (cause) {
        throw fail('resultRefused', { needed: size * size * 4 }, cause);
    }
    for (let i = 0; i < size; i++) {
        let others = 0;
        for (let j = 0; j < size; j++) {
            if (j === i) continue;
            others += weights[j];
            jacobian[i * size + j] = -weights[i] * weights[j];
        }
        jacobian[i * size + i] = weights[i] * others;
    }
    return new Result(jacobian, [size, size]);
}
