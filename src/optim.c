/*
 * optim.c - one step of training: SGD with momentum, and AdamW.
 *
 * Plain loops in a fixed order, element by element: the same bits on every machine that rounds alike.
 */
#include "check.h"

#include <math.h>

static int is_rate(float x) { return isfinite(x) && x >= 0; }

static int is_decay_rate(float x) { return x >= 0 && x < 1; }

attn_status attn_sgd(size_t count, float *params, const float *grads, float *velocity, float lr,
                     float momentum, float weight_decay) {
    if (!is_rate(lr) || !is_decay_rate(momentum) || !is_rate(weight_decay)) return ATTN_RANGE;
    if (count > 0 && (!params || !grads || (momentum > 0 && !velocity))) return ATTN_NULL;
    for (size_t n = 0; n < count; n++) {
        float step = grads[n] + weight_decay * params[n];
        if (momentum > 0) {
            step += momentum * velocity[n];
            velocity[n] = step;
        }
        params[n] -= lr * step;
    }
    return ATTN_OK;
}

attn_status attn_adamw(size_t count, float *params, const float *grads, float *m, float *v,
                       int step, float lr, float beta1, float beta2, float epsilon,
                       float weight_decay) {
    if (!is_rate(lr) || !is_decay_rate(beta1) || !is_decay_rate(beta2)) return ATTN_RANGE;
    if (!(epsilon > 0) || !isfinite(epsilon) || !is_rate(weight_decay)) return ATTN_RANGE;
    if (step < 1) return ATTN_SIZE;
    if (count > 0 && (!params || !grads || !m || !v)) return ATTN_NULL;

    /* What the averages of the first steps lack, since they begin at 0. */
    const float correction1 = 1.0f - powf(beta1, (float)step);
    const float correction2 = 1.0f - powf(beta2, (float)step);
    for (size_t n = 0; n < count; n++) {
        const float g = grads[n];
        m[n] = beta1 * m[n] + (1.0f - beta1) * g;
        v[n] = beta2 * v[n] + (1.0f - beta2) * g * g;
        const float update = m[n] / correction1 / (sqrtf(v[n] / correction2) + epsilon);
        params[n] -= lr * (update + weight_decay * params[n]);
    }
    return ATTN_OK;
}
