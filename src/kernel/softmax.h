/*
 * softmax.h - one tile of raw scores becomes weights, and the statistics of its rows move on.
 *
 *     s     = cap(scale s) + term, -inf where the term is       m' = max(m, max s)
 *     p     = exp(s - m')        carry = exp(m - m')            l  = carry l + sum p
 *
 * The sum runs over the keys in ascending order, whichever of rows and keys are lanes. Nothing is
 * said of m where a score is NaN: its weight is NaN, so l is, and so is every number that l divides.
 */
#ifndef ATTN_SOFTMAX_H
#define ATTN_SOFTMAX_H

#include "scores.h"

/* Rows that are seen so far: maximum, sum, and the weighted sum of values. */
typedef struct row_state {
    float *m;   /* (lanes_of(rows)) -inf while there is no key */
    float *l;   /* (lanes_of(rows)) 0 while there is no key, never otherwise */
    float *acc; /* (rows, acc_row) */
    ptrdiff_t acc_row;
} row_state;

static inline uint64_t state_floats(int rows, int value_dim) {
    return (uint64_t)lanes_of(rows) * 2 + (uint64_t)rows * (uint64_t)v_count(value_dim) * VN;
}

static row_state state_at(float *memory, int rows, int value_dim) {
    const int capacity = lanes_of(rows);
    return (row_state){memory, memory + capacity, memory + 2 * capacity,
                       (ptrdiff_t)v_count(value_dim) * VN};
}

static void state_clear(row_state *t, int rows) {
    for (int i = 0; i < lanes_of(rows); i++) t->m[i] = -INFINITY, t->l[i] = 0.0f;
    memset(t->acc, 0, sizeof(float) * (size_t)rows * (size_t)t->acc_row);
}

/* What a row's scores are shifted by: exp(-inf - -inf) is never asked for. */
static inline vf shift_of(vf m) { return v_select(v_eq(m, v_set1(-INFINITY)), v_set1(0.0f), m); }

/* The constants of one pass over scores. */
typedef struct score_pass {
    exp_constants exp;
    vf scale, cap, minus_infinity;
} score_pass;

static inline score_pass score_pass_of(float scale, float softcap) {
    return (score_pass){exp_load_constants(), v_set1(scale), v_set1(softcap), v_set1(-INFINITY)};
}

/* The masked scores of the lanes at s, whose terms lie at term. */
ALWAYS_INLINE vf masked_score(const score_pass *k, const float *s, int softcap, const float *term) {
    vf x = v_mul(k->scale, v_load(s));
    if (softcap) x = v_mul(k->cap, v_tanh_with(&k->exp, v_div(x, k->cap)));
    if (term) {
        const vf e = v_load(term);
        x = v_select(v_eq(e, k->minus_infinity), e, v_add(x, e));
    }
    return x;
}

/* s becomes the masked score; top, m before this tile, the maximum. s is (keys, QUERY_TILE). */
ALWAYS_INLINE void mask_queries(float scale, float cap, int rows, int keys, int softcap,
                                const float *term, float *s, float *top) {
    const score_pass k = score_pass_of(scale, cap);
    for (int i = 0; i < lanes_of(rows); i += VN) {
        vf m = v_load(top + i);
        for (int j = 0; j < keys; j++) {
            const int at = j * QUERY_TILE + i;
            const vf x = masked_score(&k, s + at, softcap, term ? term + at : NULL);
            v_store(s + at, x);
            m = v_top(m, x);
        }
        v_store(top + i, m);
    }
}

/* One loop for each use, so that the ordinary one asks nothing. */
static void mask_queries_plain(float scale, float cap, int rows, int keys, const float *term,
                               float *s, float *top) {
    (void)term;
    mask_queries(scale, cap, rows, keys, 0, NULL, s, top);
}
static void mask_queries_terms(float scale, float cap, int rows, int keys, const float *term,
                               float *s, float *top) {
    mask_queries(scale, cap, rows, keys, 0, term, s, top);
}
static void mask_queries_capped(float scale, float cap, int rows, int keys, const float *term,
                                float *s, float *top) {
    mask_queries(scale, cap, rows, keys, 1, term, s, top);
}

/* The largest of the lanes and x, by halves. */
static inline float largest(float *lane, float x) {
    for (int half = VN / 2; half > 0; half /= 2) {
        for (int n = 0; n < half; n++) {
            lane[n] = lane[n] > lane[n + half] ? lane[n] : lane[n + half];
        }
    }
    return x > lane[0] ? x : lane[0];
}

/* The same for s (rows, KEY_TILE); lanes beyond the keys get -inf, and so no weight. */
static void mask_keys(float scale, float cap, int rows, int keys, const float *term, float *s,
                      float *top) {
    const score_pass k = score_pass_of(scale, cap);
    const int lanes = lanes_of(keys);
    for (int i = 0; i < rows; i++) {
        float *s_i = s + i * KEY_TILE, lane[VN];
        for (int j = 0; j < lanes; j += VN) {
            const float *term_ij = term ? term + i * KEY_TILE + j : NULL;
            v_store(s_i + j, masked_score(&k, s_i + j, cap > 0, term_ij));
        }
        for (int j = keys; j < lanes; j++) s_i[j] = -INFINITY;
        vf m = k.minus_infinity;
        for (int j = 0; j < lanes; j += VN) m = v_top(m, v_load(s_i + j));
        v_store(lane, m);
        top[i] = largest(lane, top[i]);
    }
}

/* carry = exp(before - m). */
static void move_on(const float *before, const float *m, int rows, float *carry) {
    const exp_constants constants = exp_load_constants();
    for (int i = 0; i < lanes_of(rows); i += VN) {
        const vf shift = shift_of(v_load(m + i));
        v_store(carry + i, v_exp_with(&constants, v_sub(v_load(before + i), shift)));
    }
}

/* s = exp(s - m), l = carry l + sum, for s (keys, QUERY_TILE). */
NOINLINE void exponentiate_queries(const row_state *state, const float *m, const float *carry,
                                   int rows, int keys, float *s) {
    const exp_constants constants = exp_load_constants();
    for (int i = 0; i < lanes_of(rows); i += VN) {
        const vf shift = shift_of(v_load(m + i));
        vf sum = v_set1(0.0f);
        for (int j = 0; j < keys; j++) {
            float *at = s + j * QUERY_TILE + i;
            const vf p = v_exp_with(&constants, v_sub(v_load(at), shift));
            v_store(at, p);
            sum = v_add(sum, p);
        }
        v_store(state->l + i, v_fma(v_load(carry + i), v_load(state->l + i), sum));
    }
}

/* A row's weights from key j0 on, each lane its own keys, which are those that VN divides alike: weights
 * of 0 before and behind make no difference. */
static float sum_by_lanes(const float *p, int j0, int keys) {
    float lane[VN] = {0}, sum = 0.0f;
    int j = 0;
    for (; j < keys && (j0 + j) % VN != 0; j++) lane[(j0 + j) % VN] = p[j];
    vf lanes = v_load(lane);
    for (; j + VN <= keys; j += VN) lanes = v_add(lanes, v_load(p + j));
    v_store(lane, lanes);
    for (int l = 0; j < keys; l++, j++) lane[l] += p[j];
    for (int l = 0; l < VN; l++) sum += lane[l];
    return sum;
}

/* The same for s (rows, KEY_TILE); one row that is alone, of any length, is summed by lanes. */
NOINLINE void exponentiate_keys(const row_state *state, const float *m, const float *carry,
                                int rows, int j0, int keys, int is_alone, float *s, float *sum) {
    const exp_constants constants = exp_load_constants();
    for (int i = 0; i < rows; i++) {
        float *s_i = s + i * KEY_TILE;
        const vf shift = shift_of(v_set1(m[i]));
        for (int j = 0; j < keys; j += VN) {
            v_store(s_i + j, v_exp_with(&constants, v_sub(v_load(s_i + j), shift)));
        }
        sum[i] = 0.0f;
        for (int j = 0; !is_alone && j < keys; j++) sum[i] += s_i[j];
    }
    if (is_alone) sum[0] = sum_by_lanes(s, j0, keys);
    for (int i = 0; i < lanes_of(rows); i += VN) {
        v_store(state->l + i, v_fma(v_load(carry + i), v_load(state->l + i), v_load(sum + i)));
    }
}

/* total takes in the rows of part, which come after it: both shifted to the larger maximum. */
static void state_merge(row_state *total, const row_state *part, int rows, int value_dim,
                        float *weight, float *part_weight) {
    const exp_constants constants = exp_load_constants();
    for (int i = 0; i < lanes_of(rows); i += VN) {
        const vf before = v_load(total->m + i), beside = v_load(part->m + i);
        const vf m = v_top(before, beside), shift = shift_of(m);
        const vf a = v_exp_with(&constants, v_sub(before, shift));
        const vf b = v_exp_with(&constants, v_sub(beside, shift));
        v_store(total->m + i, m);
        v_store(total->l + i, v_fma(a, v_load(total->l + i), v_mul(b, v_load(part->l + i))));
        v_store(weight + i, a);
        v_store(part_weight + i, b);
    }
    for (int i = 0; i < rows; i++) {
        const vf a = v_set1(weight[i]), b = v_set1(part_weight[i]);
        float *to = total->acc + i * total->acc_row;
        const float *from = part->acc + i * part->acc_row;
        for (int d = 0; d < value_dim; d += VN) {
            v_store(to + d, v_fma(a, v_load(to + d), v_mul(b, v_load(from + d))));
        }
    }
}

#endif
